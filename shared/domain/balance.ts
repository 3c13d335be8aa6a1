import { HOUR_MS, toDay } from './clock.ts';
import { type Currency, type Money, minorIn } from './money.ts';
import { PAYMENT_METHODS, type PaymentMethod } from './payment-method.ts';

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
  /** The part that the statistics of the day count. */
  readonly counted?: DayTallies;
}

/**
 * One of the shards that a day's balance is spread over, since an item takes 1,000 write units a second. The balance of
 * the day is the sum of them.
 */
export interface BalanceShard extends DayBalance {
  readonly shard: number;
}

/** What statistics count: succeeded payments, by method, and succeeded refunds. */
export const COUNTED_AS = [...PAYMENT_METHODS, 'refund'] as const;
export type CountedAs = PaymentMethod | 'refund';

/** A number of payments or refunds, and their sum in minor units. */
export interface Tally {
  readonly count: number;
  readonly minor: bigint;
}

/** The statistics of a day. Unlike its balance, they stay when the day is settled. */
export type DayTallies = { readonly [Of in CountedAs]?: Tally };

/** After every day that can have a balance. */
export const LAST_DAY = '9999-12-31';

/** The day of an instant in Asia/Bangkok, YYYY-MM-DD. */
export function bangkokDay(epochMs: number): string {
  return toDay(epochMs + BANGKOK_AHEAD_MS);
}

/** The day's balance that one amount makes: above zero, money that came in; below zero, money that went out. */
export function toDayBalance({
  atMs,
  amount,
  countedAs,
}: {
  readonly atMs: number;
  readonly amount: Money;
  readonly countedAs?: CountedAs;
}): DayBalance {
  const minor = BigInt(minorIn(BALANCE_CURRENCY, amount));
  const [paidMinor, refundedMinor] = minor < 0n ? [0n, -minor] : [minor, 0n];
  const counted = countedAs && { [countedAs]: { count: 1, minor: paidMinor + refundedMinor } };
  return { day: bangkokDay(atMs), paidMinor, refundedMinor, ...(counted && { counted }) };
}

/** The sum of two balances of one day. */
export function addBalances(one: DayBalance, other: DayBalance): DayBalance {
  const counted = COUNTED_AS.flatMap((of) => {
    const tallies = [one.counted?.[of], other.counted?.[of]].filter((tally) => tally !== undefined);
    return tallies.length === 0 ? [] : [[of, tallies.reduce(addTallies)]];
  });
  return {
    day: one.day,
    paidMinor: one.paidMinor + other.paidMinor,
    refundedMinor: one.refundedMinor + other.refundedMinor,
    counted: Object.fromEntries(counted),
  };
}

export function addTallies(one: Tally, other: Tally): Tally {
  return { count: one.count + other.count, minor: one.minor + other.minor };
}

/** Sorts balances by their days, the oldest first. */
export function byDay(one: Pick<DayBalance, 'day'>, other: Pick<DayBalance, 'day'>): number {
  return one.day === other.day ? 0 : one.day < other.day ? -1 : 1;
}

/** Whether nothing of a day is left to settle. */
export function isSettled({ paidMinor, refundedMinor }: DayBalance): boolean {
  return paidMinor === 0n && refundedMinor === 0n;
}

/** What a merchant is owed for these days, in minor units. With less than 1 there is nothing to settle. */
export function netOf(days: readonly DayBalance[]): bigint {
  return days.reduce((net, { paidMinor, refundedMinor }) => net + paidMinor - refundedMinor, 0n);
}
