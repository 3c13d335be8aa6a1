import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../shared/client/client.ts';
import { webhooks } from '../../../shared/client/webhooks.ts';
import { mintSecret } from '../../../shared/domain/api-key.ts';

const PG = path.resolve('infra/pg/pg.ts');

/** A computer with projects, and services that are its own: as `pg` sees it. */
async function newComputer() {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), 'payments-computer-')));
  const {
    PG_KEY: _key,
    PG_BASE_URL: _url,
    AWS_ENDPOINT_URL_DYNAMODB: _endpoint,
    TABLE_NAME: _table,
    npm_lifecycle_event: _npm,
    ...env
  } = process.env;
  const own = {
    ...env,
    HOME: home,
    TMPDIR: path.join(home, 'tmp'),
    XDG_RUNTIME_DIR: path.join(home, 'tmp'),
    PORT: '0',
  };
  await Promise.all(
    ['tmp', 'shop/src', 'other', 'elsewhere'].map((name) =>
      mkdir(path.join(home, name), { recursive: true }),
    ),
  );
  await Promise.all(['shop', 'other'].map((name) => writeFile(path.join(home, name, 'package.json'), '{}')));
  const children: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of children.filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    )) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(home, { recursive: true, maxRetries: 5 });
  });
  const pg = async (folder: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
    const options = { cwd: path.join(home, folder), env: { ...own, ...more } };
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [PG, ...args], options);
      return { code: 0, stdout, stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, stdout, stderr };
    }
  };
  const begin = (folder: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
    const child = spawn(process.execPath, [PG, ...args], {
      cwd: path.join(home, folder),
      env: { ...own, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      printed += String(chunk);
    });
    return Object.assign(child, { printed: () => printed });
  };
  const status = async (folder: string, ...args: readonly string[]) =>
    JSON.parse((await pg(folder, ['status', '--json', ...args])).stdout) as {
      base_url: string;
      key: string;
      dir: string;
      pid: number;
    };
  return { home, pg, begin, status };
}

function isAnswering(baseUrl: string): Promise<boolean> {
  return fetch(`${baseUrl}/api/v1/openapi.json`).then(
    ({ ok }) => ok,
    () => false,
  );
}

