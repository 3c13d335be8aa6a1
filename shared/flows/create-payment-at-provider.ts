import { abandonedAttemptJob, attemptRequestOf, startAttempt } from '../domain/attempt-request.ts';
import { type ProviderAccount, providerAccountOf } from '../domain/connection.ts';
import { notAllowed } from '../domain/machine.ts';
import { type NewPaymentContext, newPayment, paymentIdsFrom } from '../domain/new-payment.ts';
import {
  joinPaymentChanges,
  type Payment,
  type PaymentAttempt,
  type PaymentChange,
  type PaymentInput,
  paymentMachine,
  requireAction,
} from '../domain/payment.ts';
import type { PaymentMethod } from '../domain/payment-method.ts';
import type { RequestClaim, RequestStart } from '../domain/request-start.ts';
import { afterOf } from '../domain/resource-change.ts';
import { isRehearsal, type World } from '../domain/world.ts';
import { invalidFields, Problem } from '../errors/problem.ts';
import type { Provider } from '../providers/provider.ts';
import { countChoice } from '../store/money/choices.ts';
import { insertJob } from '../store/scheduler/job.ts';
import { commit } from '../store/table/commit.ts';
import { takeNumber } from '../store/worlds/world.ts';
import { log } from '../telemetry/log.ts';
import { logUnknownOutcome } from './log-unknown-outcome.ts';
import { isLive, providerFor } from './provider-for.ts';
import { errorsBelow, leastOf } from './read-terms.ts';

/** The world, base URL, link and request of a new payment. */
interface PaymentContext extends Pick<NewPaymentContext, 'baseUrl' | 'link' | 'nowMs'> {
  readonly world: World;
  readonly claim: RequestClaim;
}

/**
 * Creates a payment and, if its method is known, starts its first attempt. A provider that stores attempts is called
 * only while the claim stands.
 * @throws Problem as `startAttemptAtProvider` does
 */
export async function createPaymentAtProvider(
  { world, baseUrl, link, nowMs, claim }: PaymentContext,
  input: PaymentInput,
): Promise<PaymentChange> {
  const provider = await providerFor(world);
  const { method } = input;
  requireServed(provider, input);
  const context = { world, baseUrl, link, isRehearsal: isRehearsal(world) };
  const paymentOf = (start: RequestStart, number: string) =>
    newPayment({ ...context, number, nowMs: start.atMs, ids: paymentIdsFrom(start) }, input);
  const { newStart } = claim;
  const account = accountOf(world);
  const withAttempt = async (created: PaymentChange, start: RequestStart, chosen: PaymentMethod) =>
    joinPaymentChanges(
      created,
      await startAttemptAtProvider({ provider, account }, afterOf(created), chosen, start.atMs),
    );
  if (method === undefined || !isLive(provider)) {
    // Of the moment that decides it, which a move of the clock may have made a later one.
    const start = { ...newStart, atMs: nowMs };
    const created = paymentOf(start, await takeNumber(world, 'payment'));
    return method === undefined ? created : withAttempt(created, start, method);
  }
  const cancellationOf = (start: RequestStart) =>
    account &&
    abandonedAttemptJob(
      attemptRequestOf(afterOf(paymentOf(start, '')), method, start.atMs),
      account,
      newStart.atMs,
    );
  let cancellation = cancellationOf(newStart);
  const [number, start] = await Promise.all([
    takeNumber(world, 'payment'),
    claim.stands(),
    cancellation && commit([insertJob(world, cancellation)]),
  ]);
  if (start !== newStart) {
    // This claim was taken over. The job of its first request may never have been stored, or may have run since.
    cancellation = cancellationOf(start);
    await (cancellation && commit([insertJob(world, cancellation)]));
  }
  const started = await withAttempt(paymentOf(start, number), start, method);
  const superseded = cancellation === null ? [] : [{ kind: 'superseded-job', job: cancellation } as const];
  return { ...started, consequences: [...started.consequences, ...superseded] };
}

