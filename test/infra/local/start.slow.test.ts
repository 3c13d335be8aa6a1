import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { PRESETS } from '../../../shared/contract/permissions.ts';
import { MINUTE_MS } from '../../../shared/domain/clock.ts';
import { freePort } from '../../support/tools/free-port.ts';
import { isAnybodyAt } from '../../support/tools/listeners.ts';
import { clientOf, type ProblemBody } from '../../support/world/api.ts';
import { type Host, startHost, untilDead } from '../../support/world/host.ts';
import { createPayment } from '../../support/world/resources.ts';
import { startRefused } from './start-refused.ts';

const GONE_WITHIN = { timeout: 60_000, interval: 50 };

/** The processes that have the folder on their command line: the host, its shell, the engine. */
async function processesOf(dir: string): Promise<{ pid: number; command: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes = await Promise.all(
    pids.map(async (pid) => ({
      pid: Number(pid),
      command: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    })),
  );
  return processes.filter(({ command }) => command.includes(dir));
}

async function expectNothingLeft({
  dir,
  dynamodbEndpoint,
}: Pick<Host, 'dir' | 'dynamodbEndpoint'>): Promise<void> {
  await vi.waitFor(async () => expect(await processesOf(dir)).toEqual([]), GONE_WITHIN);
  expect(await isAnybodyAt(dynamodbEndpoint)).toBe(false);
}

async function modeOf(file: string): Promise<string> {
  return ((await stat(file)).mode & 0o777).toString(8);
}

async function modesIn(dir: string): Promise<Record<string, string>> {
  const names = await readdir(dir);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await modeOf(path.join(dir, name))] as const)),
  );
}

