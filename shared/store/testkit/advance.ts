import { addRunCounts, NO_COUNTS, type RunCounts } from '../../domain/run-counts.ts';
import type { World } from '../../domain/world.ts';
import { commit, type Write } from '../commit.ts';
import { getItem, insert, queryPartition } from '../item.ts';
import { advanceCountsKey, advanceKey, restIndex, worldKey } from '../keys.ts';

/** One move of a clock, stored under the Idempotency-Key of its request, so that it happens once. */
export interface Advance {
  readonly actionId: string;
  /** On the merchant's clock. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly seconds: number;
}

export async function findAdvance(world: World, idempotencyKey: string): Promise<Advance | null> {
  const item = await getItem(advanceKey(world, idempotencyKey));
  return (item as Advance | undefined) ?? null;
}

/**
 * Moves the clock and stores the move, in one transaction.
 * @returns false where the clock has changed since it was read, or this move was made already
 */
export async function moveClock(world: World, idempotencyKey: string, advance: Advance): Promise<boolean> {
  const outcome = await commit([
    insert({ ...advanceKey(world, idempotencyKey), ...restIndex(world, advance.actionId), ...advance }),
    {
      update: {
        key: worldKey(world.id),
        expression: 'SET clockOffsetMs = :next',
        condition: 'epoch = :epoch AND clockOffsetMs = :read',
        values: {
          ':read': world.clockOffsetMs,
          ':next': world.clockOffsetMs + advance.seconds * 1_000,
          ':epoch': world.epoch,
        },
      },
    },
  ]);
  return outcome.kind === 'committed';
}

/** Adds to a counter of the jobs that a move runs, in the transaction of these jobs. */
export function countInAdvance(
  world: World,
  idempotencyKey: string,
  counts: RunCounts,
  counter: number,
): Write {
  const key = advanceCountsKey(world, idempotencyKey, counter);
  const { relatedPk, relatedSk } = restIndex(world, `${key.pk}#${key.sk}`);
  return {
    update: {
      key,
      expression:
        'SET relatedPk = :relatedPk, relatedSk = :relatedSk ADD jobsRun :jobs, paymentsExpired :expired, refundsApproved :approved, simulationsApplied :applied, deliveriesAttempted :attempted',
      // Always true: the first addition creates the counter.
      condition: 'attribute_exists(pk) OR attribute_not_exists(pk)',
      values: {
        ':relatedPk': relatedPk,
        ':relatedSk': relatedSk,
        ':jobs': counts.jobsRun,
        ':expired': counts.paymentsExpired,
        ':approved': counts.refundsApproved,
        ':applied': counts.simulationsApplied,
        ':attempted': counts.deliveriesAttempted,
      },
    },
  };
}

/** What a move has done so far, over all of its retries. */
export async function readAdvanceCounts(world: World, idempotencyKey: string): Promise<RunCounts> {
  const { pk } = advanceKey(world, idempotencyKey);
  const counters = (await queryPartition(pk)).filter(({ jobsRun }) => jobsRun !== undefined);
  // Counts that only metrics need are not stored, and stay 0.
  return counters.reduce<RunCounts>((sum, each) => addRunCounts(sum, { ...NO_COUNTS, ...each }), NO_COUNTS);
}
