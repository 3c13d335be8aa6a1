import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { paymentOperations } from '../../shared/contract/payments.ts';
import { refundOperations } from '../../shared/contract/refunds.ts';
import { clockOperations } from '../../shared/contract/testkit/clock.ts';
import { purgeOperations } from '../../shared/contract/testkit/purging.ts';
import { seedOperations } from '../../shared/contract/testkit/seeding.ts';
import { simulationOperations } from '../../shared/contract/testkit/simulations.ts';
import type { AwsCall } from '../../shared/store/table/aws-client.ts';
import { heldAt, isCommit, isStep } from '../support/faults/held-call.ts';
import { type Client, clientOf } from '../support/world/api.ts';
import { startInProcess } from '../support/world/in-process.ts';
import { newKey } from '../support/world/merchant.ts';
import { createPayment, simulate, worldOf } from '../support/world/resources.ts';

const { wakeWorld } = await import('../../shared/flows/jobs/wake-world.ts');

const service = await startInProcess(60);
afterAll(() => service.stop());
afterEach(() => vi.useRealTimers());

/** Longer than a claim or a lease of a process that has died. */
const OVER_MS = 2_100;

async function newMerchant() {
  const { secret, merchant } = await newKey();
  return { merchant, api: clientOf(secret, service.baseUrl, service.send) };
}

async function pay(api: Client, minor = 2_600, expires_in_minutes = 1) {
  const body = { amount: { currency: 'THB', minor }, method: 'promptpay', expires_in_minutes };
  return (await api(paymentOperations.createPayment, { body })).json.id;
}

async function show(api: Client, id: string) {
  const { status, late } = (await api(paymentOperations.getPayment, { params: { id } })).json;
  return { status, late };
}

function moveClock(api: Client, seconds: number, idempotencyKey: string = randomUUID()) {
  return api(clockOperations.advanceClock, { body: { seconds }, idempotencyKey });
}

function refund(api: Client, id: string, minor?: number) {
  const body = minor === undefined ? {} : { amount: { currency: 'THB', minor } };
  return api(refundOperations.requestRefund, { params: { id }, body });
}

async function offsetOf(api: Client) {
  return (await api(clockOperations.getClock)).json.offset_seconds;
}

/** Runs an action that dies before this call and never continues. */
async function dieAt(isMeant: (call: AwsCall) => boolean, act: () => Promise<unknown>) {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  await heldAt(isMeant, act);
  vi.setSystemTime(Date.now() + OVER_MS);
}

describe('while a move of the clock runs its jobs', () => {
  /** Starts a read of payments, and returns after two look-ups of them, or after the response. */
  async function beginReading<T>(read: () => Promise<T>) {
    let looks = 0;
    const looked = Promise.withResolvers<void>();
    const counts = (call: AwsCall) => {
      looks += isStep('read payment', 'read list')(call) ? 1 : 0;
      if (looks === 2) {
        looked.resolve();
      }
      return false;
    };
    const reading = heldAt(counts, read).then(({ letGo }) => letGo());
    await Promise.race([reading, looked.promise]);
    return { end: () => reading };
  }

  test.each(['pending', 'succeeded', 'failed'])(
    'no payment is shown as expired and then with an earlier outcome of a request: %s',
    { tags: 'slow' },
    async (outcome) => {
      const { api } = await newMerchant();
      const id = await pay(api);
      const simulating = await heldAt(isCommit, () => simulate(api, id, { outcome }));
      const moving = await heldAt(isStep('finish moved job'), () => moveClock(api, 70));
      const showing = await beginReading(() => show(api, id));
      const answer = await simulating.letGo();
      const shown = [await showing.end(), await show(api, id)];
      await moving.letGo();
      shown.push(await show(api, id));
      expect(answer.status).toBe(200);
      expect(new Set(shown.map((each) => JSON.stringify(each))).size).toBe(1);
      expect(shown[0]?.late).toBe(false);
    },
  );

  test('no payment is canceled after it was shown as expired', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const id = await pay(api);
    const canceling = await heldAt(isCommit, () => api(paymentOperations.cancelPayment, { params: { id } }));
    const moving = await heldAt(isStep('finish moved job'), () => moveClock(api, 70));
    const showing = await beginReading(() => show(api, id));
    await canceling.letGo();
    expect(await showing.end()).toEqual({ status: 'canceled', late: false });
    await moving.letGo();
    expect((await show(api, id)).status).toBe('canceled');
  });

  test('no payment is shown as expired that a simulation due before its expiry pays', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const id = await pay(api);
    await simulate(api, id, { outcome: 'succeeded', delay_seconds: 20 });
    const moving = await heldAt(isStep('finish moved job'), () => moveClock(api, 70));
    const showing = await beginReading(() => show(api, id));
    await moving.letGo();
    expect(await showing.end()).toEqual({ status: 'succeeded', late: false });
    expect(await show(api, id)).toEqual({ status: 'succeeded', late: false });
  });

  test('a list shows no payment as expired before it is', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const id = await pay(api);
    await simulate(api, id, { outcome: 'succeeded', delay_seconds: 20 });
    const moving = await heldAt(isStep('finish moved job'), () => moveClock(api, 70));
    const listing = await beginReading(() =>
      api(paymentOperations.listPayments, { query: { status: 'succeeded' } }),
    );
    await moving.letGo();
    expect((await listing.end()).json.data.map((payment) => payment.id)).toEqual([id]);
  });

  test('a request that lost to the move is decided again by the moved clock', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const id = await pay(api);
    const canceling = await heldAt(isCommit, () => api(paymentOperations.cancelPayment, { params: { id } }));
    await moveClock(api, 70);
    const { status, problem } = await canceling.letGo();
    expect(status).toBe(409);
    expect(problem.details?.current_status).toBe('expired');
  });
});

