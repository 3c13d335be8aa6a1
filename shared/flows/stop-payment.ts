import { VIEW } from '../contract/views.ts';
import { notAllowed } from '../domain/machine.ts';
import { sentAttemptOf } from '../domain/open-payment.ts';
import { type Payment, paymentMachine } from '../domain/payment.ts';
import type { World } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import type { Claimed } from '../http/idempotent.ts';
import { commit } from '../store/commit.ts';
import { get } from '../store/entity.ts';
import { writesOf } from '../store/writes.ts';
import { applyPaymentFact } from './apply-fact.ts';
import { noteUnclear } from './note-unclear.ts';
import { providerAt } from './provider-for.ts';

/**
 * Whether a live payment was canceled since this request first came: its provider tells that it was stopped, and may be
 * quicker than the commit of who has stopped it, or come after that one's crash.
 */
export async function isCanceledMeanwhile(payment: Payment, claimed: Claimed): Promise<boolean> {
  const isCanceled = payment.status === 'canceled' && sentAttemptOf(payment) !== null;
  return isCanceled && payment.updatedAtMs >= (await claimed()).atMs;
}

/**
 * Stops a payment at its live provider before it is canceled (contract §15): after the claim, for a request that is
 * refused stops nothing. Where the provider says that it was paid, it is paid.
 * @throws Problem `invalid_state` where it was paid meanwhile, `provider_unavailable` where the outcome is unknown
 */
export async function stopPayment(
  world: World,
  payment: Payment,
  { nowMs, claimed }: { readonly nowMs: number; readonly claimed: Claimed },
): Promise<void> {
  const sent = sentAttemptOf(payment);
  if (sent === null) {
    return;
  }
  const provider = await providerAt(world, sent.account);
  await claimed();
  const answer = await provider.cancel(sent);
  if (answer.kind !== 'done') {
    noteUnclear(provider, answer, { asked: 'cancel', payment: payment.id });
    throw answer.kind === 'refused'
      ? new Problem('provider_refused', { details: { provider_code: answer.code } })
      : new Problem('provider_unavailable');
  }
  const { fact } = answer;
  if (fact === null || fact.state === 'canceled') {
    return;
  }
  const writes = writesOf({ world }, await applyPaymentFact(world, payment, fact, nowMs), VIEW);
  if (writes.length > 0) {
    await commit(writes);
  }
  const { status } = await get('payment', world, payment.id);
  throw notAllowed(paymentMachine, status, 'cancel');
}
