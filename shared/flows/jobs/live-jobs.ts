import type { Change } from '../../domain/change.ts';
import { MINUTE_MS } from '../../domain/clock.ts';
import { isSameAccount } from '../../domain/connection.ts';
import { type Job, subjectOf } from '../../domain/job.ts';
import { askAgainAt, nextLookUpOf, nextRefundLookUpOf } from '../../domain/look-up.ts';
import { providerAttemptOf } from '../../domain/open-payment.ts';
import { OPEN_STATUSES, type Payment, whenPaymentIsDue } from '../../domain/payment.ts';
import { applyRefundOutcome, type Refund } from '../../domain/refund.ts';
import type { World } from '../../domain/world.ts';
import type { LiveProvider } from '../../providers/provider.ts';
import { find } from '../../store/entity.ts';
import { COUNTED_LINES } from '../../telemetry/counted-lines.ts';
import { log } from '../../telemetry/log.ts';
import { applyProviderPaymentState, applyProviderRefundState } from '../apply-provider-state.ts';
import { logUnknownOutcome, type UnknownOutcome } from '../log-unknown-outcome.ts';
import { isConnectedTo, providerAt } from '../provider-for.ts';

/*
 * The jobs of a live world that talk to its provider (contract §15). A crash at any point asks for the same thing again.
 * What gave no clear answer is asked again for ever, by a job that takes the place of this one; and so is what was made
 * at an account that is not connected.
 */

/** From then on somebody should look: see the runbook. */
const LONG_UNKNOWN_MS = 15 * MINUTE_MS;

type JobOf<Kind extends Job['kind']> = Extract<Job, { kind: Kind }>;
type LiveJob = JobOf<
  'look-up-payment' | 'look-up-refund' | 'stop-attempt' | 'expire-payment' | 'send-refund'
>;

/** Expires a payment that nobody can pay any more; one that was paid is paid. */
export async function expireAtProvider(
  world: World,
  payment: Payment,
  job: JobOf<'expire-payment'>,
): Promise<readonly Change[]> {
  const sent = providerAttemptOf(payment);
  const expired = whenPaymentIsDue(payment, job.dueAtMs);
  if (sent === null || expired.length === 0) {
    return expired;
  }
  const provider = await providerAt(world, sent.account);
  const result = await provider.cancel(sent);
  if (result.kind !== 'done') {
    return again(job, provider, result);
  }
  // What it was told of before its time was over has come in time.
  const { reported } = result;
  const isStopped = reported === null || reported.state === 'canceled';
  return applyProviderPaymentState(
    world,
    payment,
    reported,
    isStopped ? job.dueAtMs : payment.expiresAtMs - 1,
  );
}

/** Asks what became of a payment, and when to ask next. */
export async function lookUpPayment(world: World, job: JobOf<'look-up-payment'>): Promise<readonly Change[]> {
  const payment = await find('payment', world, job.paymentId);
  const sent = payment && providerAttemptOf(payment);
  if (payment === null || sent === null || payment.status !== job.status) {
    return [];
  }
  const provider = await providerAt(world, sent.account);
  const result = await provider.find(sent);
  // What has ended was stopped while its account was connected, so nobody waits for what it says.
  const isOver = !isConnectedTo(world, sent.account) && !OPEN_STATUSES.has(payment.status);
  if (result.kind !== 'done' && !isOver) {
    return again(job, provider, result);
  }
  const changes =
    result.kind === 'done'
      ? await applyProviderPaymentState(world, payment, result.reported, job.dueAtMs)
      : [];
  const next = changes.length > 0 ? null : nextLookUpOf(payment, job.dueAtMs);
  return next === null ? changes : [{ kind: 'job', job: next }];
}