/**
 * Requires what the method needs. Without a method, the payer chooses one later and the page asks for its fields.
 * @throws Problem `method_unavailable` if the provider does not offer the method
 * @throws Problem `validation_failed` if it needs more payer data or does not accept the amount (contract §15)
 */
function requireServed({ methods }: Provider, { amount, method, customer }: PaymentInput): void {
  const terms = method === undefined ? null : methods.get(method);
  if (terms === undefined) {
    throw new Problem('method_unavailable', {
      details: { available: [...methods.keys()] },
      errors: [{ code: 'enum', field: 'method', message: 'must be one of details.available' }],
    });
  }
  const errors = errorsBelow(terms?.minMinor ?? leastOf(methods), 'amount', amount);
  if (terms?.requires.includes('customer.email') && customer?.email === undefined) {
    const message = 'is needed by the provider of this method';
    errors.push({ code: 'required', field: 'customer.email', message });
  }
  if (errors.length > 0) {
    throw invalidFields(errors);
  }
}

/**
 * Starts a payment attempt with the method that the payer chose. The choice is counted before a live provider is
 * called, so a page causes no more provider requests than the limit of choices, whatever their outcome.
 * @param begun the attempts that the same form has started already: none is counted or started twice
 * @throws Problem `invalid_state` if the payer has used up the choices; as `startAttemptAtProvider` does
 */
export async function chooseMethod(
  world: World,
  payment: Payment,
  method: PaymentMethod,
  nowMs: number,
  begun: Map<string, PaymentAttempt> = new Map(),
): Promise<PaymentChange> {
  const request = attemptRequestOf(payment, method, nowMs);
  const known = begun.get(request.attemptId);
  if (known !== undefined) {
    return requireAction(payment, known, nowMs);
  }
  const provider = await providerFor(world);
  const account = accountOf(world);
  if (account !== null) {
    const cancellation = abandonedAttemptJob(request, account, nowMs);
    const outcome = await commit([countChoice(world, payment), insertJob(world, cancellation)]);
    if (outcome.kind === 'conflict' && outcome.failed.includes(0)) {
      throw notAllowed(paymentMachine, payment.status, 'requireAction');
    }
    if (outcome.kind === 'conflict') {
      // The job of another choice has the same instant in its key.
      return chooseMethod(world, payment, method, nowMs + 1, begun);
    }
  }
  const change = await startAttemptAtProvider({ provider, account }, payment, method, nowMs);
  const { attempt } = afterOf(change);
  if (attempt !== null) {
    begun.set(attempt.id, attempt);
  }
  return change;
}

/** The provider account of a world's attempts; null in test mode. */
function accountOf({ mode, provider }: World): ProviderAccount | null {
  return mode === 'test' || provider === null ? null : providerAccountOf(provider);
}

/**
 * Starts the attempt at the provider, then makes the payment's change.
 * @throws Problem `provider_refused`; `provider_unavailable` if the outcome is unknown: a retry repeats the request
 */
async function startAttemptAtProvider(
  { provider, account }: { readonly provider: Provider; readonly account: ProviderAccount | null },
  payment: Payment,
  method: PaymentMethod,
  nowMs: number,
): Promise<PaymentChange> {
  const request = attemptRequestOf(payment, method, nowMs);
  const result = await provider.initiate(request);
  if (result.kind === 'done' && result.reported.state === 'open') {
    const { nextAction, reference } = result.reported;
    return startAttempt(payment, request, { nextAction, ...(account && { reference, account }) }, nowMs);
  }
  const { attemptId: attempt } = request;
  if (result.kind === 'unknown') {
    logUnknownOutcome(provider, result, { call: 'initiate', attempt });
    throw new Problem('provider_unavailable');
  }
  // An attempt that has ended at the provider was canceled meanwhile. This key does not start it again.
  const code = result.kind === 'done' ? result.reported.state : result.code;
  log.warn('a provider did not start an attempt', { provider: provider.name, attempt, code });
  throw new Problem('provider_refused', { details: { provider_code: code } });
}
