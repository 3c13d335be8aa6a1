import * as v from 'valibot';
import { BALANCE_CURRENCY, type Tally } from '../domain/balance.ts';
import { toTimestamp } from '../domain/clock.ts';
import { type DailyStatistics, daysFrom, STATISTICS_DAYS_MAX } from '../domain/statistics.ts';
import { component, dayInQuery, int64, moneyResponse, timestamp } from './fields.ts';
import { checkQueryDays } from './list-page.ts';
import { type Operation, READ } from './operation.ts';

const balanceResponse = v.object({
  unsettled: moneyResponse,
  pending: moneyResponse,
  paid_out: moneyResponse,
  as_of: timestamp,
});

const tally = component('Tally', v.object({ count: int64, amount: moneyResponse }));

const statisticsResponse = v.object({
  data: v.array(
    component(
      'DailyStatistics',
      v.object({ date: v.string(), paid: tally, refunded: tally, by_method: v.record(v.string(), tally) }),
    ),
  ),
});

/** Reads of the balance and of sums by day (contract §18). */
export const reportOperations = {
  getBalance: {
    ...READ,
    id: 'reports.GetBalance',
    path: '/api/v1/balance',
    permission: 'payment.read',
    reads: ['balances', 'payouts'],
    success: { status: 200, name: 'Balance', schema: balanceResponse },
  },
  getDailyStatistics: {
    ...READ,
    id: 'reports.GetDailyStatistics',
    path: '/api/v1/statistics/daily',
    permission: 'payment.read',
    reads: ['balances'],
    query: v.pipe(
      v.strictObject({ from: v.optional(dayInQuery), to: v.optional(dayInQuery) }),
      v.forward(
        v.partialCheck(
          [['from'], ['to']],
          ({ from, to }) => !(daysFrom(from, to) < 1),
          'min: must not be before from',
        ),
        ['to'],
      ),
      v.forward(
        v.partialCheck(
          [['from'], ['to']],
          ({ from, to }) => !(daysFrom(from, to) > STATISTICS_DAYS_MAX),
          `max: must be at most the ${STATISTICS_DAYS_MAX}nd day, counted from the first`,
        ),
        ['to'],
      ),
    ),
    checkQuery: checkQueryDays('from', 'to'),
    success: { status: 200, name: 'DailyStatisticsList', schema: statisticsResponse },
  },
} as const satisfies Record<string, Operation>;

/** @param sums in minor units: money that is not settled, on its way, and paid out */
export function viewBalance(
  sums: { readonly unsettled: bigint; readonly pending: bigint; readonly paidOut: bigint },
  nowMs: number,
): v.InferInput<typeof balanceResponse> {
  return {
    unsettled: thb(sums.unsettled),
    pending: thb(sums.pending),
    paid_out: thb(sums.paidOut),
    as_of: toTimestamp(nowMs),
  };
}

export function viewDailyStatistics(
  days: readonly DailyStatistics[],
): v.InferInput<typeof statisticsResponse> {
  const data = days.map(({ day, paid, refunded, byMethod }) => {
    const methods = Object.entries(byMethod).map(([method, of]) => [method, viewTally(of)]);
    return {
      date: day,
      paid: viewTally(paid),
      refunded: viewTally(refunded),
      by_method: Object.fromEntries(methods),
    };
  });
  return { data };
}

function viewTally({ count, minor }: Tally) {
  return { count, amount: thb(minor) };
}

function thb(minor: bigint) {
  return { currency: BALANCE_CURRENCY, minor: Number(minor) };
}
