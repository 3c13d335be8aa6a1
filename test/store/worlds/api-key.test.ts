import { describe, expect, test } from 'vitest';
import { PRESETS } from '../../../shared/contract/permissions.ts';
import { NEWEST_VERSION } from '../../../shared/contract/versions.ts';
import { hashSecret, mintSecret, NETWORKS_MAX } from '../../../shared/domain/api-key.ts';
import { HOUR_MS } from '../../../shared/domain/clock.ts';
import { worldIdOf } from '../../../shared/domain/world.ts';
import { worldKey } from '../../../shared/store/table/keys.ts';
import type { AuditEntry } from '../../../shared/store/worlds/audit.ts';
import { injectFaults, meetAt } from '../../support/faults/faults.ts';
import { countUnits } from '../../support/world/consumed-units.ts';
import { newKey, newMerchantName } from '../../support/world/merchant.ts';
import { partition } from '../../support/world/stored-table.ts';

const { findApiKey, issueApiKey, listApiKeys, noteUse, revokeApiKey, rollApiKey } = await import(
  '../../../shared/store/worlds/api-key.ts'
);
const { readAudit, recordAudit } = await import('../../../shared/store/worlds/audit.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { callTable } = await import('../../../shared/store/table/client.ts');

const BATCH_GET_MAX = 100;
const ACTOR = 'somebody';

function orderOf(merchant: string) {
  return {
    merchant,
    mode: 'test',
    permissions: PRESETS.tester,
    version: NEWEST_VERSION,
    label: 'ci',
    networks: ['203.0.113.0/24'],
  } as const;
}

async function auditOf(merchant?: string) {
  const entries: AuditEntry[] = [];
  for await (const page of readAudit(merchant)) {
    entries.push(...page);
  }
  return entries;
}

test('lists any number of keys oldest first in few calls, a merchant’s without the others', {
  tags: 'slow',
}, async () => {
  const merchant = newMerchantName();
  const ids: string[] = [];
  for (let made = 0; made < BATCH_GET_MAX + 1; made += 1) {
    const { key } = await issueApiKey({ ...orderOf(merchant), label: `${made}` }, ACTOR, Date.now());
    ids.push(key.id);
  }
  const single = injectFaults('GetItem', []);
  expect((await listApiKeys(merchant)).map(({ id }) => id)).toEqual(ids);
  expect(single.calls()).toBe(0);
  expect((await listApiKeys()).length).toBeGreaterThanOrEqual(ids.length);
  const other = await newKey();
  const batches = injectFaults('BatchGetItem', []);
  expect((await listApiKeys(other.merchant)).map(({ id }) => id)).toEqual([other.id]);
  expect(batches.calls()).toBe(1);
  // The audit is read in pages too.
  const done = await auditOf(merchant);
  expect(done.map(({ subject }) => subject)).toEqual(ids.toReversed());
});

describe('a merchant whose world belongs to another', () => {
  test.each([{ merchant: 'somebody-else' }, { mode: 'live' }])(
    'gets no key, and nothing is written: %j',
    async (other) => {
      const merchant = newMerchantName();
      const id = worldIdOf(merchant, 'test');
      const world = { ...worldKey(id), id, merchant, mode: 'test', epoch: 1, clockOffsetMs: 0, ...other };
      await callTable('PutItem', { Item: world });
      await expect(issueApiKey(orderOf(merchant), ACTOR, Date.now())).rejects.toThrow(
        /the id of the test world of ".*" belongs to another merchant/,
      );
      expect(await listApiKeys(merchant)).toEqual([]);
      expect(await auditOf(merchant)).toEqual([]);
      expect(await partition(worldKey(id).pk)).toEqual([world]);
    },
  );

  test('is not created by two concurrent first keys', async () => {
    const merchant = newMerchantName();
    const made = await Promise.all(
      Array.from({ length: 4 }, () => issueApiKey(orderOf(merchant), ACTOR, Date.now())),
    );
    const ids = made.map(({ key }) => key.id).toSorted();
    expect((await listApiKeys(merchant)).map(({ id }) => id)).toEqual(ids);
    const [world] = await partition(worldKey(worldIdOf(merchant, 'test')).pk);
    expect(world?.keyCount).toBe(4);
  });
});

describe('rolling a key', () => {
  test('makes one of the same grants, and ends the old one after the overlap', { tags: 'slow' }, async () => {
    const merchant = newMerchantName();
    const madeAt = Date.now();
    const order = { ...orderOf(merchant), expiresAtMs: madeAt + 48 * HOUR_MS };
    const { key } = await issueApiKey(order, ACTOR, madeAt);
    const now = madeAt + HOUR_MS;
    const { issued: rolled } = await rollApiKey(key.id, 2 * HOUR_MS, ACTOR, now);
    expect(rolled?.key).toEqual({
      ...key,
      id: rolled?.key.id,
      last4: rolled?.secret.slice(-4),
      createdAtMs: now,
      expiresAtMs: now + 48 * HOUR_MS,
    });
    expect(await findApiKey(String(rolled?.secret))).toEqual(rolled?.key);
    expect(await listApiKeys(merchant)).toEqual([
      { ...key, expiresAtMs: now + 2 * HOUR_MS, successorId: rolled?.key.id },
      rolled?.key,
    ]);
  });

  test('never lets the old one live longer than it would have', async () => {
    const now = Date.now();
    const order = { ...orderOf(newMerchantName()), expiresAtMs: now + HOUR_MS };
    const { key } = await issueApiKey(order, ACTOR, now);
    expect((await rollApiKey(key.id, 24 * HOUR_MS, ACTOR, now)).old?.expiresAtMs).toBe(now + HOUR_MS);
  });

  test('twice, even at once, makes one successor', async () => {
    const { id, merchant } = await newKey();
    meetAt('GetItem', 3);
    const rolls = Array.from({ length: 3 }, () => rollApiKey(id, HOUR_MS, ACTOR, Date.now()));
    const successors = (await Promise.all(rolls)).flatMap(({ issued }) => issued ?? []);
    expect(successors).toHaveLength(1);
    const again = await rollApiKey(id, HOUR_MS, ACTOR, Date.now());
    expect(again).toMatchObject({ old: { successorId: successors[0]?.key.id }, issued: null });
    expect(await listApiKeys(merchant)).toHaveLength(2);
    expect((await auditOf(merchant)).map(({ action }) => action)).toEqual(['roll', 'create']);
  });

  test('is refused for a key that is revoked, expired or missing', async () => {
    const now = Date.now();
    const revoked = await newKey();
    await revokeApiKey(revoked.id, ACTOR, now);
    expect(await rollApiKey(revoked.id, HOUR_MS, ACTOR, now)).toMatchObject({
      old: { revokedAtMs: now, successorId: null },
      issued: null,
    });
    const over = await newKey({ expiresAtMs: now });
    expect(await rollApiKey(over.id, HOUR_MS, ACTOR, now)).toMatchObject({
      old: { expiresAtMs: now, successorId: null },
      issued: null,
    });
    expect(await rollApiKey('key_none', HOUR_MS, ACTOR, now)).toEqual({ old: null, issued: null });
    expect(await listApiKeys(over.merchant)).toHaveLength(1);
  });
});

describe('the audit', () => {
  test('records actor, action, key and time, newest first, and no secret', async () => {
    const merchant = newMerchantName();
    const at = Date.now();
    const { secret, key } = await issueApiKey(orderOf(merchant), 'ann', at);
    const { issued: rolled } = await rollApiKey(key.id, HOUR_MS, 'ben', at + 1);
    await revokeApiKey(key.id, 'cid', at + 2);
    const about = { id: expect.stringMatching(/^aud_/), merchant, mode: 'test', subject: key.id };
    const { permissions, version, label, networks } = key;
    const grants = { permissions, version, label, networks, expires_at: null };
    const ends_at = new Date(at + 1 + HOUR_MS).toISOString();
    const entries = await auditOf(merchant);
    expect(entries).toEqual([
      { ...about, atMs: at + 2, action: 'revoke', actor: 'cid', details: {} },
      {
        ...about,
        atMs: at + 1,
        action: 'roll',
        actor: 'ben',
        details: { successor_id: rolled?.key.id, ends_at, successor: grants },
      },
      { ...about, atMs: at, action: 'create', actor: 'ann', details: grants },
    ]);
    const all = (await auditOf()).map(({ id }) => id);
    expect(all).toEqual(expect.arrayContaining(entries.map(({ id }) => id)));
    expect(all).toEqual(all.toSorted().toReversed());
    for (const text of [secret, String(rolled?.secret), hashSecret(secret)]) {
      expect(JSON.stringify(entries)).not.toContain(text);
    }
  });

  test('has one entry of a key that is revoked twice, even at once', { tags: 'slow' }, async () => {
    const { id, merchant } = await newKey();
    meetAt('GetItem', 3);
    await Promise.all(Array.from({ length: 3 }, () => revokeApiKey(id, ACTOR, Date.now())));
    await revokeApiKey(id, ACTOR, Date.now());
    expect((await auditOf(merchant)).map(({ action }) => action)).toEqual(['revoke', 'create']);
  });

  test('is written together with the change that it records, or neither is', async () => {
    const { id, merchant } = await newKey();
    const lost = new Error('the store is away');
    injectFaults('TransactWriteItems', [lost, lost, lost]);
    await expect(issueApiKey(orderOf(merchant), ACTOR, Date.now())).rejects.toThrow();
    await expect(rollApiKey(id, HOUR_MS, ACTOR, Date.now())).rejects.toThrow();
    await expect(revokeApiKey(id, ACTOR, Date.now())).rejects.toThrow();
    expect(await auditOf(merchant)).toHaveLength(1);
    expect(await listApiKeys(merchant)).toMatchObject([{ id, revokedAtMs: null, successorId: null }]);
  });

  test('takes an entry once, and never changes it', async () => {
    const merchant = newMerchantName();
    const entry = {
      atMs: Date.now(),
      actor: ACTOR,
      merchant,
      mode: 'test',
      subject: 'pay_1',
      details: {},
    } as const;
    const change = recordAudit({ ...entry, action: 'erase' });
    expect(await commit([change])).toEqual({ kind: 'committed' });
    expect(await commit([change])).toEqual({ kind: 'conflict', failed: [0] });
    expect(await auditOf(merchant)).toMatchObject([{ ...entry, action: 'erase' }]);
  });
});

describe('the day of a key’s last use', () => {
  test('is noted once a day, and never goes back', async () => {
    const { id, merchant, secret } = await newKey();
    const noted = async (day: string) => {
      await noteUse(secret, day);
      return (await listApiKeys(merchant))[0]?.lastUsedDay;
    };
    expect((await listApiKeys(merchant))[0]).toMatchObject({ id, lastUsedDay: null });
    expect(await noted('2026-11-22')).toBe('2026-11-22');
    expect(await noted('2026-11-21')).toBe('2026-11-22');
    expect(await noted('2026-11-23')).toBe('2026-11-23');
  });

  test('does not create a missing key', async () => {
    const secret = mintSecret('test');
    await noteUse(secret, '2026-11-22');
    expect(await findApiKey(secret)).toBeNull();
  });

  test.each<[what: string, more: { networks?: number; label?: string }, units: number]>([
    ['all permissions', {}, 1],
    ['five networks, an end and a label', { networks: 5, label: 'the shop in Chiang Mai' }, 1],
    ['all that there can be', { networks: NETWORKS_MAX, label: 'ร้านค้า'.repeat(14) }, 2],
  ])('costs little, of a key with %s', async (_what, { networks = 0, label = '' }, expected) => {
    const { secret } = await newKey({
      networks: Array.from({ length: networks }, (_, index) => `2001:db8:fffe:ff${index}::/64`),
      label,
      expiresAtMs: Date.now() + HOUR_MS,
    });
    const units = countUnits();
    await noteUse(secret, '2026-11-22');
    expect(units()).toBe(expected);
  });
});
