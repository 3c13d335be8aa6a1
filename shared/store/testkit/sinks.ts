import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { receive, type Sink } from '../../domain/testkit/sink.ts';
import type { World } from '../../domain/world.ts';
import { found, Problem } from '../../errors/problem.ts';
import { documents, tableName } from '../client.ts';
import { commit, pastTransactions, type Write } from '../commit.ts';
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

const RECEIVE_TRIES_MAX = 50;

/**
 * Counts a delivery to the sink of a token, which then answers as it is set to. Deliveries that only have to be counted
 * do not wait for each other; where the sink is set to fail a few times, each of them sees how many are left.
 * @returns the status to answer, and the sink as it was before; null for an unknown token
 * @throws Problem `temporarily_unavailable` after too many conflicts
 */
export async function receiveAtSink(
  token: string,
): Promise<{ readonly status: number; readonly sink: Sink } | null> {
  const place = await getItem(sinkTokenKey(token));
  const scope = place && { id: String(place.worldId), epoch: Number(place.epoch) };
  const world = scope && (await findWorld(scope.id));
  if (scope === undefined || world?.epoch !== scope.epoch) {
    return null;
  }
  for (let attempt = 0; attempt < RECEIVE_TRIES_MAX; attempt += 1) {
    const item = await getItem(sinkKey(scope, Number(place?.slot)));
    if (item === undefined) {
      return null;
    }
    const sink = fieldsOf<Sink>(item);
    const { status, after } = receive(sink);
    const isReceived =
      sink.failCount === 0
        ? await countReceived(world, sink)
        : (await commit(writeSink(world, sink, after))).kind === 'committed';
    if (isReceived) {
      return { status, sink };
    }
  }
  throw new Problem('temporarily_unavailable');
}

/** @returns false where the sink has been told to answer otherwise, or is gone */
async function countReceived(world: World, { slot, respondStatus }: Sink): Promise<boolean> {
  const command = new UpdateCommand({
    TableName: tableName(),
    Key: sinkKey(world, slot),
    UpdateExpression: 'ADD receivedCount :one, version :one',
    ConditionExpression: 'failCount = :none AND respondStatus = :status',
    ExpressionAttributeValues: { ':one': 1, ':none': 0, ':status': respondStatus },
  });
  try {
    await pastTransactions(() => documents.send(command));
    return true;
  } catch (error) {
    if ((error as Error).name !== 'ConditionalCheckFailedException') {
      throw error;
    }
    return false;
  }
}