describe.concurrent('npm start', () => {
  test('prints the address, the key and a command to paste that works', async () => {
    const host = await startHost();
    try {
      expect(host.output()).toContain(`Base URL   ${host.baseUrl}`);
      expect(host.output()).toContain(host.key);
      expect(host.output()).toContain(`${host.baseUrl}/console#key=${host.key}`);
      const command = host.output().slice(host.output().indexOf('curl -s'), host.output().indexOf('Ctrl-C'));
      const pasted = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
      expect(JSON.parse(pasted.stdout)).toMatchObject({ number: 'P-000001', status: 'requires_action' });
    } finally {
      await host.stop();
    }
  });

  test('prints a line for each request, and none with --quiet', async () => {
    const [talkative, quiet] = await Promise.all([startHost({ isTalkative: true }), startHost()]);
    try {
      const { headers } = await fetch(`${talkative.baseUrl}/api/v1/payments?reference=Somchai`);
      await fetch(`${quiet.baseUrl}/api/v1/payments`);
      const id = String(headers.get('x-request-id'));
      await expect
        .poll(talkative.output)
        .toMatch(
          new RegExp(
            `^\\d\\d:\\d\\d:\\d\\d  GET     /api/v1/payments  401  authentication_missing  \\d+ ms  ${id}$`,
            'm',
          ),
        );
      expect(talkative.output()).not.toContain('Somchai');
      expect(quiet.output()).not.toContain('authentication_missing');
    } finally {
      await Promise.all([talkative.stop(), quiet.stop()]);
    }
  });

  test('prints no line for a request where npm took --quiet for its own option', async () => {
    const host = await startHost({ isTalkative: true, env: { npm_config_loglevel: 'warn' } });
    try {
      await fetch(`${host.baseUrl}/api/v1/payments`);
    } finally {
      await host.stop();
    }
    expect(host.output()).not.toContain('authentication_missing');
  });

  test('keeps data and key over a restart, and forgets both with --fresh', async () => {
    const first = await startHost();
    const payment = await createPayment(clientOf(first.key, first.baseUrl));
    first.process.kill('SIGTERM');
    await untilDead(first);

    const second = await startHost({ dir: first.dir });
    expect(second.key).toBe(first.key);
    const read = await clientOf(second.key, second.baseUrl)(operations.getPayment, {
      params: { id: payment.id },
    });
    expect(read.json.id).toBe(payment.id);
    second.process.kill('SIGINT');
    await untilDead(second);

    const fresh = await startHost({ dir: first.dir, args: ['--fresh'] });
    expect(fresh.key).not.toBe(first.key);
    const list = await clientOf(fresh.key, fresh.baseUrl)(operations.listPayments);
    expect(list.json.data).toEqual([]);
    await fresh.stop();
  });

  test('has a new key where that of the last start lacks a permission, and the old one still works', async () => {
    const first = await startHost();
    const order = ['create', '--merchant', 'demo', '--preset', 'tester', '--json', '--dir', first.dir];
    const made = spawnSync(process.execPath, ['infra/pg/pg.ts', 'admin', 'keys', ...order], {
      encoding: 'utf8',
    });
    const { key: weaker } = JSON.parse(made.stdout) as { key: string };
    first.process.kill('SIGTERM');
    await untilDead(first);
    // As an older version has left it, which knew fewer permissions.
    const file = path.join(first.dir, 'service.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace(first.key, weaker));

    const second = await startHost({ dir: first.dir });
    expect(second.key).not.toBe(weaker);
    for (const key of [second.key, weaker]) {
      const { json } = await clientOf(key, second.baseUrl)(operations.getKey);
      expect(json.permissions).toHaveLength(PRESETS[key === weaker ? 'tester' : 'owner'].length);
    }
    await second.stop();
  });

  test('runs ahead of time with --ahead, in its requests and its jobs, and says so', async (t) => {
    const env = { STRIPE_API_URL: `http://127.0.0.1:${await freePort()}` };
    const host = await startHost({ args: ['--ahead', '16m'], env });
    try {
      expect(host.output()).toMatch(/Clock +\S+Z, which is 960 seconds ahead, for a rehearsal\n/);
      const client = clientOf(host.key, host.baseUrl);
      const laterMs = Date.now() + 15 * MINUTE_MS;
      const { id, created_at } = await createPayment(client);
      expect(Date.parse(created_at)).toBeGreaterThan(laterMs);
      // A job runs it: by a clock that is not ahead, it would be due in a quarter of an hour.
      const body = { outcome: 'succeeded', delay_seconds: 1 };
      await client(operations.simulatePayment, { params: { id }, body });
      const read = () => client(operations.getPayment, { params: { id } });
      await t.expect.poll(async () => (await read()).json.status).toBe('succeeded');
    } finally {
      await host.stop();
    }
  });

  test.each([{}, { STRIPE_API_URL: 'https://stripe.example' }])(
    'starts with no clock ahead where a provider is on no stand-in: %j',
    async (env) => {
      const dir = await mkdtemp(path.join(tmpdir(), 'payments-'));
      expect(
        await startRefused({ dir, args: ['--ahead', '16m'], env: { STRIPE_API_URL: '', ...env } }),
      ).toEqual({
        output:
          '--ahead is for rehearsals: STRIPE_API_URL must name a stand-in for stripe at http://127.0.0.1:PORT.',
        exitCode: 1,
      });
      await rm(dir, { recursive: true });
    },
  );

  test('behind a TLS proxy, uses https in every address and sends HSTS in every response', async () => {
    const host = await startHost({ env: { PUBLIC_BASE_URL: 'https://pay.example/' } });
    try {
      const local = `http://127.0.0.1:${new URL(host.baseUrl).port}`;
      const api = clientOf(host.key, local);
      const { checkout_url } = await createPayment(api, { checkout: true });
      expect(checkout_url).toMatch(/^https:\/\/pay\.example\/checkout\//);
      const page = await fetch(String(checkout_url).replace('https://pay.example', local));
      const refused = await fetch(`${local}/api/v1/payments`);
      const garbled = await fetch(local, { headers: { a: 'a'.repeat(20_000) } });
      expect([page, refused, garbled].map(({ status }) => status)).toEqual([200, 401, 431]);
      for (const { headers } of [page, refused, garbled]) {
        expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
      }
      const problems = (await Promise.all([refused.json(), garbled.json()])) as ProblemBody[];
      for (const { type, code } of problems) {
        expect(type).toBe(`https://pay.example/errors/${code}`);
      }
    } finally {
      await host.stop();
    }
  });

  test('hides its data from other users, including files that an earlier start left readable', async () => {
    const parent = await mkdtemp(path.join(tmpdir(), 'payments-'));
    const dir = path.join(parent, 'deep', 'data');
    const first = await startHost({ dir });
    try {
      await createPayment(clientOf(first.key, first.baseUrl));
      const modes = await modesIn(dir);
      expect(Object.keys(modes)).toEqual(
        expect.arrayContaining(['payments.db', 'payments.db-shm', 'payments.db-wal', 'service.json']),
      );
      expect(new Set(Object.values(modes))).toEqual(new Set(['600']));
      expect(await modeOf(dir)).toBe('700');
      first.process.kill('SIGKILL');
      await untilDead(first);

      await Promise.all(Object.keys(modes).map((name) => chmod(path.join(dir, name), 0o644)));
      const second = await startHost({ dir });
      expect(new Set(Object.values(await modesIn(dir)))).toEqual(new Set(['600']));
      await second.stop();
    } finally {
      await first.stop();
      await rm(parent, { recursive: true, force: true });
    }
  });

  test('works on any DynamoDB endpoint that it is pointed at', async () => {
    const host = await startHost();
    const guest = await startHost({
      env: { AWS_ENDPOINT_URL_DYNAMODB: host.dynamodbEndpoint, TABLE_NAME: 'guest' },
    });
    expect(guest.dynamodbEndpoint).toBe(host.dynamodbEndpoint);
    expect((await createPayment(clientOf(guest.key, guest.baseUrl))).number).toBe('P-000001');
    await guest.stop();
    await host.stop();
  });
});

describe.concurrent('a process of npm start', () => {
  test.skipIf(availableParallelism() === 1)(
    'ends, and says why, when the thread of clock and jobs crashes',
    async () => {
      const host = await startHost({
        preload: [new URL('../../support/faults/crash-in-schedule.ts', import.meta.url).href],
      });
      const api = clientOf(host.key, host.baseUrl);
      await api(operations.createWebhookSink);
      await createPayment(api);
      await untilDead(host);
      expect(host.process.exitCode).toBe(1);
      expect(host.output()).toMatch(
        /^The service ends\. The thread of clock and jobs crashed: .*on purpose/m,
      );
      await expectNothingLeft(host);
      await host.stop();
    },
  );

  test('leaves no process running after it is stopped or killed', async () => {
    const requested = await startHost();
    await requested.stop();
    expect(requested.process.exitCode).toBe(0);
    await expectNothingLeft(requested);

    const killed = await startHost();
    killed.process.kill('SIGKILL');
    await untilDead(killed);
    await expectNothingLeft(killed);
    await killed.stop();
  });

  test('ends with 0 by Ctrl-C, which comes from the terminal and once more from npm', async (t) => {
    const dir = await mkdtemp(path.join(tmpdir(), 'payments-'));
    const { AWS_ENDPOINT_URL_DYNAMODB: _endpoint, TABLE_NAME: _table, ...env } = process.env;
    const npm = spawn('npm', ['start', '--', '--dir', dir], {
      // The command replaces this shell, so npm passes its signals to it.
      env: { ...env, PORT: '0', npm_config_script_shell: 'bash' },
      // A process group of its own, as that of a terminal, to all of which Ctrl-C goes.
      detached: true,
    });
    const group = -Number(npm.pid);
    const ended = once(npm, 'exit');
    t.onTestFinished(async () => {
      if (npm.exitCode === null && npm.signalCode === null) {
        process.kill(group, 'SIGKILL');
      }
      await rm(dir, { recursive: true, force: true });
    });
    let printed = '';
    npm.stdout.on('data', (chunk) => {
      printed += String(chunk);
    });
    await t.expect.poll(() => printed, { timeout: 60_000 }).toContain('Ctrl-C stops it.');
    const { dynamodbEndpoint } = JSON.parse(await readFile(path.join(dir, 'service.json'), 'utf8'));
    process.kill(group, 'SIGINT');
    expect(await ended).toEqual([0, null]);
    await expectNothingLeft({ dir, dynamodbEndpoint });
  });

  test('with --leash, prints one line of JSON, and ends with the program that holds its input', async (t) => {
    const { AWS_ENDPOINT_URL_DYNAMODB: _endpoint, TABLE_NAME: _table, ...env } = process.env;
    const service = spawn(process.execPath, ['infra/local/start.ts', '--leash'], {
      env: { ...env, PORT: '0' },
    });
    const ended = once(service, 'exit');
    t.onTestFinished(() => void service.kill('SIGKILL'));
    let printed = '';
    service.stdout.on('data', (chunk) => {
      printed += String(chunk);
    });
    await t.expect.poll(() => printed, { timeout: 60_000 }).toContain('\n');
    const { baseUrl, key } = JSON.parse(printed);
    await createPayment(clientOf(key, baseUrl));
    service.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(await isAnybodyAt(baseUrl)).toBe(false);
  });

  test('refuses --leash with a folder that is to stay', async () => {
    await expect(startHost({ args: ['--leash'] })).rejects.toThrow('--leash takes a folder of its own');
  });

  test('refuses a port that is in use, in one sentence, and leaves the data alone', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(startHost({ env: { PORT: String(port) } })).rejects.toThrow(`Port ${port} is in use.`);
    other.close();
  });
});

describe('an unknown address', () => {
  test('gets 404, or 405 with the allowed methods', async () => {
    const host = await startHost();
    const unknown = await fetch(`${host.baseUrl}/api/v1/payment`);
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: 'route_not_found' }]);
    expect(unknown.headers.get('content-type')).toBe('application/problem+json');
    const wrong = await fetch(`${host.baseUrl}/api/v1/payments`, { method: 'DELETE' });
    expect([wrong.status, wrong.headers.get('allow'), await wrong.json()]).toMatchObject([
      405,
      'GET, POST',
      { code: 'method_not_allowed' },
    ]);
    const headers = { Authorization: `Bearer ${host.key}` };
    const broken = await fetch(`${host.baseUrl}/api/v1/payments/%E0%A4%A`, { headers });
    expect([broken.status, await broken.json()]).toMatchObject([404, { code: 'payment_not_found' }]);
    await host.stop();
  });
});
