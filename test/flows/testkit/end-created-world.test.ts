import { afterEach, expect, test, vi } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { LATE_WRITES_MS } from '../../../shared/domain/testkit/purge.ts';
import { createdWorldIdOf } from '../../../shared/domain/world.ts';
import { createdWorldKey, worldSlotKey } from '../../../shared/store/table/keys.ts';
import { clientOf, newMerchant } from '../../support/world/api.ts';
import { createPublicAddresses, statusesOf } from '../../support/world/public-addresses.ts';
import { createPayment, createWorld } from '../../support/world/resources.ts';
import { scanTable } from '../../support/world/stored-table.ts';

const { callTable } = await import('../../../shared/store/table/client.ts');
const { wakeWorld } = await import('../../../shared/flows/jobs/wake-world.ts');

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

afterEach(() => vi.useRealTimers());

/** Ends the time of a world, without the jobs that follow. */
async function passEnd(id: string): Promise<void> {
  await callTable('UpdateItem', {
    Key: createdWorldKey(createdWorldIdOf(id)),
    UpdateExpression: 'SET expiresAtMs = :now',
    ExpressionAttributeValues: { ':now': Date.now() },
  });
}

test('created worlds are at most two hundred: one that has ended makes room', { tags: 'slow' }, async () => {
  const { api, merchant } = await newMerchant();
  const far = Date.now() + DAY_MS;
  const put = (slot: number, expiresAtMs: number) =>
    callTable('PutItem', {
      Item: { ...worldSlotKey(merchant, slot), slot, worldId: `w${'0'.repeat(15)}`, expiresAtMs },
    });
  await Promise.all(Array.from({ length: 200 }, (_, slot) => put(slot, far)));
  const create = () => api(operations.createTestWorld, { body: { name: 'one more' } });
  expect((await create()).problem.code).toBe('world_limit_reached');
  await put(77, Date.now());
  const statuses = await Promise.all([create(), create(), create()]);
  expect(statuses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
});
test('a created world is refused from its end on, before anything else has noted it', {
  tags: 'slow',
}, async () => {
  const { api } = await newMerchant();
  const world = await createWorld(api);
  const own = clientOf(world.key);
  const ways = await createPublicAddresses(own);
  await passEnd(world.id);
  expect((await own(operations.getKey)).problem.code).toBe('api_key_expired');
  expect(await statusesOf(ways)).toEqual([404, 404, 404]);
  expect((await api(operations.listTestWorlds)).json.data).toEqual([]);
});

test.each(['deleted', 'over'])(
  'a created world leaves nothing behind, whether it was %s',
  { tags: 'slow' },
  async (how) => {
    const { api } = await newMerchant();
    const world = await createWorld(api, { profile: 'small' });
    await createPayment(clientOf(world.key));
    await (how === 'deleted'
      ? api(operations.deleteTestWorld, { params: { id: world.id } })
      : passEnd(world.id));
    const worldId = createdWorldIdOf(world.id);
    const left = async () => {
      await wakeWorld(worldId, null, { baseUrl: 'http://127.0.0.1', timeMs: 10_000 });
      return kindsOf(await scanTable({ pkBegins: `${worldId}.` }));
    };
    // What remains until its time to live: saved responses, and the job that looks for late writes.
    await expect.poll(left).toEqual(['CLAIM', 'JOBS']);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LATE_WRITES_MS + MINUTE_MS });
    await expect.poll(left).toEqual(['CLAIM']);
  },
);

test('a created world without resources is looked through once, when no late write is possible', {
  tags: 'slow',
}, async () => {
  const { api } = await newMerchant();
  const world = await createWorld(api);
  await clientOf(world.key)(operations.createWebhookSink);
  await api(operations.deleteTestWorld, { params: { id: world.id } });
  const worldId = createdWorldIdOf(world.id);
  const left = async () => {
    await wakeWorld(worldId, null, { baseUrl: 'http://127.0.0.1', timeMs: 10_000 });
    return kindsOf(await scanTable({ pkBegins: `${worldId}.` }));
  };
  expect(await left()).toContain('ENDPOINTS');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LATE_WRITES_MS + MINUTE_MS });
  await expect.poll(left).toEqual(['CLAIM']);
});

function kindsOf(items: readonly Readonly<Record<string, unknown>>[]): string[] {
  return [...new Set(items.map(({ pk }) => String(pk).split('#')[1] ?? ''))].toSorted();
}
