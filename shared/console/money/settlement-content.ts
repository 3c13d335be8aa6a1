import type { PaymentView } from '../../contract/payments.ts';
import type { PayoutView } from '../../contract/payouts.ts';
import type { RefundView } from '../../contract/refunds.ts';
import type { SettlementView } from '../../contract/settlements.ts';
import { createReadPlan } from '../../story/read-plan.ts';
import type { BodyReader, ReadRequest } from '../../story/read-request.ts';
import { readOf } from '../../story/read-request.ts';
import { settlementOf } from '../../story/story.ts';

/** What a settlement took, as far as it is known, and what is to be read for it. */
export interface SettlementContent {
  readonly requests: readonly ReadRequest[];
  readonly payments: readonly PaymentView[];
  readonly refunds: readonly RefundView[];
  /** Payouts that came back, whose money is paid out again. */
  readonly payouts: readonly PayoutView[];
  /** Payments and payouts that came back, less refunds, in minor units. */
  readonly totalMinor: number;
}

/**
 * The payments and refunds that a matched settlement took. They are read from the newest on until they make up the
 * settlement, or a bound is reached.
 */
export function planSettlement(settlement: SettlementView, bodyOf: BodyReader): SettlementContent {
  const { requests, newest, pages } = createReadPlan(bodyOf);
  const before = { created_to: settlement.created_at };
  const earlier = newest(readOf('settlements.ListSettlements', { query: { ...before, status: 'matched' } }));
  const takenAt = (at: string | null) =>
    at !== null && settlementOf(at, [settlement, ...earlier])?.id === settlement.id;
  const succeeded = { ...before, status: 'succeeded' };
  const isTaken = ({ succeeded_at: at }: Pick<PaymentView, 'succeeded_at'>) => takenAt(at);
  const refunds = newest(readOf('payments.ListRefunds', { query: succeeded })).filter(isTaken);
  const payouts = ['failed', 'returned']
    .flatMap((status) => newest(readOf('payouts.ListPayouts', { query: { ...before, status } })))
    .filter(({ updated_at: at }) => takenAt(at));
  const rest = sumOf(payouts) - sumOf(refunds);
  const isEnough = (rows: readonly PaymentView[]) =>
    rest + sumOf(rows.filter(isTaken)) === settlement.expected.minor;
  const listed = pages(readOf('payments.ListPayments', { query: succeeded }), isEnough);
  const payments = listed.rows.filter(isTaken);
  return { requests, payments, refunds, payouts, totalMinor: rest + sumOf(payments) };
}

function sumOf(resources: readonly Pick<PaymentView, 'amount'>[]): number {
  return resources.reduce((sum, { amount }) => sum + amount.minor, 0);
}
