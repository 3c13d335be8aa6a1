/** What a run of jobs did. */
export interface RunCounts {
  readonly jobsRun: number;
  readonly jobsParked: number;
  readonly paymentsExpired: number;
  readonly refundsApproved: number;
  readonly simulationsApplied: number;
  readonly deliveriesAttempted: number;
  readonly deliveriesExhausted: number;
}

/** What a worker may use for a run. */
export interface RunnerLimits {
  /** The base URL of this service, for the addresses of sinks. */
  readonly baseUrl: string;
  /** How long the run may take, in real time. */
  readonly timeMs: number;
  /** Called after every commit. */
  readonly onDone?: (counts: RunCounts) => void;
}

export const NO_COUNTS: RunCounts = {
  jobsRun: 0,
  jobsParked: 0,
  paymentsExpired: 0,
  refundsApproved: 0,
  simulationsApplied: 0,
  deliveriesAttempted: 0,
  deliveriesExhausted: 0,
};

export function addRunCounts(one: RunCounts, other: RunCounts): RunCounts {
  return {
    jobsRun: one.jobsRun + other.jobsRun,
    jobsParked: one.jobsParked + other.jobsParked,
    paymentsExpired: one.paymentsExpired + other.paymentsExpired,
    refundsApproved: one.refundsApproved + other.refundsApproved,
    simulationsApplied: one.simulationsApplied + other.simulationsApplied,
    deliveriesAttempted: one.deliveriesAttempted + other.deliveriesAttempted,
    deliveriesExhausted: one.deliveriesExhausted + other.deliveriesExhausted,
  };
}
