/** What the clock says on the bus: this world has work. The rule of the job runner listens for it. */
export const WORLD_DUE = { source: 'payments.clock', detailType: 'world due' } as const;

/** What they say. */
export interface Due {
  readonly worldId: string;
  /** Partitions of the table that hold the work; left out: any. */
  readonly pks?: readonly string[];
}

/** What is said on the bus of a receiver for which attempts to deliver wait. The deliverer's queue listens for it. */
export const RECEIVER_DUE = { source: 'payments.clock', detailType: 'receiver due' } as const;

/** What is said on the bus of the due jobs of a live world. The rule of the live job runner listens for it. */
export const LIVE_JOBS_DUE = { source: 'payments.clock', detailType: 'live jobs due' } as const;

/** The environment variable that tells the workers their bus. */
export const BUS_NAME_VARIABLE = 'BUS_NAME';

/** How often the clock ticks (contract §11). */
export const TICK_MINUTES = 1;

/** How long the job runner, the live job runner and the deliverer may take. */
export const JOB_RUNNER_TIMEOUT_SECONDS = 60;

/** Kinds of items whose arrival in the table wakes the job runner at once, by the table's stream. */
export const WAKING_KINDS = [
  'outbox',
  'redelivery',
  'first-attempt',
  'recover-events',
  'delete-epoch',
  'wake',
] as const;
