import { formatMoney, type ShownMoney } from './amounts.ts';
import type { AnyJson } from './gate.ts';
import { addressOf } from './route.ts';

/** What a merchant's lists say, each with its newest entries; empty where it was not read yet, or may not be. */
export interface HomeReads {
  readonly endpoints: readonly AnyJson[];
  readonly processing: readonly AnyJson[];
  readonly succeeded: readonly AnyJson[];
  readonly refunds: readonly AnyJson[];
}

/** Something that needs somebody, with the one thing to do about it. */
export interface Need {
  readonly text: string;
  readonly label: string;
  readonly address: string;
}

/** What needs somebody, most urgent first. */
export function needsOf({ endpoints, processing, succeeded, refunds }: HomeReads): Need[] {
  const failing = endpoints.filter(
    ({ status, disabled_reason: reason, failing_since: since }) =>
      since !== null || (status === 'disabled' && reason !== 'requested'),
  );
  const mismatched = processing.filter(({ received }) => received !== null);
  const late = succeeded.filter((payment) => payment.late && payment.refunded_minor === 0);
  return [
    ...failing.map(({ id, url, status }) => ({
      text: `${url} ${status === 'disabled' ? 'is disabled: it failed' : 'fails'}.`,
      label: 'Look at it',
      address: addressOf(['webhooks', id]),
    })),
    ...mismatched.map(({ id, number, received, amount }) => ({
      text: `${number}: ${formatMoney(received)} came instead of ${formatMoney(amount)}.`,
      label: 'Open the payment',
      address: addressOf(['payments', id]),
    })),
    ...late.map(({ id, number, amount }) => ({
      text: `${number}: ${formatMoney(amount)} came after the expiry.`,
      label: 'Open the payment',
      address: addressOf(['payments', id]),
    })),
    ...(refunds.length === 0
      ? []
      : [
          {
            text: `${refunds.length} ${refunds.length === 1 ? 'refund waits' : 'refunds wait'} for approval.`,
            label: 'Show them',
            address: addressOf(['refunds'], { status: 'requested' }),
          },
        ]),
  ];
}

/** One day of the chart, with the heights of its bars from 0 to 1. */
export interface DayBar {
  readonly date: string;
  readonly paid: ShownMoney;
  readonly refunded: ShownMoney;
  readonly paidHeight: number;
  readonly refundedHeight: number;
  /** `12 payments, ฿1,200.00: 10 promptpay, 2 card`. */
  readonly text: string;
}

/** The days of the statistics as bars of one scale. */
export function barsOf(days: readonly AnyJson[]): DayBar[] {
  const highest = Math.max(
    1,
    ...days.flatMap(({ paid, refunded }) => [paid.amount.minor, refunded.amount.minor]),
  );
  return days.map(({ date, paid, refunded, by_method: byMethod }) => ({
    date,
    paid: paid.amount,
    refunded: refunded.amount,
    paidHeight: paid.amount.minor / highest,
    refundedHeight: refunded.amount.minor / highest,
    text: [
      `${date}: ${paid.count} paid, ${formatMoney(paid.amount)}`,
      Object.entries<AnyJson>(byMethod)
        .map(([method, { count }]) => `${count} ${method.replaceAll('_', ' ')}`)
        .join(', '),
      refunded.count === 0 ? '' : `${refunded.count} refunded, ${formatMoney(refunded.amount)}`,
    ]
      .filter(Boolean)
      .join('; '),
  }));
}

/** Today's money against yesterday's, in words. */
export function todayText(days: readonly AnyJson[]): string | null {
  const [yesterday, today] = days.slice(-2);
  if (today === undefined || yesterday === undefined) {
    return null;
  }
  const [now, before] = [today.paid.amount.minor, yesterday.paid.amount.minor];
  const change =
    before === 0
      ? ''
      : `, ${now >= before ? '+' : '−'}${Math.abs(Math.round((100 * (now - before)) / before))} %`;
  return `Today ${formatMoney(today.paid.amount)} of ${today.paid.count}; yesterday ${formatMoney(yesterday.paid.amount)} of ${yesterday.paid.count}${change}`;
}
