import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../payment-method.ts';
import { seedMonthScript } from './seed-month.ts';
import {
  fixed,
  link,
  type PaymentScript,
  type PaymentTurn,
  type RefundScript,
  type SeedProfile,
  type SeedScript,
  settlement,
  thb,
} from './seed-script.ts';

const COOKING_CLASS = { amount: fixed(35_000), description: 'Cooking class' };

/** Ten payments in every status and by five methods, and what belongs to them. */
const small: SeedScript = {
  payments: [
    payment('succeeded.bank_transfer', 2 * DAY_MS, 'bank_transfer', [succeeds(3 * HOUR_MS)]),
    payment('succeeded.refunded', 30 * HOUR_MS, 'promptpay', [succeeds(2 * MINUTE_MS)]),
    payment('succeeded', 26 * HOUR_MS, 'truemoney', [succeeds(4 * MINUTE_MS)]),
    payment('succeeded.unsettled', 8 * HOUR_MS, 'shopeepay', [succeeds(3 * MINUTE_MS)]),
    payment('canceled', 6 * HOUR_MS, 'shopeepay', [{ afterMs: 5 * MINUTE_MS, does: 'cancel' }]),
    payment('expired', 5 * HOUR_MS, 'promptpay'),
    payment('failed', 3 * HOUR_MS, 'truemoney', [{ afterMs: 2 * MINUTE_MS, does: 'failed' }]),
    payment('processing', 30 * MINUTE_MS, 'linepay', [{ afterMs: 5 * MINUTE_MS, does: 'pending' }]),
    payment('created', 10 * MINUTE_MS, undefined),
    payment('requires_action.promptpay', 2 * MINUTE_MS, 'promptpay'),
  ],
  refunds: [
    refund('succeeded', 27 * HOUR_MS, 'succeeded.refunded', { amountMinor: 25_000 }),
    refund('canceled', 20 * HOUR_MS, 'succeeded.bank_transfer', {}),
    refund('requested', 3 * MINUTE_MS, 'succeeded.unsettled', { reason: 'Wrong colour' }),
  ],
  links: [
    link('disabled', 2 * DAY_MS, COOKING_CLASS, { disabledAfterMs: DAY_MS }),
    link('active', 12 * HOUR_MS, { ...COOKING_CLASS, collect: { email: 'required' } }),
  ],
  settlements: [
    settlement('matched', DAY_MS, { key: 'paid', turns: [{ afterMs: 4 * HOUR_MS, does: 'paid' }] }),
  ],
  sinks: [{ key: 'plain', name: 'seed-small', instruction: null }],
};

