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
} from '../domain/payment.ts';
import type { PaymentMethod } from '../domain/payment-method.ts';
import { afterOf } from '../domain/resource-change.ts';
import type { World } from '../domain/world.ts';
import { invalidFields, Problem } from '../errors/problem.ts';
import type { Claimed } from '../http/idempotent.ts';
import { log } from '../http/log.ts';
import type { Provider } from '../providers/provider.ts';
import { commit } from '../store/commit.ts';
import { insertJob } from '../store/job.ts';
import { takeNumber } from '../store/world.ts';
import { noteUnclear } from './note-unclear.ts';
import { isLive, providerFor } from './provider-for.ts';

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
  const open = (beginning: Claimed['fresh'], number: string) =>
    openedPayment(
      { world, number, baseUrl, nowMs: beginning.atMs, link, ids: paymentIdsFrom(beginning) },
      order,
    );
  if (method === undefined) {
    const [number, beginning] = await Promise.all([takeNumber(world, 'payment'), claimed()]);
    return open(beginning, number);
  }
  const { fresh } = claimed;
  const stopFor = (beginning: Claimed['fresh']) =>
    stopOf(askFor(afterOf(open(beginning, '')), method, beginning.atMs), fresh.atMs);
  let stop = isLive(provider) ? stopFor(fresh) : null;
  const [number, beginning] = await Promise.all([
    takeNumber(world, 'payment'),
    claimed(),
    stop && commit([insertJob(world, stop)]),
  ]);
  if (stop !== null && beginning !== fresh) {
    // Of a claim that was taken over: its own job may never have been stored, or have run since.
    stop = stopFor(beginning);
    await commit([insertJob(world, stop)]);
  }
  const created = open(beginning, number);
  const begun = joinPaymentChanges(
    created,
    await beginAttempt(provider, afterOf(created), method, beginning.atMs),
  );
  const over = stop === null ? [] : [{ kind: 'job-over', job: stop } as const];
  return { ...begun, consequences: [...begun.consequences, ...over] };
}

/**
 * Where the payer chooses the method, the page asks for what that needs.
 * @throws Problem `method_unavailable` where the provider does not take the method
 * @throws Problem `validation_failed` where it needs to know more of the payer (contract §15)
 */
function requireServed({ methods }: Provider, { method, customer }: PaymentOrder): void {
  const terms = method === undefined ? null : methods.get(method);
  if (terms === undefined) {
    throw new Problem('method_unavailable', {
      details: { available: [...methods.keys()] },
      errors: [{ code: 'enum', field: 'method', message: 'is none of details.available' }],
    });
  }
  if (terms?.requires.includes('customer.email') && customer?.email === undefined) {
    throw invalidFields([
      { code: 'required', field: 'customer.email', message: 'is needed by the provider of this method' },
    ]);
  }
}

/**
 * Begins a payment attempt of a payer who chooses.
 * @throws Problem as `beginAttempt` does
 */
export async function chooseMethod(
  world: World,
  payment: Payment,
  method: PaymentMethod,
  nowMs: number,
): Promise<PaymentChange> {
  const provider = await providerFor(world);
  if (isLive(provider)) {
    await commit([insertJob(world, stopOf(askFor(payment, method, nowMs), nowMs))]);
  }
  return beginAttempt(provider, payment, method, nowMs);
}

/**
 * Asks the provider, then makes the payment's change.
 * @throws Problem `provider_refused`; `provider_unavailable` where the outcome is unknown: a retry asks for the same
 */
async function beginAttempt(
  provider: Provider,
  payment: Payment,
  method: PaymentMethod,
  nowMs: number,
): Promise<PaymentChange> {
  const ask: Ask = askFor(payment, method, nowMs);
  const answer = await provider.begin(ask);
  if (answer.kind === 'done' && answer.fact.state === 'open') {
    const { nextAction, reference } = answer.fact;
    return begunAttempt(payment, ask, { nextAction, ...(isLive(provider) && { reference }) }, nowMs);
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
