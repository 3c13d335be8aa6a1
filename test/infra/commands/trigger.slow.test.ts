import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { trigger } from '../../../infra/commands/trigger.ts';
import { createClient } from '../../../shared/client/client.ts';
import { PRESETS } from '../../../shared/contract/permissions.ts';
import { EVENT_TYPES, type EventType } from '../../../shared/domain/resource.ts';
import { baseUrl, newKey } from '../../support/world/merchant.ts';

/** The types that only time brings, so that the clock is moved. */
const BY_TIME: readonly EventType[] = [
  'payment.expired',
  'refund.approved',
  'refund.processing',
  'webhook_endpoint.disabled',
];

async function newWorld(order: Parameters<typeof newKey>[0] = {}) {
  const { secret } = await newKey(order);
  return { client: createClient({ baseUrl, key: secret }), secret };
}

function pg(secret: string, ...args: string[]) {
  const env = { ...process.env, PG_BASE_URL: baseUrl, PG_KEY: secret };
  return promisify(execFile)(process.execPath, ['infra/pg/pg.ts', ...args], { env });
}

describe.concurrent('pg trigger', () => {
  test.each(EVENT_TYPES)('makes %s happen as often as requested', async (type) => {
    const { client } = await newWorld();
    const first = await trigger(client, type);
    const second = await trigger(client, type);
    expect([first.type, second.type]).toEqual([type, type]);
    expect(second.sequence).toBeGreaterThan(first.sequence);
    expect(second.data.object.id).not.toBe(first.data.object.id);
    expect(await client.getEvent(first.id)).toEqual(first);
    const { offset_seconds } = await client.getClock();
    expect(offset_seconds > 0).toBe(BY_TIME.includes(type));
  });

  test('makes no event but those that lead to it', async () => {
    const { client } = await newWorld();
    await trigger(client, 'payment.created');
    await trigger(client, 'payment_link.disabled');
    await trigger(client, 'refund.approved');
    const events = (await client.listEvents()).data.toReversed();
    // Events are in order for each resource alone.
    const lives = [...Map.groupBy(events, ({ data }) => data.object.id).values()];
    expect(lives.map((its) => its.map(({ type }) => type.replace(/.*\./, '')).join(' ')).toSorted()).toEqual([
      'created',
      'created disabled',
      'created requires_action succeeded',
      'requested approved',
    ]);
  });

  test('answers its own event where others of the type happen at once', async () => {
    const { client } = await newWorld();
    const types = Array.from({ length: 6 }, () => 'payment.failed' as const);
    const events = await Promise.all(types.map((type) => trigger(client, type)));
    expect(new Set(events.map(({ id }) => id)).size).toBe(types.length);
  });

  test('pays out where the world has paid back more than it was paid since', async () => {
    const { client } = await newWorld();
    const { id } = await client.createPayment({ amount: { currency: 'THB', minor: 90_000_000 } });
    await client.simulatePayment(id, { outcome: 'succeeded' });
    await client.simulateSettlement({});
    await client.simulateRefund((await client.requestRefund(id)).id, { outcome: 'succeeded' });
    expect(await trigger(client, 'payout.paid')).toMatchObject({ type: 'payout.paid' });
    expect(await trigger(client, 'settlement.mismatched')).toMatchObject({ type: 'settlement.mismatched' });
  });

  test('is refused to a live key, before anything is made', async () => {
    const { client } = await newWorld({ mode: 'live' });
    await expect(trigger(client, 'payment_link.created')).rejects.toMatchObject({ code: 'test_mode_only' });
    expect((await client.listPaymentLinks()).data).toEqual([]);
  });

  test('prints what happened to what, and the event, or the event whole as JSON', async () => {
    const { secret } = await newWorld();
    const { stdout } = await pg(secret, 'trigger', 'refund.succeeded');
    expect(stdout).toMatch(
      /^refund\.succeeded: R-000001 .* succeeded {2}ref_\w{26} .*\nEvent \d+, evt_\w{26}, at \S+ \S+ \(Bangkok\)\n$/,
    );
    const { stdout: json } = await pg(secret, 'trigger', 'payment_link.created', '--json');
    const event = JSON.parse(json);
    expect(event).toMatchObject({ type: 'payment_link.created', data: { object: { status: 'active' } } });
    const { stdout: read } = await pg(secret, 'events', 'get', event.id, '--json');
    expect(JSON.parse(read)).toEqual(event);
  });

  test.each<[string, string[]]>([
    ["Unknown command 'payment.suceeded'. Did you mean payment.succeeded?", ['payment.suceeded']],
    ['Missing command. Commands: payment.created, ', []],
    [`Unknown command 'toString'. "pg trigger --help"`, ['toString']],
    ['takes no --idempotency-key', ['payment.created', '--idempotency-key', 'again']],
    ["Too many arguments for 'payment.created'.", ['payment.created', 'twice']],
  ])('says %j', async (words, args) => {
    const { secret } = await newWorld();
    const refusal = { code: 1, stdout: '', stderr: expect.stringContaining(words) };
    await expect(pg(secret, 'trigger', ...args)).rejects.toMatchObject(refusal);
  });

  test('says which permission is missing, and that a service cannot be reached', async () => {
    const { secret } = await newWorld({ permissions: PRESETS.merchant });
    await expect(pg(secret, 'trigger', 'payment.created')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"required":"simulate"'),
    });
    const away = await pg(secret, 'trigger', 'payment.created', '--base-url', 'http://127.0.0.1:1').catch(
      (error) => error,
    );
    expect(away).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be reached') });
    expect(away.stderr).not.toContain('--idempotency-key');
    expect(JSON.stringify(away)).not.toContain(secret.slice(8));
  });
});

describe.concurrent('pg events', () => {
  test('lists what follows a number, oldest first, and says how to go on', async () => {
    const { client, secret } = await newWorld();
    await trigger(client, 'payment.succeeded');
    const first = await pg(secret, 'events', 'list', '--after-sequence', '0', '--limit', '2');
    expect(first.stdout).toMatch(/ 1 +payment\.created\n.* 2 +payment\.requires_action\n$/);
    expect(first.stderr).toBe('More: --after-sequence 0 --all, or --after-sequence 2\n');
    const rest = await pg(secret, 'events', 'list', '--after-sequence', '2');
    expect(rest).toMatchObject({ stdout: expect.stringMatching(/ 3 +payment\.succeeded\n$/), stderr: '' });
    const all = await pg(
      secret,
      'events',
      'list',
      '--after-sequence',
      '0',
      '--limit',
      '1',
      '--all',
      '--json',
    );
    const lines = all.stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).sequence)).toEqual([1, 2, 3]);
    const none = await pg(secret, 'events', 'list', '--after-sequence', '3');
    expect(none).toEqual({ stdout: '', stderr: 'None.\n' });
  });

  test('lists one type, or one resource', async () => {
    const { client, secret } = await newWorld();
    const { data } = await trigger(client, 'refund.succeeded');
    const read = async (...args: string[]) =>
      JSON.parse((await pg(secret, 'events', 'list', '--json', ...args)).stdout).data.map(
        ({ type }: { type: EventType }) => type,
      );
    expect(await read('--type', 'payment.succeeded')).toEqual(['payment.succeeded']);
    expect(await read('--resource-id', data.object.id, '--limit', '2')).toEqual([
      'refund.succeeded',
      'refund.processing',
    ]);
  });
});
