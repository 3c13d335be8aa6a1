// @module-tag nightly
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { describe, test as it } from 'vitest';
import {
  BAHT,
  eventIds,
  happen,
  listen,
  newReceiver,
  newWorld,
  PATIENT,
  pg,
  type World,
} from '../../support/world/listening-world.ts';
import { baseUrl } from '../../support/world/merchant.ts';

describe.concurrent('pg listen', () => {
  it('forwards each event as it comes, in order, signed as a delivery is, and prints it', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world);
    const { id } = await world.client.createWebhookSink({});
    const sink = await world.client.getWebhookSink(id);
    const listening = await listen(world, '--forward-to', receiver.url);
    const payment = await world.client.createPayment({ amount: BAHT, method: 'promptpay' });
    await world.client.simulatePayment(payment.id, { outcome: 'succeeded' });
    await t.expect.poll(() => receiver.received.length, PATIENT).toBe(3);
    const deliveries = async () => (await world.client.listDeliveries(id)).data.toReversed();
    await t.expect.poll(deliveries, PATIENT).toHaveLength(3);
    const delivered = await deliveries();
    t.expect(receiver.received.map(({ body }) => body)).toEqual(delivered.map(({ body }) => body));
    for (const [index, { headers, body }] of receiver.received.entries()) {
      const signed = headers as Record<string, string>;
      new Webhook(listening.secret()).verify(body, signed);
      t.expect(() => new Webhook(sink.secret).verify(body, signed)).toThrow();
      // The trace of a request is known to the service alone.
      const named = Object.keys(delivered[index]?.request_headers ?? {}).filter((it) => it !== 'traceparent');
      t.expect(named.length).toBeGreaterThan(4);
      t.expect(Object.keys(headers)).toEqual(t.expect.arrayContaining(named));
    }
    await t.expect
      .poll(() => listening.lines(), PATIENT)
      .toEqual([
        {
          type: 'payment.created',
          id: receiver.ids()[0],
          outcome: t.expect.stringMatching(/^delivered: 204 in \d+ ms$/),
        },
        {
          type: 'payment.requires_action',
          id: receiver.ids()[1],
          outcome: t.expect.stringMatching(/^delivered: 204 in \d+ ms$/),
        },
        {
          type: 'payment.succeeded',
          id: receiver.ids()[2],
          outcome: t.expect.stringMatching(/^delivered: 204 in \d+ ms$/),
        },
      ]);
    t.expect(await listening.stop()).toEqual([0, null]);
    t.expect(listening.printed.stderr).toBe('');
    t.expect(listening.printed.stdout).not.toContain(world.key.slice(8));
  });

  it('begins with what happens after its secret was printed, and not before', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world);
    await happen(world, 2);
    await t.expect.poll(() => eventIds(world), PATIENT).toHaveLength(2);
    const secret = (await pg(world, 'listen', '--print-secret')).stdout.trim();
    await happen(world, 1);
    const { code, stdout } = await pg(world, 'listen', '--forward-to', receiver.url, '--once', '1');
    t.expect(code).toBe(0);
    t.expect(stdout).toContain(`Signing secret: ${secret}\n`);
    t.expect(receiver.ids()).toEqual((await eventIds(world)).slice(2));
  });

  it('prints JSON, one object a line, with --json', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world, { answer: (nth) => (nth === 1 ? 500 : 200) });
    await pg(world, 'listen', '--print-secret');
    await happen(world, 1);
    const { stdout, stderr } = await pg(
      ...[world, 'listen', '--forward-to', receiver.url, '--once', '1', '--json'],
    );
    const [start, ...attempts] = stdout
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line));
    t.expect(start).toEqual({
      secret: t.expect.stringMatching(/^whsec_/),
      forward_to: receiver.url,
      events: '*',
      after_sequence: 0,
    });
    const attempt = {
      time: t.expect.stringMatching(/^\d{4}-.*Z$/),
      type: 'payment.created',
      id: receiver.ids()[0],
      sequence: 1,
      duration_ms: t.expect.any(Number),
      error: null,
    };
    t.expect(attempts).toEqual([
      { ...attempt, attempt: 1, status: 500, again_in_ms: 1_000 },
      { ...attempt, attempt: 2, status: 200, again_in_ms: null },
    ]);
    t.expect(receiver.received.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2']);
    t.expect(stderr).toBe('');
  });

  it('forwards the requested types, and counts the others as seen', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world);
    await pg(world, 'listen', '--print-secret');
    const payment = await world.client.createPayment({ amount: BAHT, method: 'promptpay' });
    await world.client.createPaymentLink({ amount: { type: 'open' } });
    // Events of different resources have no order among each other.
    await t.expect.poll(() => eventIds(world), PATIENT).toHaveLength(3);
    await world.client.simulatePayment(payment.id, { outcome: 'failed' });
    const run = ['listen', '--forward-to', receiver.url, '--once'];
    await pg(world, ...run, '2', '--events', 'payment_link.*, payment.failed');
    const typesOf = () => receiver.received.map(({ body }) => JSON.parse(body).type);
    t.expect(typesOf()).toEqual(['payment_link.created', 'payment.failed']);
    await world.client.createPayment({ amount: BAHT });
    await pg(world, ...run, '1', '--events', '*');
    t.expect(typesOf().slice(2)).toEqual(['payment.created']);
  });

  it("begins with what happened since so long ago on the merchant's clock, forwarded or not", async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world);
    await happen(world, 1);
    await world.client.advanceClock({ seconds: 3_600 });
    await happen(world, 2);
    await world.client.advanceClock({ seconds: 60 });
    await happen(world, 1);
    await t.expect.poll(() => eventIds(world), PATIENT).toHaveLength(4);
    const all = await eventIds(world);
    const since = async (ago: string, count: number) => {
      const before = receiver.received.length;
      await pg(world, 'listen', '--forward-to', receiver.url, '--since', ago, '--once', String(count));
      return receiver.ids().slice(before);
    };
    t.expect(await since('10m', 3)).toEqual(all.slice(1));
    t.expect(await since('30s', 1)).toEqual(all.slice(3));
    t.expect(await since('2h', 4)).toEqual(all);
    const listening = await listen(world, '--forward-to', receiver.url, '--since', '0s');
    await happen(world, 1);
    await t.expect.poll(() => receiver.received.length, PATIENT).toBe(9);
    await listening.stop();
    t.expect(receiver.ids().at(-1)).toBe((await eventIds(world)).at(-1));
  });

  it('listens to a live world too', async (t) => {
    const world = await newWorld(t, { mode: 'live' });
    const receiver = await newReceiver(world);
    await pg(world, 'listen', '--print-secret');
    await world.client.createPaymentLink({ amount: { type: 'open' } });
    const { code } = await pg(world, 'listen', '--forward-to', receiver.url, '--once', '1');
    t.expect(code).toBe(0);
    t.expect(JSON.parse(String(receiver.received[0]?.body))).toMatchObject({ mode: 'live' });
  });

  it('reports a wrong key, an unreachable service and other errors, without the key', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world);
    const to = ['--forward-to', receiver.url];
    const otherEnd = world.key.endsWith('a') ? 'b' : 'a';
    const wrong = { ...world, env: { ...world.env, PG_KEY: `${world.key.slice(0, -1)}${otherEnd}` } };
    const cases: [World, string[], string][] = [
      [wrong, to, 'api_key_invalid, request req_'],
      [world, [...to, '--base-url', 'http://127.0.0.1:1'], 'the service cannot be reached'],
      [world, [], 'Name your server: --forward-to http://127.0.0.1:3000/hook.'],
      [
        world,
        ['--forward-to', 'localhost:3000/hook'],
        '--forward-to takes a URL without user name and password',
      ],
      [
        world,
        ['--forward-to', 'http://a:b@127.0.0.1:3000'],
        '--forward-to takes a URL without user name and password',
      ],
      [
        world,
        [...to, '--events', 'payment.suceeded'],
        'Unknown event type "payment.suceeded". "pg trigger --help" lists the types',
      ],
      [world, [...to, '--events', 'payments.*'], 'payment.* stands for all of payments'],
      [world, [...to, '--events', ''], 'Unknown event type "".'],
      [world, [...to, '--once', '0'], '--once takes a number from 1 to 999999999.'],
      [world, [...to, '--since', 'yesterday'], '--since takes a duration: 90s, 15m'],
      [world, [...to, '--limit', '5'], "Unknown option '--limit'."],
    ];
    for (const [at, args, words] of cases) {
      const refusal = await pg(at, 'listen', ...args);
      t.expect(refusal).toMatchObject({ code: 1, stdout: '', stderr: t.expect.stringContaining(words) });
      t.expect(refusal.stderr).not.toContain(world.key.slice(8, -1));
    }
    t.expect(await readdir(world.dir)).toEqual([]);
  });
});

