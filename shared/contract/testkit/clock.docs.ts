export const clockDocs = {
  operations: {
    getClock: [
      "Retrieve the merchant's clock",
      'The time of the test world, how far it is ahead of real time, and when its next job is due.',
    ],
    advanceClock: [
      "Advance the merchant's clock and run the jobs that become due",
      'Jobs run in the order in which they are due, each at its own time, and so do the jobs that they create. Jobs that do not fit into one request are counted in `jobs_remaining` and run at once in the background.',
    ],
  },
  schemas: {
    Clock: {
      about: "The merchant's clock: real time plus an offset. It keeps running.",
      now: 'The time on the clock.',
      offset_seconds: 'Seconds that the clock is ahead of real time.',
      next_job_at: 'Time at which the next job is due, on this clock; null if there is none.',
      parked_jobs:
        'Jobs that failed for good, 1,000 at most: they are not tried again. Operators list them with `pg admin jobs`.',
    },
    AdvanceClockRequest: {
      about: 'How far to advance the clock.',
      seconds: 'Seconds to advance the clock, which can be at most two years ahead of real time in total.',
    },
    ClockAdvanceResult: {
      about: 'Result of advancing the clock.',
      advanced_seconds: 'Seconds that the clock was advanced.',
      jobs_run: 'Number of jobs that ran.',
      shifted: 'The time range of the advance, and what the jobs did.',
    },
    ClockShift: {
      about: 'What the jobs did that became due by the advance.',
      from: 'The time on the clock before.',
      to: 'The time on the clock afterwards.',
      payments_expired: 'Number of expired payments.',
      refunds_approved: 'Number of approved refunds.',
      simulations_applied: 'Number of queued outcomes that took effect.',
      deliveries_attempted: 'Number of attempted deliveries.',
      jobs_remaining: 'Number of due jobs left over; they run at once in the background.',
    },
  },
} as const;
