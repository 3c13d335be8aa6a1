import { expect, it } from 'vitest';
import { addRunCounts, NO_COUNTS, type RunCounts } from '../../shared/domain/run-counts.ts';

const counts: RunCounts = {
  jobsRun: 1,
  jobsParked: 2,
  paymentsExpired: 3,
  refundsApproved: 4,
  simulationsApplied: 5,
  deliveriesAttempted: 6,
  deliveriesExhausted: 7,
};

it('the counts of runs add up, each by itself, from nothing on', () => {
  expect(addRunCounts(NO_COUNTS, counts)).toStrictEqual(counts);
  expect(addRunCounts(counts, counts)).toStrictEqual({
    jobsRun: 2,
    jobsParked: 4,
    paymentsExpired: 6,
    refundsApproved: 8,
    simulationsApplied: 10,
    deliveriesAttempted: 12,
    deliveriesExhausted: 14,
  });
});
