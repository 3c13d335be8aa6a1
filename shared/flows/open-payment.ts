import { type ProviderAccount, providerAccountOf } from '../domain/connection.ts';
import { notAllowed } from '../domain/machine.ts';
import {
  type Ask,
  askFor,
  begunAttempt,
  type Opening,
  openedPayment,
  paymentIdsFrom,
  stopOf,
} from '../domain/open-payment.ts';
import {
  joinPaymentChanges,
  type Payment,
  type PaymentChange,
  type PaymentOrder,
  paymentMachine,
} from '../domain/payment.ts';
import type { PaymentMethod } from '../domain/payment-method.ts';
import { afterOf } from '../domain/resource-change.ts';
import { isRehearsal, type World } from '../domain/world.ts';
import { invalidFields, Problem } from '../errors/problem.ts';
import type { Claimed } from '../http/idempotent.ts';
import { log } from '../http/log.ts';
import type { Provider } from '../providers/provider.ts';
import { countChoice } from '../store/choices.ts';
import { commit } from '../store/commit.ts';
import { insertJob } from '../store/job.ts';
import { takeNumber } from '../store/world.ts';
import { noteUnclear } from './note-unclear.ts';
import { providerFor } from './provider-for.ts';
import { errorsBelow, leastOf } from './terms-of.ts';

/** The world, base URL, link and request of a new payment. */
interface Place extends Pick<Opening, 'baseUrl' | 'link'> {
  readonly world: World;
  /** Resolves when the request's claim is stored: see `idempotent`. */
  readonly claimed: Claimed;
}

/**
 * Creates a payment and, where its method is known, begins its first attempt: the provider is asked after the claim.
 * @throws Problem as `beginAttempt` does
 */
export async function openPayment(
  { world, baseUrl, link, claimed }: Place,
  order: PaymentOrder,
): Promise<PaymentChange> {
  const provider = await providerFor(world);
  const { method } = order;
  requireServed(provider, order);
  const place = { world, baseUrl, link, isRehearsal: isRehearsal(world) };
  const open = (beginning: Claimed['fresh'], number: string) =>
    openedPayment({ ...place, number, nowMs: beginning.atMs, ids: paymentIdsFrom(beginning) }, order);
  if (method === undefined) {
    const [number, beginning] = await Promise.all([takeNumber(world, 'payment'), claimed()]);
    return open(beginning, number);
  }
  const { fresh } = claimed;
  const account = accountOf(world);
  const stopFor = (beginning: Claimed['fresh']) =>
    account && stopOf(askFor(afterOf(open(beginning, '')), method, beginning.atMs), account, fresh.atMs);
  let stop = stopFor(fresh);
  const [number, beginning] = await Promise.all([
    takeNumber(world, 'payment'),
    claimed(),
    stop && commit([insertJob(world, stop)]),
  ]);
  if (beginning !== fresh) {
    // Of a claim that was taken over: its own job may never have been stored, or have run since.
    stop = stopFor(beginning);
    await (stop && commit([insertJob(world, stop)]));
  }
  const created = open(beginning, number);
  const begun = joinPaymentChanges(
    created,
    await beginAttempt({ provider, account }, afterOf(created), method, beginning.atMs),
  );
  const over = stop === null ? [] : [{ kind: 'job-over', job: stop } as const];
  return { ...begun, consequences: [...begun.consequences, ...over] };
}

/**
 * Where the payer chooses the method, the page asks for what that needs.
 * @throws Problem `method_unavailable` where the provider does not take the method
 * @throws Problem `validation_failed` where it needs to know more of the payer, or takes no such amount (contract §15)
 */
function requireServed({ methods }: Provider, { amount, method, customer }: PaymentOrder): void {
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
    const stop = stopOf(askFor(payment, method, nowMs), account, nowMs);
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
  const ask: Ask = askFor(payment, method, nowMs);
  const answer = await provider.begin(ask);
  if (answer.kind === 'done' && answer.fact.state === 'open') {
    const { nextAction, reference } = answer.fact;
    return begunAttempt(payment, ask, { nextAction, ...(account && { reference, account }) }, nowMs);
  }
  const { attemptId: attempt } = ask;
  if (answer.kind === 'unknown') {
    noteUnclear(provider, answer, { asked: 'begin', attempt });
    throw new Problem('provider_unavailable');
  }
  // What has ended there was stopped meanwhile: it is not begun again under this key.
  const code = answer.kind === 'done' ? answer.fact.state : answer.code;
  log.warn('a provider did not begin an attempt', { provider: provider.name, attempt, code });
  throw new Problem('provider_refused', { details: { provider_code: code } });
}
