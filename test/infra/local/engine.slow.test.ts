import { once } from 'node:events';
import { existsSync, statfsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, type TestContext, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { freePort } from '../../support/tools/free-port.ts';
import { childrenOf } from '../../support/tools/listeners.ts';
import { type Client, clientOf } from '../../support/world/api.ts';
import { type Host, type HostOptions, startHost, untilDead } from '../../support/world/host.ts';
import { createPayment } from '../../support/world/resources.ts';
import { startRefused } from './start-refused.ts';

const BACK_WITHIN = { timeout: 20_000, interval: 100 };
/** Deliveries of this test's payments end long before. */
const QUIET_WITHIN = { timeout: 60_000, interval: 250 };
const LOG_MAX_BYTES = 256 * 1_024;

function hasMemoryDisk(): boolean {
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize >= 1_024 ** 3;
}

async function newHost({ onTestFinished }: TestContext, options: HostOptions = {}): Promise<Host> {
  const host = await startHost(options);
  onTestFinished(host.stop);
  return host;
}

/** The engine of a host, and the shell that holds its leash. */
async function engineOf(
  { process: host }: Host,
  { expect }: Pick<TestContext, 'expect'>,
): Promise<{ engine: number; leash: number }> {
  const found: { engine: number; leash: number }[] = [];
  // A child that ends while Linux lists the children may hide another: bundlers come and go.
  await expect
    .poll(async () => {
      for (const leash of await childrenOf(Number(host.pid))) {
        for (const engine of await childrenOf(leash).catch(() => [])) {
          const command = await readFile(`/proc/${engine}/cmdline`, 'utf8').catch(() => '');
          found.push(...(/dynoxide\0serve\0/.test(command) ? [{ engine, leash }] : []));
        }
      }
      return found.length;
    })
    .toBeGreaterThan(0);
  return found[0] as (typeof found)[number];
}

async function idsOf(api: Client): Promise<string[]> {
  const { json } = await api(operations.listPayments);
  return json.data.map(({ id }) => id);
}

/** Takes the port of an engine that is about to die. */
async function occupy(endpoint: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  const { hostname, port } = new URL(endpoint);
  while (!server.listening) {
    server.listen(Number(port), hostname);
    await once(server, 'listening').catch(() => undefined);
  }
  return server;
}

describe.concurrent('an engine that dies', () => {
  test('is restarted on its data: 503 with Retry-After until then, and no payment is lost', async (t) => {
    const host = await newHost(t);
    const api = clientOf(host.key, host.baseUrl);
    const { id } = await createPayment(api);
    const { engine, leash } = await engineOf(host, t);
    // The process that reports the death is stopped, so that requests surely meet a service without an engine.
    process.kill(leash, 'SIGSTOP');
    process.kill(engine, 'SIGKILL');
    const refused = await api(operations.listPayments);
    process.kill(leash, 'SIGCONT');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    await t.expect.poll(async () => (await api(operations.listPayments)).status, BACK_WITHIN).toBe(200);
    const next = await createPayment(api);
    expect(await idsOf(api)).toEqual([next.id, id]);
    expect(host.output()).toContain('was started again');
  });

  test('and whose port is taken ends the service with a message and an exit code', async (t) => {
    const host = await newHost(t);
    const { engine, leash } = await engineOf(host, t);
    process.kill(leash, 'SIGSTOP');
    process.kill(engine, 'SIGKILL');
    const occupier = await occupy(host.dynamodbEndpoint);
    process.kill(leash, 'SIGCONT');
    await untilDead(host);
    occupier.close();
    expect(host.process.exitCode).toBe(1);
    expect(host.output()).toMatch(
      /The service ends\. The store's engine is lost: .*, 6 times in a row\.\n$/s,
    );
  });

  test('and kept its data in memory ends the service with a message and an exit code', async (t) => {
    const host = await newHost(t, { args: ['--memory'] });
    process.kill((await engineOf(host, t)).engine, 'SIGKILL');
    await untilDead(host);
    expect(host.process.exitCode).toBe(1);
    expect(host.output()).toContain('the data that it kept in memory is gone');
  });
});

test.skipIf(!hasMemoryDisk()).for(['SIGTERM', 'SIGKILL'] as const)(
  'a service that keeps its data in memory leaves none there after %s',
  async (signal, t) => {
    const host = await newHost(t, { args: ['--memory'] });
    const { engine, leash } = await engineOf(host, t);
    const [, file = ''] = /--db-path\0([^\0]+)/.exec(await readFile(`/proc/${engine}/cmdline`, 'utf8')) ?? [];
    expect(file).toMatch(/^\/dev\/shm\/payments-/);
    expect(existsSync(file)).toBe(true);
    host.process.kill(signal);
    await untilDead(host);
    await t.expect.poll(() => existsSync(`/proc/${leash}`), BACK_WITHIN).toBe(false);
    expect(existsSync(path.dirname(file))).toBe(false);
  },
);

describe.concurrent('an external engine', () => {
  test('that is unreachable, or is no address, ends the start at once with what is wrong', async (t) => {
    const dir = await mkdtemp(path.join(tmpdir(), 'payments-'));
    t.onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const nothingThere = `http://127.0.0.1:${await freePort()}`;
    for (const [endpoint, words] of [
      [nothingThere, `names ${nothingThere}, and no`],
      ['here', 'takes an http or https URL'],
    ] as const) {
      const { output, exitCode } = await startRefused({ dir, env: { AWS_ENDPOINT_URL_DYNAMODB: endpoint } });
      expect([exitCode, output]).toEqual([1, expect.stringContaining(`AWS_ENDPOINT_URL_DYNAMODB ${words}`)]);
      expect(output).not.toContain('\n');
    }
  });
});

/** A host with fifty payments, and a look into its engine's file. */
async function hostWithPayments(t: TestContext, options: HostOptions = {}) {
  const host = await newHost(t, options);
  const api = clientOf(host.key, host.baseUrl);
  const { json: sink } = await api(operations.createWebhookSink, { body: { name: 'all' } });
  for (let count = 0; count < 50; count += 1) {
    await createPayment(api);
  }
  const file = path.join(host.dir, 'payments.db');
  const data = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  t.onTestFinished(() => data.close());
  const records = data.prepare(
    'SELECT COUNT(*) AS count, MAX(CAST(sequence_number AS INTEGER)) AS last FROM _stream_records',
  );
  return { api, sink, file, records: () => records.get() };
}

describe('the disk', () => {
  test('holds no record of the stream that was read, and no long log, once all is delivered', async (t) => {
    const { file, records } = await hostWithPayments(t);
    await t.expect
      .poll(
        async () => ({ ...records(), isLogShort: (await stat(`${file}-wal`)).size <= LOG_MAX_BYTES }),
        QUIET_WITHIN,
      )
      .toEqual({ count: 1, last: expect.any(Number), isLogShort: true });
    expect(Number(records()?.last)).toBeGreaterThan(100);
  });

  test('may keep all records of the stream, and everything is still delivered', async (t) => {
    const env = { KEEP_STREAM_RECORDS: '1' };
    const { api, sink, records } = await hostWithPayments(t, { env });
    const params = { id: sink.id };
    const received = async () => (await api(operations.getWebhookSink, { params })).json.received_count;
    // Two events of each.
    await t.expect.poll(received, QUIET_WITHIN).toBe(100);
    const { count, last } = { ...records() };
    expect(count).toBe(last);
  });
});
