import type { PaymentView } from '../../contract/payments.ts';
import type { RefundView } from '../../contract/refunds.ts';
import type { SettlementView } from '../../contract/settlements.ts';
import { BALANCE_CURRENCY } from '../../domain/balance.ts';
import { SECOND_MS } from '../../domain/clock.ts';
import { PAYMENT_METHODS } from '../../domain/payment-method.ts';
import { APPROVAL_AFTER_MS } from '../../domain/refund.ts';
import { compactBaht, formatMoney, type ShownMoney } from '../../story/amounts.ts';
import { type NeedFields, needText, paymentNeed } from '../../story/needs-somebody.ts';
import type { BodyOf, CallInputOf, OperationId, RowOf } from '../../story/operation-id.ts';
import { addressOf } from '../../story/route.ts';
import { methodText } from '../../story/status-words.ts';
import { bangkokDate } from '../../story/times.ts';
import { moneyTexts } from './money-texts.ts';

const { needs: needTexts, month: monthTexts } = moneyTexts;

/** What a merchant's lists say, each with its newest entries; empty where it was not read yet, or may not be. */
export interface HomeReads {
  readonly endpoints: readonly FailingEndpoint[];
  readonly processing: readonly NeedyPayment[];
  readonly succeeded: readonly NeedyPayment[];
  /** Settlements whose statement was another amount. */
  readonly settlements: readonly Pick<SettlementView, 'expected' | 'stated'>[];
  /** Refunds that wait for their approval. */
  readonly refunds: readonly WaitingRefund[];
  /** The clock of the test world; null in a world whose clock cannot be moved. */
  readonly clock: Clock | null;
}
type FailingEndpoint = Pick<
  RowOf<'webhooks.ListWebhookEndpoints'>,
  'id' | 'url' | 'status' | 'disabled_reason' | 'failing_since'
>;
type NeedyPayment = NeedFields & Pick<PaymentView, 'id' | 'number'>;
type WaitingRefund = Pick<RefundView, 'created_at'>;
type Clock = Pick<BodyOf<'testkit.GetClock'>, 'now' | 'parked_jobs'>;
export type Statistics = readonly Day[];
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
  | NeedActionOf<'payments.MarkPaymentHandled'>
  | NeedActionOf<'webhooks.UpdateWebhookEndpoint'>
  | NeedActionOf<'webhooks.SendTestEvent'>
  | NeedActionOf<'testkit.AdvanceClock'>;
interface NeedActionOf<Id extends OperationId> {
  readonly operationId: Id;
  readonly input: CallInputOf<Id>;
  readonly done: string;
}

/** What needs somebody, most urgent first. */
export function needsOf({
  endpoints,
  processing,
  succeeded,
  settlements,
  refunds,
  clock,
}: HomeReads): Need[] {
  const failing = endpoints.filter(
    ({ status, disabled_reason: reason, failing_since: since }) =>
      since !== null || (status === 'disabled' && reason !== 'requested'),
  );
  return [
    ...failing.map(endpointNeed),
    ...[...processing, ...succeeded].filter((payment) => paymentNeed(payment) !== null).map(moneyNeed),
    ...(settlements.length === 0 ? [] : [settlementNeed(settlements)]),
    ...(refunds.length === 0 ? [] : [refundNeed(refunds, clock)]),
    ...(clock !== null && clock.parked_jobs > 0 ? [parkedNeed(clock.parked_jobs)] : []),
  ];
}

function moneyNeed(payment: NeedyPayment): Need {
  const { id, number, amount } = payment;
  return {
    text: [number, formatMoney(amount), needText(payment)].join(' · '),
    address: addressOf(['payments', id]),
    label: needTexts.markHandled,
    action: {
      operationId: 'payments.MarkPaymentHandled',
      input: { params: { id }, body: {} },
      done: needTexts.markedHandled,
    },
  };
}

/** All statements that did not match, with what they differ by in all. */
function settlementNeed(settlements: HomeReads['settlements']): Need {
  const differences = settlements.map(({ expected, stated }) =>
    Math.abs(expected.minor - (stated?.minor ?? expected.minor)),
  );
  const minor = differences.reduce((sum, one) => sum + one, 0);
  return {
    text: needTexts.settlements(settlements.length, formatMoney({ currency: BALANCE_CURRENCY, minor })),
    address: addressOf(['settlements'], { status: 'mismatched' }),
    label: needTexts.showSettlements,
    action: null,
  };
}

