import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import type { AttemptRequest } from '../../shared/domain/attempt-request.ts';
import type { ProviderPaymentState, ProviderResult } from '../../shared/providers/provider.ts';
import { simulatedProvider } from '../../shared/providers/simulated/simulated-provider.ts';
import { injectFaults } from '../support/faults/faults.ts';
import { gatedRun } from '../support/faults/gated-run.ts';
import { clientOf, newMerchant } from '../support/world/api.ts';
import { startInProcess } from '../support/world/in-process.ts';
import { createLink } from '../support/world/resources.ts';

const ORDER = { amount: { currency: 'THB', minor: 5_000 }, method: 'promptpay' };
/** Longer than any claim is held. */
const LEASE_MS = 30_000;

let service: Awaited<ReturnType<typeof startInProcess>>;
beforeAll(async () => {
  service = await startInProcess();
});
afterAll(() => service.stop());

/** The requests to the provider, in this order; and its next results, where they are not those of the simulator. */
let requests: AttemptRequest[] = [];
let answers: (() => ProviderResult<ProviderPaymentState> | Promise<ProviderResult<ProviderPaymentState>>)[] =
  [];
const { initiate } = simulatedProvider;

beforeEach(() => {
  [requests, answers] = [[], []];
  // The simulator stores nothing: here it stands for a provider that does.
  Object.assign(simulatedProvider, { retrieve: unused });
  vi.spyOn(simulatedProvider, 'initiate').mockImplementation(async (request) => {
    requests.push(request);
    return answers.shift()?.() ?? initiate(request);
  });
});
afterEach(() => {
  Reflect.deleteProperty(simulatedProvider, 'retrieve');
  vi.restoreAllMocks();
  vi.useRealTimers();
  injectFaults('none', []);
});

function unused(): never {
  throw new Error('nothing is retrieved here');
}

/** The provider got several requests, equal except for the payment number: numbers may have gaps. */
function expectRepeatedRequests(): void {
  expect(requests.length).toBeGreaterThan(1);
  expect(requests.map((request) => ({ ...request, number: '' }))).toEqual(
    requests.map(() => ({ ...requests[0], number: '' })),
  );
}

/** A merchant, and a function that creates a payment with the same key each time. */
async function newCreator() {
  const { api, secret } = await newMerchant();
  const client = clientOf(secret, service.baseUrl, service.send);
  const create = (order: object = {}, idempotencyKey = 'k') =>
    client(operations.createPayment, { idempotencyKey, body: { ...ORDER, ...order } });
  const stored = async () => (await api(operations.listPayments)).json.data.map(({ id }) => id);
  // Only the first request of a key writes the day of its last use.
  await create({}, 'first');
  const [first] = await stored();
  requests = [];
  return { api, create, stored: async () => (await stored()).filter((id) => id !== first) };
}

function post(address: string, form: Record<string, string>) {
  const { pathname } = new URL(address);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(form).toString();
  return service.send(`${service.baseUrl}${pathname}`, { method: 'POST', headers, body });
}

/**
 * Kills an action just before its commit, and waits until its claim is over. A first run of a similar action shows
 * which of the calls is the commit.
 */
async function dieBeforeCommit(act: () => Promise<unknown>, other: () => Promise<unknown>): Promise<void> {
  const { calls } = await gatedRun(null, other);
  const at = calls.findIndex(({ name }) => name === 'TransactWriteItems');
  requests = [];
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const died = await gatedRun({ at, fault: 'killed before' }, act);
  expect(died.end.kind).toBe('killed');
  vi.setSystemTime(Date.now() + LEASE_MS);
}

