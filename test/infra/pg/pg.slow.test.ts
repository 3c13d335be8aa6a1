import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { clientOf } from '../../support/world/api.ts';
import { newShell, PG } from '../../support/world/pg-shell.ts';
import { createPayment } from '../../support/world/resources.ts';

describe.concurrent('pg', () => {
  test('makes a payment of exact baht and satang, reads it and lists it', async () => {
    const { pg, pgJson } = await newShell();
    const payment = await pgJson(
      ...['payments', 'create', '--amount', '1299.05', '--method', 'promptpay', '--reference', 'x-1'],
    );
    expect(payment).toMatchObject({
      amount: { currency: 'THB', minor: 129_905 },
      method: 'promptpay',
      reference: 'x-1',
    });
    expect(await pgJson('payments', 'get', payment.id)).toEqual(payment);
    // By its name in clients, and by its id of the document.
    expect(await pgJson('call', 'getPayment', payment.id)).toEqual(payment);
    expect(await pgJson('call', 'payments.GetPayment', payment.id)).toEqual(payment);
    expect(await pg('payments', 'get', payment.id)).toMatch(/^amount +1,299\.05 THB$/m);
    expect(await pg('payments', 'list', '--status', 'requires_action')).toMatch(
      new RegExp(`${payment.id}  P-000001  requires_action  1,299\\.05 THB  promptpay  x-1\\n$`),
    );
    expect((await pgJson('payments', 'list')).data).toEqual([payment]);
    expect(await pg('payments', 'cancel', payment.id)).toBe(
      `Canceled P-000001  1,299.05 THB  canceled  ${payment.id}  x-1\n`,
    );
  });

  test('says what the provider says, later, and moves the clock to it', async () => {
    const { pg, pgJson } = await newShell();
    const { id } = await pgJson('payments', 'create', '--amount', '20', '--method', 'truemoney');
    expect(await pgJson('simulate', id, 'succeeded', '--delay', '10m')).toMatchObject({ payment_id: id });
    expect(await pgJson('advance', '1h30m')).toMatchObject({ advanced_seconds: 5_400 });
    expect(await pgJson('clock')).toMatchObject({ offset_seconds: 5_400 });
    expect(await pg('events')).toContain('payment.succeeded');
    const refund = await pgJson('refunds', 'create', id, '--amount', '5');
    expect(await pgJson('simulate', refund.id, 'failed')).toMatchObject({ refund_id: refund.id });
  });

  test('reads all pages of a list, one item for each line of JSON', async () => {
    const { pg, pgJson } = await newShell();
    await pgJson('seed', 'small');
    const lines = (await pg('payments', 'list', '--all', '--limit', '3', '--json')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).number)).toEqual(
      Array.from({ length: 10 }, (_, index) => `P-0000${String(10 - index).padStart(2, '0')}`),
    );
  });

  test('calls every other operation by its name', async () => {
    const { pgJson } = await newShell();
    const link = await pgJson('call', 'createPaymentLink', '--data', '{"amount":{"type":"open"}}');
    expect(await pgJson('call', 'disablePaymentLink', link.id)).toMatchObject({ status: 'disabled' });
    expect((await pgJson('call', 'listPayouts')).data).toEqual([]);
  });

  test('creates, lists, shows and deletes test worlds', async () => {
    const { pg, pgJson } = await newShell();
    const world = ['world', 'create', '--name', 'ci', '--ttl', '90m', '--profile', 'small'];
    const before = Date.now();
    const { id, key, expires_at } = await pgJson(...world);
    expect(Date.parse(expires_at) - before).toBeGreaterThanOrEqual(90 * 60_000);
    expect((await pgJson('--key', key, 'payments', 'list')).data).toHaveLength(10);
    expect((await pgJson('payments', 'list')).data).toEqual([]);
    expect(await pg('world', 'list')).toMatch(
      new RegExp(`^id +name +expires_at \\(Bangkok\\)\\n${id} +ci +\\d{4}-`),
    );
    expect(await pgJson('world', 'get', id)).toMatchObject({ id, name: 'ci', expires_at });
    expect(await pgJson('world', 'delete', id)).toEqual({ id, deleted: true });
    await expect(pg('--key', key, 'payments', 'list')).rejects.toMatchObject({ code: 1 });
    const early = ['world', 'create', '--name', 'ci', '--starts-at', '2020-01-01T00:00:00Z'];
    await expect(pg(...early)).rejects.toMatchObject({ stderr: expect.stringContaining('starts_at') });
  });

  test('shows the story of a payment: what happened, attempts to deliver it, and what comes next', async () => {
    const { pg, pgJson } = await newShell();
    const sink = await pgJson('sinks', 'create');
    await pgJson('sinks', 'update', sink.id, '--fail-count', '1', '--respond-status', '503');
    const { id } = await pgJson(
      'payments',
      'create',
      '--amount',
      '20',
      '--method',
      'promptpay',
      '--reference',
      'x-9',
    );
    await pgJson('advance', '90s');
    const open = await pg('show', id);
    expect(open).toMatch(new RegExp(`^P-000001  20\\.00 THB  requires_action  ${id}  x-9\\n\\n`));
    expect(open).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Payment created$/m);
    expect(open).toMatch(new RegExp(`^ +attempt 1 to ${sink.id}: 503, \\d+ ms$`, 'm'));
    expect(open).toMatch(new RegExp(`^ +attempt 2 to ${sink.id}: 200, \\d+ ms$`, 'm'));
    expect(open).toMatch(/\n\nNext\n.* {2}Payment expires \(if nothing else happens\)\n$/);
    await pgJson('simulate', id, 'succeeded');
    const refund = await pgJson('refunds', 'create', id);
    await pgJson('call', 'simulateSettlement', '--data', '{}');
    const paid = await pg('show', id);
    const simulation = `^ +POST /api/v1/test/payments/${id}/simulate: 200, \\d+ ms, req_\\w+$`;
    expect(paid).toMatch(/^ {2}… \d+ min later\n.* {2}Paid$/m);
    expect(paid).toMatch(new RegExp(simulation, 'm'));
    expect(paid).toMatch(
      /Settlement matched: P-000001 in it, ฿20\.00 in all\n.* {2}On its way to your bank: ฿20\.00$/m,
    );
    expect(paid).toMatch(/^.* {2}Refund requested: ฿20\.00, R-000001$/m);
    expect(paid).toMatch(/Refund R-000001 is approved \(if nothing else happens\)/);
    expect(await pg('show', refund.id)).toContain('Refund requested');
    expect((await pgJson('show', id)).refunds).toMatchObject([{ id: refund.id }]);
    await expect(pg('show', 'pot_1')).rejects.toMatchObject({ code: 1 });
  });

  test('makes links and endpoints, and shows the requests of the test world', async () => {
    const { pg, pgJson } = await newShell();
    const link = ['links', 'create', '--amount', '350.00', '--max-uses', '2'];
    expect(await pgJson(...link)).toMatchObject({ amount_type: 'fixed', max_uses: 2 });
    expect(await pgJson('links', 'create')).toMatchObject({ amount_type: 'open' });
    const endpoint = await pgJson(
      ...[
        'endpoints',
        'create',
        '--url',
        'http://127.0.0.1:1025/hook',
        '--events',
        'payment.*,refund.failed',
      ],
    );
    expect(endpoint).toMatchObject({ events: ['payment.*', 'refund.failed'], secret: expect.any(String) });
    expect(await pgJson('endpoints', 'ping', endpoint.id)).toMatchObject({ answered_status: null });
    const logs = await pg('logs', 'list');
    expect(logs).toMatch(/^at \(Bangkok\) +method +path +status +code +duration_ms +id\n/);
    expect(logs).toMatch(/POST +\/api\/v1\/payment-links +201 +-/);
  });

  test('does one thing for one idempotency key', async () => {
    const { pgJson } = await newShell();
    const create = ['payments', 'create', '--amount', '7.50', '--idempotency-key', 'again'];
    expect(await pgJson(...create)).toEqual(await pgJson(...create));
    expect((await pgJson('payments', 'list')).data).toHaveLength(1);
  });

  test('empties the test world where that is confirmed', async () => {
    const { pg, pgJson } = await newShell();
    await pgJson('payments', 'create', '--amount', '1');
    await expect(pg('purge')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    expect((await pgJson('payments', 'list')).data).toHaveLength(1);
    expect(await pgJson('purge', '--yes')).toMatchObject({ deleted: { payments: 1 } });
  });

  test('works with the local service where none is named', async () => {
    const { PG_BASE_URL: _, PG_KEY: __, ...env } = process.env;
    const local = (dir: string) =>
      promisify(execFile)(process.execPath, [PG, 'clock', '--json', '--dir', dir], { env });
    const { stdout } = await local(inject('service').dir);
    expect(JSON.parse(stdout)).toHaveProperty('now');
    await expect(local('nowhere')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm start'),
    });
  });

  test('never sends the local key to another service, and never shows one', async () => {
    const { env, secret } = await newShell();
    const { PG_KEY: _, ...keyless } = env;
    const run = (given: NodeJS.ProcessEnv, ...args: string[]) =>
      promisify(execFile)(process.execPath, [PG, 'clock', ...args], { env: given });
    await expect(run(keyless, '--dir', inject('service').dir)).rejects.toMatchObject({
      stderr: expect.stringContaining('Set an API key for this URL'),
    });
    const unreachable = await run(env, '--base-url', 'http://127.0.0.1:1').catch((error) => error);
    expect(unreachable).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be reached') });
    expect(JSON.stringify(unreachable)).not.toContain(secret.slice(8));
  });

  test.each<[string[], string]>([
    [['payments', 'create'], 'Missing option: --amount <BAHT>.'],
    [['payments', 'create', '--amount', '12.345'], '--amount takes baht and satang'],
    [['payments', 'create', '--amount', '1', '--reference', ''], 'reference must have at least 1 character'],
    [['payments', 'create', '--amount', '1', '--method', 'gold'], 'Validation failed'],
    [['payments', 'get'], "Missing required argument 'ID'"],
    [['payments', 'get', 'pay_x'], 'Payment not found'],
    [['payments', 'list', '--name', 'x'], "Unknown option '--name'."],
    [['payments', 'list', '--status', 'lost'], 'validation_failed, request req_'],
    [['clock', 'now'], "Too many arguments for 'clock'."],
    [['advance', '2 hours'], 'advance takes a duration: 90s, 15m'],
    [['simulate', 'evt_1', 'succeeded'], 'simulate takes the id of a payment'],
    [['sinks', 'tail'], 'No webhook sink found'],
    [['call', 'toString'], "Unknown command 'toString'"],
    [['call', 'seedTestData', '--data', '[oops'], '--data takes one JSON object'],
  ])('refuses %j in words, with exit code 1', async (args, words) => {
    const { pg } = await newShell();
    await expect(pg(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  });

  test('prints a problem as JSON with --json', async () => {
    const { pg } = await newShell();
    const { stderr } = await pg('payments', 'get', 'pay_x', '--json').catch((error) => error);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'payment_not_found', status: 404 });
  });
});

