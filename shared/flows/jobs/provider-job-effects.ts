import { providerAttemptOf } from '../../domain/attempt-request.ts';
import type { Change } from '../../domain/change.ts';
import { MINUTE_MS } from '../../domain/clock.ts';
import { isSameAccount } from '../../domain/connection.ts';
import { type JobOf, subjectOf } from '../../domain/job.ts';
import { nextRefundLookUpOf, nextRetrievalAt } from '../../domain/look-up.ts';
import { nextPaymentLookUpOf, OPEN_STATUSES, type Payment, whenPaymentIsDue } from '../../domain/payment.ts';
import { applyRefundOutcome, type Refund, SENT_REFUND_STATUSES } from '../../domain/refund.ts';
import type { World } from '../../domain/world.ts';
import type { LiveProvider } from '../../providers/provider.ts';
import { find } from '../../store/table/entity.ts';
import { COUNTED_LINES } from '../../telemetry/counted-lines.ts';
import { log } from '../../telemetry/log.ts';
import { applyProviderPaymentState, applyProviderRefundState } from '../apply-provider-state.ts';
import { logUnknownOutcome, type UnknownOutcome } from '../log-unknown-outcome.ts';
import { isConnectedTo, providerAt } from '../provider-for.ts';

/*
 * The jobs of a live world that call its provider (contract §15). After a crash at any point, the same request is
 * repeated. While an outcome is unknown, a new job replaces this one and repeats the request, without limit. The same
 * holds for attempts at an account that is not connected.
 */

/** An outcome that is unknown for longer needs manual review: see the runbook. */
const LONG_UNKNOWN_MS = 15 * MINUTE_MS;

type LiveJob = JobOf<
  'look-up-payment' | 'look-up-refund' | 'stop-attempt' | 'expire-payment' | 'send-refund'
>;

/** Expires a payment after canceling it at the provider. If the provider reports it as paid, it becomes paid. */
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
    return repeatLater(job, provider, result);
  }
  // A payment that the provider received before canceling counts as paid in time.
  const { reported } = result;
  const isStopped = reported === null || reported.state === 'canceled';
  return applyProviderPaymentState(
    world,
    payment,
    reported,
    isStopped ? job.dueAtMs : payment.expiresAtMs - 1,
  );
}

/** Retrieves the state of a payment from the provider, and schedules the next look-up. */
export async function lookUpPayment(world: World, job: JobOf<'look-up-payment'>): Promise<readonly Change[]> {
  const payment = await find('payment', world, job.paymentId);
  const sent = payment && providerAttemptOf(payment);
  if (payment === null || sent === null || payment.status !== job.status) {
    return [];
  }
  const provider = await providerAt(world, sent.account);
  const result = await provider.retrieve(sent);
  // An ended payment was canceled while its account was connected, so no further result is expected.
  const isOver = !isConnectedTo(world, sent.account) && !OPEN_STATUSES.has(payment.status);
  if (result.kind !== 'done' && !isOver) {
    return repeatLater(job, provider, result);
  }
  const changes =
    result.kind === 'done'
      ? await applyProviderPaymentState(world, payment, result.reported, job.dueAtMs)
      : [];
  const next = changes.length > 0 ? null : nextPaymentLookUpOf(payment, job.dueAtMs);
  return next === null ? changes : [{ kind: 'job', job: next }];
}

/** Sends an approved refund to the provider. */
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
      return [applyRefundOutcome(refund, 'failed', job.dueAtMs, { resultCode: result.code })];
    default:
      return repeatLater(job, provider, result);
  }
}

/** Retrieves the state of a refund from the provider, and schedules the next look-up. */
export async function lookUpRefund(world: World, job: JobOf<'look-up-refund'>): Promise<readonly Change[]> {
  const refund = await find('refund', world, job.refundId);
  const payment = refund && (await find('payment', world, refund.paymentId));
  const paymentReference = payment?.attempt?.reference;
  if (
    refund === null ||
    !SENT_REFUND_STATUSES.has(refund.status) ||
    refund.providerReference === undefined ||
    paymentReference === undefined
  ) {
    return [];
  }
  const { id: refundId, providerReference: reference } = refund;
  const provider = await providerAt(world, payment?.attempt?.account);
  const result = await provider.retrieveRefund({ refundId, reference, paymentReference });
  if (result.kind !== 'done') {
    return repeatLater(job, provider, result);
  }
  const changes =
    result.reported === null ? [] : applyProviderRefundState(refund, result.reported, job.dueAtMs);
  const next = changes.length > 0 ? null : nextRefundLookUpOf(refund, job.dueAtMs);
  return next === null ? changes : [{ kind: 'job', job: next }];
}

/** Cancels an attempt whose payment was never stored: its request was refused, corrected or abandoned. */
export async function cancelAbandonedAttempt(
  world: World,
  job: JobOf<'stop-attempt'>,
): Promise<readonly Change[]> {
  const { attempt } = (await find('payment', world, job.sent.paymentId)) ?? {};
  // The same request may have reached two accounts, one after the other.
  if (attempt?.id === job.sent.attemptId && isSameAccount(attempt.account, job.sent.account)) {
    return [];
  }
  const provider = await providerAt(world, job.sent.account);
  const result = await provider.retrieve(job.sent);
  if (result.kind !== 'done') {
    return repeatLater(job, provider, result);
  }
  const { reported } = result;
  const ended =
    reported?.state === 'open'
      ? await provider.cancel({ ...job.sent, reference: reported.reference })
      : result;
  if (ended.kind !== 'done') {
    return repeatLater(job, provider, ended);
  }
  const state = ended.reported?.state;
  if (state === 'paid' || state === 'processing') {
    // The payer paid for a payment that does not exist here. The money must be refunded manually.
    const { paymentId, attemptId } = job.sent;
    log.error(COUNTED_LINES.ProviderContradicted, { payment: paymentId, attempt: attemptId, state });
  }
  return [];
}

/** Repeats the job later. The new job records since when the outcome is unknown, and why. */
function repeatLater(job: LiveJob, provider: LiveProvider, result: UnknownOutcome): readonly Change[] {
  const { kind, dueAtMs } = job;
  const sinceMs = job.unknown?.sinceMs ?? dueAtMs;
  const what = { job: kind, subject: subjectOf(job), since_ms: sinceMs };
  logUnknownOutcome(provider, result, what);
  if (dueAtMs - sinceMs >= LONG_UNKNOWN_MS) {
    log.error(COUNTED_LINES.OutcomeLongUnknown, { provider: provider.name, ...what, ...result });
  }
  const why = result.kind === 'unknown' ? result.why : `refused: ${result.code}`;
  return [
    { kind: 'job', job: { ...job, dueAtMs: nextRetrievalAt(sinceMs, dueAtMs), unknown: { sinceMs, why } } },
  ];
}
