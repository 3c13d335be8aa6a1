import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../shared/client/client.ts';
import { examReportSchema } from '../../../shared/contract/testkit/exam-report.ts';
import { RIGHT, startReceiver } from '../../exam/scheme-receivers.ts';
import { startPythonShop } from '../../exam/start-python-shop.ts';
import { startWrongShop } from '../../exam/zoo/start-wrong-shop.ts';
import { WRONG_SHOPS } from '../../exam/zoo/wrong-shops.ts';
import { runToEnd } from '../../support/tools/run-to-end.ts';
import { baseUrl, newKey } from '../../support/world/merchant.ts';

let dir: string;
let key: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'exam-'));
  key = (await newKey()).secret;
});
afterAll(() => rm(dir, { recursive: true }));

function pg(...args: readonly string[]) {
  return pgWith({}, ...args);
}

function pgWith(variables: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const env = { ...process.env, PG_BASE_URL: baseUrl, PG_KEY: key, ...variables };
  return runToEnd(['infra/pg/pg.ts', '--dir', dir, ...args], env);
}

async function printedSecret(command: 'exam' | 'listen'): Promise<string> {
  return (await pg(command, '--print-secret')).stdout.trim();
}

function addressesOf(url: string) {
  return ['--receiver', `${url}/webhooks`, '--order', `${url}/orders`, '--probe', `${url}/probe`];
}

