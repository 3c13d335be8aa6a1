import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { createTable } from '../../../infra/local/store.ts';
import { newId } from '../../../shared/domain/id.ts';
import type { World } from '../../../shared/domain/world.ts';
import type { StoredItem } from '../../../shared/store/table/item.ts';
import type { Key } from '../../../shared/store/table/keys.ts';
import { newKey, newMerchantName } from '../../support/world/merchant.ts';
import { worldOf } from '../../support/world/resources.ts';
import { newLeases, paymentIn } from '../../support/world/subscribed-world.ts';

const { findApiKey, listApiKeys, revokeApiKey, rollApiKey } = await import(
  '../../../shared/store/worlds/api-key.ts'
);
const { readAudit } = await import('../../../shared/store/worlds/audit.ts');
const { callTable } = await import('../../../shared/store/table/client.ts');
const { get } = await import('../../../shared/store/table/entity.ts');
const { insertEvents, listEvents } = await import('../../../shared/store/events/event-log.ts');
const { getItem } = await import('../../../shared/store/table/item.ts');
const keys = await import('../../../shared/store/table/keys.ts');
const { list } = await import('../../../shared/store/table/list.ts');
const { listMerchants } = await import('../../../shared/store/worlds/merchant.ts');
const { findDueWork } = await import('../../../shared/store/scheduler/due.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { countPurged, deleteSomeOf, endEpoch } = await import('../../../shared/store/testkit/purge.ts');
const { erasePayer } = await import('../../../shared/flows/erase-payer.ts');

// A table of its own, so that other tests do not list the forged items.
process.env.TABLE_NAME = `forged-${process.pid}`;
await createTable(inject('service').dynamodbEndpoint, process.env.TABLE_NAME);

/** More than a page of any list holds. */
const CROWD = 12;

/** Puts an item that a function may write, in a payment's partition, with forged index attributes. */
async function forge(world: World, item: StoredItem): Promise<Key> {
  const key = keys.keyOf('payment', world, newId('pay', Date.now()));
  await callTable('PutItem', { Item: { ...item, ...key } });
  return key;
}

/** The log lines about forged entries. */
function reported() {
  const lines: string[] = [];
  const written = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  onTestFinished(() => written.mockRestore());
  return () => lines.filter((line) => line.includes('an index listed an item that is none of its own'));
}

test('a key is found, rolled and revoked though another item claims its id in the indexes', {
  tags: 'slow',
}, async () => {
  const { secret, id, merchant } = await newKey();
  const world = await worldOf(merchant);
  const real = await findApiKey(secret);
  const firstSequence = keys.apiKeyKey(secret);
  const indexes = keys.apiKeyIndexes(merchant, id);
  const lines = reported();
  // In front of the key, and after it.
  const forged = { ...(await getItem(firstSequence)), ...indexes, revokedAtMs: 1, label: 'forged' };
  for (let nth = 0; nth < CROWD; nth += 1) {
    await forge(world, forged);
  }
  expect(await listApiKeys(merchant)).toEqual([real]);
  expect((await listApiKeys()).filter((key) => key.id === id)).toEqual([real]);
  const { issued } = await rollApiKey(id, 0, 'a test', Date.now());
  expect(issued?.key.merchant).toBe(merchant);
  await revokeApiKey(id, 'a test', Date.now());
  expect((await findApiKey(secret))?.revokedAtMs).not.toBeNull();
  expect(lines().length).toBeGreaterThan(0);
});

test('a merchant that only a forged key names does not exist', async () => {
  const { merchant } = await newKey();
  const name = newMerchantName();
  const id = newId('key', Date.now());
  await forge(await worldOf(merchant), { id, merchant: name, ...keys.apiKeyIndexes(name, id) });
  expect((await listMerchants()).map((each) => each.name)).not.toContain(name);
  expect(await listApiKeys(name)).toEqual([]);
});

test('a forged entry of the audit is not listed, and those after it are', async () => {
  const { merchant, id } = await newKey();
  const world = await worldOf(merchant);
  const forgedIds = Array.from({ length: CROWD }, () => newId('aud', Date.now() + 1_000));
  for (const forgedId of forgedIds) {
    const entry = { id: forgedId, atMs: 1, action: 'revoke', actor: 'forger', merchant, mode: 'test' };
    await forge(world, { ...entry, subject: id, details: {}, ...keys.auditIndexes(merchant, forgedId) });
  }
  const entries = [];
  for await (const page of readAudit(merchant)) {
    entries.push(...page);
  }
  expect(entries.map(({ action, subject }) => [action, subject])).toEqual([['create', id]]);
});

test("a merchant's lists hold no other merchant's item, whatever its index attributes say", async () => {
  const [world, other] = [await worldOf((await newKey()).merchant), await worldOf((await newKey()).merchant)];
  const { id } = await paymentIn(world, newLeases());
  const stored = await getItem(keys.keyOf('payment', world, id));
  for (let nth = 0; nth < CROWD; nth += 1) {
    const forgedId = newId('pay', Date.now() + 1_000);
    await forge(other, { ...stored, newestSk: forgedId });
  }
  const { data, nextCursor } = await list('payment', world, { limit: 5 });
  expect(data.map((payment) => payment.id)).toEqual([id]);
  expect(nextCursor).toBeNull();
});

test('events of a payment outside its own log are neither listed nor erased', { tags: 'slow' }, async () => {
  const [world, other] = [await worldOf((await newKey()).merchant), await worldOf((await newKey()).merchant)];
  const { id } = await paymentIn(world, newLeases());
  const payment = await get('payment', world, id);
  const eventId = newId('evt', 0, 1);
  const body = JSON.stringify({
    id: eventId,
    type: 'payment.created',
    data: { object: { id, customer: { email: 'forged@example.com' } } },
    request: { idempotency_key: null },
  });
  const event = {
    id: eventId,
    type: 'payment.created',
    resourceId: id,
    sequence: 1,
    firstSequence: 1,
    body,
  } as const;
  const write = insertEvents(other, [event], Date.now());
  const item = 'put' in write ? write.put.item : undefined;
  const firstSequence = keys.eventsKey(other, 1);
  // In the log of another world, but indexed under this one's payment.
  await callTable('PutItem', {
    Item: { ...item, relatedPk: keys.resourceEventsPk(world, id) },
  });
  expect((await listEvents(world, { limit: 10, resourceId: id })).data).toEqual([]);
  const before = await getItem(firstSequence);
  await erasePayer(world, payment, 'a test', Date.now());
  expect(await getItem(firstSequence)).toEqual(before);
});

test('a purge neither counts nor deletes what an index lists of another world', {
  tags: 'slow',
}, async () => {
  const [world, other] = [await worldOf((await newKey()).merchant), await worldOf((await newKey()).merchant)];
  const indexes = [
    keys.newestIndex('payment', world, { number: 'P-000001', id: newId('pay', 1) }),
    keys.unlistedIndex(world, 'act_1'),
  ];
  const forged = [];
  for (const index of indexes) {
    forged.push(await forge(other, index));
  }
  const purge = {
    actionId: 'act_1',
    epoch: world.epoch,
    counts: world.counts,
    eventBlock: null,
    resetAtMs: 1,
  };
  expect((await commit(endEpoch(world, 'purge', purge))).kind).toBe('committed');
  const { content } = await countPurged(world, purge);
  expect(content.made.payment).toBe(0);
  while ((await deleteSomeOf(world, { purge, endpointIds: [] }, 100)) > 0) {}
  for (const key of forged) {
    expect(await getItem(key)).toBeDefined();
  }
});

test('work that is due is of the world that its entry names, and of a kind that falls due', async () => {
  const { merchant } = await newKey();
  const world = await worldOf(merchant);
  const nobody = { ...world, id: 'f'.repeat(world.id.length) };
  const forged = await forge(world, keys.dueIndex(world, merchant, 1));
  const elsewhere = {
    pk: keys.jobPkOf(world, merchant),
    sk: '1#forged',
    ...keys.dueIndex(nobody, merchant, 1),
  };
  await callTable('PutItem', { Item: elsewhere });
  const { pks } = await findDueWork('test', Date.now());
  expect(pks.get(world.id)?.has(forged.pk) ?? false).toBe(false);
  expect(pks.get(world.id)?.has(elsewhere.pk) ?? false).toBe(false);
});