describe('a payment that is created', () => {
  test('is created at the provider once for any number of concurrent requests with one key', async () => {
    const { create, stored } = await newCreator();
    const created = await Promise.all(Array.from({ length: 20 }, () => create()));
    expect(created.some(({ status }) => status === 201)).toBe(true);
    expect(requests).toHaveLength(1);
    expect(await stored()).toEqual([requests[0]?.paymentId]);
  });

  test('is the same one at the provider after a crash before the commit and a retry', {
    tags: 'slow',
  }, async () => {
    const { create, stored } = await newCreator();
    await dieBeforeCommit(create, () => create({}, 'other'));
    const [other] = await stored();
    const { json, status } = await create();
    expect(status).toBe(201);
    expectRepeatedRequests();
    expect(await stored()).toEqual([requests[0]?.paymentId, other]);
    expect(json.id).toBe(requests[0]?.paymentId);
    expect(Date.parse(json.expires_at)).toBe(requests[0]?.expiresAtMs);
  });

  test('is returned as expired if its time was over before the retry', async () => {
    const { create } = await newCreator();
    await dieBeforeCommit(create, () => create({}, 'other'));
    vi.setSystemTime(requests[0]?.expiresAtMs ?? 0);
    const { status, json } = await create();
    expect(status).toBe(201);
    expect(json).toMatchObject({ id: requests[0]?.paymentId, status: 'expired', next_action: null });
    expectRepeatedRequests();
  });

  test('is another one at the provider if the request was corrected after the crash', {
    tags: 'slow',
  }, async () => {
    const { create, stored } = await newCreator();
    await dieBeforeCommit(create, () => create({}, 'other'));
    expect((await create({ amount: { currency: 'THB', minor: 6_000 } })).status).toBe(201);
    expect(new Set(requests.map(({ paymentId }) => paymentId)).size).toBe(2);
    expect(new Set(requests.map(({ attemptId }) => attemptId)).size).toBe(2);
    expect((await stored())[0]).toBe(requests[1]?.paymentId);
  });

  test('is not created at the provider by requests that are refused for their key', {
    tags: 'slow',
  }, async () => {
    const { create } = await newCreator();
    const isCalled = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<ProviderResult<ProviderPaymentState>>();
    answers = [
      () => {
        isCalled.resolve();
        return goesOn.promise;
      },
    ];
    const first = create();
    await isCalled.promise;
    expect((await create()).problem.code).toBe('idempotency_in_progress');
    expect((await create({ reference: 'other' })).problem.code).toBe('idempotency_key_reused');
    expect(requests).toHaveLength(1);
    goesOn.resolve(initiate(requests[0] as AttemptRequest));
    expect((await first).status).toBe(201);
    expect((await create()).headers.get('idempotent-replayed')).toBe('true');
    expect(requests).toHaveLength(1);
  });

  test('is requested from the provider under the same ids after its commit lost a race', async () => {
    const { create } = await newCreator();
    const lost = Object.assign(new Error('a race'), {
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
    });
    injectFaults('TransactWriteItems', [lost]);
    expect((await create()).json.id).toBe(requests[0]?.paymentId);
    expectRepeatedRequests();
  });

  test('is stored only after the provider responds: until then 503, and its key retries it', async () => {
    const { create, stored } = await newCreator();
    answers = [() => ({ kind: 'unknown', why: 'time-out' })];
    const { problem, headers } = await create();
    expect(problem.code).toBe('provider_unavailable');
    expect(headers.get('retry-after')).not.toBeNull();
    expect(await stored()).toEqual([]);
    expect((await create()).json.id).toBe(requests[0]?.paymentId);
    expectRepeatedRequests();
  });

  test('is not stored if the provider refuses it, and its key may be used again', {
    tags: 'slow',
  }, async () => {
    const { create, stored } = await newCreator();
    answers = [() => ({ kind: 'refused', code: 'amount_too_small' })];
    expect((await create()).problem).toMatchObject({
      code: 'provider_refused',
      status: 502,
      details: { provider_code: 'amount_too_small' },
    });
    expect(await stored()).toEqual([]);
    expect((await create({ amount: { currency: 'THB', minor: 6_000 } })).status).toBe(201);
    expect(new Set(requests.map(({ paymentId }) => paymentId)).size).toBe(2);
  });
});

describe('a payment from a link', () => {
  test('is one payment and one attempt at the provider, however often its form is sent', {
    tags: 'slow',
  }, async () => {
    const { api, stored } = await newCreator();
    const { url } = await createLink(api);
    const pressed = await Promise.all(Array.from({ length: 20 }, () => post(url, { attempt: 'a' })));
    const pages = new Set(pressed.map(({ headers }) => String(headers.get('location'))));
    expect(pages.size).toBe(1);
    expect(requests).toEqual([]);
    const [page = ''] = pages;
    await Promise.all(Array.from({ length: 20 }, () => post(page, { method: 'promptpay' })));
    expect(new Set(requests.map(({ attemptId }) => attemptId)).size).toBe(1);
    expect(await stored()).toEqual([requests[0]?.paymentId]);
  });

  test('is one payment after a crash before the commit, however often the form is sent again', {
    tags: 'slow',
  }, async () => {
    const { api, stored } = await newCreator();
    const { url } = await createLink(api);
    await dieBeforeCommit(
      () => post(url, { attempt: 'a' }),
      () => post(url, { attempt: 'other' }),
    );
    expect(await stored()).toHaveLength(1);
    await post(url, { attempt: 'a' });
    await post(url, { attempt: 'a' });
    expect(await stored()).toHaveLength(2);
  });
});

describe('the method that a payer chooses', () => {
  test('is one attempt at the provider, however often the payer presses, and after a crash', {
    tags: 'slow',
  }, async () => {
    const { create } = await newCreator();
    const undecided = { method: undefined };
    const pages = [await create(undecided), await create(undecided, 'other')];
    const choose = (index: number) => post(String(pages[index]?.json.checkout_url), { method: 'promptpay' });
    await dieBeforeCommit(
      () => choose(0),
      () => choose(1),
    );
    await Promise.all(Array.from({ length: 5 }, () => choose(0)));
    expectRepeatedRequests();
  });
});
