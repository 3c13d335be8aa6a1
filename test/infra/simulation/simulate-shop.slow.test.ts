import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { StoryReport } from '../../../infra/simulation/simulate-story.ts';
import { createClient } from '../../../shared/client/client.ts';
import { newSigningSecret } from '../../../shared/domain/secret.ts';
import * as nodeShop from '../../exam/shops/node-shop.ts';
import { startWrongShop } from '../../exam/zoo/start-wrong-shop.ts';
import { WRONG_SHOPS } from '../../exam/zoo/wrong-shops.ts';
import { freePort } from '../../support/tools/free-port.ts';
import { runToEnd } from '../../support/tools/run-to-end.ts';
import { baseUrl, newKey } from '../../support/world/merchant.ts';

let dir: string;
let key: string;
let secret: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'simulate-'));
  key = (await newKey()).secret;
  secret = (await pg('exam', '--print-secret')).stdout.trim();
  // Wrong shops print what they fail at.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterAll(() => rm(dir, { recursive: true }));

function pg(...args: readonly string[]) {
  const env = { ...process.env, PG_BASE_URL: baseUrl, PG_KEY: key };
  return runToEnd(['infra/pg/pg.ts', '--dir', dir, ...args], env);
}

function addressesOf(url: string) {
  return ['--receiver', `${url}/webhooks`, '--order', `${url}/orders`, '--probe', `${url}/probe`];
}

async function startRightShop(): Promise<string> {
  const { url, stop } = await nodeShop.startShop({ port: 0, secret });
  onTestFinished(stop);
  return url;
}

async function startZooShop(name: string): Promise<string> {
  const wrong = WRONG_SHOPS.find((shop) => shop.name === name);
  if (wrong === undefined) {
    throw new Error('the zoo has changed');
  }
  const { url, stop } = await startWrongShop(wrong, { port: 0, secret, baseUrl });
  onTestFinished(stop);
  return url;
}

describe('pg simulate at a right shop', () => {
  test('tells the same story for the same seed, which keeps every law, and leaves no world', async () => {
    const url = await startRightShop();
    const told = await pg('simulate', ...addressesOf(url), '--seed', '7', '--story');
    expect(told).toMatchObject({ code: 0, stderr: '' });
    expect(told.stdout).toMatch(/^ {2}story of seed 7:\n {5}1 {2}order a, minor \d+ as a\n/m);
    expect(told.stdout).toMatch(/^Seed 7: every law held, \d+ steps\.$/m);
    expect(await pg('simulate', ...addressesOf(url), '--seed', '7', '--story')).toEqual(told);
    expect((await createClient({ baseUrl, key }).listTestWorlds()).data).toEqual([]);
  });

  test('goes on with the next seeds, for so many stories or so long, and prints each as JSON', async () => {
    const url = await startRightShop();
    const some = await pg('simulate', ...addressesOf(url), '--seed', '21', '--stories', '2', '--json');
    const reports = some.stdout
      .trim()
      .split('\n')
      .map((line): StoryReport => JSON.parse(line));
    expect(reports).toMatchObject([
      { seed: 21, law: null, failure: null },
      { seed: 22, law: null, failure: null },
    ]);
    const short = await pg('simulate', ...addressesOf(url), '--seconds', '1');
    const [, seed] = /^Seed: (\d+)$/m.exec(short.stdout) ?? [];
    expect(short).toMatchObject({ code: 0, stderr: '' });
    expect(short.stdout).toContain(`Seed ${seed}: every law held`);
  });
});

describe('pg simulate at a wrong shop', () => {
  test('ends with 1, and prints steps, webhooks, what the probe said, and the command', async () => {
    const url = await startZooShop('creation-pays');
    const { code, stdout, stderr } = await pg('simulate', ...addressesOf(url), '--seed', '1');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'A law does not hold at this shop: seed 1.\n' });
    for (const line of [
      /^Seed 1: a law does not hold\. An order is paid only if money came for it\.$/m,
      /^ {2}expected: paid false$/m,
      /^ {2}was: {6}the probe says paid true of exam-/m,
      /^ {2}steps, the shortest that fail:\n {5}1 {2}order .*\n→ {4}2 {2}send payment\.created, of \$\w$/m,
      /^ {2}sent:\n {5}1 {2}payment\.created evt_\w+: answered 200$/m,
      /^ {2}again: {4}pg simulate --receiver \S+ --order \S+ --probe \S+ --seed 1$/m,
    ]) {
      expect(stdout).toMatch(line);
    }
  });

  test('tries no further seed, and prints the failure as JSON, the same story each time', async () => {
    const url = await startZooShop('creation-pays');
    const words = ['simulate', ...addressesOf(url), '--seed', '3', '--stories', '5', '--json'];
    const told = await pg(...words);
    const report: StoryReport = JSON.parse(told.stdout);
    expect(told.code).toBe(1);
    expect(JSON.parse(told.stderr)).toEqual({ detail: 'A law does not hold at this shop: seed 3.' });
    expect(report).toMatchObject({ seed: 3, failure: { is_shortest: true, failed_step: 2 } });
    expect(report.failure?.events).toMatchObject([{ type: 'payment.created', answered_status: 200 }]);
    const again: StoryReport = JSON.parse((await pg(...words)).stdout);
    expect(again).toMatchObject({ story: report.story, failure: { story: report.failure?.story } });
  });
});

describe('pg simulate', () => {
  const shop = addressesOf('http://127.0.0.1:3000');

  test.each([
    [shop.slice(0, 2), 2, 'Also name --order and --probe: '],
    [shop.slice(2), 2, 'Also name --receiver: '],
    [shop.with(1, 'ftp://shop'), 2, '--receiver takes a URL'],
    [[...shop, '--seed', '0'], 2, '--seed takes a number'],
    [[...shop, '--delay', '10m'], 2, '--delay is for one outcome'],
    [[...shop, 'pay_1', 'succeeded'], 2, 'simulate takes an id and an outcome, or the addresses of a shop'],
    [['pay_1', 'succeeded', '--seed', '7'], 2, '--seed is for stories at a shop'],
    [['pay_1'], 1, 'simulate takes an id and an outcome, or the addresses of a shop'],
    [[], 1, 'simulate takes an id and an outcome, or the addresses of a shop'],
  ])('refuses %j with code %i and a sentence', async (args, code, sentence) => {
    expect(await pg('simulate', ...args)).toMatchObject({ code, stderr: expect.stringContaining(sentence) });
  });

  test('ends with 2 where no story can be told, and says why', async () => {
    const { url, stop } = await nodeShop.startShop({ port: 0, secret: newSigningSecret() });
    onTestFinished(stop);
    const refused = (reason: string) => ({ code: 2, stderr: expect.stringContaining(reason) });
    const nobody = `http://127.0.0.1:${await freePort()}`;
    expect(await pg('simulate', ...addressesOf(nobody))).toMatchObject(refused('connection refused'));
    expect(await pg('simulate', ...addressesOf(url))).toMatchObject(refused('it may hold another secret'));
    const absent = await pg('simulate', ...addressesOf(url), '--base-url', nobody);
    expect(absent).toMatchObject(refused('Check that it runs'));
  });
});