describe('a service that pg start runs', () => {
  test('is found from every folder of its project, and as the only one from any other', async () => {
    const { home, pg, begin, status } = await newComputer();
    const started = begin('shop', ['start']);
    const found = await status('shop/src', '--wait', '60s');
    expect(found).toMatchObject({ dir: path.join(home, 'shop/.payments'), pid: started.pid });
    for (const folder of ['shop', 'shop/src', 'elsewhere', '.']) {
      expect(await status(folder)).toEqual(found);
    }
    expect((await pg('elsewhere', ['payments', 'create', '--amount', '10.00'])).stdout).toContain('P-000001');
    expect((await pg('other', ['payments', 'list'])).stdout).toContain('P-000001');
  });

  test.each([
    ['shop', [], () => '.payments/'],
    ['elsewhere', ['--dir', '.'], (home: string) => path.join(home, 'elsewhere')],
    ['shop', ['--dir', '../elsewhere'], (home: string) => path.join(home, 'elsewhere')],
  ] as const)('says where its data is, started in %s with %j', async (folder, args, dir) => {
    const { home, begin } = await newComputer();
    const started = begin(folder, ['start', ...args]);
    await expect.poll(started.printed).toContain(`The data stays in ${dir(home)} until "`);
  });

  test('is that of the project where several run, and must be named elsewhere', async () => {
    const { home, pg, begin, status } = await newComputer();
    begin('shop', ['start']);
    await status('shop', '--wait', '60s');
    begin('other', ['start']);
    // Until its own runs, the other project finds that of the shop.
    await expect.poll(async () => (await status('other')).dir).toBe(path.join(home, 'other/.payments'));
    expect((await status('shop/src')).dir).toBe(path.join(home, 'shop/.payments'));
    const { code, stderr } = await pg('elsewhere', ['status']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('2 services run. Name the folder of one: --dir '),
    ]);
    const named = await status('elsewhere', '--dir', path.join(home, 'other/.payments'));
    expect(named).toEqual(await status('other'));
  });

  test('ends by pg stop, keeps its data, and is found no more', async () => {
    const { home, pg, begin, status } = await newComputer();
    const started = begin('shop', ['start']);
    const { base_url } = await status('shop', '--wait', '60s');
    const { code, stdout } = await pg('shop/src', ['stop']);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`The service at ${base_url} has stopped.`)]);
    await expect.poll(() => started.exitCode).toBe(0);
    expect(await readdir(path.join(home, 'shop/.payments'))).toContain('payments.db');
    for (const command of [['status'], ['stop'], ['payments', 'list']]) {
      expect(await pg('shop', command)).toEqual({
        ...{ code: 1, stdout: '' },
        stderr: expect.stringContaining('No service runs here.'),
      });
    }
  });

  test('has the key in PG_KEY, over a purge of its data', async () => {
    const { begin, status, pg } = await newComputer();
    const key = mintSecret('test');
    begin('shop', ['start'], { PG_KEY: key });
    const first = await status('shop', '--wait', '60s');
    expect(first.key).toBe(key);
    expect((await createClient({ baseUrl: first.base_url, key }).getKey()).merchant).toBe('demo');
    await pg('shop', ['stop']);
    begin('shop', ['start', '--fresh'], { PG_KEY: key });
    const { base_url } = await status('shop', '--wait', '60s');
    expect((await createClient({ baseUrl: base_url, key }).listPayments()).data).toEqual([]);
  });

  test('does not start with a key in PG_KEY that has ended, and says so', async () => {
    const { home, begin, status, pg } = await newComputer();
    const key = mintSecret('test');
    begin('shop', ['start'], { PG_KEY: key });
    await status('shop', '--wait', '60s');
    const listed = JSON.parse((await pg('shop', ['admin', 'keys', 'list', '--json'])).stdout);
    await pg('shop', ['admin', 'keys', 'revoke', listed.keys?.[0]?.id ?? listed[0]?.id]);
    await pg('shop', ['stop']);
    const { code, stderr } = await pg('shop', ['start'], { PG_KEY: key });
    expect([code, stderr]).toEqual([
      1,
      'The key in PG_KEY has ended. Leave it out, and a new one is made.\n',
    ]);
    expect(await readdir(home)).not.toContain('.payments');
  });

  test('keeps nothing in the home folder, and starts there with another folder alone', async () => {
    const { home, pg, begin, status } = await newComputer();
    const { code, stderr } = await pg('.', ['start']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('The home folder is no project.')]);
    expect((await readdir(home)).toSorted()).toEqual(['elsewhere', 'other', 'shop', 'tmp']);
    begin('.', ['start', '--dir', 'elsewhere']);
    expect(await status('.', '--wait', '60s')).toMatchObject({ dir: path.join(home, 'elsewhere') });
  });

  test('forwards events to a server, signed with the secret that it prints', async () => {
    const { begin, status, pg } = await newComputer();
    const received: { body: string; headers: Record<string, string> }[] = [];
    const shop = createServer(async (request, response) => {
      received.push({ body: await text(request), headers: request.headers as Record<string, string> });
      response.writeHead(204).end();
    }).listen(0, '127.0.0.1');
    await once(shop, 'listening');
    onTestFinished(() => void shop.close());
    const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/hook`;
    const started = begin('shop', ['start', '--memory', '--forward-to', url, '--events', 'payment.created']);
    await status('shop', '--wait', '60s');
    await expect.poll(started.printed).toContain('Forwarding payment.created after event 0');
    const [, secret = ''] = /Signing secret: (whsec_\S+)/.exec(started.printed()) ?? [];
    expect((await pg('shop', ['exam', '--print-secret'])).stdout.trim()).toBe(secret);
    await pg('shop', ['payments', 'create', '--amount', '12.00', '--method', 'promptpay']);
    await expect.poll(() => received.length).toBe(1);
    const [{ body, headers } = { body: '', headers: {} }] = received;
    expect(webhooks.verify(body, headers, secret).type).toBe('payment.created');
    started.kill('SIGINT');
    await expect.poll(() => started.exitCode).toBe(0);
  });
});

describe('a command of pg run', () => {
  test('has a service of its own, beside one that runs, and its exit code is passed on', async () => {
    const { home, begin, status, pg } = await newComputer();
    begin('shop', ['start']);
    const { base_url } = await status('shop', '--wait', '60s');
    const script =
      'echo "$PG_BASE_URL $PG_KEY"; curl -s "$PG_BASE_URL/api/v1/key" -H "Authorization: Bearer $PG_KEY"; exit 7';
    const { code, stdout } = await pg('shop/src', ['run', '--', 'sh', '-c', script]);
    expect(code).toBe(7);
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+ pg_test_\w+\n\{.*"merchant":"demo"/);
    const [own = ''] = stdout.split(' ');
    expect(own).not.toBe(base_url);
    expect(await isAnswering(own)).toBe(false);
    expect(await isAnswering(base_url)).toBe(true);
    expect(await readdir(path.join(home, 'tmp'))).toEqual(['payments-services']);
  });

  test('that is ended by a signal ends with its number, and no service is left', async () => {
    const { home, begin } = await newComputer();
    const file = path.join(home, 'url');
    const run = begin('shop', ['run', '--', 'sh', '-c', `echo $PG_BASE_URL > ${file}; exec sleep 600`]);
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toMatch(/^http/);
    const url = (await readFile(file, 'utf8')).trim();
    run.kill('SIGTERM');
    await expect.poll(() => run.exitCode).toBe(143);
    expect(await isAnswering(url)).toBe(false);
  });

  test.each([
    [undefined, ''],
    ['/tmp/of-the-user', '/tmp/of-the-user'],
  ])('keeps what it compiles where the user says, here %s', async (given, expected) => {
    const { pg } = await newComputer();
    const { stdout } = await pg('shop', ['run', '--', 'sh', '-c', 'echo "$NODE_COMPILE_CACHE"'], {
      NODE_COMPILE_CACHE: given,
    });
    expect(stdout).toBe(`${expected}\n`);
  });

  test('that does not exist is said, with exit code 127', async () => {
    const { pg } = await newComputer();
    expect(await pg('shop', ['run', '--', 'no-such-program'])).toEqual({
      ...{ code: 127, stdout: '' },
      stderr: 'There is no program "no-such-program".\n',
    });
    expect((await pg('shop', ['run'])).stderr).toContain('Missing required argument');
  });
});
