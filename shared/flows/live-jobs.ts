import { COUNTED_LINES } from '../contract/counted-lines.ts';
import type { Change } from '../domain/change.ts';
import { MINUTE_MS } from '../domain/clock.ts';
import { isSameAccount } from '../domain/connection.ts';
import { type Job, subjectOf } from '../domain/job.ts';
import { askAgainAt, nextLookUpOf, nextRefundLookUpOf } from '../domain/look-up.ts';
import { sentAttemptOf } from '../domain/open-payment.ts';
import { OPEN_STATUSES, type Payment, whenPaymentIsDue } from '../domain/payment.ts';
import { applyRefundOutcome, type Refund } from '../domain/refund.ts';
import type { World } from '../domain/world.ts';
import { log } from '../http/log.ts';
import type { LiveProvider } from '../providers/provider.ts';
import { find } from '../store/entity.ts';
import { applyPaymentFact, applyRefundFact } from './apply-fact.ts';
import { noteUnclear, type Unclear } from './note-unclear.ts';
import { isConnectedTo, providerAt } from './provider-for.ts';

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
  const sent = sentAttemptOf(payment);
  const expired = whenPaymentIsDue(payment, job.dueAtMs);
  if (sent === null || expired.length === 0) {
    return expired;
  }
  const provider = await providerAt(world, sent.account);
  const answer = await provider.cancel(sent);
  if (answer.kind !== 'done') {
    return again(job, provider, answer);
  }
  // What it was told of before its time was over has come in time.
  const { fact } = answer;
  const isStopped = fact === null || fact.state === 'canceled';
  return applyPaymentFact(world, payment, fact, isStopped ? job.dueAtMs : payment.expiresAtMs - 1);
}

/** Asks what became of a payment, and when to ask next. */
export async function lookUpPayment(world: World, job: JobOf<'look-up-payment'>): Promise<readonly Change[]> {
  const payment = await find('payment', world, job.paymentId);
  const sent = payment && sentAttemptOf(payment);
  if (payment === null || sent === null || payment.status !== job.status) {
    return [];
  }
  const provider = await providerAt(world, sent.account);
  const answer = await provider.find(sent);
  // What has ended was stopped while its account was connected, so nobody waits for what it says.
  const isOver = !isConnectedTo(world, sent.account) && !OPEN_STATUSES.has(payment.status);
  if (answer.kind !== 'done' && !isOver) {
    return again(job, provider, answer);
  }
  const changes =
    answer.kind === 'done' ? await applyPaymentFact(world, payment, answer.fact, job.dueAtMs) : [];
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
  const answer = await provider.refund({
    refundId: refund.id,
    paymentId: payment.id,
    paymentReference: reference,
    amount: refund.amount,
    email: payment.customer.email,
    sinceMs: refund.updatedAtMs,
  });
  switch (answer.kind) {
    case 'done':
      return applyRefundFact(refund, answer.fact, job.dueAtMs);
    case 'refused':
      return [applyRefundOutcome(refund, 'failed', job.dueAtMs)];
    default:
      return again(job, provider, answer);
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
  const answer = await provider.findRefund({ refundId, reference, paymentReference });
  if (answer.kind !== 'done') {
    return again(job, provider, answer);
  }
  const changes = answer.fact === null ? [] : applyRefundFact(refund, answer.fact, job.dueAtMs);
  const next = changes.length > 0 ? null : nextRefundLookUpOf(refund, job.dueAtMs);
  return next === null ? changes : [{ kind: 'job', job: next }];
}

/** Stops what was begun for a payment that was never stored: its request was refused, corrected or given up. */
export async function stopAttempt(world: World, job: JobOf<'stop-attempt'>): Promise<readonly Change[]> {
  const { attempt } = (await find('payment', world, job.sent.paymentId)) ?? {};
  // The same request may have been asked for at two accounts, one after the other.
  if (attempt?.id === job.sent.attemptId && isSameAccount(attempt.account, job.sent.account)) {
    return [];
  }
  const provider = await providerAt(world, job.sent.account);
  const answer = await provider.find(job.sent);
  if (answer.kind !== 'done') {
    return again(job, provider, answer);
  }
  const { fact } = answer;
  const ended =
    fact?.state === 'open' ? await provider.cancel({ ...job.sent, reference: fact.reference }) : answer;
  if (ended.kind !== 'done') {
    return again(job, provider, ended);
  }
  const state = ended.fact?.state;
  if (state === 'paid' || state === 'processing') {
    // Money for what nobody has sold: somebody has to pay it back.
    const { paymentId, attemptId } = job.sent;
    log.error(COUNTED_LINES.ProviderContradicted, { payment: paymentId, attempt: attemptId, state });
  }
  return [];
}

/** Asks again later, and keeps in the job since when nothing is known, and why. */
function again(job: LiveJob, provider: LiveProvider, answer: Unclear): readonly Change[] {
  const { kind, dueAtMs } = job;
  const sinceMs = job.unknown?.sinceMs ?? dueAtMs;
  const what = { job: kind, subject: subjectOf(job), since_ms: sinceMs };
  noteUnclear(provider, answer, what);
  if (dueAtMs - sinceMs >= LONG_UNKNOWN_MS) {
    log.error(COUNTED_LINES.OutcomeLongUnknown, { provider: provider.name, ...what, ...answer });
  }
  const why = answer.kind === 'unknown' ? answer.why : `refused: ${answer.code}`;
  return [{ kind: 'job', job: { ...job, dueAtMs: askAgainAt(sinceMs, dueAtMs), unknown: { sinceMs, why } } }];
}
