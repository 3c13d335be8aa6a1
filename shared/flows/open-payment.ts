import type { Beginning } from '../domain/beginning.ts';
import { askFor, begunAttempt, type Opening, openedPayment, paymentIdsFrom } from '../domain/open-payment.ts';
import {
  joinPaymentChanges,
  type Payment,
  type PaymentChange,
  type PaymentOrder,
} from '../domain/payment.ts';
import type { PaymentMethod } from '../domain/payment-method.ts';
import { afterOf } from '../domain/resource-change.ts';
import type { World } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import { log } from '../http/log.ts';
import { providerFor } from '../providers/providers.ts';
import { takeNumber } from '../store/world.ts';

/** The world, base URL, link and request of a new payment. */
interface Place extends Pick<Opening, 'baseUrl' | 'link'> {
  readonly world: World;
  /** Resolves when the request's claim is stored: see `idempotent`. */
  readonly claimed: () => Promise<Beginning>;
}

/**
 * Creates a payment and, where its method is known, begins its first attempt: the provider is asked after the claim.
 * @throws Problem as `beginAttempt` does
 */
export async function openPayment(
  { world, baseUrl, link, claimed }: Place,
  order: PaymentOrder,
): Promise<PaymentChange> {
  const [number, beginning] = await Promise.all([takeNumber(world, 'payment'), claimed()]);
  const nowMs = beginning.atMs;
  const ids = paymentIdsFrom(beginning);
  const created = openedPayment({ world, number, baseUrl, nowMs, link, ids }, order);
  return order.method === undefined
    ? created
    : joinPaymentChanges(created, await beginAttempt(world, afterOf(created), order.method, nowMs));
}

/**
 * Begins a payment attempt: asks the provider, then makes the payment's change.
 * @throws Problem `provider_refused`; `temporarily_unavailable` where the outcome is unknown: a retry asks for the same
 */
export async function beginAttempt(
  { mode }: World,
  payment: Payment,
  method: PaymentMethod,
  nowMs: number,
): Promise<PaymentChange> {
  const provider = providerFor(mode);
  const ask = askFor(payment, method, nowMs);
  const answer = await provider.begin(ask);
  if (answer.kind === 'done' && answer.fact.state === 'open') {
    return begunAttempt(payment, ask, answer.fact.nextAction, nowMs);
  }
  log.warn('a provider did not begin an attempt', {
    provider: provider.name,
    attempt: ask.attemptId,
    ...answer,
  });
  throw answer.kind === 'refused'
    ? new Problem('provider_refused', { details: { provider_code: answer.code } })
    : new Problem('temporarily_unavailable');
}
