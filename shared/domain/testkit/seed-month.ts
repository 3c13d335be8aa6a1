import { DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.ts';
import type { PaymentMethod } from '../payment-method.ts';
import type { RefundStatus } from '../refund.ts';
import { sha256Hex } from '../secret.ts';
import {
  fixed,
  type LinkScript,
  link,
  type PaymentScript,
  type PaymentTurn,
  type RefundScript,
  type SeedScript,
  type SettlementScript,
  settlement,
  thb,
} from './seed-script.ts';

/* A month of a shop's life: 300 payments in 30 days. What differs from payment to payment is drawn from a hash. */

const PAYMENTS = 300;
const DAYS = 30;
const SPACING_MS = (DAYS * DAY_MS) / PAYMENTS;
/** Less than the spacing, so that payments keep their order. */
const JITTER_MS = 2 * HOUR_MS;

type Fate = 'failed' | 'expired' | 'canceled' | 'succeeded.late' | 'succeeded';

/** Ended payments that did not succeed in time. With the late ones, 246 payments succeed, 82 % of all. */
const UNLUCKY = fill<Fate>([
  ['failed', 24],
  ['expired', 18],
  ['canceled', 8],
  ['succeeded.late', 2],
]);

/** One entry for each percent. */
const METHODS = fill<PaymentMethod>([
  ['promptpay', 50],
  ['truemoney', 15],
  ['shopeepay', 10],
  ['bank_transfer', 10],
  ['linepay', 8],
  ['direct_debit', 4],
  ['installment', 3],
]);

/** The link that sells seats of a class until none is left. */
const LINK_AGO_MS = 20 * DAY_MS;
const LINK_MINOR = 35_000;
const LINK_GOODS = 'Cooking class';
const LINK_USES = 12;

const CUSTOMERS = ['Somchai Jaidee', 'Malee Srisuk', 'Anong Thongdee', 'Niran Boonmee', 'Kanya Wongsa'];
const GOODS = ['Iced tea, one carton', 'Cotton shirt', 'Two tickets to Chiang Mai', LINK_GOODS, 'Phone case'];

/** Payments that are open when the month ends, newest last: no other payment of the month can still be paid. */
const UNDER_WAY: readonly PaymentScript[] = [
  underWay('processing', 9 * HOUR_MS, 'linepay', [{ afterMs: 4 * MINUTE_MS, does: 'pending' }]),
  underWay('created', 7 * HOUR_MS, undefined),
  underWay('requires_action.bank_transfer', 4 * HOUR_MS, 'bank_transfer'),
  underWay('requires_action.promptpay', 3 * MINUTE_MS, 'promptpay'),
];

/** One refund for every twenty succeeded payments, newest last. */
const REFUNDS: readonly RefundStatus[] = [
  'succeeded',
  'succeeded',
  'failed',
  'succeeded',
  'succeeded',
  'rejected',
  'succeeded',
  'succeeded',
  'canceled',
  'succeeded',
  'succeeded',
  'requested',
];
const PAYMENTS_PER_REFUND = 20;

const LINKS: readonly LinkScript[] = [
  link(
    'disabled',
    29 * DAY_MS,
    { amount: fixed(159_000), description: 'Songkran set' },
    { disabledAfterMs: 12 * DAY_MS },
  ),
  link(
    'expired',
    25 * DAY_MS,
    { amount: fixed(99_000), description: 'Early bird, one seat' },
    { expiresAfterMs: 7 * DAY_MS },
  ),
  link('exhausted', LINK_AGO_MS, { amount: fixed(LINK_MINOR), description: LINK_GOODS, maxUses: LINK_USES }),
  link('active.open', 14 * DAY_MS, {
    amount: { type: 'open', min: thb(2_000), max: thb(500_000) },
    description: 'Tip jar',
  }),
  link('active', 3 * DAY_MS, { amount: fixed(45_000), collect: { email: 'required' } }),
];

const PAYOUT_DAYS_AGO = [22, 15, 8, 1];
/** When the provider stated another amount; the money of such a day is in the statement of the next one. */
const MISMATCH_DAYS_AGO = [18, 5];

export function seedMonthScript(): SeedScript {
  const fates = drawFates(PAYMENTS - UNDER_WAY.length);
  const drawn = fates.map((fate, index) => endedPayment(index, fate, fates.indexOf(fate) === index));
  const sold = drawn
    .filter(
      ({ agoMs, input }, index) =>
        fates[index] === 'succeeded' && agoMs < LINK_AGO_MS && input.description === LINK_GOODS,
    )
    .slice(0, LINK_USES);
  const ended = drawn.map((payment) => (sold.includes(payment) ? fromLink(payment) : payment));
  const succeeded = ended.filter((_, index) => fates[index] === 'succeeded');
  return {
    payments: [...ended, ...UNDER_WAY],
    refunds: REFUNDS.map((reaches, index) => refundOf(succeeded, reaches, index)),
    links: LINKS,
    settlements: Array.from({ length: DAYS - 1 }, (_, index) => settlementAgo(DAYS - 1 - index)),
    sinks: [],
  };
}

/** The fate of each payment: shuffled by a hash, so that each fate comes exactly as often as planned. */
function drawFates(howMany: number): Fate[] {
  const indexes = Array.from({ length: howMany }, (_, index) => index);
  const shuffled = indexes.toSorted((a, b) => draw(`fate ${a}`, 2 ** 32) - draw(`fate ${b}`, 2 ** 32));
  return indexes.map((index) => UNLUCKY[shuffled.indexOf(index)] ?? 'succeeded');
}

function endedPayment(index: number, fate: Fate, isFirst: boolean): PaymentScript {
  const about = `payment ${index}`;
  return {
    // The first payment of each fate has the fate as its key, so that users find it.
    key: isFirst ? fate : String(index + 1).padStart(3, '0'),
    isNamed: isFirst,
    agoMs: (PAYMENTS - index) * SPACING_MS - draw(`${about} time`, JITTER_MS),
    input: {
      amount: thb((50 + draw(`${about} amount`, 4_950)) * 100),
      method: drawMethod(about, fate),
      description: pick(GOODS, `${about} goods`),
      customer: { name: pick(CUSTOMERS, `${about} customer`) },
    },
    turns: turnsOf(fate, MINUTE_MS + draw(`${about} pause`, 8 * MINUTE_MS)),
  };
}

/** Lets a payer of the link make and pay the payment. */
function fromLink(payment: PaymentScript): PaymentScript {
  const { input, turns } = payment;
  return {
    ...payment,
    link: 'exhausted',
    input: { amount: thb(LINK_MINOR), customer: input.customer },
    turns: [{ afterMs: MINUTE_MS / 2, does: 'choose' }, ...turns],
  };
}

/** Payments that expire need a method that expires within the hour: a bank transfer of today would still be open. */
function drawMethod(about: string, fate: Fate): PaymentMethod {
  const method = pick(METHODS, `${about} method`);
  return method === 'bank_transfer' && (fate === 'expired' || fate === 'succeeded.late')
    ? 'promptpay'
    : method;
}

function turnsOf(fate: Fate, pauseMs: number): PaymentTurn[] {
  switch (fate) {
    case 'succeeded':
    case 'failed':
      return [{ afterMs: pauseMs, does: fate }];
    case 'canceled':
      return [{ afterMs: pauseMs, does: 'cancel' }];
    case 'succeeded.late':
      return [{ afterMs: 2 * HOUR_MS, does: 'succeeded' }];
    case 'expired':
      return [];
  }
}

function refundOf(succeeded: readonly PaymentScript[], reaches: RefundStatus, index: number): RefundScript {
  const payment = succeeded[index * PAYMENTS_PER_REFUND + PAYMENTS_PER_REFUND / 2];
  if (payment === undefined) {
    throw new Error('the month has too few payments to refund');
  }
  const isFirst = REFUNDS.indexOf(reaches) === index;
  return {
    key: isFirst ? reaches : String(index + 1).padStart(2, '0'),
    isNamed: isFirst,
    agoMs: reaches === 'requested' ? 5 * MINUTE_MS : payment.agoMs - 20 * HOUR_MS,
    payment: payment.key,
    // Every other refund is for half of its payment.
    ...(index % 2 === 1 && { amountMinor: payment.input.amount.minor / 2 }),
    ...(reaches === 'rejected' && { reasonCode: 9999 }),
    reaches,
  };
}

/**
 * One statement every day at the hour of the seeding; money that came in after the last one is still unsettled. The
 * bank gets one payout a week, with the last statement of the week.
 */
function settlementAgo(days: number): SettlementScript {
  const week = PAYOUT_DAYS_AGO.indexOf(days);
  const key = String(DAYS - days).padStart(2, '0');
  if (week < 0) {
    const isMatched = !MISMATCH_DAYS_AGO.includes(days);
    return {
      key: `${isMatched ? 'matched' : 'mismatched'}.${key}`,
      isNamed: false,
      agoMs: days * DAY_MS,
      payout: isMatched ? 'next' : null,
    };
  }
  const isLast = week === PAYOUT_DAYS_AGO.length - 1;
  return settlement(`matched.${key}`, days * DAY_MS, {
    key: `week_${week + 1}`,
    turns: isLast ? [] : [{ afterMs: DAY_MS, does: 'paid' }],
  });
}

function underWay(
  key: string,
  agoMs: number,
  method: PaymentMethod | undefined,
  turns: readonly PaymentTurn[] = [],
): PaymentScript {
  const input = { amount: thb(89_000), description: 'Cotton shirt', ...(method && { method }) };
  return { key, isNamed: true, agoMs, input, turns };
}

function fill<T>(shares: readonly (readonly [value: T, howMany: number])[]): T[] {
  return shares.flatMap(([value, howMany]) => Array<T>(howMany).fill(value));
}

/** A whole number from 0 to below the bound, always the same for the same text. */
function draw(text: string, below: number): number {
  return Number.parseInt(sha256Hex(text).slice(0, 12), 16) % below;
}

function pick<T>(choices: readonly T[], text: string): T {
  return choices[draw(text, choices.length)] as T;
}
