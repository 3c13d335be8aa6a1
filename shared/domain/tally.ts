/** What a run of jobs came to. */
export interface Tally {
  readonly jobsRun: number;
  readonly paymentsExpired: number;
  readonly refundsApproved: number;
  readonly simulationsApplied: number;
  readonly deliveriesAttempted: number;
}

export const EMPTY_TALLY: Tally = {
  jobsRun: 0,
  paymentsExpired: 0,
  refundsApproved: 0,
  simulationsApplied: 0,
  deliveriesAttempted: 0,
};

export function addTallies(one: Tally, other: Tally): Tally {
  return {
    jobsRun: one.jobsRun + other.jobsRun,
    paymentsExpired: one.paymentsExpired + other.paymentsExpired,
    refundsApproved: one.refundsApproved + other.refundsApproved,
    simulationsApplied: one.simulationsApplied + other.simulationsApplied,
    deliveriesAttempted: one.deliveriesAttempted + other.deliveriesAttempted,
  };
}