/** Hands an approved refund to the provider. */
export async function refundAtProvider(
  world: World,
  refund: Refund,
  job: JobOf<'send-refund'>,
): Promise<readonly Change[]> {
  if (refund.status !== 'approved') {
    return [];
  }
  const payment = await find('payment', world, refund.paymentId);
  const reference = payment?.attempt?.reference;
  if (payment === null || reference === undefined) {
    throw new Error('a refund of a payment that no provider knows');
  }
  const provider = await providerAt(world, payment.attempt?.account);
  const result = await provider.refund({
    refundId: refund.id,
    paymentId: payment.id,
    paymentReference: reference,
    amount: refund.amount,
    email: payment.customer.email,
    sinceMs: refund.updatedAtMs,
  });
  switch (result.kind) {
    case 'done':
      return applyProviderRefundState(refund, result.reported, job.dueAtMs);
    case 'refused':
      return [applyRefundOutcome(refund, 'failed', job.dueAtMs)];
    default:
      return again(job, provider, result);
  }
}

/** Asks what became of a refund, and when to ask next. */
export async function lookUpRefund(world: World, job: JobOf<'look-up-refund'>): Promise<readonly Change[]> {
  const refund = await find('refund', world, job.refundId);
  const payment = refund && (await find('payment', world, refund.paymentId));
  const paymentReference = payment?.attempt?.reference;
  if (refund?.status !== 'processing' || refund.reference === undefined || paymentReference === undefined) {
    return [];
  }
  const { id: refundId, reference } = refund;
  const provider = await providerAt(world, payment?.attempt?.account);
  const result = await provider.findRefund({ refundId, reference, paymentReference });
  if (result.kind !== 'done') {
    return again(job, provider, result);
  }
  const changes =
    result.reported === null ? [] : applyProviderRefundState(refund, result.reported, job.dueAtMs);
  const next = changes.length > 0 ? null : nextRefundLookUpOf(refund, job.dueAtMs);
  return next === null ? changes : [{ kind: 'job', job: next }];
}

/** Stops what was begun for a payment that was never stored: its request was refused, corrected or given up. */
export async function cancelAbandonedAttempt(
  world: World,
  job: JobOf<'stop-attempt'>,
): Promise<readonly Change[]> {
  const { attempt } = (await find('payment', world, job.sent.paymentId)) ?? {};
  // The same request may have been asked for at two accounts, one after the other.
  if (attempt?.id === job.sent.attemptId && isSameAccount(attempt.account, job.sent.account)) {
    return [];
  }
  const provider = await providerAt(world, job.sent.account);
  const result = await provider.find(job.sent);
  if (result.kind !== 'done') {
    return again(job, provider, result);
  }
  const { reported } = result;
  const ended =
    reported?.state === 'open'
      ? await provider.cancel({ ...job.sent, reference: reported.reference })
      : result;
  if (ended.kind !== 'done') {
    return again(job, provider, ended);
  }
  const state = ended.reported?.state;
  if (state === 'paid' || state === 'processing') {
    // Money for what nobody has sold: somebody has to pay it back.
    const { paymentId, attemptId } = job.sent;
    log.error(COUNTED_LINES.ProviderContradicted, { payment: paymentId, attempt: attemptId, state });
  }
  return [];
}

/** Asks again later, and keeps in the job since when nothing is known, and why. */
function again(job: LiveJob, provider: LiveProvider, result: UnknownOutcome): readonly Change[] {
  const { kind, dueAtMs } = job;
  const sinceMs = job.unknown?.sinceMs ?? dueAtMs;
  const what = { job: kind, subject: subjectOf(job), since_ms: sinceMs };
  logUnknownOutcome(provider, result, what);
  if (dueAtMs - sinceMs >= LONG_UNKNOWN_MS) {
    log.error(COUNTED_LINES.OutcomeLongUnknown, { provider: provider.name, ...what, ...result });
  }
  const why = result.kind === 'unknown' ? result.why : `refused: ${result.code}`;
  return [{ kind: 'job', job: { ...job, dueAtMs: askAgainAt(sinceMs, dueAtMs), unknown: { sinceMs, why } } }];
}