function endpointNeed({ id, url, status }: FailingEndpoint): Need {
  const isDisabled = status === 'disabled';
  return {
    text: isDisabled ? needTexts.endpointDisabled(url) : needTexts.endpointFails(url),
    address: addressOf(['webhooks', id]),
    label: isDisabled ? needTexts.enableEndpoint : needTexts.sendTestEvent,
    action: isDisabled
      ? {
          operationId: 'webhooks.UpdateWebhookEndpoint',
          input: { params: { id }, body: { enabled: true } },
          done: needTexts.endpointEnabled,
        }
      : {
          operationId: 'webhooks.SendTestEvent',
          input: { params: { id }, body: {} },
          done: needTexts.testEventSent,
        },
  };
}

function parkedNeed(count: number): Need {
  return {
    text: needTexts.jobsFailed(count),
    address: addressOf(['events']),
    label: needTexts.seeEvents,
    action: null,
  };
}

/** In test mode, moving the clock to the last approval approves them all. */
function refundNeed(refunds: readonly WaitingRefund[], clock: Clock | null): Need {
  const need = {
    text: needTexts.refundsWait(refunds.length),
    address: addressOf(['refunds'], { status: 'requested' }),
  };
  if (clock === null) {
    return { ...need, label: needTexts.showRefunds(refunds.length), action: null };
  }
  const newest = Math.max(...refunds.map(({ created_at: at }) => Date.parse(at)));
  const seconds = Math.ceil((newest + APPROVAL_AFTER_MS - Date.parse(clock.now)) / SECOND_MS);
  return {
    ...need,
    label: needTexts.approveRefunds(refunds.length),
    action: {
      operationId: 'testkit.AdvanceClock',
      input: { body: { seconds: Math.max(seconds, 1) } },
      done: needTexts.clockMoved,
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
  /** `24 Nov: 12 paid, ฿1,200.00; 10 PromptPay, 2 TrueMoney`. */
  readonly text: string;
}

/** Days as bars of one scale. */
export interface ChartBars {
  readonly days: readonly DayBar[];
  /** All that occur, in an order that stays. */
  readonly methods: readonly string[];
  /** The labels of the axis from top to bottom. */
  readonly axis: readonly string[];
}

/** The days of the statistics, each with its money stacked by method. */
export function chartBars(statistics: readonly Day[]): ChartBars {
  const highest = Math.max(
    0,
    ...statistics.flatMap(({ paid, refunded }) => [paid.amount.minor, refunded.amount.minor]),
  );
  const top = roundUp(highest);
  const used = new Set(statistics.flatMap(({ by_method: by }) => Object.keys(by)));
  // In their own order: what most payers use is at the bottom of each bar.
  const methods = PAYMENT_METHODS.filter((method) => used.has(method));
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
      monthTexts.dayPaid(bangkokDate(date), paid.count, formatMoney(paid.amount)),
      Object.entries(by)
        .map(([method, { count }]) => monthTexts.dayByMethod(methodText(method), count))
        .join(', '),
      refunded.count === 0 ? '' : monthTexts.dayRefunded(refunded.count, formatMoney(refunded.amount)),
    ]
      .filter(Boolean)
      .join('; '),
  };
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
      ? null
      : `${now >= before ? '+' : '−'}${Math.abs(Math.round((100 * (now - before)) / before))} %`;
  return monthTexts.today(paidSum(today), paidSum(yesterday), change);
}

/** All that was paid and refunded on these days, in words. */
export function sumsText(days: Statistics): string {
  const sumOf = (tallies: readonly Day['paid'][]) => ({
    amount: formatMoney({
      currency: BALANCE_CURRENCY,
      minor: tallies.reduce((sum, { amount }) => sum + amount.minor, 0),
    }),
    count: tallies.reduce((sum, { count }) => sum + count, 0),
  });
  return monthTexts.sums(sumOf(days.map(({ paid }) => paid)), sumOf(days.map(({ refunded }) => refunded)));
}

function paidSum({ paid }: Day) {
  return { amount: formatMoney(paid.amount), count: paid.count };
}
