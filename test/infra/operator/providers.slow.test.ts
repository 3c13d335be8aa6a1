import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { VIEW } from '../../../shared/contract/views.ts';
import { abandonedAttemptJob, attemptRequestOf } from '../../../shared/domain/attempt-request.ts';
import { type Connection, providerAccountOf } from '../../../shared/domain/connection.ts';
import { newId } from '../../../shared/domain/id.ts';
import { requestRefund } from '../../../shared/domain/refund.ts';
import { notificationsKey } from '../../../shared/store/table/keys.ts';
import { type AccountServer, startAccountServer } from '../../support/world/account-server.ts';
import { aPayment } from '../../support/world/entities.ts';
import { baseUrl, newKey, newMerchantName } from '../../support/world/merchant.ts';
import { newPaymentWithAttempt } from '../../support/world/new-payment.ts';
import { partition, scanTable } from '../../support/world/stored-table.ts';

const { worldIdOf } = await import('../../../shared/domain/world.ts');
const { findNotifiedWorld } = await import('../../../shared/store/worlds/connection.ts');
const { insertJob, keyOfJob } = await import('../../../shared/store/scheduler/job.ts');
const { remove } = await import('../../../shared/store/table/item.ts');
const { findWorld, getWorld } = await import('../../../shared/store/worlds/world.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { writesOf } = await import('../../../shared/store/writes.ts');

const { dir } = inject('service');

let stripe: AccountServer;

beforeAll(async () => {
  stripe = await startAccountServer();
});
afterAll(() => stripe.stop());

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command with its standard input, and without a terminal. */
async function run(
  file: 'keys' | 'providers',
  args: readonly string[],
  input = '',
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const child = spawn(process.execPath, ['infra/pg/pg.ts', 'admin', file, ...args, '--dir', dir], {
    env: { ...process.env, STRIPE_API_URL: stripe.origin, ...env },
  });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: Number(child.exitCode), stdout, stderr };
}

const providers = (args: readonly string[], input?: string, env?: Readonly<Record<string, string>>) =>
  run('providers', args, input, env);

/** What a command prints as JSON, where it succeeds. */
async function json(args: readonly string[], input?: string) {
  const ran = await providers([...args, '--json'], input);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ran.stdout);
}

/** A merchant with a live world, and an account at the provider. */
async function newConnectable() {
  const { merchant } = await newKey({ mode: 'live', merchant: newMerchantName() });
  const secrets = newSecrets();
  const account = `acct_${randomUUID().slice(0, 8)}`;
  stripe.open(secrets.secret_key, account);
  const of = ['--merchant', merchant];
  return {
    merchant,
    account,
    secrets,
    of,
    worldId: worldIdOf(merchant, 'live'),
    connect: (given: object = secrets) =>
      json(['connect', ...of, '--provider', 'stripe'], JSON.stringify(given)),
    /** The connecting that is refused. */
    refused: (input: string) => providers(['connect', ...of, '--provider', 'stripe'], input),
  };
}

function newSecrets() {
  const random = () => randomUUID().replaceAll('-', '');
  return { secret_key: `sk_test_${random()}`, webhook_secret: `whsec_${random()}` };
}

const fileOf = (worldId: string) => path.join(dir, 'provider-secrets', `${worldId}.json`);

