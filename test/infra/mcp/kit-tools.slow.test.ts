import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stripVTControlCharacters } from 'node:util';
import type { Client as Host } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readSigningSecret } from '../../../infra/events/signing-secret.ts';
import { type Client, createClient } from '../../../shared/client/client.ts';
import { RIGHT, startReceiver } from '../../exam/scheme-receivers.ts';
import { runToEnd } from '../../support/tools/run-to-end.ts';
import { baseUrl, newKey } from '../../support/world/merchant.ts';
import { connectHost } from './connect-host.ts';

/** The machine may have much else to do. */
const PATIENT = { timeout: 240_000 };
const QUESTIONS = ['SIG-05', 'FWD-04'];
/** Far fewer than an exam sends that is not canceled. */
const FEW_REQUESTS = 10;

let key: string;
let client: Client;
let host: Host;
let secret: string;
beforeAll(async () => {
  key = (await newKey()).secret;
  client = createClient({ baseUrl, key });
  host = await connectHost(key);
  secret = await readSigningSecret({ client, key });
});
afterAll(() => host.close());

type CallOptions = Parameters<Host['callTool']>[1];

async function call(name: string, given: Record<string, unknown>, options: CallOptions = {}) {
  const result = await host.callTool({ name, arguments: given }, { ...PATIENT, ...options });
  const { isError = false, structuredContent: data, content } = result;
  const [shown] = content;
  return { isError, data, text: shown?.type === 'text' ? shown.text : '' };
}

async function worldsLeft() {
  return (await client.listTestWorlds()).data;
}

describe('runScenario', () => {
  const exampleOf = async () => {
    const { tools } = await host.listTools();
    const { properties = {} } = tools.find(({ name }) => name === 'runScenario')?.inputSchema ?? {};
    const { description } = properties.scenario as { description: string };
    return String(description.split('An example:\n')[1]);
  };

  test('plays the example of its own description, and leaves no world', async () => {
    const { isError, data, text } = await call('runScenario', { scenario: await exampleOf() });
    expect({ isError, data }).toMatchObject({
      isError: false,
      data: { name: 'late money is kept', seed: 1, verdict: 'passed', failed_step: null },
    });
    expect(text).toContain('simulate payment $order, outcome succeeded');
    expect(JSON.parse(text)).toEqual(data);
    expect(await worldsLeft()).toEqual([]);
  });

  test('says which step failed, what was expected and what was', async () => {
    const scenario = (await exampleOf()).replace('status: succeeded', 'status: failed');
    const { isError, data } = await call('runScenario', { scenario, seed: 7 });
    expect({ isError, data }).toMatchObject({
      isError: false,
      data: {
        seed: 7,
        verdict: 'failed',
        failed_step: {
          line: scenario.split('\n').findIndex((line) => line.includes('status: failed')) + 1,
          step: expect.stringMatching(/^expect payment \$order, status failed/),
          expected: 'status "failed"',
          actual: 'it has status "succeeded"',
        },
      },
    });
    expect(await worldsLeft()).toEqual([]);
  });

  test('refuses a text with a mistake by its line, and makes no world', async () => {
    const { isError, data, text } = await call('runScenario', {
      scenario: 'name: x\nsteps:\n  - { advnce: 3m }\n',
    });
    expect({ isError, data }).toEqual({ isError: true, data: undefined });
    expect(JSON.parse(text).detail).toMatch(/^scenario\.yaml:3:\d+: .*Did you mean advance\?$/);
    expect(await worldsLeft()).toEqual([]);
  });
});

