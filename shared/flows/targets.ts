import type { Target } from '../domain/delivery.ts';
import { sinkUrl } from '../domain/testkit/sink.ts';
import type { World } from '../domain/world.ts';
import { readSinks } from '../store/testkit/sinks.ts';

/**
 * Everybody who is told of the events of a world.
 * @param baseUrl where this service answers, and so its sinks
 */
export async function readTargets(world: World, baseUrl: string): Promise<Target[]> {
  const sinks = await readSinks(world);
  return sinks.map((sink) => ({ id: sink.id, url: sinkUrl(sink, baseUrl), secret: sink.secret }));
}
