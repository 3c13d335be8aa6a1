import * as v from 'valibot';
import { SECOND_MS, toTimestamp } from '../../domain/clock.ts';
import { JOB_KINDS } from '../../domain/job.ts';
import type { RunCounts } from '../../domain/run-counts.ts';
import type { ClockMove } from '../../domain/testkit/clock-move.ts';
import { ADVANCE_SECONDS_MAX, type World } from '../../domain/world.ts';
import { component, idResponse, int32, int64, integer, timestamp } from '../fields.ts';
import { LONG_FUNCTION_TIMEOUT_SECONDS, type Operation, READ, WRITE } from '../operation.ts';
import { optionalTimestamp } from '../view-fields.ts';

/** What every clock shows. */
export const clockReading = { now: timestamp, offset_seconds: int64 };

const clockResponse = v.object({
  ...clockReading,
  next_job_at: v.nullable(timestamp),
  parked_jobs: int32,
});

const clockMoveResponse = v.object({
  action_id: idResponse('act'),
  advanced_seconds: int32,
  jobs_run: int32,
  shifted: component(
    'ClockShift',
    v.object({
      from: timestamp,
      to: timestamp,
      payments_expired: int32,
      refunds_approved: int32,
      simulations_applied: int32,
      deliveries_attempted: int32,
      jobs_remaining: int32,
    }),
  ),
});
export type ClockMoveView = v.InferInput<typeof clockMoveResponse>;

export const clockOperations = {
  getClock: {
    ...READ,
    id: 'testkit.GetClock',
    path: '/api/v1/test/clock',
    permission: 'simulate',
    mode: 'test',
    reads: ['jobs', 'attempts', 'endpoints', 'parked-jobs'],
    success: { status: 200, name: 'Clock', schema: clockResponse },
  },
  advanceClock: {
    ...WRITE,
    id: 'testkit.AdvanceClock',
    path: '/api/v1/test/clock/advance',
    permission: 'simulate',
    mode: 'test',
    stepwise: true,
    changes: ['clock-move', 'move-end', 'jobs.run'],
    jobs: JOB_KINDS,
    timeoutSeconds: LONG_FUNCTION_TIMEOUT_SECONDS,
    body: v.strictObject({ seconds: integer(1, ADVANCE_SECONDS_MAX) }),
    success: { status: 200, name: 'ClockAdvanceResult', schema: clockMoveResponse },
    errors: ['clock_busy'],
    example: { seconds: 3_600 },
  },
} as const satisfies Record<string, Operation>;

/** A clock that started at an instant is ahead by a part of a second too. */
export function viewClockReading({ clockOffsetMs }: Pick<World, 'clockOffsetMs'>, nowMs: number) {
  return { now: toTimestamp(nowMs), offset_seconds: Math.floor(clockOffsetMs / SECOND_MS) };
}

export function viewClock(
  world: Pick<World, 'clockOffsetMs'>,
  nowMs: number,
  nextAtMs: number | null,
  parkedJobs: number,
): v.InferInput<typeof clockResponse> {
  return {
    ...viewClockReading(world, nowMs),
    next_job_at: optionalTimestamp(nextAtMs),
    parked_jobs: parkedJobs,
  };
}

export function viewMove(
  move: Omit<ClockMove, 'epoch'>,
  counts: RunCounts,
  jobsRemaining: number,
): ClockMoveView {
  return {
    action_id: move.actionId,
    advanced_seconds: move.seconds,
    jobs_run: counts.jobsRun,
    shifted: {
      from: toTimestamp(move.fromMs),
      to: toTimestamp(move.toMs),
      payments_expired: counts.paymentsExpired,
      refunds_approved: counts.refundsApproved,
      simulations_applied: counts.simulationsApplied,
      deliveries_attempted: counts.deliveriesAttempted,
      jobs_remaining: jobsRemaining,
    },
  };
}
