import { HOUR_MS } from './clock.ts';
import { type Currency, type Money, minorIn } from './money.ts';

/** Asia/Bangkok has had one offset, and no daylight saving time, since 1920. */
const BANGKOK_AHEAD_MS = 7 * HOUR_MS;
/** Balances are summed in one currency: a second currency would need balances of its own. */
export const BALANCE_CURRENCY: Currency = 'THB';

/**
 * The unsettled money of one day (YYYY-MM-DD, Asia/Bangkok), in minor units: `paidMinor` sums succeeded payments and
 * payouts that came back, `refundedMinor` succeeded refunds. bigint, for sums may exceed `Number.MAX_SAFE_INTEGER`.
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

/** The day's balance that one amount makes: above zero, money that came in; below zero, money that went out. */
export function toDayBalance(atMs: number, amount: Money): DayBalance {
  const minor = BigInt(minorIn(BALANCE_CURRENCY, amount));
  const [paidMinor, refundedMinor] = minor < 0n ? [0n, -minor] : [minor, 0n];
  return { day: bangkokDay(atMs), paidMinor, refundedMinor };
}

/** What a merchant is owed for these days, in minor units. With less than 1 there is nothing to settle. */
export function netOf(days: readonly DayBalance[]): bigint {
  return days.reduce((net, { paidMinor, refundedMinor }) => net + paidMinor - refundedMinor, 0n);
}
