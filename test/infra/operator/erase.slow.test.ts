import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { newMerchant } from '../../support/world/api.ts';
import { createPayment } from '../../support/world/resources.ts';
import { quietItems } from '../../support/world/stored-items.ts';
import { scanTable } from '../../support/world/stored-table.ts';

/** A command with the local service, without a terminal. */
async function command(file: 'erase' | 'keys', ...args: string[]): Promise<string> {
  const all = ['infra/pg/pg.ts', 'admin', file, ...args, '--dir', inject('service').dir];
  return (await promisify(execFile)(process.execPath, all)).stdout;
}

async function newPayer() {
  const { api, merchant } = await newMerchant();
  const email = `payer-of-${merchant}@example.com`;
  const { id } = await createPayment(api, { customer: { email } });
  await quietItems(merchant);
  const of = ['--payment', id, '--merchant', merchant];
  const countItems = async () =>
    (await scanTable()).filter((item) => JSON.stringify(item).includes(email)).length;
  return { api, merchant, id, email, of, countItems };
}

describe.concurrent('pg admin erase', () => {
  test('erases a payer where --yes confirms it, and leaves one entry in the audit', async () => {
    const { api, merchant, id, email, of, countItems } = await newPayer();
    const test = [...of, '--mode', 'test'];
    await expect(command('erase', ...test)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('add --yes'),
    });
    // The payment, its events, the saved response, and the logged request.
    expect(await countItems()).toBe(4);
    const text = await command('erase', ...test, '--yes');
    expect(text).toMatch(
      /^The payer is erased: payments 1, events 2, saved responses 1, logged requests 1\.\n$/,
    );
    expect(await countItems()).toBe(0);
    const again = JSON.parse(await command('erase', ...test, '--yes', '--json'));
    expect(again).toEqual({
      payment_id: id,
      erased: { payments: 0, events: 0, saved_answers: 0, logged_requests: 0, deliveries: 0 },
    });
    expect(await command('erase', ...test, '--yes')).toBe(
      'Nothing to erase: this payer was erased before.\n',
    );
    const audit = JSON.parse(await command('keys', 'audit', '--merchant', merchant, '--json'));
    expect(audit.filter(({ action }: { action: string }) => action === 'erase')).toEqual([
      expect.objectContaining({ subject: id, mode: 'test', actor: expect.stringContaining('@') }),
    ]);
    expect(JSON.stringify(audit)).not.toContain(email);
    const { json } = await api(operations.getPayment, { params: { id } });
    expect(json).toMatchObject({ customer_email: null, amount: { minor: 1_000 } });
  });

  test('finds no payment in another world, of another merchant, or that never was', async () => {
    const { merchant, id, of, countItems } = await newPayer();
    const before = await countItems();
    for (const args of [
      of,
      ['--payment', 'pay_01h455vb4pex5vsknk084sn02q', '--merchant', merchant, '--mode', 'test'],
    ]) {
      await expect(command('erase', ...args, '--yes')).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^Payment pay_\w{26} not found in the (live|test) world of .*\n$/),
      });
    }
    await expect(
      command('erase', '--payment', id, '--merchant', 'nobody', '--mode', 'test', '--yes'),
    ).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^There is no merchant nobody\. /) });
    expect(await countItems()).toBe(before);
  });
});
