import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { PERMISSIONS } from '../../shared/contract/permissions.ts';
import { type Client, clientOf, newMerchant } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import { createPublicAddresses, statusesOf } from '../support/world/public-addresses.ts';
import { createLink, createPayment, createWorld, moveClock } from '../support/world/resources.ts';

const { revokeApiKey } = await import('../../shared/store/worlds/api-key.ts');
const { endWorldsOfKey } = await import('../../shared/flows/testkit/end-worlds-of-key.ts');

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

async function newWorld(api: Client, body: Record<string, unknown> = {}) {
  const world = await createWorld(api, body);
  return { ...world, api: clientOf(world.key) };
}

describe('a created world', () => {
  test('begins empty, with a key of its own that has every permission until its end', async () => {
    const { api, merchant } = await newMerchant();
    await createPayment(api);
    const before = Date.now();
    const { status, json } = await api(operations.createTestWorld, { body: { name: 'ci', ttl_minutes: 5 } });
    expect(status).toBe(201);
    expect(json).toMatchObject({ name: 'ci', clock: { offset_seconds: 0 } });
    const endsAtMs = Date.parse(json.expires_at);
    expect(endsAtMs).toBeGreaterThanOrEqual(before + 5 * MINUTE_MS);
    expect(endsAtMs).toBeLessThanOrEqual(Date.now() + 5 * MINUTE_MS);
    const own = clientOf(json.key);
    expect((await own(operations.getKey)).json).toMatchObject({
      merchant,
      mode: 'test',
      label: 'ci',
      permissions: PERMISSIONS,
      expires_at: json.expires_at,
      world: json.id,
    });
    expect((await own(operations.listPayments)).json.data).toEqual([]);
  });

  test('shares nothing with the world that created it, nor with another one', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const [one, two] = [await newWorld(api), await newWorld(api)];
    const order = { body: { amount: { currency: 'THB', minor: 100 } }, idempotencyKey: 'order' };
    const apis = [api, one.api, two.api];
    const made = await Promise.all(apis.map((each) => each(operations.createPayment, order)));
    expect(made.map(({ json }) => json.number)).toEqual(['P-000001', 'P-000001', 'P-000001']);
    expect(new Set(made.map(({ json }) => json.id)).size).toBe(3);
    await one.api(operations.createWebhookSink);
    await moveClock(one.api, 3_600);
    const clocks = await Promise.all(apis.map(async (each) => (await each(operations.getClock)).json));
    expect(clocks.map(({ offset_seconds }) => offset_seconds)).toEqual([0, 3_600, 0]);
    const sinks = await Promise.all(apis.map(async (each) => (await each(operations.listWebhookSinks)).json));
    expect(sinks.map(({ data }) => data.length)).toEqual([0, 1, 0]);
    for (const [index, each] of apis.entries()) {
      const other = String(made[(index + 1) % 3]?.json.id);
      expect((await each(operations.getPayment, { params: { id: other } })).status).toBe(404);
    }
    await one.api(operations.purgeTestData);
    expect((await two.api(operations.listPayments)).json.data).toHaveLength(1);
    expect((await one.api(operations.createPayment, order)).json.number).toBe('P-000001');
  });

  test('has its own events, which its own sinks receive', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    await api(operations.createWebhookSink);
    const world = await newWorld(api);
    const { json: sink } = await world.api(operations.createWebhookSink);
    await createLink(world.api);
    await moveClock(world.api, 1);
    const { json } = await world.api(operations.getWebhookSink, { params: { id: sink.id } });
    expect(json.received_count).toBe(1);
    expect((await api(operations.listEvents)).json.data).toEqual([]);
  });

  test('starts its clock at the given instant', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const starts_at = new Date(Date.now() + 400 * DAY_MS).toISOString();
    const { clock, ...world } = await newWorld(api, { starts_at });
    expect(Date.parse(clock.now) - Date.parse(starts_at)).toBeLessThan(MINUTE_MS);
    expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(Date.parse(starts_at));
    const { created_at } = await createPayment(world.api);
    expect(Date.parse(created_at)).toBeGreaterThanOrEqual(Date.parse(starts_at));
    expect((await createPayment(api)).created_at < starts_at).toBe(true);
    await moveClock(world.api, 1);
    const { json } = await world.api(operations.listEvents);
    expect(json.data.every((event) => event.timestamp >= starts_at)).toBe(true);
  });

  test.each([
    ['in the past', -MINUTE_MS, 'min'],
    ['more than two years ahead', 3 * 366 * DAY_MS, 'max'],
  ])('is refused where its clock would start %s', async (_when, aheadMs, code) => {
    const { api } = await newMerchant();
    const starts_at = new Date(Date.now() + aheadMs).toISOString();
    const body = { name: 'ci', starts_at };
    const { status, problem } = await api(operations.createTestWorld, { body });
    expect(status).toBe(422);
    expect(problem.errors).toMatchObject([{ code, field: 'starts_at' }]);
    expect((await api(operations.listTestWorlds)).json.data).toEqual([]);
  });

  test('has the sample data of a profile from its first request on', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const world = await newWorld(api, { profile: 'small' });
    const { json } = await world.api(operations.listPayments);
    expect(json.data).toHaveLength(10);
    expect((await world.api(operations.listWebhookSinks)).json.data.length).toBeGreaterThan(0);
    const again = await world.api(operations.seedTestData, { body: { profile: 'small' } });
    expect(again.json.already_seeded).toBe(true);
    expect((await api(operations.listPayments)).json.data).toEqual([]);
  });

  test('is created once for an Idempotency-Key, and its response replayed', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const sent = { body: { name: 'ci', profile: 'small' }, idempotencyKey: 'world' };
    const first = await api(operations.createTestWorld, sent);
    const again = await api(operations.createTestWorld, sent);
    expect(again.text).toBe(first.text);
    expect((await api(operations.listTestWorlds)).json.data).toHaveLength(1);
  });
});

