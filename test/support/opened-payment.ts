import type { Beginning } from '../../shared/domain/beginning.ts';
import {
  askFor,
  begunAttempt,
  type Opening,
  openedPayment,
  paymentIdsFrom,
} from '../../shared/domain/open-payment.ts';
import { joinPaymentChanges, type PaymentChange, type PaymentOrder } from '../../shared/domain/payment.ts';
import { afterOf } from '../../shared/domain/resource-change.ts';
import { randomBase62 } from '../../shared/domain/secret.ts';
import { simulatedAction } from '../../shared/providers/simulated/simulated-provider.ts';

/** How a request began, as a claim would say it. */
export function aBeginning(atMs: number, secret = randomBase62(22)): Beginning {
  return { atMs, secret } as Beginning;
}

/** What a new payment takes at once, at the simulator, without a store. */
export function openAtOnce(opening: Omit<Opening, 'ids'>, order: PaymentOrder): PaymentChange {
  const { nowMs } = opening;
  const created = openedPayment({ ...opening, ids: paymentIdsFrom(aBeginning(nowMs)) }, order);
  if (order.method === undefined) {
    return created;
  }
  const payment = afterOf(created);
  const ask = askFor(payment, order.method, nowMs);
  return joinPaymentChanges(created, begunAttempt(payment, ask, { nextAction: simulatedAction(ask) }, nowMs));
}
