import { SECOND_MS } from '../../domain/clock.ts';
import { addRunCounts, NO_COUNTS, type RunCounts } from '../../domain/run-counts.ts';
import type { ClockMove } from '../../domain/testkit/clock-move.ts';
import type { World } from '../../domain/world.ts';
import { nextRunItem } from '../scheduler/next-run.ts';
import type { Write } from '../table/commit.ts';
import { fieldsOf } from '../table/entity.ts';
import { ALWAYS, getItem, insert, put, queryPartition, remove, update } from '../table/item.ts';
import { moveCountsKey, moveCountsPk, moveKey, unlistedIndex } from '../table/keys.ts';
import { updateWorld } from '../worlds/world.ts';

/** A move is remembered at least as long as its Idempotency-Key. */
const REMEMBERED_SECONDS = 7 * 24 * 60 * 60;
/** The counts that a response shows; only metrics need the others. */
const STORED_COUNTS = [
  'jobsRun',
  'paymentsExpired',
  'refundsApproved',
  'simulationsApplied',
  'deliveriesAttempted',
] as const;

/** The move of a clock that a request with this Idempotency-Key has made, while its response is not saved; or null. */
export async function findMove(worldId: string, idempotencyKey: string): Promise<ClockMove | null> {
  const item = await getItem(moveKey(worldId, idempotencyKey));
  return item === undefined ? null : fieldsOf<ClockMove>(item);
}

/**
 * The writes that move the clock, store the move, and wake a runner for its jobs in case this process dies. They
 * conflict where the clock has changed since it was read, or this move was made already.
 * @param wakeAtMs real time
 */
export function insertMove(world: World, idempotencyKey: string, move: ClockMove, wakeAtMs: number): Write[] {
  const ttl = Math.floor(Date.now() / SECOND_MS) + REMEMBERED_SECONDS;
  const clockVersion = world.clockVersion + 1;
  return [
    insert({ ...moveKey(world.id, idempotencyKey), ...move, ttl }),
    updateWorld(
      world,
      'SET clockOffsetMs = :next, clockVersion = :version, movedToMs = :to',
      'clockOffsetMs = :read',
      {
        ':read': world.clockOffsetMs,
        ':next': world.clockOffsetMs + move.seconds * SECOND_MS,
        ':version': clockVersion,
        ':to': move.toMs,
      },
    ),
    put(nextRunItem({ ...world, clockVersion }, wakeAtMs)),
  ];
}

/**
 * The writes that remove a move when its response is saved. They conflict where a purge has ended the world's epoch:
 * the response is then saved in the ended epoch, and in the next one only the stored move shows that it was made.
 */
export function forgetMove(world: World, idempotencyKey: string): Write[] {
  const isOpen = updateWorld(world, 'SET clockVersion = clockVersion', 'attribute_exists(clockVersion)', {});
  return [remove(moveKey(world.id, idempotencyKey)), isOpen];
}

/** Adds to a counter of the jobs that a move runs, in the transaction of these jobs. */
export function countInMove(world: World, idempotencyKey: string, counts: RunCounts, counter: number): Write {
  const key = moveCountsKey(world, idempotencyKey, counter);
  const { relatedPk, relatedSk } = unlistedIndex(world, `${key.pk}#${key.sk}`);
  const added = STORED_COUNTS.map((name) => `${name} :${name}`).join(', ');
  return update(key, `SET relatedPk = :relatedPk, relatedSk = :relatedSk ADD ${added}`, {
    // The first addition creates the counter.
    condition: ALWAYS,
    values: {
      ':relatedPk': relatedPk,
      ':relatedSk': relatedSk,
      ...Object.fromEntries(STORED_COUNTS.map((name) => [`:${name}`, counts[name]])),
    },
  });
}

/** What a move has done so far, over all of its retries. */
export async function readMoveCounts(
  world: Pick<World, 'id' | 'epoch'>,
  idempotencyKey: string,
): Promise<RunCounts> {
  const counters = await queryPartition(moveCountsPk(world, idempotencyKey));
  // The other counts stay 0.
  return counters.reduce<RunCounts>((sum, each) => addRunCounts(sum, { ...NO_COUNTS, ...each }), NO_COUNTS);
}