/** One object in every reachable state of every type. */
const e2e: SeedScript = {
  payments: [
    payment('succeeded.returned_payout', 122 * HOUR_MS, 'promptpay', [succeeds(MINUTE_MS)]),
    payment('succeeded.failed_payout', 74 * HOUR_MS, 'truemoney', [succeeds(MINUTE_MS)]),
    payment('succeeded.paid_payout', 50 * HOUR_MS, 'bank_transfer', [succeeds(HOUR_MS)]),
    payment('succeeded', 26 * HOUR_MS, 'promptpay', [succeeds(MINUTE_MS)]),
    payment('succeeded.fully_refunded', 11 * HOUR_MS, 'shopeepay', [succeeds(MINUTE_MS)]),
    payment('succeeded.partially_refunded', 10 * HOUR_MS, 'linepay', [succeeds(MINUTE_MS)]),
    payment('succeeded.late_after_expiry', 9 * HOUR_MS, 'promptpay', [succeeds(HOUR_MS)]),
    payment('succeeded.late_after_cancel', 8 * HOUR_MS, 'direct_debit', [
      { afterMs: MINUTE_MS, does: 'cancel' },
      succeeds(2 * MINUTE_MS),
    ]),
    {
      ...payment('succeeded.chosen_method', 7 * HOUR_MS, undefined, [
        { afterMs: MINUTE_MS, does: 'choose' },
        succeeds(2 * MINUTE_MS),
      ]),
      link: 'exhausted',
      input: { amount: thb(35_000) },
    },
    payment('canceled', 4 * HOUR_MS, 'linepay', [{ afterMs: 5 * MINUTE_MS, does: 'cancel' }]),
    payment('expired', 3 * HOUR_MS, 'installment'),
    payment('failed', 2 * HOUR_MS, 'truemoney', [{ afterMs: 2 * MINUTE_MS, does: 'failed' }]),
    payment('processing.amount_mismatch', 40 * MINUTE_MS, 'promptpay', [
      { afterMs: 5 * MINUTE_MS, does: 'mismatch' },
    ]),
    payment('processing', 30 * MINUTE_MS, 'linepay', [{ afterMs: 5 * MINUTE_MS, does: 'pending' }]),
    payment('created', 10 * MINUTE_MS, undefined),
    ...PAYMENT_METHODS.map((method, index) =>
      payment(`requires_action.${method}`, 2 * MINUTE_MS - index * 10 * SECOND_MS, method),
    ),
  ],
  refunds: [
    refund('succeeded.full', 6 * HOUR_MS, 'succeeded.fully_refunded', {}),
    refund('succeeded', 5 * HOUR_MS, 'succeeded.partially_refunded', { amountMinor: 10_000 }),
    refund('failed', 4 * HOUR_MS, 'succeeded.partially_refunded', { amountMinor: 9_000 }),
    refund('rejected', 3 * HOUR_MS, 'succeeded.partially_refunded', { amountMinor: 8_000, reasonCode: 9999 }),
    refund('canceled', 2 * HOUR_MS, 'succeeded.partially_refunded', { amountMinor: 7_000 }),
    refund('processing', 20 * MINUTE_MS, 'succeeded.partially_refunded', { amountMinor: 6_000 }),
    // Approved just now: a minute later it is handed to the provider.
    refund('approved', 15 * MINUTE_MS, 'succeeded.partially_refunded', { amountMinor: 5_000 }),
    refund('requested', 2 * MINUTE_MS, 'succeeded.partially_refunded', { amountMinor: 4_000 }),
  ],
  links: [
    link('exhausted', 9 * DAY_MS, { ...COOKING_CLASS, maxUses: 1 }),
    link('expired', 8 * DAY_MS, COOKING_CLASS, { expiresAfterMs: DAY_MS }),
    link('disabled', 7 * DAY_MS, COOKING_CLASS, { disabledAfterMs: DAY_MS }),
    link('active.open', 6 * DAY_MS, {
      ...COOKING_CLASS,
      amount: { type: 'open', min: thb(1_000), max: thb(1_000_000) },
    }),
    link('active', 5 * DAY_MS, COOKING_CLASS, { expiresAfterMs: 60 * DAY_MS }),
  ],
  settlements: [
    settlement('mismatched', 5 * DAY_MS, null),
    // Includes the money of the day before, whose statement did not match.
    settlement('matched.returned', 4 * DAY_MS, {
      key: 'returned',
      turns: [
        { afterMs: HOUR_MS, does: 'paid' },
        { afterMs: DAY_MS, does: 'returned' },
      ],
    }),
    settlement('matched.failed', 3 * DAY_MS, {
      key: 'failed',
      turns: [{ afterMs: HOUR_MS, does: 'failed' }],
    }),
    settlement('matched.paid', 2 * DAY_MS, { key: 'paid', turns: [{ afterMs: HOUR_MS, does: 'paid' }] }),
    settlement('matched', DAY_MS, { key: 'pending', turns: [] }),
  ],
  sinks: [
    { key: 'plain', name: 'seed-plain', instruction: null },
    { key: 'failing_twice', name: 'seed-failing-twice', instruction: { failCount: 2 } },
    { key: 'unavailable', name: 'seed-unavailable', instruction: { respondStatus: 503 } },
  ],
};

/** Made on demand: the script of the month takes as long as a tenth of a cold start. */
export const SEED_SCRIPTS: Readonly<Record<SeedProfile, () => SeedScript>> = {
  small: () => small,
  month: seedMonthScript,
  e2e: () => e2e,
};

function payment(
  key: string,
  agoMs: number,
  method: PaymentMethod | undefined,
  turns: readonly PaymentTurn[] = [],
): PaymentScript {
  const amount = thb(key.startsWith('succeeded') ? 129_900 : 49_900);
  return { key, isNamed: true, agoMs, input: { amount, ...(method && { method }) }, turns };
}

function succeeds(afterMs: number): PaymentTurn {
  return { afterMs, does: 'succeeded' };
}

function refund(
  key: string,
  agoMs: number,
  paymentKey: string,
  details: Pick<RefundScript, 'amountMinor' | 'reasonCode' | 'reason'>,
): RefundScript {
  // `succeeded.full` is at the status `succeeded`.
  const [reaches] = key.split('.') as [RefundScript['reaches']];
  return { key, isNamed: true, agoMs, payment: paymentKey, reaches, ...details };
}