describe('pg exam', () => {
  test('signs with the secret of listen, and prints it', async () => {
    const secret = await printedSecret('exam');
    expect(secret).toMatch(/^whsec_/);
    expect(await printedSecret('listen')).toBe(secret);
  });

  test('examines a shop of another language, and writes its reports', async () => {
    const { url, stop } = await startPythonShop(await printedSecret('exam'));
    onTestFinished(stop);
    const [json, junit, html] = ['json', 'xml', 'html'].map((kind) => path.join(dir, `exam.${kind}`));
    const files = ['--report', String(json), '--junit', String(junit), '--html', String(html)];
    const only = ['--only', 'pay-01, SIG,FWD-04', '--seed', '7'];
    const { code, stdout, stderr } = await pg('exam', ...addressesOf(url), ...only, ...files);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/13 of 13 questions passed/);
    const report = v.parse(examReportSchema, JSON.parse(await readFile(String(json), 'utf8')));
    expect(report).toMatchObject({ seed: 7, passed: 13, failed: 0, skipped: 0, receiver: `${url}/webhooks` });
    expect(await readFile(String(junit), 'utf8')).toContain('tests="13" failures="0"');
    expect(await readFile(String(html), 'utf8')).toContain('SIG-11');
    const client = createClient({ baseUrl, key });
    expect((await client.listTestWorlds()).data).toEqual([]);
    const asJson = await pg('exam', ...addressesOf(url), '--only', 'PAY-01', '--json');
    expect(v.parse(examReportSchema, JSON.parse(asJson.stdout))).toMatchObject({ passed: 1, failed: 0 });
  });

  test('ends with 1 for a wrong shop, and shows the events that it failed at', async () => {
    const wrong = WRONG_SHOPS.find(({ name }) => name === 'mismatch-pays');
    if (wrong === undefined) {
      throw new Error('the zoo has changed');
    }
    const secret = await printedSecret('exam');
    const { url, stop } = await startWrongShop(wrong, { port: 0, secret, baseUrl });
    onTestFinished(stop);
    const { code, stdout, stderr } = await pg('exam', ...addressesOf(url), '--only', 'PAY-03,PAY-01');
    expect(code).toBe(1);
    expect(stderr).toBe('1 of 2 failed.\n');
    expect(stdout).toMatch(/^PAY-01 +passed/m);
    expect(stdout).toMatch(/^PAY-03 +failed/m);
    expect(stdout).toContain('paid false');
    expect(stdout).toContain('payment.amount_mismatch');
    expect(stdout).toContain('--only PAY-03 --seed 1');
  });

  test('says what is wrong with the shop’s addresses, and asks nothing', async () => {
    const { url, stop } = await startPythonShop(await printedSecret('exam'));
    onTestFinished(stop);
    const here = ['exam', '--receiver', `${url}/webhooks`, '--order', `${url}/orders`];
    const refused = await pg(...here.with(4, `${url}/nowhere`), '--probe', `${url}/probe`);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--order was answered 404') });
    const silent = await pg(...here, '--probe', `${url}/webhooks`);
    expect(silent).toMatchObject({ code: 1, stderr: expect.stringContaining('knows no order') });
    expect(silent.stdout).not.toContain('PAY-01');
  });

  test.each([
    [['exam'], 'Name your receiver: --receiver http://127.0.0.1:3000/webhooks.'],
    [['exam', '--receiver', 'http://127.0.0.1:1/', '--only', 'SIG,PAY-99'], 'there is no question PAY-99'],
    [['exam', '--receiver', 'ftp://shop'], '--receiver takes a URL'],
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { code, stderr } = await pg(...args);
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
  });

  describe('by the scheme of another provider', () => {
    test('prints a secret in its form, the same each time', async () => {
      const [stripe, github, again] = await Promise.all(
        ['stripe', 'github', 'github'].map((scheme) => pg('exam', '--print-secret', '--scheme', scheme)),
      );
      expect(stripe?.stdout).toMatch(/^whsec_[\w+/]{43}=\n$/);
      expect(github?.stdout).toMatch(/^[\da-f]{64}\n$/);
      expect(again?.stdout).toBe(github?.stdout);
    });

    test('signs with the secret of the receiver, and shows it nowhere', async () => {
      const SHOP_SECRET = 'an own secret of the shop';
      const url = await startReceiver(RIGHT.github, SHOP_SECRET);
      const wrong = await startReceiver(() => undefined, SHOP_SECRET);
      const reports = ['json', 'xml', 'html'].map((kind) => path.join(dir, `scheme.${kind}`));
      const examined = (receiver: string) =>
        pgWith(
          { SHOP_SECRET },
          ...['exam', '--receiver', receiver, '--only', 'SIG', '--scheme', 'github'],
          ...['--secret-env', 'SHOP_SECRET', '--report', String(reports[0])],
          ...['--junit', String(reports[1]), '--html', String(reports[2])],
        );
      const right = await examined(url);
      expect(right).toMatchObject({ code: 0, stderr: '' });
      expect(right.stdout).toContain('Signing secret: the secret in SHOP_SECRET\n');
      expect(right.stdout).toContain('6 of 11 questions passed, 5 skipped');
      expect(right.stdout).toContain('(not of the scheme github: the signature is of no time)');
      const failed = await examined(wrong);
      expect(failed.code).toBe(1);
      expect(failed.stdout).toContain('--only SIG-01 --seed 1 --scheme github --secret-env SHOP_SECRET');
      const texts = await Promise.all(reports.map((file) => readFile(file, 'utf8')));
      for (const text of [right.stdout, failed.stdout, failed.stderr, ...texts]) {
        expect(text).not.toContain(SHOP_SECRET);
      }
    });

    test.each<[string[], NodeJS.ProcessEnv, string]>([
      [['--scheme', 'paypal'], {}, '--scheme takes one of: standardwebhooks, svix, stripe, omise'],
      [['--secret-env', 'NO_SECRET'], {}, '--secret-env: the variable is not set, or holds no secret'],
      [['--secret-env', 'OWN'], { OWN: 'no Base64!' }, 'holds no secret of the scheme standardwebhooks'],
      [['--secret-env', 'a b'], {}, '--secret-env takes the name of a variable: WEBHOOK_SECRET'],
      [
        ['--secret-env', 'OWN', '--print-secret', '--scheme', 'stripe'],
        { OWN: 'no Base64!' },
        'give one of them',
      ],
    ])('refuses %j with a sentence', async (args, variables, sentence) => {
      const { code, stdout, stderr } = await pgWith(variables, 'exam', ...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(sentence);
      expect(stderr).not.toContain('no Base64!');
    });
  });
});
