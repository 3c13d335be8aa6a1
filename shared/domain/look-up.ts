import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './clock.ts';
import type { ResourceJob } from './resource-change.ts';

/* When the state of a payment or refund is retrieved from its live provider without a notification (contract §15). */

/** Since the start of the attempt, while it waits for its payer: the expiry follows the last look-up. */
const OF_OPEN_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];
/** While the money is on its way. */
const OF_PROCESSING_MS = HOUR_MS;
/** While an ended payment may still be paid late. */
const OF_LATE_MS = [DAY_MS, 2 * DAY_MS, 3 * DAY_MS];
/** Since a refund was handed over; after the last one, each day. */
const OF_REFUND_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS];
/** The shortest and the longest pause before an unknown outcome is retrieved again. */
const AGAIN_MS = MINUTE_MS;
const AGAIN_MAX_MS = HOUR_MS;

/** Why a payment is looked up: it waits for its payer, its money is on its way, or it has ended and may be paid late. */
export type LookUpReason = 'open' | 'processing' | 'late';

/** The fields of a payment that decide when it is looked up. */
interface LookedUpPayment {
  readonly id: string;
  readonly status: string;
  readonly updatedAtMs: number;
  readonly attempt: { readonly createdAtMs: number; readonly reference?: string } | null;
}

/** The fields of a refund that decide when it is looked up. */
interface LookedUpRefund {
  readonly id: string;
  readonly updatedAtMs: number;
  readonly providerReference?: string;
}

/** The next look-up of a payment in its status, or null where none follows. @param fromMs it comes later than this */
export function nextLookUpOf(
  { id: paymentId, status, attempt, updatedAtMs }: LookedUpPayment,
  reason: LookUpReason,
  fromMs: number,
): ResourceJob | null {
  if (attempt?.reference === undefined) {
    return null;
  }
  const times = {
    open: OF_OPEN_MS.map((ms) => attempt.createdAtMs + ms),
    processing: [fromMs + OF_PROCESSING_MS],
    late: OF_LATE_MS.map((ms) => updatedAtMs + ms),
  };
  const dueAtMs = times[reason].find((atMs) => atMs > fromMs);
  return dueAtMs === undefined ? null : { kind: 'look-up-payment', dueAtMs, paymentId, status };
}

/** The next look-up of a refund that its provider has and has not ended: null where it has none to look up. */
export function nextRefundLookUpOf(
  { id, providerReference, updatedAtMs }: LookedUpRefund,
  fromMs: number,
): ResourceJob | null {
  if (providerReference === undefined) {
    return null;
  }
  const times = OF_REFUND_MS.map((ms) => updatedAtMs + ms);
  const dueAtMs = times.find((atMs) => atMs > fromMs) ?? fromMs + DAY_MS;
  return { kind: 'look-up-refund', dueAtMs, refundId: id };
}

/**
 * When to repeat a request with an unknown outcome: without end, with growing pauses.
 * @param sinceMs when the outcome was unknown for the first time
 */
export function nextRetrievalAt(sinceMs: number, nowMs: number): number {
  return nowMs + Math.min(Math.max(nowMs - sinceMs, AGAIN_MS), AGAIN_MAX_MS);
}
