import type { PaymentView } from '../../contract/payments.ts';
import type { RefundView } from '../../contract/refunds.ts';
import { SECOND_MS } from '../../domain/clock.ts';
import { APPROVAL_AFTER_MS } from '../../domain/refund.ts';
import { compactBaht, formatMoney, type ShownMoney } from '../../story/amounts.ts';
import type { BodyOf, CallInputOf, OperationId, RowOf } from '../../story/operation-id.ts';
import { addressOf } from '../../story/route.ts';

/** What a merchant's lists say, each with its newest entries; empty where it was not read yet, or may not be. */
export interface HomeReads {
  readonly endpoints: readonly FailingEndpoint[];
  readonly processing: readonly Pick<PaymentView, 'id' | 'number' | 'amount' | 'received'>[];
  readonly succeeded: readonly Pick<PaymentView, 'id' | 'number' | 'amount' | 'late' | 'refunded_minor'>[];
  /** Refunds that wait for their approval. */
  readonly refunds: readonly WaitingRefund[];
  /** The clock of the test world; null in a world whose clock cannot be moved. */
  readonly clock: Clock | null;
}
type FailingEndpoint = Pick<
  RowOf<'webhooks.ListWebhookEndpoints'>,
  'id' | 'url' | 'status' | 'disabled_reason' | 'failing_since'
>;
type WaitingRefund = Pick<RefundView, 'created_at'>;
type Clock = Pick<BodyOf<'testkit.GetClock'>, 'now' | 'parked_jobs'>;
type Day = BodyOf<'reports.GetDailyStatistics'>['data'][number];

/** Something that needs somebody, with the one thing to do about it. */
export interface Need {
  readonly text: string;
  /** Where it is seen, and done if no request does it. */
  readonly address: string;
  readonly label: string;
  /** The request that does it; null if there is none. */
  readonly action: NeedAction | null;
}
type NeedAction =
  | NeedActionOf<'webhooks.UpdateWebhookEndpoint'>
  | NeedActionOf<'webhooks.SendTestEvent'>
  | NeedActionOf<'testkit.AdvanceClock'>;
interface NeedActionOf<Id extends OperationId> {
  readonly operationId: Id;
  readonly input: CallInputOf<Id>;
  readonly done: string;
}

/** What needs somebody, most urgent first. */
export function needsOf({ endpoints, processing, succeeded, refunds, clock }: HomeReads): Need[] {
  const failing = endpoints.filter(
    ({ status, disabled_reason: reason, failing_since: since }) =>
      since !== null || (status === 'disabled' && reason !== 'requested'),
  );
  const late = succeeded.filter((payment) => payment.late && payment.refunded_minor === 0);
  return [
    ...failing.map(endpointNeed),
    ...processing.flatMap(({ id, number, received, amount }) =>
      received === null
        ? []
        : [
            {
              text: `${number}: ${formatMoney(received)} came instead of ${formatMoney(amount)}.`,
              address: addressOf(['payments', id]),
              label: 'Open the payment',
              action: null,
            },
          ],
    ),
    ...late.map(({ id, number, amount }) => ({
      text: `${number}: ${formatMoney(amount)} came after the expiry.`,
      address: addressOf(['payments', id]),
      label: 'Open the payment',
      action: null,
    })),
    ...(refunds.length === 0 ? [] : [refundNeed(refunds, clock)]),
    ...(clock !== null && clock.parked_jobs > 0 ? [parkedNeed(clock.parked_jobs)] : []),
  ];
}

function endpointNeed({ id, url, status }: FailingEndpoint): Need {
  const isDisabled = status === 'disabled';
  return {
    text: `${url} ${isDisabled ? 'is disabled: it failed' : 'fails'}.`,
    address: addressOf(['webhooks', id]),
    label: isDisabled ? 'Enable it' : 'Send a test event',
    action: isDisabled
      ? {
          operationId: 'webhooks.UpdateWebhookEndpoint',
          input: { params: { id }, body: { enabled: true } },
          done: 'The endpoint is enabled and receives events from now on.',
        }
      : {
          operationId: 'webhooks.SendTestEvent',
          input: { params: { id }, body: {} },
          done: 'A test event was sent. Its attempt is in the log of the endpoint.',
        },
  };
}

