import { addTallies, type DayTallies, type Tally } from './balance.ts';
import { DAY_MS, toDay } from './clock.ts';
import { PAYMENT_METHODS, type PaymentMethod } from './payment-method.ts';

/** The most days that are reported at once (contract §18). */
export const STATISTICS_DAYS_MAX = 92;

/** The number of days that are reported by default. */
const STATISTICS_DAYS_DEFAULT = 30;

/** What happened on one day in Asia/Bangkok. */
export interface DailyStatistics {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly paid: Tally;
  readonly refunded: Tally;
  /** Methods without a payment on the day are left out. */
  readonly byMethod: Readonly<Partial<Record<PaymentMethod, Tally>>>;
}

/**
 * The number of days from one to another, both included; below 1 if the second is earlier, NaN if one is missing or not a
 * day.
 */
export function daysFrom(from: string | undefined, to: string | undefined): number {
  return (Date.parse(String(to)) - Date.parse(String(from))) / DAY_MS + 1;
}

/** The first and the last day to report. @param today on the merchant's clock */
export function statisticsRange(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
): { readonly from: string; readonly to: string } {
  const latest = from === undefined ? today : dayAfter(from, STATISTICS_DAYS_MAX - 1);
  const last = to ?? (latest < today ? latest : today);
  return { from: from ?? dayAfter(last, 1 - STATISTICS_DAYS_DEFAULT), to: last };
}

function dayAfter(day: string, days: number): string {
  return toDay(Date.parse(day) + days * DAY_MS);
}

/** The statistics of every day from one to another, oldest first. @param counted of days on which anything happened */
export function dailyStatistics(
  from: string,
  to: string,
  counted: readonly { readonly day: string; readonly counted: DayTallies }[],
): DailyStatistics[] {
  const byDay = new Map(counted.map((one) => [one.day, one.counted]));
  return Array.from({ length: Math.max(daysFrom(from, to), 0) }, (_, nth) => {
    const day = dayAfter(from, nth);
    const { refund = NOTHING, ...byMethod } = byDay.get(day) ?? {};
    return { day, paid: sumOf(byMethod), refunded: refund, byMethod };
  });
}

const NOTHING: Tally = { count: 0, minor: 0n };

function sumOf(byMethod: DailyStatistics['byMethod']): Tally {
  return PAYMENT_METHODS.map((method) => byMethod[method] ?? NOTHING).reduce(addTallies);
}
