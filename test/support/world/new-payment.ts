import { attemptRequestOf, startAttempt } from '../../../shared/domain/attempt-request.ts';
import { type NewPaymentContext, newPayment, paymentIdsFrom } from '../../../shared/domain/new-payment.ts';
import { joinPaymentChanges, type PaymentChange, type PaymentInput } from '../../../shared/domain/payment.ts';
import type { RequestStart } from '../../../shared/domain/request-start.ts';
import { afterOf } from '../../../shared/domain/resource-change.ts';
import { randomBase62 } from '../../../shared/domain/secret.ts';
import { simulatedAction } from '../../../shared/providers/simulated/simulated-provider.ts';

/** The start of a request, as a claim would give it. */
export function requestStartAt(atMs: number, secret = randomBase62(22)): RequestStart {
  return { atMs, secret } as RequestStart;
}

/** A new payment, with its attempt at the simulator if it has a method. Without a store. */
export function newPaymentWithAttempt(
  opening: Omit<NewPaymentContext, 'ids'>,
  order: PaymentInput,
): PaymentChange {
  const { nowMs } = opening;
  const created = newPayment({ ...opening, ids: paymentIdsFrom(requestStartAt(nowMs)) }, order);
  if (order.method === undefined) {
    return created;
  }
  const payment = afterOf(created);
  const request = attemptRequestOf(payment, order.method, nowMs);
  return joinPaymentChanges(
    created,
    startAttempt(payment, request, { nextAction: simulatedAction(request) }, nowMs),
  );
}
