import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { PRESETS } from '../../../shared/contract/permissions.ts';
import { clientOf } from '../../support/api.ts';
import { newMerchantName } from '../../support/merchant.ts';
import { storedKeys } from '../../support/stored-items.ts';

const run = promisify(execFile);

async function keys(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [
    'infra/cli/keys.ts',
    ...args,
    '--dir',
    inject('service').dir,
  ]);
  return stdout;
}

async function keysJson(...args: string[]) {
  return JSON.parse(await keys(...args, '--json'));
}

describe.concurrent('npm run keys', () => {
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
    [['create'], '--merchant takes a name'],
    [['create', '--merchant', 'No Spaces'], '--merchant takes a name'],
    [['create', '--merchant', 'a', '--mode', 'prod'], '--mode takes one of: test, live'],
    [['create', '--merchant', 'a', '--preset', 'god'], '--preset takes one of'],
    [['create', '--merchant', 'a', '--permission', 'all'], '--permission takes one of'],
    [
      ['create', '--merchant', 'a', '--preset', 'owner', '--pg-version', '2026-13-01'],
      '--pg-version takes a date',
    ],
    [['revoke', 'key_none'], 'There is no such key'],
    [['create', '--merchant', 'a'], 'Say what the key may do, for nothing is the default'],
  ])('refuses %j in words', async (args, words) => {
    await expect(keys(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  });

  test('says what to do where no service runs', async () => {
    const dir = path.join(inject('service').dir, 'nowhere');
    const command = run(process.execPath, ['infra/cli/keys.ts', 'list', '--dir', dir]);
    await expect(command).rejects.toMatchObject({ stderr: expect.stringContaining('npm start') });
  });
});