describe('showStory', () => {
  test('returns what pg show prints, as text and as data', async () => {
    const { id } = await client.createPayment({
      amount: { currency: 'THB', minor: 9_900 },
      method: 'promptpay',
    });
    await client.simulatePayment(id, { outcome: 'succeeded' });
    const told = () => call('showStory', { id });
    const typesOf = async () => Object(await told()).data.events.map(({ type }: { type: string }) => type);
    await expect.poll(typesOf).toContain('payment.succeeded');
    const { isError, data, text } = await told();
    const env = { ...process.env, PG_BASE_URL: baseUrl, PG_KEY: key };
    const shown = await runToEnd(['infra/pg/pg.ts', 'show', id], env);
    const asJson = await runToEnd(['infra/pg/pg.ts', 'show', id, '--json'], env);
    expect(isError).toBe(false);
    expect(`${text}\n`).toBe(stripVTControlCharacters(shown.stdout));
    expect(data).toEqual(JSON.parse(asJson.stdout));
    expect(text).toContain(id);
  });

  test('refuses the id of something else, and one that there is not', async () => {
    const event = await call('showStory', { id: 'evt_1' });
    expect(event).toMatchObject({
      isError: true,
      text: expect.stringContaining('takes the id of a payment'),
    });
    const missing = await call('showStory', { id: 'pay_01h455vb4pex5vsknk084sn02q' });
    expect({ ...missing, read: JSON.parse(missing.text) }).toMatchObject({
      isError: true,
      read: { code: 'payment_not_found' },
    });
  });
});

describe('runExam', () => {
  test('examines a right receiver, and says after each question how far it is', async () => {
    const receiver = await startReceiver(RIGHT.standardwebhooks, secret);
    const seen: unknown[] = [];
    const { isError, data, text } = await call(
      'runExam',
      { receiver, questions: QUESTIONS },
      { onprogress: ({ progress, total, message }) => seen.push([progress, total, message]) },
    );
    expect({ isError, data }).toMatchObject({
      isError: false,
      data: { passed: 2, failed: 0, skipped: 0, causes: [], signing_secret: secret, seed: 1 },
    });
    expect(JSON.parse(text)).toEqual(data);
    expect(seen).toEqual([
      [1, 2, 'SIG-05 passed'],
      [2, 2, 'FWD-04 passed'],
    ]);
    expect(await worldsLeft()).toEqual([]);
  });

  test('says of a failed question what was expected, what was, and what to look at first', async () => {
    const receiver = await startReceiver(() => undefined, secret);
    const { isError, data } = await call('runExam', { receiver, questions: ['SIG-05'], seed: 3 });
    expect({ isError, data }).toMatchObject({
      isError: false,
      data: {
        failed: 1,
        causes: [{ questions: ['SIG-05'] }],
        questions: [
          {
            id: 'SIG-05',
            verdict: 'failed',
            advice: expect.stringContaining('does the shop verify'),
            curl: expect.stringMatching(/^curl /),
            again: expect.stringContaining('--only SIG-05 --seed 3'),
          },
        ],
      },
    });
  });

  test('names the secret that a receiver must hold which refuses what is signed right', async () => {
    const receiver = await startReceiver(() => {
      throw new Error('another secret');
    }, secret);
    const { isError, text } = await call('runExam', { receiver, questions: QUESTIONS });
    expect({ isError, read: JSON.parse(text) }).toEqual({
      isError: true,
      read: {
        detail: expect.stringContaining('The receiver answered 400 to a ping that is signed with'),
        signing_secret: secret,
      },
    });
    expect(await worldsLeft()).toEqual([]);
  });

  test('ends early when the host cancels it, and deletes its world', async () => {
    const asked = Promise.withResolvers<void>();
    const answering = Promise.withResolvers<void>();
    let requests = 0;
    const slow = createServer(async ({ method }, response) => {
      if (method === 'POST') {
        requests += 1;
        asked.resolve();
        await answering.promise;
      }
      response.writeHead(204).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void slow.close());
    await once(slow, 'listening');
    const receiver = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const canceling = new AbortController();
    const called = call('runExam', { receiver }, { signal: canceling.signal });
    await asked.promise;
    expect(await worldsLeft()).toHaveLength(1);
    canceling.abort();
    await expect(called).rejects.toThrow();
    answering.resolve();
    await expect.poll(worldsLeft).toEqual([]);
    expect(requests).toBeLessThan(FEW_REQUESTS);
  });
});
