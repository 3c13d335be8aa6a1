// @module-tag nightly
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, test as it } from 'vitest';
import { createClient } from '../../../shared/client/client.ts';
import { startHost } from '../../support/world/host.ts';
import {
  eventIds,
  happen,
  LINE,
  listen,
  newReceiver,
  newWorld,
  PATIENT,
  pg,
} from '../../support/world/listening-world.ts';

describe.concurrent('a run of pg listen', () => {
  it('goes on where it was: what happened meanwhile comes, and nothing twice', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGINT'] as const) {
      const listening = await listen(world, '--forward-to', receiver.url);
      const before = receiver.received.length;
      await happen(world, 3);
      await t.expect.poll(() => receiver.received.length, PATIENT).toBeGreaterThan(before);
      listening.kill(signal);
      t.expect(await listening.ended).toEqual([0, null]);
      await happen(world, 2);
    }
    const left = 15 - receiver.received.length;
    const { code } = await pg(world, 'listen', '--forward-to', receiver.url, '--once', String(left));
    t.expect(code).toBe(0);
    t.expect(receiver.ids()).toHaveLength(15);
    t.expect(receiver.ids()).toEqual(await eventIds(world));
  });

  it('misses nothing where it is killed at any moment', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world);
    let making: Promise<unknown> | undefined;
    for (const died of [3, 9, 16]) {
      const listening = await listen(world, '--forward-to', receiver.url);
      // The first run starts with the events from then on.
      making ??= happen(world, 30);
      await t.expect.poll(() => receiver.received.length, PATIENT).toBeGreaterThanOrEqual(died);
      listening.kill('SIGKILL');
      await listening.ended;
    }
    await making;
    const listening = await listen(world, '--forward-to', receiver.url);
    const all = await eventIds(world);
    await t.expect.poll(() => receiver.ids().at(-1), PATIENT).toBe(all.at(-1));
    await listening.stop();
    t.expect([...new Set(receiver.ids())]).toEqual(all);
    // What it was killed in the middle of comes again, and no more than that.
    t.expect(receiver.ids().length - new Set(receiver.ids()).size).toBeLessThanOrEqual(3);
  });

  it('exits with 0 when the program gets SIGINT or SIGTERM', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const args = ['listen', '--forward-to', receiver.url, '--dir', world.dir];
      const program = spawn('./pg', args, { env: world.env });
      const ended = once(program, 'exit');
      t.onTestFinished(() => void program.kill('SIGKILL'));
      let printed = '';
      program.stdout.on('data', (chunk) => {
        printed += String(chunk);
      });
      await t.expect.poll(() => printed, PATIENT).toContain('Ctrl-C ends it.');
      program.kill(signal);
      t.expect(await ended).toEqual([0, null]);
    }
  });

  it('says of each event that the receiver is down, goes on, and delivers when it is up again', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world);
    await receiver.stop();
    const listening = await listen(world, '--forward-to', receiver.url, '--once', '9');
    await happen(world, 2);
    await t.expect.poll(() => listening.lines().length, PATIENT).toBeGreaterThanOrEqual(4);
    const again = await newReceiver(world, { port: receiver.port });
    await happen(world, 1);
    await t.expect.poll(() => listening.lines().at(-1)?.outcome, PATIENT).toMatch(/^delivered: 204 /);
    await t.expect.poll(() => again.ids().at(-1), PATIENT).toBe((await eventIds(world)).at(-1));
    t.expect(await listening.stop()).toEqual([0, null]);
    const [first = '', second = ''] = await eventIds(world);
    const outcomes = (id: string) =>
      listening.lines().flatMap((line) => (line.id === id ? line.outcome.replace(/\d+ ms/, 'N ms') : []));
    t.expect(outcomes(first)).toEqual([
      'no response in N ms, connection refused, again in 1 s',
      'no response in N ms, connection refused, again in 3 s',
      `no response in N ms, connection refused, given up: pg events resend ${first}`,
    ]);
    t.expect(outcomes(second)[0]).toBe('no response in N ms, connection refused, again in 1 s');
    t.expect(again.ids()).not.toContain(first);
    // What was given up is forwarded again by hand, to where it was to go.
    const { code, stdout } = await pg(world, 'events', 'resend', first);
    t.expect(code).toBe(0);
    t.expect(LINE.exec(stdout.trim())?.[3]).toMatch(/^delivered: 204 in \d+ ms$/);
    t.expect(again.ids().at(-1)).toBe(first);
    const { headers, body } = again.received.at(-1) ?? {};
    new Webhook(listening.secret()).verify(String(body), headers as Record<string, string>);
  });

  it('ends with 1 after so many events where one of them was not answered with 2xx', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world, { answer: (nth) => (nth <= 3 ? 302 : 200) });
    await pg(world, 'listen', '--print-secret');
    await happen(world, 3);
    const ended = await pg(world, 'listen', '--forward-to', receiver.url, '--once', '2');
    t.expect(ended).toMatchObject({ code: 1, stderr: 'No 2xx response: 1 of 2.\n' });
    const [first, second] = await eventIds(world);
    t.expect(receiver.ids()).toEqual([first, first, first, second]);
  });

  it('ends with Ctrl-C while the receiver does not answer, and forwards the event the next time', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world, { answer: (nth) => (nth === 1 ? null : 200) });
    const listening = await listen(world, '--forward-to', receiver.url);
    await happen(world, 1);
    await t.expect.poll(() => receiver.received.length, PATIENT).toBe(1);
    t.expect(await listening.stop()).toEqual([0, null]);
    t.expect(listening.lines()).toEqual([]);
    await pg(world, 'listen', '--forward-to', receiver.url, '--once', '1');
    const [id] = await eventIds(world);
    t.expect(receiver.ids()).toEqual([id, id]);
  });

  it.for(['while it listens', 'while it does not'])(
    'begins anew where the world is emptied %s',
    async (when, t) => {
      const world = await newWorld(t);
      const receiver = await newReceiver(world);
      const isListening = when === 'while it listens';
      const first = await listen(world, '--forward-to', receiver.url);
      await happen(world, 3);
      await t.expect.poll(() => receiver.received.length, PATIENT).toBe(3);
      if (!isListening) {
        await first.stop();
      }
      await world.client.purgeTestData();
      await happen(world, 5);
      const second = isListening ? first : await listen(world, '--forward-to', receiver.url);
      await t.expect.poll(() => receiver.received.length, PATIENT).toBe(8);
      t.expect(receiver.ids().slice(3)).toEqual(await eventIds(world));
      t.expect(second.printed.stderr).toMatch(/^The world was purged: [^\n]+\n$/);
      await happen(world, 1);
      await t.expect.poll(() => receiver.ids().at(-1), PATIENT).toBe((await eventIds(world)).at(-1));
      t.expect(await second.stop()).toEqual([0, null]);
    },
  );

  it('is refused while another one serves the same world, until that one has ended or died', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world);
    const first = await listen(world, '--forward-to', receiver.url);
    const second = await pg(world, 'listen', '--forward-to', receiver.url, '--once', '1');
    t.expect(second).toMatchObject({
      code: 1,
      stdout: '',
      stderr: t.expect.stringMatching(/^Process \d+ already listens to this world: end it first\.\n$/),
    });
    first.kill('SIGKILL');
    await first.ended;
    const third = await listen(world, '--forward-to', receiver.url);
    t.expect(third.secret()).toBe(first.secret());
    await third.stop();
  });

  it('outlives a restart of the service, whose position it keeps in its folder', async (t) => {
    const world = await newWorld(t);
    const receiver = await newReceiver(world);
    const host = await startHost({ dir: path.join(world.dir, 'data') });
    t.onTestFinished(() => host.stop());
    const { PG_BASE_URL: _url, PG_KEY: _key, ...env } = world.env;
    const local = { ...world, env, dir: host.dir, client: createClient(host) };
    const listening = await listen(local, '--forward-to', receiver.url);
    host.process.kill('SIGTERM');
    await once(host.process, 'exit');
    await t.expect.poll(() => listening.printed.stderr, PATIENT).toContain('Retrying until it responds.');
    const again = await startHost({ dir: host.dir, env: { PORT: new URL(host.baseUrl).port } });
    t.onTestFinished(() => again.stop());
    await happen(local, 2);
    await t.expect.poll(() => receiver.received.length, PATIENT).toBe(2);
    t.expect(await listening.stop()).toEqual([0, null]);
    t.expect(listening.printed.stderr.trim().split('\n')).toHaveLength(1);
    t.expect(await readdir(host.dir)).toContain('listen');
  });
});
