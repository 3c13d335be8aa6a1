import { type ProviderAccount, providerAccountOf } from '../domain/connection.ts';
import { notAllowed } from '../domain/machine.ts';
import {
  type AttemptRequest,
  abandonedAttemptJob,
  attemptRequestOf,
  begunAttempt,
  type Opening,
  openedPayment,
  paymentIdsFrom,
} from '../domain/open-payment.ts';
import {
  joinPaymentChanges,
  type Payment,
  type PaymentChange,
  type PaymentInput,
  paymentMachine,
} from '../domain/payment.ts';
import type { PaymentMethod } from '../domain/payment-method.ts';
import type { RequestClaim, RequestStart } from '../domain/request-start.ts';
import { afterOf } from '../domain/resource-change.ts';
import { isRehearsal, type World } from '../domain/world.ts';
import { invalidFields, Problem } from '../errors/problem.ts';
import type { Provider } from '../providers/provider.ts';
import { countChoice } from '../store/choices.ts';
import { commit } from '../store/commit.ts';
import { insertJob } from '../store/job.ts';
import { takeNumber } from '../store/world.ts';
import { log } from '../telemetry/log.ts';
import { logUnknownOutcome } from './log-unknown-outcome.ts';
import { providerFor } from './provider-for.ts';
import { errorsBelow, leastOf } from './terms-of.ts';

/** The world, base URL, link and request of a new payment. */
interface Place extends Pick<Opening, 'baseUrl' | 'link'> {
  readonly world: World;
  /** Resolves when the request's claim is stored: see `idempotent`. */
  readonly claim: RequestClaim;
}

/**
 * Creates a payment and, where its method is known, begins its first attempt: the provider is asked after the claim.
 * @throws Problem as `beginAttempt` does
 */
export async function openPayment(
  { world, baseUrl, link, claim }: Place,
  order: PaymentInput,
): Promise<PaymentChange> {
  const provider = await providerFor(world);
  const { method } = order;
  requireServed(provider, order);
  const place = { world, baseUrl, link, isRehearsal: isRehearsal(world) };
  const open = (start: RequestStart, number: string) =>
    openedPayment({ ...place, number, nowMs: start.atMs, ids: paymentIdsFrom(start) }, order);
  if (method === undefined) {
    const [number, start] = await Promise.all([takeNumber(world, 'payment'), claim()]);
    return open(start, number);
  }
  const { newStart } = claim;
  const account = accountOf(world);
  const abandonedJobOf = (start: RequestStart) =>
    account &&
    abandonedAttemptJob(
      attemptRequestOf(afterOf(open(start, '')), method, start.atMs),
      account,
      newStart.atMs,
    );
  let stop = abandonedJobOf(newStart);
  const [number, start] = await Promise.all([
    takeNumber(world, 'payment'),
    claim(),
    stop && commit([insertJob(world, stop)]),
  ]);
  if (start !== newStart) {
    // Of a claim that was taken over: its own job may never have been stored, or have run since.
    stop = abandonedJobOf(start);
    await (stop && commit([insertJob(world, stop)]));
  }
  const created = open(start, number);
  const begun = joinPaymentChanges(
    created,
    await beginAttempt({ provider, account }, afterOf(created), method, start.atMs),
  );
  const over = stop === null ? [] : [{ kind: 'superseded-job', job: stop } as const];
  return { ...begun, consequences: [...begun.consequences, ...over] };
}

/**
 * Where the payer chooses the method, the page asks for what that needs.
 * @throws Problem `method_unavailable` where the provider does not take the method
 * @throws Problem `validation_failed` where it needs to know more of the payer, or takes no such amount (contract §15)
 */
function requireServed({ methods }: Provider, { amount, method, customer }: PaymentInput): void {
  const terms = method === undefined ? null : methods.get(method);
  if (terms === undefined) {
    throw new Problem('method_unavailable', {
      details: { available: [...methods.keys()] },
      errors: [{ code: 'enum', field: 'method', message: 'is none of details.available' }],
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
 * Begins a payment attempt of a payer who chooses. A live provider is asked once the choice is counted: whatever comes
 * of it, a page asks for no more than the payer can choose.
 * @throws Problem `invalid_state` where the payer has chosen too often; as `beginAttempt` does
 */
export async function chooseMethod(
  world: World,
  payment: Payment,
  method: PaymentMethod,
  nowMs: number,
): Promise<PaymentChange> {
  const provider = await providerFor(world);
  const account = accountOf(world);
  if (account !== null) {
    const stop = abandonedAttemptJob(attemptRequestOf(payment, method, nowMs), account, nowMs);
    const outcome = await commit([countChoice(world, payment), insertJob(world, stop)]);
    if (outcome.kind === 'conflict' && outcome.which.includes(0)) {
      throw notAllowed(paymentMachine, payment.status, 'require_action');
    }
    if (outcome.kind === 'conflict') {
      // Another choice has its job at this very instant.
      return chooseMethod(world, payment, method, nowMs + 1);
    }
  }
  return beginAttempt({ provider, account }, payment, method, nowMs);
}

/** Where the attempts of a world are made; null in test mode. */
function accountOf({ mode, provider }: World): ProviderAccount | null {
  return mode === 'test' || provider === null ? null : providerAccountOf(provider);
}

/**
 * Asks the provider, then makes the payment's change.
 * @throws Problem `provider_refused`; `provider_unavailable` where the outcome is unknown: a retry asks for the same
 */
async function beginAttempt(
  { provider, account }: { readonly provider: Provider; readonly account: ProviderAccount | null },
  payment: Payment,
  method: PaymentMethod,
  nowMs: number,
): Promise<PaymentChange> {
  const ask: AttemptRequest = attemptRequestOf(payment, method, nowMs);
  const result = await provider.begin(ask);
  if (result.kind === 'done' && result.reported.state === 'open') {
    const { nextAction, reference } = result.reported;
    return begunAttempt(payment, ask, { nextAction, ...(account && { reference, account }) }, nowMs);
  }
  const { attemptId: attempt } = ask;
  if (result.kind === 'unknown') {
    logUnknownOutcome(provider, result, { asked: 'begin', attempt });
    throw new Problem('provider_unavailable');
  }
  // What has ended there was stopped meanwhile: it is not begun again under this key.
  const code = result.kind === 'done' ? result.reported.state : result.code;
  log.warn('a provider did not begin an attempt', { provider: provider.name, attempt, code });
  throw new Problem('provider_refused', { details: { provider_code: code } });
}
