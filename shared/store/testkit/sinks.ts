import type { Sink } from '../../domain/testkit/sink.ts';
import type { World } from '../../domain/world.ts';
import { found, Problem } from '../../errors/problem.ts';
import { commit, type Write } from '../commit.ts';
import { fieldsOf } from '../entity.ts';
import { getItem, insert, queryPartition, replace } from '../item.ts';
import { restIndex, sinkKey, sinksPk, sinkTokenKey } from '../keys.ts';
import type { Page } from '../list.ts';
import { findWorld } from '../world.ts';

/** All sinks of a world, oldest first: at most 20. */
export async function readSinks(world: World): Promise<Sink[]> {
  return (await queryPartition(sinksPk(world))).map((item) => fieldsOf<Sink>(item));
}

/** All sinks of a world as a page, newest first. */
export async function listSinks(world: World): Promise<Page<Sink>> {
  return { data: (await readSinks(world)).toReversed(), nextCursor: null };
}

/**
 * @throws Problem `sink_not_found`
 */
export async function getSink(world: World, id: string): Promise<Sink> {
  const sinks = await readSinks(world);
  return found(
    sinks.find((sink) => sink.id === id),
    'sink_not_found',
  );
}

/**
 * Writes a sink over the version that it was made from, or a new sink into a free slot, with the item that leads from
 * its token to it. Of two sinks for the same slot, the second conflicts.
 */
export function writeSink(world: World, before: Sink | null, sink: Sink): Write[] {
  const item = { ...sink, ...sinkKey(world, sink.slot) };
  const place = { worldId: world.id, epoch: world.epoch, slot: sink.slot };
  return before === null
    ? [insert(item), insert({ ...sinkTokenKey(sink.token), ...restIndex(world, sink.id), ...place })]
    : [replace(item, before.version)];
}

const CHANGE_TRIES_MAX = 50;

/**
 * Changes the sink of a token by a pure rule. Safe with concurrent deliveries: after a conflict the rule runs again.
 * @returns the rule's result, and the sink as it was before; null for an unknown token
 * @throws Problem `temporarily_unavailable` after too many conflicts
 */
export async function changeSinkOfToken<Result extends { readonly after: Sink }>(
  token: string,
  rule: (sink: Sink) => Result,
): Promise<(Result & { readonly sink: Sink }) | null> {
  const place = await getItem(sinkTokenKey(token));
  const scope = place && { id: String(place.worldId), epoch: Number(place.epoch) };
  const world = scope && (await findWorld(scope.id));
  if (scope === undefined || world?.epoch !== scope.epoch) {
    return null;
  }
  for (let attempt = 0; attempt < CHANGE_TRIES_MAX; attempt += 1) {
    const item = await getItem(sinkKey(scope, Number(place?.slot)));
    if (item === undefined) {
      return null;
    }
    const sink = fieldsOf<Sink>(item);
    const result = rule(sink);
    const outcome = await commit(writeSink(world, sink, result.after));
    if (outcome.kind === 'committed') {
      return { ...result, sink };
    }
  }
  throw new Problem('temporarily_unavailable');
}
