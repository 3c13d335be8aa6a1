import type { Target } from '../domain/delivery.ts';
import { sinkUrl } from '../domain/testkit/sink.ts';
import type { World } from '../domain/world.ts';
import { readSinks } from '../store/testkit/sinks.ts';

/**
 * The receivers of a world's events.
 * @param baseUrl of this service, and so of its sinks
 */
export async function readTargets(world: World, baseUrl: string): Promise<Target[]> {
  const sinks = await readSinks(world);
  return sinks.map((sink) => ({ id: sink.id, url: sinkUrl(sink, baseUrl), secret: sink.secret }));
}