describe.concurrent('pg listen as a signer', () => {
  it('signs with one secret, wherever it is asked for, and keeps it in no file', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world);
    const { PG_BASE_URL: _url, PG_KEY: _key, ...bare } = world.env;
    const elsewhere = path.join(world.dir, 'elsewhere');
    const port = new URL(baseUrl).port;
    const asked = [
      await pg(world, 'exam', '--print-secret'),
      await pg(world, 'listen', '--print-secret'),
      await pg({ ...world, dir: elsewhere }, 'listen', '--print-secret'),
      await pg({ ...world, dir: elsewhere }, 'exam', '--print-secret'),
      await pg(
        ...[{ ...world, env: bare }, 'listen', '--print-secret', '--key', world.key],
        ...['--base-url', `http://localhost:${port}/`],
      ),
    ];
    const [first = ''] = asked.map(({ stdout }) => stdout);
    t.expect(first).toMatch(/^whsec_[\w+/]{43}=\n$/);
    t.expect(asked.map(({ stdout }) => stdout)).toEqual(asked.map(() => first));
    t.expect((await pg(world, 'listen', '--print-secret', '--json')).stdout).toBe(
      `${JSON.stringify({ secret: first.trim() })}\n`,
    );
    await happen(world, 1);
    await pg(world, 'listen', '--forward-to', receiver.url, '--once', '1');
    t.expect(receiver.received).toHaveLength(1);
    const { headers, body } = receiver.received[0] ?? {};
    new Webhook(first.trim()).verify(String(body), headers as Record<string, string>);
    const files = await readdir(world.dir, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files.flatMap((file) =>
        file.isFile() ? [readFile(path.join(file.parentPath, file.name), 'latin1')] : [],
      ),
    );
    t.expect(texts.length).toBeGreaterThan(0);
    t.expect(texts.filter((text) => /whsec_|pg_test_/.test(text))).toEqual([]);
  });

  it('has another secret for another key, and its owner alone reads its position', async (t) => {
    const world = await newWorld(t);
    const first = (await pg(world, 'listen', '--print-secret')).stdout;
    const other = await newWorld(t);
    t.expect((await pg({ ...other, dir: world.dir }, 'listen', '--print-secret')).stdout).not.toBe(first);
    const folder = path.join(world.dir, 'listen');
    const files = (await readdir(folder)).map((name) => path.join(folder, name));
    t.expect(files).toHaveLength(2);
    const modes = await Promise.all([folder, ...files].map(async (file) => (await stat(file)).mode & 0o777));
    t.expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  it.for([400, 401])('says what it signs with where a receiver answers %i, once', async (answered, t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world, { answer: () => answered });
    const secret = (await pg(world, 'listen', '--print-secret')).stdout.trim();
    await happen(world, 1);
    const { code, stderr } = await pg(world, 'listen', '--forward-to', receiver.url, '--once', '1');
    t.expect(code).toBe(1);
    const [said, ...rest] = stderr.split('\n');
    t.expect(said).toContain(`answered ${answered}`);
    t.expect(said).toContain(`${secret.slice(0, 10)}…`);
    t.expect(said).toContain('may hold another secret');
    t.expect(rest).toEqual(['No 2xx response: 1 of 1.', '']);
    t.expect(stderr).not.toContain(secret);
    const [id = ''] = await eventIds(world);
    const again = await pg(world, 'events', 'resend', id, '--forward-to', receiver.url, '--json');
    t.expect(JSON.parse(again.stderr.split('\n')[0] ?? '').detail).toBe(said);
  });
});