describe.concurrent('pg admin providers', () => {
  test('connects a live world: verifies the key, keeps secrets private, prints webhook URL', async () => {
    const { merchant, account, secrets, of, worldId, connect } = await newConnectable();
    const connected = await connect();
    expect(connected).toEqual({
      merchant,
      provider: 'stripe',
      account,
      is_test: true,
      origin: stripe.origin,
      connected_at: expect.stringMatching(/^\d{4}-.*Z$/),
      webhook_url: expect.stringMatching(new RegExp(`^${baseUrl}/providers/stripe/[0-9A-Za-z]{32}$`)),
      takes_notifications: true,
    });
    expect(stripe.requests).toContain(secrets.secret_key);
    expect(JSON.parse(await readFile(fileOf(worldId), 'utf8'))).toEqual(secrets);
    expect((await stat(fileOf(worldId))).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(fileOf(worldId)))).mode & 0o777).toBe(0o700);
    const { takes_notifications, ...listed } = connected;
    expect(await json(['list', ...of])).toEqual([listed]);
    expect(await json(['check', ...of])).toEqual({ ...listed, problem: null });
    // Notifications find the world by the last segment of their address, and by no other text.
    const token = String(connected.webhook_url).split('/').at(-1) ?? '';
    expect(await findNotifiedWorld('stripe', token)).toMatchObject({ merchant, mode: 'live' });
    expect(await findNotifiedWorld('other', token)).toBeNull();
    expect(await findNotifiedWorld('stripe', `${token.slice(1)}x`)).toBeNull();
  });

  test('stores no secret in the table, and prints none', async () => {
    const { of, secrets, connect } = await newConnectable();
    await connect();
    const printed = [
      await providers(['list', ...of]),
      await providers(['check', ...of]),
      await providers(['connect', ...of, '--provider', 'stripe'], JSON.stringify(secrets)),
      await run('keys', ['audit', ...of]),
    ];
    const stored = JSON.stringify(await scanTable());
    for (const secret of Object.values(secrets)) {
      // Nor a part of it that would be worth something.
      const part = secret.slice(-12);
      expect(stored).not.toContain(part);
      for (const { code, stdout, stderr } of printed) {
        expect(code).toBe(0);
        expect(`${stdout}${stderr}`).not.toContain(part);
      }
    }
  });

  test('connecting again replaces the secrets and keeps the address', async () => {
    const { account, worldId, connect } = await newConnectable();
    const first = await connect();
    const rolled = newSecrets();
    stripe.open(rolled.secret_key, account);
    const again = await connect(rolled);
    expect(again.webhook_url).toBe(first.webhook_url);
    expect(Date.parse(again.connected_at)).toBeGreaterThan(Date.parse(first.connected_at));
    expect(JSON.parse(await readFile(fileOf(worldId), 'utf8'))).toEqual(rolled);
  });

  test('connects without the webhook secret, which comes later, and says what is missing', async () => {
    const { of, secrets, connect } = await newConnectable();
    const { webhook_secret, ...early } = secrets;
    const said = await providers(['connect', ...of, '--provider', 'stripe'], JSON.stringify(early));
    expect(said.stdout).toMatch(/connect again with the webhook_secret that it shows:\n {2}http/);
    const { code, stdout } = await providers(['check', ...of]);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout:
        'stripe accepts the secrets, but its notifications are refused: connect again with the webhook_secret, too.\n',
    });
    const whole = await connect({ ...early, webhook_secret });
    expect(said.stdout).toContain(whole.webhook_url);
    expect((await providers(['check', ...of])).code).toBe(0);
  });

  test('refuses secrets of another account, or of another mode, before anything is changed', async () => {
    const { worldId, secrets, account, connect, refused } = await newConnectable();
    await connect();
    const [other, real] = [newSecrets(), newSecrets()];
    stripe.open(other.secret_key, 'acct_other');
    const live = { ...real, secret_key: real.secret_key.replace('sk_test', 'sk_live') };
    stripe.open(live.secret_key, account);
    for (const [given, whose] of [
      [other, 'acct_other, for rehearsals'],
      [live, account],
    ] as const) {
      const { code, stderr } = await refused(JSON.stringify(given));
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `These secrets belong to stripe, account ${whose}, but the merchant is connected to stripe, account ${account}, for rehearsals. Disconnect it first. Nothing was stored.\n`,
      });
    }
    expect(JSON.parse(await readFile(fileOf(worldId), 'utf8'))).toEqual(secrets);
  });

  test('stores nothing where the provider does not take the key, or is not there', async () => {
    const { of, worldId } = await newConnectable();
    const connect = ['connect', ...of, '--provider', 'stripe'];
    const input = JSON.stringify(newSecrets());
    expect(await providers(connect, input)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'stripe rejects these secrets: they were replaced there, or may not read the account. Nothing was stored.\n',
    });
    expect(await providers(connect, input, { STRIPE_API_URL: 'http://127.0.0.1:9' })).toMatchObject({
      code: 1,
      stderr: 'stripe cannot be reached. Nothing was stored.\n',
    });
    // Plain HTTP would expose the secrets on the network.
    expect(await providers(connect, input, { STRIPE_API_URL: 'http://stripe.example' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^STRIPE_API_URL is to name an origin that secrets may be sent to/),
    });
    expect(await json(['list', ...of])).toMatchObject([{ provider: null, webhook_url: null }]);
    expect(await readdir(path.dirname(fileOf(worldId))).catch(() => [])).not.toContain(`${worldId}.json`);
  });

  test('says what is wrong with what it reads, and repeats none of it', async () => {
    const { refused } = await newConnectable();
    const { secret_key, webhook_secret } = newSecrets();
    const expected = 'Standard input must be a JSON object: {"secret_key":"…","webhook_secret":"…"}\n';
    for (const [input, stderr] of [
      ['', expected],
      [secret_key, expected],
      [`{"secret_key": "${secret_key}"`, expected],
      [`["${secret_key}"]`, expected],
      ['null', expected],
      [JSON.stringify({ secret_key: 7 }), expected],
      [JSON.stringify({ webhook_secret }), 'Standard input lacks secret_key.\n'],
      [
        JSON.stringify({ secret_key, [webhook_secret]: webhook_secret }),
        'Standard input has fields other than the secrets of stripe: secret_key, webhook_secret.\n',
      ],
      [
        JSON.stringify({ secret_key: webhook_secret }),
        /^secret_key is not valid for stripe: it must match \^.*\n$/,
      ],
      [
        JSON.stringify({ secret_key, webhook_secret: secret_key }),
        /^webhook_secret is not valid for stripe: .*\n$/,
      ],
    ] as const) {
      const ran = await refused(input);
      expect(ran, input).toMatchObject({ code: 1, stdout: '' });
      expect(ran.stderr).toMatch(stderr);
      expect(ran.stderr).not.toContain(secret_key.slice(8));
      expect(ran.stderr).not.toContain(webhook_secret.slice(6));
    }
  });

  test('takes no secret as an argument', async () => {
    const { of } = await newConnectable();
    const { secret_key } = newSecrets();
    const { code, stderr } = await providers(['connect', secret_key, ...of, '--provider', 'stripe']);
    expect(code).toBe(1);
    expect(stderr).not.toContain(secret_key.slice(8));
    expect(stderr).toMatch(/^Too many arguments for 'connect'\. Expected 0 arguments but got 1\. /);
  });

  test('refuses a missing live world, and a wrong or missing name, and says what to do', async () => {
    const { merchant } = await newKey();
    const input = JSON.stringify(newSecrets());
    const noLiveWorld = new RegExp(
      `^${merchant} has no live world\\. .*--mode live.*--merchant ${merchant}\n$`,
    );
    const nobody = newMerchantName();
    const noMerchant = new RegExp(`^There is no merchant ${nobody}\\. `);
    for (const [args, stderr] of [
      [['connect', '--merchant', merchant, '--provider', 'stripe'], noLiveWorld],
      [['check', '--merchant', merchant], noLiveWorld],
      [['connect', '--merchant', nobody, '--provider', 'stripe'], noMerchant],
      [['list', '--merchant', nobody], noMerchant],
      [['connect', '--merchant', merchant, '--provider', 'stripes'], /^--provider takes one of: stripe\./],
      [['connect', '--merchant', merchant], /^Missing option: --provider <PROVIDER>/],
      [['connect', '--provider', 'stripe'], /^Missing option: --merchant <NAME>/],
      [['connect'], /^Missing options: --merchant <NAME>, --provider <PROVIDER>\. /],
      [['list', '--provider', 'stripe'], /^Unknown option '--provider'\./],
    ] as const) {
      expect(await providers(args, input), args.join(' ')).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(stderr),
      });
    }
  });
});

