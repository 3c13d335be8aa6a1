import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { readScenario } from '../../infra/scenario/read-scenario.ts';
import { runScenario } from '../../infra/scenario/run-scenario.ts';
import { createClient } from '../../shared/client/client.ts';
import { operations } from '../../shared/contract/operations.ts';
import { newSigningSecret } from '../../shared/domain/secret.ts';
import { signedHeaders } from '../../shared/webhooks/sign.ts';
import { RIGHT, startReceiver } from '../exam/scheme-receivers.ts';
import { startShop } from '../exam/shops/node-shop.ts';
import { isFile } from '../recipes/recipes.ts';
import { freePort } from '../support/tools/free-port.ts';
import { GO_ENV, LOCKED_GO_ENV } from '../support/tools/go.ts';
import { SAMPLES, type Sample } from '../support/tools/guide-samples.ts';
import { type InstalledPackage, installPackage, STRICT } from '../support/tools/installed-package.ts';
import { installPythonPackage } from '../support/tools/python-package.ts';
import { openTerminal } from '../support/tools/readme.ts';
import { runCommand } from '../support/tools/run-command.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { createEndpoint, createPayment, moveClock, pay } from '../support/world/resources.ts';
import { PYTHON_RELEASE } from '../webhooks/verifiers/verify-by-python.ts';

/* Every sample of the guides is run as it stands. */

const used = (use: string) => SAMPLES.filter((sample) => sample.use === use);

