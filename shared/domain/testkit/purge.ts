import { MINUTE_MS } from '../clock.ts';
import type { PerListed, PerResource } from '../resource.ts';

/** One purge: which epoch of a world it ended, and what that had counted. */
export interface Purge {
  readonly actionId: string;
  readonly epoch: number;
  readonly counts: PerResource<number>;
  readonly eventCount: number;
  /** Real time: the clock of the world is reset with everything else. */
  readonly resetAtMs: number;
}

/**
 * How long after a purge, in real time, what began before it may still write: as long as any function can run, and a
 * minute for clocks that differ. It writes into the epoch that has ended, where nobody sees it, and where it is deleted
 * when this is over.
 */
export const LATE_WRITES_MS = 16 * MINUTE_MS;

/** What lay in the world that a purge has ended. */
export interface PurgedContent {
  readonly listed: PerListed<number>;
  readonly sinks: number;
  /** Jobs that would have changed something. */
  readonly jobs: number;
  /** Events that were not told yet, and deliveries that were not made. */
  readonly outbox: number;
  readonly apiKeys: number;
}
