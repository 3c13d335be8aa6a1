import { describe, test } from 'vitest';
import { startMerchantServer } from '../../support/world/merchant-server.ts';
import { newShell } from '../../support/world/pg-shell.ts';

describe.concurrent('pg answers', () => {
  test('what became of an endpoint that is pinged, rotated, recovered and deleted', async ({
    expect,
    onTestFinished,
  }) => {
    const { pg, pgJson } = await newShell();
    const receiver = await startMerchantServer({ answer: (nth) => (nth === 1 ? 503 : 204) });
    onTestFinished(() => receiver.stop());
    const { id, secret } = await pgJson(
      'endpoints',
      'create',
      '--url',
      receiver.url,
      '--events',
      'payment.*',
    );
    expect(await pg('endpoints', 'ping', id)).toMatch(
      /^failed: 503 in \d+ ms\nFailed: the response was 503, and only 2xx accepts an event\.\n$/,
    );
    expect(await pg('endpoints', 'ping', id)).toMatch(/^delivered: 204 in \d+ ms\n$/);
    const rotated = await pg('endpoints', 'rotate', id, '--overlap', '90m');
    expect(rotated).toMatch(
      /^Signing secret: whsec_\S+\nThe previous secret also signs until .* in Bangkok, in real time\.\n$/,
    );
    expect(rotated).not.toContain(secret);
    const { previous_secret_expires_at: until } = await pgJson('endpoints', 'get', id);
    expect(Math.round((Date.parse(until) - Date.now()) / 3_600_000)).toBe(2);
    expect(await pg('endpoints', 'recover', id)).toBe('0 events are being sent again.\n');
    expect(await pgJson('endpoints', 'recover', id, '--since', '2h')).toMatchObject({ has_more: false });
    const made = await pgJson('payments', 'create', '--amount', '5');
    await expect
      .poll(() => pg('endpoints', 'deliveries', id))
      .toMatch(/^attempted_at \(Bangkok\) +event_id +attempt .*\n\d{4}-.* {2}delivered +204 /);
    expect((await pgJson('endpoints', 'deliveries', id, '--limit', '1')).data[0].body).toContain(made.id);
    expect(await pg('endpoints', 'delete', id)).toBe(`Deleted ${id}\n`);
    await expect(pg('endpoints', 'deliveries', id)).rejects.toMatchObject({ code: 1 });
  });

  test('what a command did, in a line or two, and the whole record with --json', async ({ expect }) => {
    const { pg, pgJson } = await newShell();
    const paid =
      /^payment\.succeeded: P-000001 {2}100\.00 THB {2}succeeded {2}(pay_\w{26})\nEvent \d+, evt_\w{26}, at \d{4}-\d\d-\d\d [\d:]{8} \(Bangkok\)\n$/;
    const [, id = ''] = paid.exec(await pg('trigger', 'payment.succeeded')) ?? [];
    expect(await pgJson('payments', 'get', id)).toMatchObject({ status: 'succeeded' });
    const { id: other } = await pgJson('payments', 'create', '--amount', '20', '--method', 'promptpay');
    expect(await pg('simulate', other, 'succeeded')).toBe(
      `succeeded: P-000002  20.00 THB  succeeded  ${other}\n`,
    );
    const { id: late } = await pgJson('payments', 'create', '--amount', '30', '--method', 'promptpay');
    expect(await pg('simulate', late, 'succeeded', '--delay', '10m')).toMatch(/^queued: .*P-000003 /);
    expect(await pg('advance', '1h')).toMatch(
      /^The clock shows .* \(Bangkok\), before .* \(Bangkok\)\.\n.*outcomes applied: 1/,
    );
    expect(await pg('refunds', 'create', other, '--amount', '5')).toMatch(
      new RegExp(`^Created R-000001 {2}5\\.00 THB {2}requested {2}ref_\\w{26} {2}of ${other}\\n$`),
    );
    expect(await pg('purge', '--yes')).toMatch(/^Deleted 3 payments, 1 refund, .*\n/);
  });
});