describe.concurrent('pg admin providers after a connection', () => {
  test('check says in words what has become wrong since', async () => {
    const { of, worldId, secrets, account, connect } = await newConnectable();
    expect((await providers(['check', ...of])).stderr).toMatch(/ is not connected to a provider\. .*\n$/);
    await connect();
    const problem = async () => {
      const { code, stdout } = await providers(['check', ...of, '--json']);
      expect(code).toBe(1);
      return JSON.parse(stdout).problem;
    };
    stripe.open(secrets.secret_key, null);
    expect(await problem()).toMatch(/^stripe rejects these secrets: they were replaced there/);
    stripe.open(secrets.secret_key, 'acct_other');
    expect(await problem()).toBe(
      `The secrets belong to account acct_other, for rehearsals, but the connection is to account ${account}, for rehearsals: connect again.`,
    );
    await chmod(fileOf(worldId), 0o644);
    expect(await problem()).toMatch(
      /^Others than its owner may read .*\.json: take that from them \(chmod 600\)/,
    );
    await chmod(fileOf(worldId), 0o600);
    await writeFile(fileOf(worldId), `{"secret_key": "${secrets.secret_key}`);
    expect(await problem()).toBe(`${fileOf(worldId)} is damaged: connect again.`);
  });

  test('disconnects with --yes: forgets the secrets and the webhook URL; again, it says so', async () => {
    const { merchant, of, worldId, connect } = await newConnectable();
    const { webhook_url } = await connect();
    expect(await providers(['disconnect', ...of])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^This disconnects .* add --yes\.\n$/),
    });
    const { stdout } = await providers(['disconnect', ...of, '--yes']);
    expect(stdout).toMatch(/ is disconnected, and its secrets are deleted\. /);
    const token = webhook_url.split('/').at(-1);
    expect(await partition(notificationsKey(token).pk)).toEqual([]);
    expect(await findNotifiedWorld('stripe', token)).toBeNull();
    await expect(stat(fileOf(worldId))).rejects.toThrow('ENOENT');
    expect((await providers(['disconnect', ...of, '--yes'])).stdout).toBe(
      `${merchant} is not connected to a provider.\n`,
    );
    // Connecting again gives another address.
    expect((await connect()).webhook_url).not.toBe(webhook_url);
    const audit = JSON.parse((await run('keys', ['audit', ...of, '--json'])).stdout);
    expect(audit.map(({ action }: { action: string }) => action)).toEqual([
      'connect',
      'disconnect',
      'connect',
      'create',
    ]);
  });

  test('refuses to disconnect while a payment can still be paid, except with --abandon', async () => {
    const { merchant, worldId, of, connect } = await newConnectable();
    await connect();
    const world = await findWorld(worldId);
    if (world === null) {
      throw new Error(`${merchant} has no live world`);
    }
    const order = { amount: { currency: 'THB', minor: 10_000 }, method: 'promptpay' } as const;
    const opened = newPaymentWithAttempt({ world, number: 'P-000001', baseUrl, nowMs: Date.now() }, order);
    await commit(writesOf({ world, requestId: 'req_1' }, [opened], VIEW));
    const disconnect = ['disconnect', ...of, '--yes'];
    expect(await providers(disconnect)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^P-000001 has not ended at stripe, .* --abandon disconnects anyway\.\n$/,
      ),
    });
    expect(await json(['list', ...of])).toMatchObject([{ provider: 'stripe' }]);
    expect(await json([...disconnect, '--abandon'])).toMatchObject({ merchant, provider: null });
  });

  test('refuses to disconnect while a refund is requested or an abandoned attempt may be paid', async () => {
    const { worldId, of, connect } = await newConnectable();
    await connect();
    const world = await getWorld(worldId);
    const refusedFor = async (what: string) => {
      const { code, stderr } = await providers(['disconnect', ...of, '--yes']);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(new RegExp(`^${what} has not ended at stripe, `)),
      });
    };
    const payment = aPayment({ amount: { currency: 'THB', minor: 10_000 } });
    const nowMs = Date.now();
    const account = providerAccountOf(world.provider as Connection);
    const stop = abandonedAttemptJob(attemptRequestOf(payment, 'promptpay', nowMs), account, nowMs);
    await commit([insertJob(world, stop)]);
    await refusedFor(payment.id);
    await commit([remove(keyOfJob(world, stop))]);
    const paid = { ...payment, status: 'succeeded', succeededAtMs: nowMs } as const;
    const requested = requestRefund({ id: newId('ref', nowMs), number: 'R-000007' }, paid, {}, nowMs);
    await commit(writesOf({ world }, [{ ...requested, consequences: [] }], VIEW));
    await refusedFor('R-000007');
    expect(await json(['list', ...of])).toMatchObject([{ provider: 'stripe' }]);
  });

  test('a connection is used at the origin where it was made, and at no other', async ({
    onTestFinished,
  }) => {
    const { worldId, secrets, of, connect, account } = await newConnectable();
    await connect();
    expect((await getWorld(worldId)).provider?.origin).toBe(stripe.origin);
    const other = await startAccountServer();
    onTestFinished(() => other.stop());
    other.open(secrets.secret_key, account);
    const elsewhere = { STRIPE_API_URL: other.origin };
    const said = `It was connected at ${stripe.origin}, but STRIPE_API_URL names ${other.origin}: `;
    const checked = await providers(['check', ...of], undefined, elsewhere);
    expect(checked).toMatchObject({ code: 1, stdout: expect.stringContaining(said) });
    const again = ['connect', ...of, '--provider', 'stripe'];
    const connected = await providers(again, JSON.stringify(secrets), elsewhere);
    expect(connected).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
    const own = await providers(['check', ...of], undefined, { STRIPE_API_URL: '' });
    expect(own.stdout).toContain('STRIPE_API_URL names none: ');
    expect(other.requests).toEqual([]);
  });

  test('the audit entry of a connection names the operator and the account', async () => {
    const { merchant, account, of, connect } = await newConnectable();
    await connect();
    const [entry] = JSON.parse((await run('keys', ['audit', ...of, '--json'])).stdout);
    expect(entry).toEqual({
      id: expect.stringMatching(/^aud_/),
      at: expect.stringMatching(/Z$/),
      action: 'connect',
      actor: expect.stringContaining('@'),
      merchant,
      mode: 'live',
      subject: account,
      details: { provider: 'stripe', is_test: true },
    });
  });
});
