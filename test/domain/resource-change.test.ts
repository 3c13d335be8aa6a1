import { describe, expect, it } from 'vitest';
import {
  applyPaymentOutcome,
  cancelPayment,
  createPayment,
  OPEN_STATUSES,
  type Payment,
  type PaymentChange,
  requireAction,
  whenPaymentIsDue,
} from '../../shared/domain/payment.ts';
import { createPaymentLink, disablePaymentLink, overpayLink } from '../../shared/domain/payment-link.ts';
import { applyPayoutOutcome, createPayout } from '../../shared/domain/payout.ts';
import {
  applyRefundOutcome,
  cancelRefund,
  requestRefund,
  sendRefund,
  whenRefundIsDue,
} from '../../shared/domain/refund.ts';
import { afterOf, type Consequence } from '../../shared/domain/resource-change.ts';
import {
  aPaidPayment,
  aPayment,
  aPaymentLink,
  aPayout,
  aRefund,
  CREATED_AT_MS,
} from '../support/world/entities.ts';

const MINUTE_MS = 60_000;
const NOW = CREATED_AT_MS + 2 * MINUTE_MS;
const amount = { currency: 'THB', minor: 10_000 } as const;
const back = { currency: 'THB', minor: 2_500 } as const;
const { id: linkId, code } = aPaymentLink();
const { id: paymentId } = aPayment();
const { id: refundId } = aRefund();

const use = (uses: number, taken: number, isNew = false) =>
  ({ kind: 'link-use', linkId, uses, taken, newPaymentId: isNew ? paymentId : null }) as const;
const APPROVAL = { kind: 'approve-refund', dueAtMs: NOW } as const;
const paid = { kind: 'balance', atMs: NOW, amount } as const;
const expiry = (dueAtMs: number) =>
  ({ kind: 'job', job: { kind: 'expire-payment', dueAtMs, paymentId } }) as const;
/** A payment's job is over at the time for which it was queued. */
const expiryOver = (dueAtMs = CREATED_AT_MS + 15 * MINUTE_MS) =>
  ({ kind: 'superseded-job', job: { kind: 'expire-payment', dueAtMs, paymentId } }) as const;
const later = (kind: 'approve-refund' | 'send-refund', minutes: number) =>
  ({ kind: 'job', job: { kind, dueAtMs: NOW + minutes * MINUTE_MS, refundId } }) as const;
/** So is a refund's, some minutes after it was last changed. */
const laterOver = (kind: 'approve-refund' | 'send-refund', minutes: number) =>
  ({
    kind: 'superseded-job',
    job: { kind, dueAtMs: CREATED_AT_MS + minutes * MINUTE_MS, refundId },
  }) as const;

const create = (link?: { id: string; code: string }) =>
  createPayment(
    { id: paymentId, number: 'P-000001', pageSecret: 's', pageUrl: 'https://pay.example/p', link },
    { amount, method: 'promptpay' },
    NOW,
  );
const fromLink = (changes: Partial<Payment> = {}) => aPayment({ linkId, ...changes });
const attempt = {
  id: 'att_1',
  method: 'truemoney',
  nextAction: { type: 'redirect', url: 'https://pay.example/p' },
  createdAtMs: NOW,
} as const;

interface ExampleChange {
  readonly consequences: readonly Consequence[];
}

