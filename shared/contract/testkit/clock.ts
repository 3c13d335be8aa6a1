import * as v from 'valibot';
import { SECOND_MS, toTimestamp } from '../../domain/clock.ts';
import type { RunCounts } from '../../domain/run-counts.ts';
import { ADVANCE_SECONDS_MAX, type World } from '../../domain/world.ts';
import { component, idResponse, int32, int64, integer, timestamp } from '../fields.ts';
import { LONG_FUNCTION_TIMEOUT_SECONDS, mergeStorage, type Operation, RUNNING_JOBS } from '../operation.ts';
import { optionalTimestamp } from '../view-fields.ts';

const clockResponse = v.object({
  now: timestamp,
  offset_seconds: int64,
  next_job_at: v.nullable(timestamp),
});
type ClockView = v.InferInput<typeof clockResponse>;

const clockAdvanceResponse = v.object({
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
export type ClockAdvanceView = v.InferInput<typeof clockAdvanceResponse>;

export const clockOperations = {
  getClock: {
    id: 'testkit.GetClock',
    method: 'GET',
    path: '/api/v1/test/clock',
    summary: "Retrieve the merchant's clock",
    permission: 'simulate',
    mode: 'test',
    idempotent: false,
    storage: { query: ['JOBS', 'QUEUE', 'ENDPOINTS'] },
    success: { status: 200, name: 'Clock', schema: clockResponse },
    errors: [],
  },
  advanceClock: {
    id: 'testkit.AdvanceClock',
    method: 'POST',
    path: '/api/v1/test/clock/advance',
    summary: "Advance the merchant's clock and run the jobs that become due",
    description:
      'Jobs run in the order in which they are due, each at its own time, and so do the jobs that they create. Jobs that do not fit into one request are counted in `jobs_remaining` and run at once in the background.',
    permission: 'simulate',
    mode: 'test',
    idempotent: true,
    stepwise: true,
    storage: mergeStorage(RUNNING_JOBS, {
      get: ['MOVE'],
      query: ['ADVANCE'],
      put: ['MOVE'],
      delete: ['MOVE'],
      update: ['ADVANCE', 'LEASE'],
      updateWorld: ['clockOffsetMs', 'clockVersion', 'movedToMs'],
    }),
    timeoutSeconds: LONG_FUNCTION_TIMEOUT_SECONDS,
    body: v.strictObject({ seconds: integer(1, ADVANCE_SECONDS_MAX) }),
    success: { status: 200, name: 'ClockAdvanceResult', schema: clockAdvanceResponse },
    errors: ['clock_busy'],
    example: { seconds: 3_600 },
  },
} as const satisfies Record<string, Operation>;

export function viewClock(
  world: Pick<World, 'clockOffsetMs'>,
  nowMs: number,
  nextAtMs: number | null,
): ClockView {
  return {
    now: toTimestamp(nowMs),
    offset_seconds: world.clockOffsetMs / SECOND_MS,
    next_job_at: optionalTimestamp(nextAtMs),
  };
}

export function viewAdvance(
  advance: {
    readonly actionId: string;
    readonly seconds: number;
    readonly fromMs: number;
    readonly toMs: number;
  },
  counts: RunCounts,
  jobsRemaining: number,
): ClockAdvanceView {
  return {
    action_id: advance.actionId,
    advanced_seconds: advance.seconds,
    jobs_run: counts.jobsRun,
    shifted: {
      from: toTimestamp(advance.fromMs),
      to: toTimestamp(advance.toMs),
      payments_expired: counts.paymentsExpired,
      refunds_approved: counts.refundsApproved,
      simulations_applied: counts.simulationsApplied,
      deliveries_attempted: counts.deliveriesAttempted,
      jobs_remaining: jobsRemaining,
    },
  };
}