describe('created worlds', () => {
  test('are listed newest first, without their keys', async () => {
    const { api } = await newMerchant();
    const first = await createWorld(api, { name: 'first' });
    const second = await createWorld(api, { name: 'second' });
    const { json, text } = await api(operations.listTestWorlds);
    expect(json).toMatchObject({ has_more: false, next_cursor: null });
    expect(json.data.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(text).not.toContain('pg_test_');
    const { json: one } = await api(operations.getTestWorld, { params: { id: first.id } });
    expect(one).toMatchObject({ id: first.id, name: 'first', expires_at: first.expires_at });
  });

  test('see themselves and those that they have created, and no others', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const [one, two] = [await newWorld(api), await newWorld(api)];
    const child = await newWorld(one.api);
    const seen = async (each: Client) =>
      (await each(operations.listTestWorlds)).json.data.map(({ id }) => id).toSorted();
    expect(await seen(api)).toEqual([one.id, two.id, child.id].toSorted());
    expect(await seen(one.api)).toEqual([one.id, child.id].toSorted());
    expect(await seen(two.api)).toEqual([two.id]);
    expect(await seen(child.api)).toEqual([child.id]);
    for (const row of [operations.getTestWorld, operations.deleteTestWorld]) {
      const { problem } = await two.api(row, { params: { id: one.id } });
      expect(problem.code).toBe('world_not_found');
    }
    expect((await one.api(operations.deleteTestWorld, { params: { id: child.id } })).status).toBe(200);
    expect((await two.api(operations.deleteTestWorld, { params: { id: two.id } })).status).toBe(200);
    expect(await seen(api)).toEqual([one.id]);
  });
});

