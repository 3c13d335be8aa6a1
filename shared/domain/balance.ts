import { HOUR_MS } from './clock.ts';
import { type Currency, type Money, minorIn } from './money.ts';

/** Asia/Bangkok has had one offset, and no daylight saving time, since 1920. */
const BANGKOK_AHEAD_MS = 7 * HOUR_MS;
/** Days are added up in one currency: another one needs balances of its own. */
export const BALANCE_CURRENCY: Currency = 'THB';

/**
 * What is unsettled of one day: succeeded payments and payouts that came back, and apart from these succeeded refunds.
 * Sums have no bound, and must be exact beyond what a number of JavaScript can be.
 */
export interface DayBalance {
  readonly day: string;
  readonly paidMinor: bigint;
  readonly refundedMinor: bigint;
}

/** The day of an instant in Asia/Bangkok, YYYY-MM-DD. */
export function bangkokDay(epochMs: number): string {
  return new Date(epochMs + BANGKOK_AHEAD_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** What money that came or, below zero, went at an instant adds to its day. */
export function toDayBalance(atMs: number, amount: Money): DayBalance {
  const minor = BigInt(minorIn(BALANCE_CURRENCY, amount));
  const [paidMinor, refundedMinor] = minor < 0n ? [0n, -minor] : [minor, 0n];
  return { day: bangkokDay(atMs), paidMinor, refundedMinor };
}

/** What a merchant is owed for some days, in minor units. Below one there is nothing to settle. */
export function netOf(days: readonly DayBalance[]): bigint {
  return days.reduce((net, { paidMinor, refundedMinor }) => net + paidMinor - refundedMinor, 0n);
}
