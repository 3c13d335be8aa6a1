import { execFile } from 'node:child_process';
import { hostname, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { PRESETS } from '../../../shared/contract/permissions.ts';
import { DAY_MS } from '../../../shared/domain/clock.ts';
import { clientOf } from '../../support/world/api.ts';
import { newMerchantName } from '../../support/world/merchant.ts';
import { storedKeys } from '../../support/world/stored-items.ts';

const NO_KEY = 'key_01h455vb4pex5vsknk084sn02q';
const run = promisify(execFile);

async function keys(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [
    'infra/pg/pg.ts',
    'admin',
    'keys',
    ...args,
    '--dir',
    inject('service').dir,
  ]);
  return stdout;
}

async function keysJson(...args: string[]) {
  return JSON.parse(await keys(...args, '--json'));
}

function elevenNetworks(): string[] {
  return Array.from({ length: 11 }, (_, index) => ['--allow-ip', `10.0.${index}.0/24`]).flat();
}

describe.concurrent('pg admin keys', () => {
  test('makes a key that works at once and is shown this once', async () => {
    const merchant = newMerchantName();
    const made = await keysJson(
      'create',
      '--merchant',
      merchant,
      '--mode',
      'test',
      '--preset',
      'tester',
      '--label',
      'ci',
    );
    expect(made).toMatchObject({
      merchant,
      mode: 'test',
      label: 'ci',
      permissions: PRESETS.tester,
      revoked_at: null,
    });
    expect(made.key).toMatch(/^pg_test_[0-9A-Za-z]{38}$/);
    expect((await clientOf(made.key)(operations.listPayments)).status).toBe(200);
    const listed = await keys('list', '--merchant', merchant);
    expect(listed).toContain(made.id);
    expect(listed).toContain(made.last4);
    expect(listed).not.toContain(made.key);
  });

  test('stores a hash, the last four characters and the label, never the key', async () => {
    const made = await keysJson(
      'create',
      '--merchant',
      newMerchantName(),
      '--mode',
      'live',
      '--permission',
      'refund.read',
    );
    expect(made.permissions).toEqual(['refund.read']);
    const stored = JSON.stringify(await storedKeys(made.id));
    expect(stored).toContain(made.last4);
    for (let from = 0; from + 8 <= made.key.length; from += 1) {
      expect(stored).not.toContain(made.key.slice(from, from + 8));
    }
  });

  test('revokes a key with the next request', async () => {
    const made = await keysJson('create', '--merchant', newMerchantName(), '--preset', 'merchant');
    const api = clientOf(made.key);
    expect((await api(operations.listPayments)).status).toBe(200);
    const revoked = await keysJson('revoke', made.id);
    expect(revoked.revoked_at).not.toBeNull();
    expect((await api(operations.listPayments)).problem.code).toBe('api_key_revoked');
    expect((await keysJson('revoke', made.id)).revoked_at).toBe(revoked.revoked_at);
  });

  test('makes a key with an end and networks, and says so', async () => {
    const merchant = newMerchantName();
    const create = ['create', '--merchant', merchant, '--preset', 'merchant'];
    const from = Date.now();
    const made = await keysJson(...create, '--expires-in', '90d', '--allow-ip', '203.0.113.0/24');
    expect(made.allowed_networks).toEqual(['203.0.113.0/24']);
    const lifeMs = Date.parse(made.expires_at) - Date.parse(made.created_at);
    expect(lifeMs).toBe(90 * DAY_MS);
    expect(Date.parse(made.created_at)).toBeGreaterThanOrEqual(from);
    expect((await clientOf(made.key)(operations.listPayments)).problem.code).toBe('ip_not_allowed');
    const said = await keys(...create, '--expires-in', '30m', '--allow-ip', '127.0.0.1', '--allow-ip', '::1');
    expect(said).toMatch(
      /\n {2}It expires at \d{4}-\d\d-\d\d [\d:]{8} \(Bangkok\)\.\n {2}It works only from 127\.0\.0\.1, ::1\.\n$/,
    );
    const [secret = ''] = said.split('\n');
    expect((await clientOf(secret)(operations.listPayments)).status).toBe(200);
    const listed = (await keys('list', '--merchant', merchant)).trimEnd().split('\n');
    expect(listed).toEqual([
      expect.stringMatching(/ {2}never used {2}from 203\.0\.113\.0\/24 {2}until [\d: -]+\(Bangkok\)$/),
      expect.stringMatching(
        / {2}last used \d{4}-\d\d-\d\d {2}from 127\.0\.0\.1, ::1 {2}until [\d: -]+\(Bangkok\)$/,
      ),
    ]);
  });

  test('rolls a key: the successor has its grants, the old one ends after the overlap', async () => {
    const merchant = newMerchantName();
    const made = await keysJson('create', '--merchant', merchant, '--preset', 'tester', '--label', 'ci');
    const rolled = await keysJson('roll', made.id, '--overlap', '24h');
    const { id, key, last4, created_at, ...grants } = rolled;
    expect(made).toMatchObject(grants);
    expect(key).not.toBe(made.key);
    for (const secret of [made.key, key]) {
      expect((await clientOf(secret)(operations.listPayments)).status).toBe(200);
    }
    const [old] = await keysJson('list', '--merchant', merchant);
    expect(old).toMatchObject({ id: made.id, rolled_to: id });
    expect(Date.parse(old.expires_at) - Date.parse(created_at)).toBe(DAY_MS);
    await expect(keys('roll', made.id)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`It was rolled to ${id} already`),
    });
    const again = await keys('roll', id, '--overlap', '0s');
    expect(again).toContain(`The old key, ${id}, works until `);
    expect((await clientOf(key)(operations.listPayments)).problem.code).toBe('api_key_expired');
    expect(await keys('list', '--merchant', merchant)).toMatch(new RegExp(`${id} .* expired\n`));
  });

  test('names the worlds that a key has created, and ends them with it', async () => {
    const merchant = newMerchantName();
    const made = await keysJson('create', '--merchant', merchant, '--preset', 'owner');
    const world = (await clientOf(made.key)(operations.createTestWorld, { body: { name: 'ci' } })).json;
    const inner = (await clientOf(world.key)(operations.createTestWorld, { body: { name: 'inner' } })).json;
    const [{ worlds }] = await keysJson('list', '--merchant', merchant);
    expect(worlds.map(({ id }: { id: string }) => id).toSorted()).toEqual([world.id, inner.id].toSorted());
    expect(await keys('list', '--merchant', merchant)).toContain(`world ${world.id} "ci"`);
    const rolled = await keys('roll', made.id, '--overlap', '10m');
    expect(rolled).toContain('2 test worlds that it has created end by then, too.');
    const { expires_at } = (await clientOf(inner.key)(operations.getKey)).json;
    expect(Date.parse(String(expires_at))).toBeLessThanOrEqual(Date.now() + 600_000);
    const revoked = await keys('revoke', made.id);
    expect(revoked).toContain('So do the test worlds that it has created, and theirs: 2.');
    expect((await clientOf(inner.key)(operations.getKey)).problem.code).toBe('api_key_expired');
    expect(await keysJson('revoke', made.id)).toMatchObject({ worlds_ended: 0 });
  });

  test('shows who created, rolled and revoked the keys of a merchant, newest first', async () => {
    const merchant = newMerchantName();
    const made = await keysJson('create', '--merchant', merchant, '--permission', 'refund.read');
    const rolled = await keysJson('roll', made.id);
    await keysJson('revoke', made.id);
    const actor = `${userInfo().username}@${hostname()}`;
    const about = { subject: made.id, merchant, mode: 'test', actor };
    expect(await keysJson('audit', '--merchant', merchant)).toMatchObject([
      { ...about, action: 'revoke' },
      { ...about, action: 'roll', details: { successor_id: rolled.id } },
      { ...about, action: 'create', details: { permissions: ['refund.read'] }, at: made.created_at },
    ]);
    expect(await keys('audit', '--merchant', merchant, '--limit', '1')).toMatch(
      new RegExp(`^[\\d: -]{19} {2}revoke {2}${made.id} {2}${merchant} {2}test {2}by ${actor}\n$`),
    );
    expect(await keysJson('audit', '--limit', '1')).toHaveLength(1);
  });

  test('names what a new key may do', async () => {
    const merchant = newMerchantName();
    const said = await keys(
      'create',
      '--merchant',
      merchant,
      '--permission',
      'refund.read',
      '--mode',
      'live',
    );
    expect(said).toContain(`It may, in the live world of ${merchant}: refund.read.`);
  });

  test.each([
    [['create'], 'Missing option: --merchant <NAME>.'],
    [['create', '--merchant', 'No Spaces'], '--merchant takes a name'],
    [['create', '--merchant', 'a', '--mode', 'prod'], '--mode takes one of: test, live'],
    [['create', '--merchant', 'a', '--preset', 'god'], '--preset takes one of'],
    [['create', '--merchant', 'a', '--permission', 'all'], '--permission takes one of'],
    [
      ['create', '--merchant', 'a', '--preset', 'owner', '--pg-version', '2026-13-01'],
      '--pg-version takes a date',
    ],
    [
      ['create', '--merchant', 'a', '--preset', 'owner', '--expires-in', 'soon'],
      '--expires-in takes a duration',
    ],
    [
      ['create', '--merchant', 'a', '--preset', 'owner', '--expires-in', '0s'],
      '--expires-in takes a duration greater than zero',
    ],
    [
      ['create', '--merchant', 'a', '--preset', 'owner', '--allow-ip', '10.0.0.0/33'],
      '--allow-ip takes a network',
    ],
    [
      ['create', '--merchant', 'a', '--preset', 'owner', ...elevenNetworks()],
      '--allow-ip can be given at most 10 times',
    ],
    [['roll', 'key_none'], 'API key not found'],
    [['roll', NO_KEY], `API key ${NO_KEY} not found`],
    [['list', '--merchant', 'nobody-here'], 'There is no merchant nobody-here.'],
    [['audit', '--merchant', 'nobody-here'], 'There is no merchant nobody-here.'],
    [['roll', 'key_none', '--overlap', '1w'], '--overlap takes a duration'],
    [['audit', '--limit', '0'], '--limit takes a number'],
    [['revoke', 'key_none'], 'API key not found'],
    [['create', '--merchant', 'a'], 'Name the permissions of the key, which have no default'],
  ])('refuses %j in words', async (args, words) => {
    await expect(keys(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  });

  test('says what to do where no service runs', async () => {
    const dir = path.join(inject('service').dir, 'nowhere');
    const command = run(process.execPath, ['infra/pg/pg.ts', 'admin', 'keys', 'list', '--dir', dir]);
    await expect(command).rejects.toMatchObject({ stderr: expect.stringContaining('npm start') });
  });
});
