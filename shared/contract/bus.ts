/** An event on the bus: a world has due work. It starts the job runner, or the live dispatcher. */
export const WORLD_DUE = {
  test: { source: 'payments.clock', detailType: 'world due' },
  live: { source: 'payments.clock', detailType: 'live world due' },
} as const;

/** The detail of these events. */
export interface Due {
  readonly worldId: string;
  /** The partitions of the table that hold the work. If absent, any partition may. */
  readonly pks?: readonly string[];
}

/** An event on the bus: an endpoint or sink has queued attempts. It goes to the queue of the deliverer of its mode. */
export const RECEIVER_DUE = {
  test: { source: 'payments.clock', detailType: 'receiver due' },
  live: { source: 'payments.clock', detailType: 'live receiver due' },
} as const;

/** An event on the bus: a live world has due jobs. It starts the live job runner. */
export const LIVE_JOBS_DUE = { source: 'payments.clock', detailType: 'live jobs due' } as const;

/** How often the clock ticks (contract §11). */
export const TICK_MINUTES = 1;

/** The time-out of the workers that run jobs, dispatch and deliver. */
export const JOB_RUNNER_TIMEOUT_SECONDS = 60;

/** Kinds of items that start the job runner, or the live dispatcher, as soon as they are stored, by the table's stream. */
export const WAKING_KINDS = [
  'outbox',
  'redelivery',
  'first-attempt',
  'recover-events',
  'delete-epoch',
  'next-run',
] as const;
