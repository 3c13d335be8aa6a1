import { MINUTE_MS } from '../clock.ts';
import type { PerResource } from '../resource.ts';

/** One purge: the epoch of a world that it ended, and that epoch's counters. */
export interface Purge {
  readonly actionId: string;
  readonly epoch: number;
  readonly counts: PerResource<number>;
  /** Real time, since the purge also resets the clock of the world. */
  readonly resetAtMs: number;
}

/**
 * How long after a purge, or the end of an endpoint, in real time, a request or job that began before it may still write:
 * the longest run of a function, and a minute for clocks that differ. Such writes go where nothing reaches them. They are
 * deleted when this time is over.
 */
export const LATE_WRITES_MS = 16 * MINUTE_MS;

/** The content of the ended epoch. */
export interface PurgedContent {
  readonly made: PerResource<number>;
  /** Published events: the sequence number of the last one. */
  readonly events: number;
  readonly webhookEndpoints: number;
  readonly sinks: number;
  /** Jobs that would have changed something. */
  readonly jobs: number;
  /** Events that were not published, and deliveries that were not made. */
  readonly outbox: number;
  readonly apiKeys: number;
}