test('a runner finishes the move of a process that died, and what it moved is shown', {
  tags: 'slow',
}, async () => {
  const { api, merchant } = await newMerchant();
  const id = await pay(api);
  await dieAt(isStep('finish moved job'), () => moveClock(api, 70));
  const { id: worldId } = await worldOf(merchant);
  await wakeWorld(worldId, null, { baseUrl: service.baseUrl, timeMs: 10_000 });
  expect((await worldOf(merchant)).movedToMs).toBeNull();
  expect((await show(api, id)).status).toBe('expired');
});

describe('a number that a request takes', () => {
  test('is bound to the clock: a refund whose window a move closes is refused', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const id = await pay(api);
    await simulate(api, id, { outcome: 'succeeded' });
    const asking = await heldAt(isStep('take number'), () => refund(api, id));
    await moveClock(api, 181 * 86_400);
    const { problem } = await asking.letGo();
    expect(problem.code).toBe('refund_window_closed');
  });

  test('is bound to the clock: a payment beside a move is not older than a lower number', async () => {
    const { api } = await newMerchant();
    const asking = await heldAt(isStep('take number'), () => createPayment(api));
    await moveClock(api, 3_600);
    const lower = await createPayment(api);
    const { number, created_at } = await asking.letGo();
    expect(number > lower.number && created_at >= lower.created_at).toBe(true);
  });
});

describe('a refund without an amount', () => {
  test('takes all that is left when it is stored, though another refund is canceled beside it', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const id = await pay(api);
    await simulate(api, id, { outcome: 'succeeded' });
    const first = (await refund(api, id, 1_800)).json.id;
    const asking = await heldAt(isCommit, () => refund(api, id));
    await api(refundOperations.cancelRefund, { params: { id: first } });
    expect((await asking.letGo()).json.amount.minor).toBe(2_600);
  });
});

describe('a provider event that is reported twice at once', () => {
  test('about a payment takes effect once and is then replayed, after any read order', async () => {
    const { api } = await newMerchant();
    const id = await pay(api);
    const body = { outcome: 'succeeded', event_id: 'evt-1' };
    // The second one reads the event before the first one is stored, and the payment after that.
    const second = await heldAt(isStep('read payment'), () => simulate(api, id, body));
    await simulate(api, id, body);
    const { status, json } = await second.letGo();
    expect([status, json?.replayed]).toEqual([200, true]);
  });

  test('about a refund takes effect once and is then replayed, after any read order', async () => {
    const { api } = await newMerchant();
    const paid = await pay(api);
    await simulate(api, paid, { outcome: 'succeeded' });
    const { id } = (await refund(api, paid)).json;
    const say = () =>
      api(simulationOperations.simulateRefund, {
        params: { id },
        body: { outcome: 'succeeded', event_id: 'evt-2' },
      });
    const second = await heldAt(isStep('read refund'), say);
    await say();
    const { status, json } = await second.letGo();
    expect([status, json?.replayed]).toEqual([200, true]);
  });

  test('as a statement settles a day once and is then replayed, after any read order', async () => {
    const { api } = await newMerchant();
    const id = await pay(api);
    await simulate(api, id, { outcome: 'succeeded' });
    const settle = () => api(simulationOperations.simulateSettlement, { body: {} });
    const second = await heldAt(isStep('read balances'), settle);
    const first = (await settle()).json;
    const { json } = await second.letGo();
    expect(json).toMatchObject({ outcome: 'matched', replayed: true, payout_id: first.payout_id });
  });
});

