// @module-tag slow
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { PRESETS } from '../../shared/contract/permissions.ts';
import { ENDPOINTS_MAX } from '../../shared/domain/endpoint-limits.ts';
import { ENDPOINT_SLOTS_MAX } from '../../shared/domain/endpoint-slot.ts';
import { createdWorldIdOf } from '../../shared/domain/world.ts';
import { createdWorldKey } from '../../shared/store/table/keys.ts';
import { type Client, clientOf, newMerchant } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import { BUSY, resend } from '../support/world/resend.ts';
import { createWorld } from '../support/world/resources.ts';

const { callTable } = await import('../../shared/store/table/client.ts');
const { endWorldsOfKey } = await import('../../shared/flows/testkit/end-worlds-of-key.ts');

// No event is of this type, so nothing is sent.
const BODY = { url: 'https://shop.example.com/webhooks', events: ['payment_link.overpaid'] };

async function newWorld(api: Client) {
  const { id, key } = await createWorld(api);
  return { id, api: clientOf(key) };
}

/** The result of a request: the code of its refusal, or its status. */
async function resultOf(send: () => ReturnType<Client>) {
  const { status, problem } = await resend(BUSY, send);
  return problem.code ?? status;
}

function create(api: Client, idempotencyKey?: string) {
  const options = { body: BODY, ...(idempotencyKey !== undefined && { idempotencyKey }) };
  return resultOf(() => api(operations.createWebhookEndpoint, options));
}

function update(api: Client, id: string, body: Record<string, unknown>) {
  return resultOf(() => api(operations.updateWebhookEndpoint, { params: { id }, body }));
}

/** Creates endpoints in a world. @returns their ids */
async function fill(api: Client, howMany: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < howMany) {
    // Worlds of one merchant that are filled at once share its slots.
    const options = { body: BODY, idempotencyKey: randomUUID() };
    const { text, status, json } = await resend(BUSY, () => api(operations.createWebhookEndpoint, options));
    expect(status, text).toBe(201);
    ids.push(json.id);
  }
  return ids;
}

/** A merchant whose created worlds have so many enabled endpoints in all. */
async function withEndpoints(howMany: number) {
  const { api } = await newMerchant();
  const sizes = Array.from({ length: Math.ceil(howMany / ENDPOINTS_MAX) }, (_, nth) =>
    Math.min(ENDPOINTS_MAX, howMany - nth * ENDPOINTS_MAX),
  );
  const worlds = await Promise.all(
    sizes.map(async (size) => {
      const world = await newWorld(api);
      return { ...world, endpoints: await fill(world.api, size) };
    }),
  );
  const [first] = worlds;
  return { api, own: first?.api ?? api, worldId: first?.id ?? '', id: first?.endpoints[0] ?? '' };
}

/** On a busy machine; each try takes up to 15 s. */
const FORKED_WITHIN = { timeout: 90_000, interval: 1_000 };

test('at most 64 endpoints are enabled over all created worlds of a merchant', async () => {
  const { api, own, worldId, id } = await withEndpoints(ENDPOINT_SLOTS_MAX);
  const spare = await newWorld(api);
  expect(await create(spare.api)).toBe('endpoint_limit_reached');
  expect((await spare.api(operations.listWebhookEndpoints)).json.data).toEqual([]);
  // What enables no endpoint goes on.
  expect(await update(own, id, { enabled: true, description: 'one' })).toBe(200);
  expect((await spare.api(operations.createWebhookSink)).status).toBe(201);
  expect(await create(api)).toBe(201);
  const other = await newMerchant();
  expect(await create((await newWorld(other.api)).api)).toBe(201);
  // A fork has none of its source's endpoints.
  const tryFork = () =>
    api(operations.forkTestWorld, { params: { id: worldId }, idempotencyKey: 'the only fork' });
  let fork = await tryFork();
  // The events of so many endpoints change the source for a while: until it rests, a fork is to be tried again.
  await expect
    .poll(async () => {
      fork = fork.status === 503 ? await tryFork() : fork;
      return fork.status;
    }, FORKED_WITHIN)
    .toBe(201);
  const forked = clientOf(fork.json.key);
  expect((await forked(operations.listWebhookEndpoints)).json.data).toEqual([]);
  expect(await create(forked)).toBe('endpoint_limit_reached');
});

