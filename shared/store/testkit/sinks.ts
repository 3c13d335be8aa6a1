import { type Endpoint, isSink } from '../../domain/endpoint.ts';
import { receive, type Sink, type SinkChange, tokenOf } from '../../domain/testkit/sink.ts';
import type { World } from '../../domain/world.ts';
import { found, Problem } from '../../errors/problem.ts';
import { readEndpoints } from '../events/endpoint.ts';
import { commit, type Write, writeOne } from '../table/commit.ts';
import { fieldsOf } from '../table/entity.ts';
import { getItems } from '../table/get-items.ts';
import { getItem, insert, replace, type StoredItem, update } from '../table/item.ts';
import { endpointKey, sinkKey, unlistedIndex } from '../table/keys.ts';
import type { ListPage } from '../table/list.ts';
import { findOpenWorld } from '../worlds/world.ts';

/** A sink as it is stored: with the world of its endpoint. */
type StoredSink = Sink & { readonly worldId: string; readonly epoch: number };

/** All sinks of a world as a page, newest first: at most 20. */
export async function listSinks(world: World): Promise<ListPage<Sink>> {
  const endpoints = (await readEndpoints(world)).filter(isSink);
  const items = await getItems(endpoints.map((endpoint) => sinkKey(tokenOf(endpoint))));
  const sinks = items.map((item) => fieldsOf<StoredSink>(item));
  return { data: sinks.toSorted((one, other) => other.slot - one.slot), nextCursor: null };
}

/**
 * The endpoint of a sink.
 * @throws Problem `sink_not_found`
 */
export async function getSinkEndpoint(world: World, id: string): Promise<Endpoint> {
  const endpoints = await readEndpoints(world);
  return found(
    endpoints.find((endpoint) => isSink(endpoint) && endpoint.id === id),
    'sink_not_found',
  );
}

/** The sink of an endpoint: they are written together. */
export async function getSink(endpoint: Endpoint): Promise<Sink> {
  return fieldsOf<StoredSink>(found(await getItem(sinkKey(tokenOf(endpoint))), 'sink_not_found'));
}

/** Writes a sink over the version that it was made from, or a new one. */
export function writeSink(world: World, { before, after }: Pick<SinkChange, 'before' | 'after'>): Write {
  const ownerWorld = { worldId: world.id, epoch: world.epoch };
  const item = { ...after, ...sinkKey(after.token), ...unlistedIndex(world, after.id), ...ownerWorld };
  return before === null ? insert(item) : replace(item, { version: before.version });
}

const RECEIVE_TRIES_MAX = 50;

/**
 * Counts a delivery to the sink of a token, which then responds as set. Deliveries that only have to be counted
 * do not wait for each other; where the sink is set to fail a few times, each of them sees how many are left.
 * @returns the status of the response, and the secret that signs the delivery; null for an unknown token
 * @throws Problem `temporarily_unavailable` after too many conflicts
 */
export async function receiveAtSink(
  token: string,
): Promise<{ readonly status: number; readonly secret: string } | null> {
  let item = await getItem(sinkKey(token));
  const secret = item === undefined ? null : await readSecret(item);
  if (secret === null) {
    return null;
  }
  for (let attempt = 0; item !== undefined && attempt < RECEIVE_TRIES_MAX; attempt += 1) {
    const sink = fieldsOf<StoredSink>(item);
    const { status, after } = receive(sink);
    const isReceived = sink.failCount === 0 ? await countReceived(sink) : await isReplaced(item, sink, after);
    if (isReceived) {
      return { status, secret };
    }
    item = await getItem(sinkKey(token));
  }
  throw new Problem('temporarily_unavailable');
}

/** The secret of a sink's endpoint; null where its world was purged since. */
async function readSecret(item: StoredItem): Promise<string | null> {
  const { worldId: id, epoch, slot } = fieldsOf<StoredSink>(item);
  const [world, endpoint] = await Promise.all([findOpenWorld(id), getItem(endpointKey({ id, epoch }, slot))]);
  return world?.epoch === epoch && endpoint !== undefined ? fieldsOf<Endpoint>(endpoint).secret : null;
}

/** @returns false where another delivery or an instruction was faster */
async function isReplaced(item: StoredItem, before: Sink, after: Sink): Promise<boolean> {
  const outcome = await commit([
    replace({ ...item, ...after, ...sinkKey(before.token) }, { version: before.version }),
  ]);
  return outcome.kind === 'committed';
}

/** @returns false where the sink was set to another response, or is gone */
async function countReceived({ token, respondStatus }: Sink): Promise<boolean> {
  return writeOne(
    update(sinkKey(token), 'ADD receivedCount :one, version :one', {
      condition: 'failCount = :none AND respondStatus = :status',
      values: { ':one': 1, ':none': 0, ':status': respondStatus },
    }),
  );
}
