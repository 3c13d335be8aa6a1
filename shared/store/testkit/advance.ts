import { addRunCounts, NO_COUNTS, type RunCounts } from '../../domain/run-counts.ts';
import type { World } from '../../domain/world.ts';
import { commit, type Write } from '../commit.ts';
import { getItem, insert, queryPartition } from '../item.ts';
import { advanceCountsKey, advanceKey, restIndex, worldKey } from '../keys.ts';

/** One move of a clock, by the Idempotency-Key of the request for it: it happens once, however often that is sent. */
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
 * Moves the clock and notes the move, both or neither.
 * @returns false where the clock is not as it was read, or this move was made already
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

/** Counts what a move has brought about, in the transaction that brings it about. */
export function countInAdvance(world: World, idempotencyKey: string, tally: RunCounts, lane: number): Write {
  const key = advanceCountsKey(world, idempotencyKey, lane);
  const { relatedPk, relatedSk } = restIndex(world, `${key.pk}#${key.sk}`);
  return {
    update: {
      key,
      expression:
        'SET relatedPk = :relatedPk, relatedSk = :relatedSk ADD jobsRun :jobs, paymentsExpired :expired, refundsApproved :approved, simulationsApplied :applied, deliveriesAttempted :attempted',
      // Always true: a lane begins with what is counted in it first.
      condition: 'attribute_exists(pk) OR attribute_not_exists(pk)',
      values: {
        ':relatedPk': relatedPk,
        ':relatedSk': relatedSk,
        ':jobs': tally.jobsRun,
        ':expired': tally.paymentsExpired,
        ':approved': tally.refundsApproved,
        ':applied': tally.simulationsApplied,
        ':attempted': tally.deliveriesAttempted,
      },
    },
  };
}

/** What a move has brought about so far, by all the runs that it took. */
export async function readAdvanceCounts(world: World, idempotencyKey: string): Promise<RunCounts> {
  const { pk } = advanceKey(world, idempotencyKey);
  const lanes = (await queryPartition(pk)).filter(({ jobsRun }) => jobsRun !== undefined);
  // What only metrics ask for is not kept with a move.
  return lanes.reduce<RunCounts>((sum, lane) => addRunCounts(sum, { ...NO_COUNTS, ...lane }), NO_COUNTS);
}