/** What shell samples print. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'first-payment': /^\{"id":"pay_.*"status":"requires_action".*\}$/,
  idempotency: /^the first attempt created a payment\n[Ii]dempotent-[Rr]eplayed: true\s*$/,
  lists: /^\{"data":\[\{"id":"pay_.*"has_more":true,"next_cursor":".+"\}$/,
  'test-worlds': /"type":"payment.expired".*"id":"wld_[^"]*","deleted":true/s,
  testing: /"profile":"small".*"data":\[\{"id":"pay_.*"status":"completed"/s,
};

let client: InstalledPackage;
beforeAll(async () => {
  client = await installPackage({ packedIn: inject('runFolder') });
  await writeFile(path.join(client.dir, 'package.json'), JSON.stringify({ type: 'module' }));
});
afterAll(() => client?.remove());

/** What a program says in comments that it prints: `console.log(status); // succeeded`. */
function promisedBy(code: string): string[] {
  return [...code.matchAll(/(?:console\.log|print)\(.*\);? +(?:\/\/|#) (.+)$/gm)].map(
    ([, said = '']) => said,
  );
}

async function runSample({ language, code }: Sample, env: Readonly<Record<string, string>>): Promise<string> {
  const options = { cwd: client.dir, env: { ...process.env, ...env } };
  switch (language) {
    case 'sh':
      return (await runCommand('bash', ['-euc', code], options)).stdout;
    case 'python':
      return (await runCommand('python3', ['-c', code], options)).stdout;
    default: {
      // As the guides say: older versions of Node take a `.ts` for CommonJS.
      const file = `${randomUUID()}.mts`;
      await writeFile(path.join(client.dir, file), code);
      return (await runCommand(process.execPath, [file], options)).stdout;
    }
  }
}

describe('the guides', () => {
  test('have samples of three languages, each with a known use', () => {
    expect(used('run').length).toBeGreaterThan(8);
    expect(used('receiver').map(({ language }) => language)).toEqual(['ts', 'python', 'go']);
    const others = SAMPLES.filter(({ use }) => use === '');
    expect(others.map(({ code }) => code)).toEqual([
      'export PG_BASE_URL=https://api.example.com\nexport PG_KEY=pg_test_your_key\n',
    ]);
  });

  test.each(used('run'))(
    'have in "$guide" a sample in $language that prints what it says',
    async (sample) => {
      const { secret } = await newMerchant();
      const printed = await runSample(sample, { PG_BASE_URL: baseUrl, PG_KEY: secret });
      if (sample.language === 'sh') {
        expect(printed).toMatch(PRINTED[sample.guide] ?? /^$/);
        return;
      }
      expect(promisedBy(sample.code).length).toBeGreaterThan(0);
      expect(printed.trim().split('\n')).toEqual(promisedBy(sample.code));
    },
  );

  test.each([...used('scenario'), ...used('weather')])('have scenarios that pass: $use', async ({ code }) => {
    const { scenario, lineOf } = readScenario(code, 'a scenario of the guide');
    const { secret } = await newMerchant();
    const service = { client: createClient({ baseUrl, key: secret }), baseUrl };
    const { failure, story } = await runScenario(service, scenario, 1, lineOf);
    expect(failure?.message, story.join('\n')).toBeUndefined();
  });

  test('have TypeScript that compiles in strict projects', async () => {
    // A receiver to copy has a project of its own.
    const programs = SAMPLES.filter((sample) => sample.language === 'ts' && !isFile(sample));
    const files = programs.map((_, index) => `sample-${index}.ts`);
    await mkdir(path.join(client.dir, 'strict'), { recursive: true });
    await Promise.all(
      programs.map(({ code }, index) =>
        writeFile(path.join(client.dir, 'strict', `sample-${index}.ts`), code),
      ),
    );
    await cp('node_modules/@types', path.join(client.dir, 'node_modules/@types'), { recursive: true });
    await cp('node_modules/undici-types', path.join(client.dir, 'node_modules/undici-types'), {
      recursive: true,
    });
    const compilerOptions = { ...STRICT, types: ['node'], module: 'nodenext', skipLibCheck: true };
    // The sample for vitest imports it.
    await symlink(path.resolve('node_modules/vitest'), path.join(client.dir, 'node_modules/vitest'));
    await client.compile('strict', { files, compilerOptions });
  });
});

/** The command that starts a receiver. */
async function commandOf({ language, code }: Sample): Promise<string> {
  if (language === 'ts') {
    await writeFile(path.join(client.dir, 'receiver.ts'), code);
    return `exec ${process.execPath} receiver.ts`;
  }
  if (language === 'python') {
    const venv = await installPythonPackage(PYTHON_RELEASE);
    await writeFile(path.join(client.dir, 'receiver.py'), code);
    return `exec ${path.join(venv, 'bin/python')} receiver.py`;
  }
  const dir = await mkdtemp(path.join(tmpdir(), 'receiver-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  await cp(path.join(import.meta.dirname, 'go-receiver'), dir, { recursive: true });
  await writeFile(path.join(dir, 'main.go'), code);
  await runCommand('go', ['mod', 'download'], { cwd: dir, env: GO_ENV });
  await runCommand('go', ['build', '-o', 'receiver', '.'], { cwd: dir, env: LOCKED_GO_ENV });
  return `exec ${path.join(dir, 'receiver')}`;
}

/** The last one is no UTF-8. */
const MALFORMED_SIGNATURES = ['garbage', 'v1,a,b', 'v1,\xff\xfe'];

describe.each(used('receiver'))('the receiver in $language', (sample) => {
  test('fulfills an order once, however often its event comes, and refuses wrong signatures', async () => {
    const command = await commandOf(sample);
    const { api } = await newMerchant();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hook`;
    const endpoint = await createEndpoint(api, { url });
    const env = { PORT: String(port), WEBHOOK_SECRET: String(endpoint.secret) };
    const { printed, close } = openTerminal(command, client.dir, env);
    onTestFinished(close);
    const refused = async (headers?: Record<string, string>) =>
      (await fetch(url, { method: 'POST', body: '{}', ...(headers && { headers }) }).catch(() => null))
        ?.status;
    await expect.poll(() => refused(), { interval: 100 }).toBe(400);
    for (const signature of MALFORMED_SIGNATURES) {
      const right = signedHeaders([String(endpoint.secret)], 'evt_1', '{}', Date.now(), 1);
      expect(await refused({ ...right, 'webhook-signature': signature }), signature).toBe(400);
    }

    const { id } = await createPayment(api, { reference: 'order-1042' });
    await pay(api, id);
    await moveClock(api, 1);
    await expect.poll(printed).toBe('fulfill order-1042\n');
    const { data: events } = (await api(operations.listEvents, { query: { type: 'payment.succeeded' } }))
      .json;
    const attemptsOf = async () =>
      (await api(operations.listEventDeliveries, { params: { id: String(events[0]?.id) } })).json.data;
    const [first] = (await attemptsOf()).filter(({ endpoint_id }) => endpoint_id === endpoint.id);
    const again = await api(operations.redeliverEvent, {
      params: { id: endpoint.id, delivery_id: String(first?.id) },
    });
    expect(again.status, again.text).toBe(operations.redeliverEvent.success.status);
    const attempts = async () =>
      (await attemptsOf())
        .filter(({ endpoint_id }) => endpoint_id === endpoint.id)
        .map(({ answered_status }) => answered_status);
    await expect.poll(attempts).toEqual([204, 204]);
    expect(printed()).toBe('fulfill order-1042\n');
  });
});

describe('the exam in the guide', () => {
  const [order, said] = used('exam').filter(({ language }) => language === 'json');
  const start = async (secret: string) => {
    const shop = await startShop({ port: 0, secret });
    onTestFinished(shop.stop);
    return shop.url;
  };

  test('passes at a right shop, by the commands that are printed', async () => {
    const { secret: key } = await newMerchant();
    const env = { PATH: `${process.cwd()}:${process.env.PATH}`, PG_BASE_URL: baseUrl, PG_KEY: key };
    const [commands] = used('exam').filter(({ language }) => language === 'sh');
    const printSecret = {
      guide: 'exam',
      language: 'sh',
      use: 'exam',
      part: '',
      code: 'pg exam --print-secret',
    };
    const url = await start((await runSample(printSecret, env)).trim());
    const code = String(commands?.code).replaceAll('http://127.0.0.1:3000', url);
    expect(await runSample({ ...printSecret, code }, env)).toMatch(/^48 of 49 questions passed, 1 skipped/m);
  });

  test('is told stories, by the commands that are printed', async () => {
    const { secret: key } = await newMerchant();
    const env = { PATH: `${process.cwd()}:${process.env.PATH}`, PG_BASE_URL: baseUrl, PG_KEY: key };
    const [, , sample] = used('exam').filter(({ language }) => language === 'sh');
    const ofExam = { guide: 'exam', language: 'sh', use: 'exam', part: '' };
    const url = await start((await runSample({ ...ofExam, code: 'pg exam --print-secret' }, env)).trim());
    const code = String(sample?.code).replaceAll('http://127.0.0.1:3000', url);
    expect(await runSample({ ...ofExam, code }, env)).toMatch(/^Seed 3: every law held, \d+ steps\.$/m);
  });

  test('examines a receiver of another provider, by the commands that are printed', async () => {
    const { secret: key } = await newMerchant();
    const env = { PATH: `${process.cwd()}:${process.env.PATH}`, PG_BASE_URL: baseUrl, PG_KEY: key };
    const [, sample] = used('exam').filter(({ language }) => language === 'sh');
    const code = String(sample?.code);
    const [, secret = ''] = /SHOP_SECRET=(\S+)/.exec(code) ?? [];
    const url = await startReceiver(RIGHT.stripe, secret);
    const printed = await runSample(
      {
        guide: 'exam',
        language: 'sh',
        use: 'exam',
        part: '',
        code: code.replace('http://127.0.0.1:3000', url),
      },
      env,
    );
    expect(printed).toMatch(/^12 of 49 questions passed, 37 skipped/m);
    expect(printed).not.toContain(secret);
  });

  test('opens an order and asks for it as printed', async () => {
    const secret = newSigningSecret();
    const url = await start(secret);
    expect((await fetch(`${url}/orders`, { method: 'POST', body: String(order?.code) })).status).toBe(200);
    const { reference, amount } = JSON.parse(String(order?.code));
    const object = { id: 'pay_1', reference, amount };
    const body = JSON.stringify({ id: 'evt_1', type: 'payment.succeeded', data: { object } });
    const headers = signedHeaders([secret], 'evt_1', body, Date.now(), 1);
    expect((await fetch(`${url}/webhooks`, { method: 'POST', headers, body })).status).toBe(200);
    const answer = await fetch(`${url}/probe?reference=${reference}`);
    expect(await answer.json()).toEqual(JSON.parse(String(said?.code)));
  });
});
