import type { Target } from '../domain/delivery.ts';
import { sinkUrl } from '../domain/testkit/sink.ts';
import type { World } from '../domain/world.ts';
import { jobPks, queuePk } from '../store/keys.ts';
import { readSinks } from '../store/testkit/sinks.ts';

/**
 * The receivers of a world's events.
 * @param baseUrl of this service, and so of its sinks
 */
export async function readTargets(world: World, baseUrl: string): Promise<Target[]> {
  const sinks = await readSinks(world);
  return sinks.map((sink) => ({ id: sink.id, url: sinkUrl(sink, baseUrl), secret: sink.secret }));
}

/** The partitions of the attempts that wait for a world's receivers. */
export async function readQueuePks(world: World): Promise<string[]> {
  const sinks = await readSinks(world);
  return sinks.map(({ id }) => queuePk(world, id));
}

/** Every partition of a world that holds jobs. */
export async function readJobPks(world: World): Promise<string[]> {
  return [...jobPks(world), ...(await readQueuePks(world))];
}