describe.concurrent('pg at a terminal', () => {
  test('prints colours of statuses for a terminal, and none where NO_COLOR is set or it is piped', async () => {
    const { pg, env } = await newShell();
    await pg('payments', 'create', '--amount', '5', '--method', 'promptpay');
    expect(await pg('payments', 'list')).not.toContain('\u001b');
    const { stdout } = await promisify(execFile)(process.execPath, [PG, 'payments', 'list'], {
      env: { ...env, FORCE_COLOR: '1', NODE_NO_WARNINGS: '1' },
    });
    expect(stdout).toContain('\u001b[33mrequires_action');
  });

  test('follows the deliveries of a sink while they come, and ends cleanly with Ctrl-C', async ({
    expect,
  }) => {
    const { pgJson, env } = await newShell();
    const sink = await pgJson('sinks', 'create', '--name', 'orders');
    await pgJson('sinks', 'update', sink.id, '--fail-count', '1', '--respond-status', '503');
    const child = spawn(process.execPath, [PG, 'sinks', 'tail'], { env });
    let seen = '';
    child.stdout.on('data', (chunk) => {
      seen += String(chunk);
    });
    const ended = once(child, 'exit');
    try {
      await pgJson('call', 'createPaymentLink', '--data', '{"amount":{"type":"open"}}');
      const poll = { timeout: 60_000, interval: 200 };
      await expect.poll(() => seen, poll).toMatch(/attempt 1 {2}503 {2}signature valid {2}failed, again at/);
      await pgJson('advance', '10s');
      await expect.poll(() => seen, poll).toMatch(/attempt 2 {2}200 {2}signature valid {2}delivered/);
      expect(seen.trim().split('\n')).toHaveLength(2);
    } finally {
      child.kill('SIGINT');
    }
    expect(await ended).toEqual([0, null]);
  });

  test('follows the requests, in colour only on a terminal, and ends with 0 on Ctrl-C', async ({
    expect,
  }) => {
    const { pgJson, env } = await newShell();
    const tails = [{}, { FORCE_COLOR: '1' }].map((colours) => {
      const child = spawn(process.execPath, [PG, 'logs', 'tail'], { env: { ...env, ...colours } });
      let seen = '';
      child.stdout.on('data', (chunk) => {
        seen += String(chunk);
      });
      return { child, seen: () => seen, ended: once(child, 'exit') };
    });
    const [piped, coloured] = tails;
    try {
      await pgJson('payments', 'create', '--amount', '12');
      await pgJson('payments', 'get', 'pay_x').catch(() => undefined);
      const poll = { timeout: 60_000, interval: 200 };
      await expect
        .poll(() => piped?.seen(), poll)
        .toMatch(/POST {4}\/api\/v1\/payments {2}20[01] {2}\d+ ms {2}req_/);
      await expect.poll(() => piped?.seen(), poll).toMatch(/GET .*pay_x {2}404 {2}payment_not_found {2}/);
      expect(piped?.seen()).not.toContain('\u001b');
      await expect.poll(() => coloured?.seen(), poll).toContain('\u001b[31m404\u001b[39m');
      expect(coloured?.seen()).toContain('\u001b[32m20');
    } finally {
      for (const { child } of tails) {
        child.kill('SIGINT');
      }
    }
    expect(await Promise.all(tails.map(({ ended }) => ended))).toEqual([
      [0, null],
      [0, null],
    ]);
  });

  test('follows a sink that has more than ten deliveries, and prints no old one as new', async ({
    expect,
  }) => {
    const { env, secret } = await newShell();
    const api = clientOf(secret);
    const { id } = (await api(operations.createWebhookSink)).json;
    const deliveries = async () => {
      const { data } = (await api(operations.listDeliveries, { params: { id }, query: { limit: '100' } }))
        .json;
      return data.map((each) => each.id).toReversed();
    };
    for (let count = 0; count < 8; count += 1) {
      await createPayment(api);
    }
    await expect.poll(deliveries).toHaveLength(16);
    const child = spawn(process.execPath, [PG, 'sinks', 'tail', '--json'], { env });
    let seen = '';
    child.stdout.on('data', (chunk) => {
      seen += String(chunk);
    });
    const ended = once(child, 'exit');
    const printed = () => seen.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).id]));
    try {
      await expect.poll(() => printed().length).toBe(10);
      await api(operations.createPaymentLink, { body: { amount: { type: 'open' } } });
      await expect.poll(() => seen).toContain('payment_link.created');
      expect(printed()).toEqual((await deliveries()).slice(-11));
    } finally {
      child.kill('SIGINT');
    }
    expect(await ended).toEqual([0, null]);
  });
});

test('pg show --trace draws a payment from its request to each attempt to deliver its event', async () => {
  const { pg, pgJson } = await newShell();
  const sink = await pgJson('sinks', 'create');
  await pgJson('sinks', 'update', sink.id, '--fail-count', '1', '--respond-status', '503');
  const { id } = await pgJson('payments', 'create', '--amount', '20');
  await pgJson('advance', '90s');
  expect(await pg('show', id, '--trace')).toMatch(
    new RegExp(
      [
        '^Trace [0-9a-f]{32}',
        '└─ POST /api/v1/payments: 201, \\d+ ms, req_\\w+',
        '   └─ .* payment\\.created, evt_\\w+',
        `      ├─ attempt 1 to ${sink.id}: 503, \\d+ ms`,
        `      └─ attempt 2 to ${sink.id}: 200, \\d+ ms$`,
      ].join('\n'),
      'm',
    ),
  );
  expect(await pgJson('show', id, '--trace')).toMatchObject([
    { traceId: expect.stringMatching(/^[0-9a-f]{32}$/), causes: [{ request: { method: 'POST' } }] },
  ]);
});
