import { isNativeError } from 'node:util/types';
import { afterEach, beforeEach, describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';
import { isProblem } from '../../../shared/client/call-error.ts';
import { createClient } from '../../../shared/client/client.ts';
import { createTestWorld, type TestWorldOptions } from '../../../shared/client/testing/create-test-world.ts';
import { EventCollector } from '../../../shared/client/testing/event-collector.ts';
import type { PaymentView } from '../../../shared/contract/payments.ts';
import { baseUrl, newKey } from '../../support/world/merchant.ts';
import { misledForms } from './next-event-forms.ts';

/** Longer than several pauses between two reads. */
const SEVERAL_LOOKS_MS = 250;
/** For a machine with much else to do. */
const PATIENT = { timeoutMs: 60_000 };
const PAYMENT = { amount: { currency: 'THB', minor: 129_900 }, method: 'promptpay' } as const;

let key: string;

beforeEach(async () => {
  ({ secret: key } = await newKey());
  vi.stubEnv('PG_BASE_URL', baseUrl);
  vi.stubEnv('PG_KEY', key);
});
afterEach(() => vi.unstubAllEnvs());

async function newWorld(options?: TestWorldOptions) {
  const world = await createTestWorld(options);
  onTestFinished(() => world.end());
  return world;
}

describe('a test world of the client', () => {
  test('is at the service of PG_BASE_URL and PG_KEY, and shares nothing with its merchant', {
    tags: 'slow',
  }, async () => {
    const world = await newWorld();
    await world.client.createPayment(PAYMENT);
    expect(world.baseUrl).toBe(baseUrl);
    expect((await createClient({ baseUrl, key }).listPayments()).data).toEqual([]);
    expect((await createClient({ baseUrl, key: world.key }).listPayments()).data).toHaveLength(1);
  });

  test('takes the fields of Create Test World, and ends by itself after 15 minutes by default', {
    tags: 'slow',
  }, async () => {
    const merchant = createClient({ baseUrl, key });
    const before = Date.now();
    const short = await newWorld();
    const long = await newWorld({ name: 'long', ttl_minutes: 60, starts_at: '2027-01-01T00:00:00Z' });
    const minutesOf = ({ expiresAt }: { expiresAt: string }) =>
      Math.round((Date.parse(expiresAt) - before) / 60_000);
    expect([minutesOf(short), minutesOf(long)]).toEqual([15, 60]);
    expect((await merchant.getTestWorld(long.id)).name).toBe('long');
    expect((await long.client.getClock()).now).toMatch(/^2027-01-01T00:0/);
  });

  test.each<[string, TestWorldOptions, string, number]>([
    ['the option', { eventTimeoutMs: 70 }, '60', 70],
    ['PG_EVENT_TIMEOUT, in seconds', {}, '0.08', 80],
  ])(
    'waits for an event as long as %s says',
    { tags: 'slow' },
    async (_name, options, seconds, timeoutMs) => {
      vi.stubEnv('PG_EVENT_TIMEOUT', seconds);
      const world = await newWorld(options);
      await expect(world.nextEvent('payment.succeeded')).rejects.toThrow(
        `No payment.succeeded came within ${timeoutMs} ms.`,
      );
      await expect(world.nextEvent('payment.succeeded', { timeoutMs: 60 })).rejects.toThrow('within 60 ms.');
    },
  );

  test.each(['a minute', '60s', '-1', '1e3'])('is not made where PG_EVENT_TIMEOUT is %s', async (given) => {
    vi.stubEnv('PG_EVENT_TIMEOUT', given);
    await expect(createTestWorld()).rejects.toThrow('PG_EVENT_TIMEOUT takes seconds, as in 60');
    expect((await createClient({ baseUrl, key }).listTestWorlds()).data).toEqual([]);
  });

  test('is deleted by its end, once, also where it has ended before', { tags: 'slow' }, async () => {
    const merchant = createClient({ baseUrl, key });
    const [world, gone] = await Promise.all([createTestWorld(), createTestWorld()]);
    await Promise.all([world.end(), world.end()]);
    await merchant.deleteTestWorld(gone.id);
    await gone[Symbol.asyncDispose]();
    expect((await merchant.listTestWorlds()).data).toEqual([]);
  });

  test.each([
    ['PG_KEY', { PG_KEY: '' }],
    ['PG_BASE_URL', { PG_BASE_URL: '' }],
  ])('is refused where only %s is missing', async (name, env) => {
    vi.stubEnv(name, Object.values(env)[0]);
    await expect(createTestWorld()).rejects.toThrow(`${name} is not set`);
  });
});

describe('the next event of a test world', () => {
  test('is the oldest of its type that was not taken, whether it came before or comes later', {
    tags: 'slow',
  }, async () => {
    const { client, nextEvent } = await newWorld();
    const later = nextEvent('payment.created', PATIENT);
    const first = await client.createPayment(PAYMENT);
    expect((await later).data.object.id).toBe(first.id);
    const second = await client.createPayment(PAYMENT);
    const created = () => client.listEvents({ type: 'payment.created' });
    await expect.poll(async () => (await created()).data.length).toBe(2);
    const third = await client.createPayment(PAYMENT);
    const next = async () => (await nextEvent('payment.created', PATIENT)).data;
    const { object } = await next();
    expect(object.id).toBe(second.id);
    expectTypeOf(object).toEqualTypeOf<PaymentView>();
    expect((await next()).object.id).toBe(third.id);
  });

  test('goes to one of those that wait, by what each of them is for', { tags: 'slow' }, async () => {
    const { client, nextEvent } = await newWorld();
    const [first, second] = [await client.createPayment(PAYMENT), await client.createPayment(PAYMENT)];
    const of = ({ id }: { id: string }) =>
      nextEvent('payment.created', { ...PATIENT, where: ({ data }) => data.object.id === id });
    const events = await Promise.all([of(second), of(first)]);
    expect(events.map(({ data }) => data.object.id)).toEqual([second.id, first.id]);
  });

  test('is refused in time, with the events that came instead', { tags: 'slow' }, async () => {
    const { client, nextEvent } = await newWorld();
    const { id } = await client.createPayment(PAYMENT);
    await nextEvent('payment.requires_action', PATIENT);
    await expect(nextEvent('payment.succeeded', { timeoutMs: 1 })).rejects.toThrow(
      `No payment.succeeded came within 1 ms. What came and was not taken: payment.created (${id}).`,
    );
  });

  test('is none of the history that the world was seeded with', { tags: 'slow' }, async () => {
    const { client, nextEvent } = await newWorld({ profile: 'small' });
    const { id } = await client.createPayment(PAYMENT);
    expect((await nextEvent('payment.created', PATIENT)).data.object.id).toBe(id);
  });

  test('is found after the world was purged', { tags: 'slow' }, async () => {
    const { client, nextEvent } = await newWorld();
    await client.createPayment(PAYMENT);
    await nextEvent('payment.requires_action', PATIENT);
    await client.purgeTestData();
    const { id } = await client.createPayment(PAYMENT);
    expect((await nextEvent('payment.created', PATIENT)).data.object.id).toBe(id);
  });

  test('is refused when the world ends, and when the service refuses to list events', async () => {
    const ended = await newWorld();
    const expectation = expect(ended.nextEvent('payout.paid', PATIENT)).rejects.toThrow(
      'The test world was ended',
    );
    await ended.end();
    await expectation;
    await expect(ended.nextEvent('payout.paid', PATIENT)).rejects.toThrow('api_key_expired');
  });

  test('is refused with an error that begins at the line that waits, however it is called', {
    tags: 'slow',
  }, async () => {
    const isOfPackage = (frame: string) => frame.includes('/shared/client/');
    const late = await newWorld();
    expect(await misledForms(late.nextEvent, 1, isOfPackage)).toEqual({});
    const ended = await newWorld();
    await ended.end();
    expect(await misledForms(ended.nextEvent, PATIENT.timeoutMs, isOfPackage)).toEqual({});
    const listEvents: typeof late.client.listEvents = (...args) => {
      stopped.stop();
      return late.client.listEvents(...args);
    };
    const stopped = new EventCollector({ listEvents }, undefined);
    expect(await misledForms(stopped.next, PATIENT.timeoutMs, isOfPackage)).toEqual({});
  });

  test('is refused to each that waits with what the service says', async () => {
    const { nextEvent, end } = await newWorld();
    await end();
    const [one, other] = await Promise.allSettled([nextEvent('payout.paid'), nextEvent('payout.paid')]);
    const reasons = [one, other].map((result) => result.status === 'rejected' && result.reason);
    for (const reason of reasons) {
      expect([isProblem(reason, 'api_key_expired'), isNativeError(reason)]).toEqual([true, true]);
      expect(reason).toMatchObject({ status: 401, operation: 'listEvents', name: 'ProblemError' });
      expect(String(reason.stack).split('\n')[0]).toBe(String(reason));
    }
    expect(reasons[0].stack).not.toBe(reasons[1].stack);
  });

  test('is asked for only while a test waits', { tags: 'slow' }, async () => {
    const { client } = await newWorld();
    let reads = 0;
    const listEvents: typeof client.listEvents = (...args) => {
      reads += 1;
      return client.listEvents(...args);
    };
    const events = new EventCollector({ listEvents }, undefined);
    await client.createPayment(PAYMENT);
    await events.next('payment.created', PATIENT);
    const asked = reads;
    const takenAt = performance.now();
    await expect.poll(() => performance.now() - takenAt).toBeGreaterThan(SEVERAL_LOOKS_MS);
    expect(reads).toBe(asked);
  });
});