test('a settlement takes the first money of a day that comes while it is decided', {
  tags: 'slow',
}, async () => {
  const { api } = await newMerchant();
  const [yesterday, today] = [await pay(api, 100, 4_000), await pay(api, 50, 4_000)];
  await simulate(api, yesterday, { outcome: 'succeeded' });
  await moveClock(api, 86_400);
  const settling = await heldAt(isCommit, () => api(simulationOperations.simulateSettlement, { body: {} }));
  await simulate(api, today, { outcome: 'succeeded' });
  const { json } = await settling.letGo();
  expect(json.outcome).toBe('matched');
  expect(
    (await api(simulationOperations.simulateSettlement, { body: { provider: 'next' } })).json.outcome,
  ).toBe('empty');
});

describe('an Idempotency-Key whose first step is stored', () => {
  test('is not refused beside another move of the clock, and finishes its own', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const key = randomUUID();
    await pay(api);
    await dieAt(isStep('finish moved job'), () => moveClock(api, 250, key));
    await pay(api, 100, 10);
    const other = await heldAt(isStep('finish moved job'), () => moveClock(api, 700));
    const beside = await moveClock(api, 250, key);
    expect(beside.problem.code).toBe('temporarily_unavailable');
    expect((await moveClock(api, 10, key)).problem.code).toBe('idempotency_key_reused');
    await other.letGo();
    const { json } = await moveClock(api, 250, key);
    expect(json.advanced_seconds).toBe(250);
    expect(await offsetOf(api)).toBe(950);
  });

  test('does not move the clock again after a purge', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const key = randomUUID();
    await pay(api);
    await dieAt(isStep('finish moved job'), () => moveClock(api, 250, key));
    await api(purgeOperations.purgeTestData, { body: {} });
    expect((await moveClock(api, 250, key)).json.advanced_seconds).toBe(250);
    expect(await offsetOf(api)).toBe(0);
  });

  test('does not move the clock again where a purge came before the response was stored', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const key = randomUUID();
    let commits = 0;
    const responding = await heldAt(
      (call) => isCommit(call) && ++commits === 2,
      () => moveClock(api, 250, key),
    );
    await api(purgeOperations.purgeTestData, { body: {} });
    expect((await responding.letGo()).problem.code).toBe('temporarily_unavailable');
    expect((await moveClock(api, 250, key)).json.advanced_seconds).toBe(250);
    expect(await offsetOf(api)).toBe(0);
  });

  test('is free for a new move after a purge, if its own had its response before', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const key = randomUUID();
    await moveClock(api, 250, key);
    await api(purgeOperations.purgeTestData, { body: {} });
    await moveClock(api, 250, key);
    expect(await offsetOf(api)).toBe(250);
  });

  test('of a purge is refused for another request, in the new epoch too', async () => {
    const { api } = await newMerchant();
    const key = randomUUID();
    const purge = () => api(purgeOperations.purgeTestData, { body: {}, idempotencyKey: key });
    await dieAt(isStep('read jobs'), purge);
    expect((await moveClock(api, 10, key)).problem.code).toBe('idempotency_key_reused');
    expect((await purge()).status).toBe(200);
    expect(await offsetOf(api)).toBe(0);
  });

  test('of a seeding is refused for another profile', async () => {
    const { api } = await newMerchant();
    const key = randomUUID();
    const seed = (profile: string) =>
      api(seedOperations.seedTestData, { body: { profile }, idempotencyKey: key });
    let commits = 0;
    await dieAt(
      (call) => isCommit(call) && ++commits === 2,
      () => seed('small'),
    );
    expect((await seed('e2e')).problem.code).toBe('idempotency_key_reused');
    expect((await seed('small')).json.already_seeded).toBe(false);
  });
});
