import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { runToEnd } from '../../support/tools/run-to-end.ts';
import { clientOf } from '../../support/world/api.ts';
import { baseUrl, newKey } from '../../support/world/merchant.ts';

const PG = 'infra/pg/pg.ts';
const LINK = ['call', 'createPaymentLink', '--data', '{"amount":{"type":"open"}}'];
/** util-linux's own: what it runs has a terminal. */
const hasTerminals = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

/** The command line with the live key of a merchant that no other test has. */
async function newShell() {
  const { secret } = await newKey({ mode: 'live' });
  const env = { ...process.env, PG_BASE_URL: baseUrl, PG_KEY: secret };
  const pg = (...args: string[]) => runToEnd([PG, ...args], env);
  const links = async () => (await clientOf(secret)(operations.listPaymentLinks)).json.data.length;
  return { pg, links, env };
}

/** Runs `pg` at a terminal, where `answer` is typed at the prompt. */
async function atTerminal(env: NodeJS.ProcessEnv, args: readonly string[], answer: string) {
  const command = [process.execPath, PG, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { env });
  let seen = '';
  child.stdout.on('data', (chunk) => {
    seen += String(chunk);
    if (seen.includes('to confirm:') && child.stdin.writable) {
      child.stdin.end(answer);
    }
  });
  const [code] = await once(child, 'close');
  return { code, seen };
}

describe.concurrent('pg with a live key', () => {
  test('changes nothing without a terminal, and names the option that confirms', async () => {
    const { pg, links } = await newShell();
    const { code, stdout, stderr } = await pg(...LINK);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'The key is live, and createPaymentLink changes live data. There is no terminal for a confirmation: to proceed, add --yes.\n',
    );
    expect(JSON.parse((await pg(...LINK, '--json')).stderr)).toEqual({ detail: stderr.trim() });
    expect(await links()).toBe(0);
    expect((await pg(...LINK, '--yes')).code).toBe(0);
    expect(await links()).toBe(1);
  });

  test.each([
    [['payments', 'create', '--amount', '1'], 'createPayment'],
    [['payments', 'cancel', 'pay_x'], 'cancelPayment'],
    [['refunds', 'create', 'pay_x'], 'requestRefund'],
    [['call', 'cancelRefund', 'ref_x'], 'cancelRefund'],
    [['call', 'disablePaymentLink', 'lnk_x'], 'disablePaymentLink'],
    [['call', 'updateWebhookEndpoint', 'wep_x', '--data', '{}'], 'updateWebhookEndpoint'],
    [['call', 'deleteWebhookEndpoint', 'wep_x'], 'deleteWebhookEndpoint'],
  ])('needs a confirmation for %j', async (args, name) => {
    const { pg } = await newShell();
    const { code, stderr } = await pg(...args);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`^The key is live, and ${name} .*add --yes[.]\\n$`)),
    });
  });

  test('needs no confirmation where it only reads', async () => {
    const { pg } = await newShell();
    for (const args of [['payments', 'list', '--all'], ['events'], ['call', 'listPaymentLinks']]) {
      expect(await pg(...args)).toMatchObject({ code: 0 });
    }
    expect((await pg('payments', 'get', 'pay_x')).stderr).toContain('Payment not found');
  });

  test('triggers nothing: the service refuses the test kit before anything is made', async () => {
    const { pg, links } = await newShell();
    for (const yes of [[], ['--yes']]) {
      const { code, stderr } = await pg('trigger', 'payment_link.created', ...yes);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('test_mode_only') });
    }
    expect(await links()).toBe(0);
  });

  test.skipIf(!hasTerminals).each([
    ['yes\n', 0, 1],
    ['no\n', 1, 0],
    ['y\n', 1, 0],
    ['\u0004', 1, 0],
  ])('asks once at a terminal: after %j it ends with %i and has made %i', async (answer, code, made) => {
    const { links, env } = await newShell();
    const ended = await atTerminal(env, LINK, answer);
    expect(ended.code, ended.seen).toBe(code);
    expect(ended.seen.split('to confirm:')).toHaveLength(2);
    expect(ended.seen.includes('Nothing was changed.')).toBe(made === 0);
    expect(await links()).toBe(made);
  });
});

test('pg with a test key needs no confirmation to create a payment link', async () => {
  const { secret } = await newKey();
  const env = { ...process.env, PG_BASE_URL: baseUrl, PG_KEY: secret };
  const { stdout } = await runToEnd([PG, ...LINK], env);
  expect(stdout).toMatch(/^Created L-000001 .* lnk_/);
});
