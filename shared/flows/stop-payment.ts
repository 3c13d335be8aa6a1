import { VIEW } from '../contract/views.ts';
import { providerAttemptOf } from '../domain/attempt-request.ts';
import { notAllowed } from '../domain/machine.ts';
import { type Payment, paymentMachine } from '../domain/payment.ts';
import type { RequestClaim } from '../domain/request-start.ts';
import type { World } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import { commit } from '../store/table/commit.ts';
import { get } from '../store/table/entity.ts';
import { writesOf } from '../store/writes.ts';
import { applyProviderPaymentState } from './apply-provider-state.ts';
import { logUnknownOutcome } from './log-unknown-outcome.ts';
import { providerAt } from './provider-for.ts';

/**
 * Whether a live payment was canceled since this request first came. The provider's notification of the cancellation
 * can be applied before the request that canceled it commits, or after that request crashed.
 */
export async function isCanceledMeanwhile(payment: Payment, claim: RequestClaim): Promise<boolean> {
  const isCanceled = payment.status === 'canceled' && providerAttemptOf(payment) !== null;
  return isCanceled && payment.updatedAtMs >= (await claim.stands()).atMs;
}

/**
 * Cancels a payment at its live provider before it is canceled here (contract §15). This happens after the claim, so a
 * refused request cancels nothing. If the provider reports it as paid, it becomes paid.
 * @throws Problem `invalid_state` if it was paid meanwhile, `provider_unavailable` if the outcome is unknown
 */
export async function stopPayment(
  world: World,
  payment: Payment,
  { nowMs, claim }: { readonly nowMs: number; readonly claim: RequestClaim },
): Promise<void> {
  const sent = providerAttemptOf(payment);
  if (sent === null) {
    return;
  }
  const provider = await providerAt(world, sent.account);
  await claim.stands();
  const result = await provider.cancel(sent);
  if (result.kind !== 'done') {
    logUnknownOutcome(provider, result, { call: 'cancel', payment: payment.id });
    throw result.kind === 'refused'
      ? new Problem('provider_refused', { details: { provider_code: result.code } })
      : new Problem('provider_unavailable');
  }
  const { reported } = result;
  if (reported === null || reported.state === 'canceled') {
    return;
  }
  const writes = writesOf({ world }, await applyProviderPaymentState(world, payment, reported, nowMs), VIEW);
  if (writes.length > 0) {
    await commit(writes);
  }
  const { status } = await get('payment', world, payment.id);
  throw notAllowed(paymentMachine, status, 'cancel');
}