test('an endpoint that is disabled, deleted or gone with its world makes room for one', async () => {
  const { api, merchant } = await newMerchant();
  const { id: keyId, secret } = await newKey({ merchant, permissions: PRESETS.owner });
  const maker = clientOf(secret);
  const purged = await newWorld(api);
  const deleted = await newWorld(api);
  const over = await newWorld(api);
  const revoked = await newWorld(maker);
  const ofRevoked = await newWorld(revoked.api);
  const small = [purged, deleted, over, revoked, ofRevoked];
  await Promise.all(small.map((world) => fill(world.api, 2)));
  const kept = await Promise.all(
    [13, 13, 14, 14].map(async (howMany) => {
      const world = await newWorld(api);
      return { ...world, endpoints: await fill(world.api, howMany) };
    }),
  );
  const spare = await newWorld(api);
  expect(await create(spare.api)).toBe('endpoint_limit_reached');

  const [
    {
      api: own,
      endpoints: [one = '', two = ''],
    },
  ] = kept as [(typeof kept)[number]];
  const ways: readonly (readonly [way: string, makesRoomFor: number, act: () => Promise<unknown>])[] = [
    ['deleted', 1, () => own(operations.deleteWebhookEndpoint, { params: { id: one } })],
    ['disabled', 1, () => update(own, two, { enabled: false })],
    ['purged', 2, () => purged.api(operations.purgeTestData)],
    ['world deleted', 2, () => api(operations.deleteTestWorld, { params: { id: deleted.id } })],
    ['world over', 2, () => passEnd(over.id)],
    ['key of the world revoked', 4, () => endWorldsOfKey({ id: keyId, merchant }, Date.now())],
  ];
  for (const [way, room, act] of ways) {
    await act();
    const results = [];
    for (let nth = 0; nth <= room; nth += 1) {
      results.push(await create(spare.api));
    }
    expect(results, way).toEqual([...Array.from({ length: room }, () => 201), 'endpoint_limit_reached']);
  }
  // The disabled one has lost its slot to another, until one becomes free.
  expect(await update(own, two, { enabled: true })).toBe('endpoint_limit_reached');
  const shown = await own(operations.getWebhookEndpoint, { params: { id: two } });
  expect(shown.json.status).toBe('disabled');
  await purged.api(operations.purgeTestData);
  await api(operations.deleteTestWorld, { params: { id: spare.id } });
  expect(await update(own, two, { enabled: true })).toBe(200);
});

test('an endpoint that is disabled and enabled again, however often, takes one slot', async () => {
  const { api, own, id } = await withEndpoints(ENDPOINT_SLOTS_MAX - 1);
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await update(own, id, { enabled: false })).toBe(200);
    expect(await update(own, id, { enabled: true })).toBe(200);
  }
  const spare = await newWorld(api);
  expect([await create(spare.api), await create(spare.api)]).toEqual([201, 'endpoint_limit_reached']);
});

test('of endpoints that are created and enabled at once in several worlds, no more than 64 are', async () => {
  const { api, own, id } = await withEndpoints(ENDPOINT_SLOTS_MAX - 1);
  expect(await update(own, id, { enabled: false })).toBe(200);
  const others = await Promise.all(Array.from({ length: 5 }, () => newWorld(api)));
  const results = await Promise.all([
    update(own, id, { enabled: true }),
    ...others.map(({ api: each }, nth) => create(each, `endpoint ${nth}`)),
  ]);
  const taken = results.filter((result) => result !== 'endpoint_limit_reached');
  expect(
    taken.map(Number).every((status) => status < 300),
    String(results),
  ).toBe(true);
  expect(taken, String(results)).toHaveLength(2);
});

/** Ends the time of a world, without what follows. */
async function passEnd(id: string): Promise<void> {
  await callTable('UpdateItem', {
    Key: createdWorldKey(createdWorldIdOf(id)),
    UpdateExpression: 'SET expiresAtMs = :now',
    ExpressionAttributeValues: { ':now': Date.now() },
  });
}