function parkedNeed(count: number): Need {
  return {
    text: `${count} ${count === 1 ? 'job' : 'jobs'} failed for good. Operators list them: pg admin jobs`,
    address: addressOf(['events']),
    label: 'See what happened',
    action: null,
  };
}

/** In test mode, moving the clock to the last approval approves them all. */
function refundNeed(refunds: readonly WaitingRefund[], clock: Clock | null): Need {
  const [amount, wait, them] =
    refunds.length === 1 ? ['1 refund', 'waits', 'it'] : [`${refunds.length} refunds`, 'wait', 'them'];
  const need = {
    text: `${amount} ${wait} for approval.`,
    address: addressOf(['refunds'], { status: 'requested' }),
  };
  if (clock === null) {
    return { ...need, label: `Show ${them}`, action: null };
  }
  const newest = Math.max(...refunds.map(({ created_at: at }) => Date.parse(at)));
  const seconds = Math.ceil((newest + APPROVAL_AFTER_MS - Date.parse(clock.now)) / SECOND_MS);
  return {
    ...need,
    label: `Advance the clock and approve ${them}`,
    action: {
      operationId: 'testkit.AdvanceClock',
      input: { body: { seconds: Math.max(seconds, 1) } },
      done: 'The clock was moved.',
    },
  };
}

/** Money of a day by one method, as a part of a bar that goes from `from` up by `height`; 1 is the top of the axis. */
interface BarPart {
  readonly method: string;
  readonly amount: ShownMoney;
  readonly from: number;
  readonly height: number;
}

/** One day of the chart. */
export interface DayBar {
  readonly date: string;
  readonly paid: ShownMoney;
  readonly refunded: ShownMoney;
  readonly parts: readonly BarPart[];
  readonly refundedHeight: number;
  /** `12 payments, ฿1,200.00: 10 promptpay, 2 card`. */
  readonly text: string;
}

/** Thirty days as bars of one scale. */
export interface MonthBars {
  readonly days: readonly DayBar[];
  /** All that occur, in an order that stays. */
  readonly methods: readonly string[];
  /** The labels of the axis from top to bottom. */
  readonly axis: readonly string[];
}

/** The days of the statistics, each with its money stacked by method. */
export function monthBars(statistics: readonly Day[]): MonthBars {
  const highest = Math.max(
    0,
    ...statistics.flatMap(({ paid, refunded }) => [paid.amount.minor, refunded.amount.minor]),
  );
  const top = roundUp(highest);
  const methods = [...new Set(statistics.flatMap(({ by_method: by }) => Object.keys(by)))].toSorted();
  return {
    days: statistics.map((day) => dayBar(day, methods, top)),
    methods,
    axis: [top, top / 2, 0].map(compactBaht),
  };
}

function dayBar(day: Day, methods: readonly string[], top: number): DayBar {
  const { date, paid, refunded, by_method: by } = day;
  let from = 0;
  const parts = methods.flatMap((method) => {
    const tally = by[method];
    if (tally === undefined) {
      return [];
    }
    const part = { method, amount: tally.amount, from, height: tally.amount.minor / top };
    from += part.height;
    return [part];
  });
  return {
    date,
    paid: paid.amount,
    refunded: refunded.amount,
    parts,
    refundedHeight: refunded.amount.minor / top,
    text: [
      `${date}: ${paid.count} paid, ${formatMoney(paid.amount)}`,
      Object.entries(by)
        .map(([method, { count }]) => `${count} ${methodName(method)}`)
        .join(', '),
      refunded.count === 0 ? '' : `${refunded.count} refunded, ${formatMoney(refunded.amount)}`,
    ]
      .filter(Boolean)
      .join('; '),
  };
}

/** `bank transfer` of `bank_transfer`. */
export function methodName(method: string): string {
  return method.replaceAll('_', ' ');
}

/** The next 1, 2 or 5 with zeros: the top of an axis, in satang. At least a baht. */
function roundUp(minor: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(minor, 100)));
  return ([1, 2, 5].find((step) => step * size >= minor) ?? 10) * size;
}

/** Today's money against yesterday's, in words. */
export function todayText(days: readonly Day[]): string | null {
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