describe('pg listen by the scheme of another provider', () => {
  it('signs with the secret of the receiver, and shows it nowhere', async (t) => {
    const world = await newWorld(t);
    const own = { ...world, env: { ...world.env, OWN_SECRET: 'whsec_own' } };
    const receiver = await newReceiver(world, { answer: () => 400 });
    await pg(own, 'listen', '--print-secret');
    await happen(world, 1);
    const by = ['--scheme', 'stripe', '--secret-env', 'OWN_SECRET'];
    const listened = await pg(own, 'listen', '--forward-to', receiver.url, '--once', '1', ...by);
    const { id } = JSON.parse(String(receiver.received[0]?.body)) as { id: string };
    const resent = await pg(own, 'events', 'resend', id, '--json', ...by);
    t.expect(listened.stdout).toContain('Signing secret: the secret in OWN_SECRET\n');
    t.expect(listened.stdout).toMatch(/pg events resend evt_\w+ --scheme stripe --secret-env OWN_SECRET\n/);
    t.expect(listened.stderr).toContain(
      'signed with the secret in OWN_SECRET: the receiver may hold another',
    );
    t.expect(Object.values({ ...listened, ...resent }).join('')).not.toContain('whsec_own');
    t.expect(receiver.received).toHaveLength(6);
    for (const { headers, body } of receiver.received) {
      const event = Stripe.webhooks.constructEvent(body, String(headers['stripe-signature']), 'whsec_own');
      t.expect(event.id).toBe(id);
    }
  });
});

