import type { AnyJson } from '../../story/any-json.ts';
import { type AnswerTo, createReadPlan } from '../../story/read-plan.ts';
import type { ReadRequest } from '../../story/read-request.ts';
import { settlementOf } from '../../story/story.ts';

/** What a settlement took, as far as it is known, and what is to be read for it. */
export interface SettlementContent {
  readonly requests: readonly ReadRequest[];
  readonly payments: readonly AnyJson[];
  readonly refunds: readonly AnyJson[];
  /** Payouts that came back, whose money is paid out again. */
  readonly payouts: readonly AnyJson[];
  /** Payments and payouts that came back, less refunds, in minor units. */
  readonly totalMinor: number;
}

/**
 * The payments and refunds that a matched settlement took. They are read from the newest on until they make up the
 * settlement, or a bound is reached.
 */
export function planSettlement(settlement: AnyJson, answerTo: AnswerTo): SettlementContent {
  const { requests, newest, pages } = createReadPlan(answerTo);
  const before = { created_to: settlement.created_at };
  const earlier = newest({
    operationId: 'settlements.ListSettlements',
    query: { ...before, status: 'matched' },
  });
  const takenAt = (at: string) => settlementOf(at, [settlement, ...earlier])?.id === settlement.id;
  const succeeded = { ...before, status: 'succeeded' };
  const isTaken = ({ succeeded_at: at }: AnyJson) => takenAt(at);
  const refunds = newest({ operationId: 'payments.ListRefunds', query: succeeded }).filter(isTaken);
  const payouts = ['failed', 'returned']
    .flatMap((status) => newest({ operationId: 'payouts.ListPayouts', query: { ...before, status } }))
    .filter(({ updated_at: at }) => takenAt(at));
  const rest = sumOf(payouts) - sumOf(refunds);
  const isEnough = (rows: readonly AnyJson[]) =>
    rest + sumOf(rows.filter(isTaken)) === settlement.expected.minor;
  const listed = pages({ operationId: 'payments.ListPayments', query: succeeded }, isEnough);
  const payments = listed.rows.filter(isTaken);
  return { requests, payments, refunds, payouts, totalMinor: rest + sumOf(payments) };
}

function sumOf(resources: readonly AnyJson[]): number {
  return resources.reduce((sum, { amount }) => sum + amount.minor, 0);
}
