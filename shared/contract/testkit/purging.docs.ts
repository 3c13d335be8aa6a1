export const purgeDocs = {
  operations: {
    purgeTestData: [
      'Purge the test world',
      "Deletes everything in the caller's test world. From the response on, no read shows it, none of its jobs runs, and none of its events is sent. API keys stay. The clock returns to real time. Every `Idempotency-Key` but that of the purge can be used again.",
    ],
  },
  schemas: {
    CountByKind: { about: 'Number of objects of each kind, by name.' },
    ResetReport: {
      about: 'Result of a purge.',
      status: 'Status of the purge.',
      reason: 'Reason for the purge.',
      reset_at: 'Time of the purge, in real time.',
      jobs_canceled: 'Number of canceled jobs.',
      outbox_canceled: 'Number of events that were canceled before they were sent.',
      deleted: 'Number of deleted objects of each kind.',
      kept: 'Number of kept objects of each kind.',
      modules: 'The parts of the service that were reset.',
      sequences_reset: 'The last number of each kind before the purge; numbering starts again.',
    },
    PurgeTestDataRequest: { about: 'An empty object.' },
  },
} as const;
