import type { Beginning } from '../../shared/domain/beginning.ts';
import {
  askFor,
  begunAttempt,
  type Opening,
  openedPayment,
  paymentIdsFrom,
} from '../../shared/domain/open-payment.ts';
import type { PaymentOrder, PaymentStep } from '../../shared/domain/payment.ts';
import { randomBase62 } from '../../shared/domain/secret.ts';
import { simulatedAction } from '../../shared/providers/simulated/simulated-provider.ts';

/** How a request began, as a claim would say it. */
export function aBeginning(atMs: number, secret = randomBase62(22)): Beginning {
  return { atMs, secret } as Beginning;
}

/** Every step that a new payment takes at once, at the simulator, without a store. */
export function openSteps(opening: Omit<Opening, 'ids'>, order: PaymentOrder): PaymentStep[] {
  const { nowMs } = opening;
  const created = openedPayment({ ...opening, ids: paymentIdsFrom(aBeginning(nowMs)) }, order);
  if (order.method === undefined) {
    return [created];
  }
  const ask = askFor(created.after, order.method, nowMs);
  return [created, begunAttempt(created.after, ask, simulatedAction(ask), nowMs)];
}