describe.concurrent('pg events resend', () => {
  it('forwards an event to an address that is named, as often as it takes', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world, { answer: (nth) => (nth === 1 ? 503 : 200) });
    await happen(world, 1);
    await t.expect.poll(() => eventIds(world), PATIENT).toHaveLength(1);
    const [id = ''] = await eventIds(world);
    const { code, stdout } = await pg(world, 'events', 'resend', id, '--forward-to', receiver.url, '--json');
    t.expect(code).toBe(0);
    const attempts = stdout
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line));
    t.expect(attempts).toMatchObject([
      { id, status: 503 },
      { id, status: 200, again_in_ms: null },
    ]);
    const secret = (await pg(world, 'listen', '--print-secret')).stdout.trim();
    for (const { headers, body } of receiver.received) {
      new Webhook(secret).verify(body, headers as Record<string, string>);
    }
  });

  it('ends with 1 where the receiver is down, no address is known, or there is no such event', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world);
    await receiver.stop();
    await happen(world, 1);
    await t.expect.poll(() => eventIds(world), PATIENT).toHaveLength(1);
    const [id = ''] = await eventIds(world);
    const down = await pg(world, 'events', 'resend', id, '--forward-to', receiver.url);
    t.expect(down).toMatchObject({ code: 1, stderr: 'No 2xx response.\n' });
    t.expect(down.stdout.trim().split('\n')).toHaveLength(3);
    t.expect(await pg(world, 'events', 'resend', id)).toMatchObject({
      code: 1,
      stderr: t.expect.stringContaining('--forward-to http://127.0.0.1:3000/hook'),
    });
    const unknown = ['events', 'resend', 'evt_unknown', '--forward-to', receiver.url];
    t.expect(await pg(world, ...unknown)).toMatchObject({
      code: 1,
      stderr: t.expect.stringContaining('event_not_found'),
    });
  });
});