/** The consequences of each step for other resources. */
const MEANS: readonly (readonly [
  name: string,
  change: ExampleChange | null | undefined,
  means: readonly Consequence[],
])[] = [
  ['a payment begins', create(), [expiry(NOW + 15 * MINUTE_MS)]],
  [
    'a payment of a link begins',
    create({ id: linkId, code }),
    [use(0, 1, true), expiry(NOW + 15 * MINUTE_MS)],
  ],
  ['its method is chosen', requireAction(aPayment(), attempt, NOW), []],
  [
    'a method is chosen that gives more time',
    requireAction(fromLink(), attempt, NOW),
    [expiryOver(), expiry(NOW + 20 * MINUTE_MS)],
  ],
  ['its money is on its way', applyPaymentOutcome(fromLink(), 'pending', NOW), [expiryOver()]],
  ['another amount came', applyPaymentOutcome(fromLink(), 'mismatch', NOW), [expiryOver()]],
  [
    'a payment without a link is paid',
    applyPaymentOutcome(aPayment(), 'succeeded', NOW),
    [paid, expiryOver()],
  ],
  ['a payment without a link fails', applyPaymentOutcome(aPayment(), 'failed', NOW), [expiryOver()]],
  ...[...OPEN_STATUSES].map(
    (status) =>
      [
        `one that is ${status} is paid`,
        applyPaymentOutcome(fromLink({ status }), 'succeeded', NOW),
        // A payment in flight cannot expire, so it has no expiry job.
        [use(1, 0), paid, ...(status === 'processing' ? [] : [expiryOver()])],
      ] as const,
  ),
  ['it fails', applyPaymentOutcome(fromLink({ status: 'processing' }), 'failed', NOW), [use(0, -1)]],
  ['it is canceled', cancelPayment(fromLink({ status: 'requires_action' }), NOW), [use(0, -1), expiryOver()]],
  ['it expires', whenPaymentIsDue(fromLink(), NOW + 15 * MINUTE_MS)[0], [use(0, -1), expiryOver()]],
  // The money arrived, so the use counts, though it was free again.
  ...(['expired', 'canceled'] as const).map(
    (status) =>
      [
        `one that is ${status} is paid after all`,
        applyPaymentOutcome(fromLink({ status }), 'succeeded', NOW),
        [use(1, 1), paid],
      ] as const,
  ),
  [
    'one whose expiry nothing has recorded is paid: its use was still held',
    applyPaymentOutcome(fromLink({ expiresAtMs: NOW - 1 }), 'succeeded', NOW),
    [use(1, 0), paid, expiryOver(NOW - 1)],
  ],
  [
    'a refund is requested',
    requestRefund({ id: refundId, number: 'R-000001' }, aPaidPayment(), { amount: back }, NOW),
    [{ kind: 'hold', paymentId, amount: back }, later('approve-refund', 15)],
  ],
  [
    'it is approved',
    whenRefundIsDue(aRefund(), APPROVAL)[0],
    [laterOver('approve-refund', 15), later('send-refund', 1)],
  ],
  ['it is sent', sendRefund(aRefund({ status: 'approved' }), NOW), [laterOver('send-refund', 1)]],
  ...[
    ['rejected', whenRefundIsDue(aRefund({ reasonCode: 9999 }), APPROVAL)[0]] as const,
    ['canceled', cancelRefund(aRefund(), NOW)] as const,
    ['failed, all at once', applyRefundOutcome(aRefund(), 'failed', NOW)] as const,
  ].map(
    ([status, change]) =>
      [
        `it is ${status}`,
        change,
        [{ kind: 'release', paymentId, amount: back }, laterOver('approve-refund', 15)],
      ] as const,
  ),
  ...(['requested', 'processing'] as const).map(
    (status) =>
      [
        `one that is ${status} succeeds`,
        applyRefundOutcome(aRefund({ status }), 'succeeded', NOW),
        [
          { kind: 'paid-back', paymentId, amount: back },
          { kind: 'balance', atMs: NOW, amount: { currency: 'THB', minor: -2_500 }, countedAs: 'refund' },
          ...(status === 'requested' ? [laterOver('approve-refund', 15)] : []),
        ],
      ] as const,
  ),
  ['a payout arrives', applyPayoutOutcome(aPayout(), 'paid', undefined, NOW), []],
  ['a payout fails', applyPayoutOutcome(aPayout(), 'failed', undefined, NOW), [paid]],
  [
    'a payout is returned',
    applyPayoutOutcome(aPayout({ status: 'paid' }), 'returned', undefined, NOW),
    [paid],
  ],
  ['a link begins', createPaymentLink(aPaymentLink(), { amount: { type: 'open' } }, NOW), []],
  ['a link is disabled', disablePaymentLink(aPaymentLink(), NOW), []],
  ['a link is overpaid', overpayLink(aPaymentLink({ maxUses: 1, takenUses: 1 }), NOW), []],
];

describe('the consequences of a change', () => {
  it.each(MEANS)('are complete when %s', (_name, change, means) => {
    expect(change?.consequences).toEqual(means);
  });

  it("settle a new payout's days, and leave the remainder on the last of them", () => {
    const [one, two] = ['2026-11-01', '2026-11-02'].map((day) => ({
      day,
      shard: 0,
      paidMinor: 7_500n,
      refundedMinor: 0n,
    }));
    const days = [one, two].filter((day) => day !== undefined);
    const settled = { id: 'stl_1', provider: 'sim_provider', createdAtMs: NOW, expected: amount };
    expect(createPayout(settled, { id: 'pot_1', number: 'O-000001' }, days, 5_000n).consequences).toEqual([
      { kind: 'settle-day', balance: one, restMinor: 0n },
      { kind: 'settle-day', balance: two, restMinor: 5_000n },
    ]);
  });
});

describe('a change', () => {
  it('leads to the state after its last step', () => {
    const to = (after: string) => ({ event: 'moved', previousStatus: null, after });
    expect(afterOf({ steps: [to('one'), to('two')] })).toBe('two');
    expect(afterOf({ steps: [to('one')] })).toBe('one');
  });

  it('has a step, and events of its own resource only: anything else does not compile', () => {
    const [step] = cancelPayment(aPayment(), NOW).steps;
    const change = { resource: 'payment', before: null, consequences: [] } as const;
    // @ts-expect-error nothing would be written or dispatched
    const empty: PaymentChange = { ...change, steps: [] };
    // @ts-expect-error a payment is no refund
    const ofAnother: PaymentChange = { ...change, steps: [{ ...step, event: 'refund.requested' }] };
    const right: PaymentChange = { ...change, steps: [{ ...step, event: 'payment.created' }] };
    expect([empty.steps, ofAnother.steps, right.steps].map(({ length }) => length)).toEqual([0, 1, 1]);
  });
});