describe('a world that has ended', () => {
  test('is gone at once when it is deleted, and so is everything that leads into it', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const world = await newWorld(api);
    const ways = await createPublicAddresses(world.api);
    expect(await statusesOf(ways)).toEqual([200, 200, 200]);
    const params = { id: world.id };
    const { json } = await api(operations.deleteTestWorld, { params });
    expect(json).toEqual({ id: world.id, deleted: true });
    expect((await world.api(operations.getKey)).problem.code).toBe('api_key_expired');
    expect(await statusesOf(ways)).toEqual([404, 404, 404]);
    expect((await api(operations.getTestWorld, { params })).problem.code).toBe('world_not_found');
    expect((await api(operations.deleteTestWorld, { params })).problem.code).toBe('world_not_found');
    expect((await api(operations.listTestWorlds)).json.data).toEqual([]);
  });

  test('takes no late duplicate, while the same Idempotency-Keys are free in the next world', async () => {
    const { api } = await newMerchant();
    const run = async (world: Client) => [
      await world(operations.createPayment, {
        body: { amount: { currency: 'THB', minor: 100 } },
        idempotencyKey: 'order',
      }),
      await world(operations.advanceClock, { body: { seconds: 250 }, idempotencyKey: 'move' }),
    ];
    const [one, two] = [await newWorld(api), await newWorld(api)];
    expect((await run(one.api)).map(({ status }) => status)).toEqual([201, 200]);
    await api(operations.deleteTestWorld, { params: { id: one.id } });
    const late = await run(one.api);
    expect(late.map(({ problem }) => problem.code)).toEqual(['api_key_expired', 'api_key_expired']);
    const next = await run(two.api);
    expect(next.map(({ status }) => status)).toEqual([201, 200]);
    expect(next.map(({ headers }) => headers.has('idempotent-replayed'))).toEqual([false, false]);
  });
});

describe('worlds that a key has created', () => {
  const aliveOf = async (apis: readonly Client[]) =>
    (await Promise.all(apis.map((each) => each(operations.getKey)))).map(({ status }) => status === 200);

  test('end with it when it is revoked, and so do theirs, and no others', { tags: 'slow' }, async () => {
    const { api, merchant } = await newMerchant();
    const maker = await newKey({ merchant });
    const made = await newWorld(clientOf(maker.secret));
    const child = await newWorld(made.api);
    const { json } = await child.api(operations.forkTestWorld, { params: { id: child.id }, body: {} });
    const other = await newWorld(api);
    const key = await revokeApiKey(maker.id, 'a test', Date.now());
    const ended = await endWorldsOfKey({ id: maker.id, merchant }, Number(key?.revokedAtMs));
    expect(ended.map(({ created }) => created.id).toSorted()).toEqual(
      [made.id, child.id, json.id].toSorted(),
    );
    expect(await aliveOf([made.api, child.api, clientOf(json.key), other.api])).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect((await api(operations.listTestWorlds)).json.data.map(({ id }) => id)).toEqual([other.id]);
    expect(await endWorldsOfKey({ id: maker.id, merchant }, Number(key?.revokedAtMs))).toEqual([]);
  });

  test('end no later than it where its end is set afterwards', async () => {
    const { merchant } = await newMerchant();
    const maker = await newKey({ merchant });
    const made = await newWorld(clientOf(maker.secret));
    const child = await newWorld(made.api);
    const endsAtMs = Date.now() + 2 * MINUTE_MS;
    await endWorldsOfKey({ id: maker.id, merchant }, endsAtMs);
    const ends = await Promise.all(
      [made, child].map(async (each) => (await each.api(operations.getKey)).json),
    );
    expect(ends.map(({ expires_at }) => Date.parse(String(expires_at)))).toEqual([endsAtMs, endsAtMs]);
  });

  test('end with the world of their key when that is deleted', async () => {
    const { api } = await newMerchant();
    const made = await newWorld(api);
    const child = await newWorld(made.api);
    expect((await api(operations.deleteTestWorld, { params: { id: made.id } })).status).toBe(200);
    expect(await aliveOf([made.api, child.api])).toEqual([false, false]);
  });

  test('do not outlive it, however they are created', { tags: 'slow' }, async () => {
    const { merchant } = await newMerchant();
    const expiresAtMs = Date.now() + 3 * MINUTE_MS;
    const maker = clientOf((await newKey({ merchant, expiresAtMs })).secret);
    const made = await newWorld(maker, { ttl_minutes: 60 });
    const seeded = await newWorld(maker, { ttl_minutes: 60, profile: 'small' });
    const { json: forked } = await made.api(operations.forkTestWorld, {
      params: { id: made.id },
      body: { ttl_minutes: 1_440 },
    });
    const ends = [made, seeded, forked].map(({ expires_at }) => Date.parse(expires_at));
    expect(ends).toEqual([expiresAtMs, expiresAtMs, expiresAtMs]);
    expect(forked.name).toBe('fork of a test');
  });
});
