import { MINUTE_MS, SECOND_MS } from '../../shared/domain/clock.ts';

/* How long a shop, and what it is told of, is waited for. */

/** How long the exam waits. */
export interface ExamLimits {
  /** A shop may work for this long after its response. */
  readonly patienceMs: number;
  /** Shorter stories that fail are tried for this long. */
  readonly shrinkMs: number;
}

/** Long enough for a right shop on a slow machine. */
export const LIMITS: ExamLimits = { patienceMs: 10 * SECOND_MS, shrinkMs: 8 * SECOND_MS };
/** A shop that still works gets this long in all. */
export const PROGRESS_MS = MINUTE_MS;
/** While a shorter story is tried, a shop gets several times what the truth took it at most so far. */
const SHORT_PATIENCE = { floorMs: 250, factor: 5 } as const;
/** A deployed service may take seconds. A shorter story may have no such event at all. */
const PUBLISHED_WITHIN_MS = { whole: 15 * SECOND_MS, shortened: 200 } as const;
/** Orders are asked for once more after this time, or several times the shop's slowest truth. */
const CALM = { floorMs: { whole: 300, shortened: 100 }, factor: 3, ceilingMs: 5 * SECOND_MS } as const;

export type StoryLength = keyof typeof PUBLISHED_WITHIN_MS;

/** @param patienceMs for a whole story. @param slowestMs how long the truth took the shop at most so far */
export function patienceFor(length: StoryLength, patienceMs: number, slowestMs: number): number {
  const { floorMs, factor } = SHORT_PATIENCE;
  return length === 'whole' ? patienceMs : Math.min(floorMs + factor * slowestMs, patienceMs);
}

/** How long an event is waited for: a shortened story may have no such event, however slow the service is. */
export function publishedWithin(length: StoryLength, eventTimeoutMs: number | undefined): number {
  const { whole, shortened } = PUBLISHED_WITHIN_MS;
  return length === 'whole' ? (eventTimeoutMs ?? whole) : shortened;
}

/** How long a shop is left alone before its orders are asked for once more. */
export function calmMs(slowestMs: number, length: StoryLength = 'whole'): number {
  const { floorMs, factor, ceilingMs } = CALM;
  return Math.min(Math.max(floorMs[length], factor * slowestMs), ceilingMs);
}
