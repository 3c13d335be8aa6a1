// @module-tag nightly
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, type TestContext, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { clientOf } from '../../support/world/api.ts';
import { type Host, type HostOptions, startHost, untilDead } from '../../support/world/host.ts';
import { createPayment } from '../../support/world/resources.ts';
import { canMount, mounting, startRefused } from './start-refused.ts';

const START_WITHIN = { timeout: 60_000, interval: 100 };

async function newFolder({ onTestFinished }: TestContext): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** A host that ends with its test, and its folder with it. */
async function newHost({ onTestFinished }: TestContext, options: HostOptions = {}): Promise<Host> {
  const host = await startHost(options);
  onTestFinished(host.stop);
  return host;
}

/** Takes all the room that is left. */
async function fill(file: string): Promise<void> {
  const filler = await open(file, 'w');
  try {
    for (;;) {
      await filler.write(Buffer.alloc(4_096));
    }
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
  } finally {
    await filler.close();
  }
}

async function end(host: Host, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  host.process.kill(signal);
  await untilDead(host);
}

/** Each file, with the values that change when it is replaced or written to. */
async function filesIn(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir)).toSorted();
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => {
        const { ino, mtimeMs } = await stat(path.join(dir, name));
        return [name, `${ino} ${mtimeMs}`] as const;
      }),
    ),
  );
}

async function paymentsOf({ key, baseUrl }: Host): Promise<string[]> {
  const { json } = await clientOf(key, baseUrl)(operations.listPayments);
  return json.data.map(({ id }) => id);
}

describe.concurrent('a data folder', () => {
  test('has one service: a second start, even with --fresh, names it and harms nothing', async (t) => {
    const host = await newHost(t);
    const { id } = await createPayment(clientOf(host.key, host.baseUrl));
    const service = await readFile(path.join(host.dir, 'service.json'), 'utf8');
    const inodes = async () =>
      Object.entries(await filesIn(host.dir)).map(([name, file]) => [name, file.split(' ')[0]]);
    const before = await inodes();
    for (const args of [[], ['--fresh']]) {
      const { output, exitCode } = await startRefused({ dir: host.dir, args });
      expect([exitCode, output]).toEqual([1, expect.stringContaining(`(process ${host.process.pid})`)]);
      expect(output).not.toContain('\n');
    }
    expect(await inodes()).toEqual(before);
    expect(await readFile(path.join(host.dir, 'service.json'), 'utf8')).toBe(service);
    expect(await paymentsOf(host)).toEqual([id]);
  });

  test('is unlocked as soon as its service is killed, with all committed data', async (t) => {
    const killed = await newHost(t);
    const { id } = await createPayment(clientOf(killed.key, killed.baseUrl));
    await end(killed, 'SIGKILL');
    const next = await newHost(t, { dir: killed.dir });
    expect(await paymentsOf(next)).toEqual([id]);
  });

  test('of another format is refused and kept, and the message names --fresh', async (t) => {
    const first = await newHost(t);
    await end(first);
    for (const [format, found] of [
      ['1\n', 1],
      ['999\n', 999],
      [null, 1],
    ] as const) {
      const file = path.join(first.dir, 'format');
      await (format === null ? rm(file) : writeFile(file, format));
      const { lock: _held, ...before } = await filesIn(first.dir);
      const { output, exitCode } = await startRefused({ dir: first.dir });
      expect([exitCode, output]).toEqual([
        1,
        expect.stringMatching(`is of format ${found},.* npm start -- --fresh$`),
      ]);
      const { lock, ...after } = await filesIn(first.dir);
      expect(after).toEqual(before);
    }
    const fresh = await newHost(t, { dir: first.dir, args: ['--fresh'] });
    await end(fresh);
    await newHost(t, { dir: first.dir });
  });

  test('with --memory contains only service.json and the lock', async (t) => {
    const host = await newHost(t, { args: ['--memory'] });
    const { id } = await createPayment(clientOf(host.key, host.baseUrl));
    expect(await paymentsOf(host)).toEqual([id]);
    expect((await readdir(host.dir)).toSorted()).toEqual(['lock', 'service.json']);
    await end(host);
    expect(await paymentsOf(await newHost(t, { dir: host.dir, args: ['--memory'] }))).toEqual([]);
  });

  test('of a service that runs is left alone by one with --memory, which starts beside it', async (t) => {
    const first = await newHost(t);
    const { id } = await createPayment(clientOf(first.key, first.baseUrl));
    const before = await readFile(path.join(first.dir, 'service.json'), 'utf8');
    // As it is typed: without a port, and whatever else is to be forgotten.
    const args = ['--memory', '--fresh'];
    const beside = await newHost(t, { dir: first.dir, args, env: { PORT: undefined } });
    const [, ownDir = ''] = / pg --dir (\S+)/.exec(beside.output()) ?? [];
    const own = JSON.parse(await readFile(path.join(ownDir, 'service.json'), 'utf8'));
    expect(beside.output()).toContain(`Base URL   ${own.baseUrl}`);
    expect(own.baseUrl).not.toBe(first.baseUrl);
    expect(await paymentsOf(own)).toEqual([]);
    const made = await createPayment(clientOf(own.key, own.baseUrl));
    expect(await paymentsOf(own)).toEqual([made.id]);
    expect(await readFile(path.join(first.dir, 'service.json'), 'utf8')).toBe(before);
    expect(await paymentsOf(first)).toEqual([id]);
    await end(beside);
    await t.expect.poll(() => readdir(ownDir).catch(() => null)).toBeNull();
    expect(await paymentsOf(first)).toEqual([id]);
  });

  test('that is a file, or below one, is refused in one sentence', async (t) => {
    const file = path.join(await newFolder(t), 'file');
    await writeFile(file, 'mine');
    for (const dir of [file, path.join(file, 'below')]) {
      expect(await startRefused({ dir })).toEqual({
        exitCode: 1,
        output: `${dir} cannot hold data, for it is no folder. Choose another folder: npm start -- --dir PATH`,
      });
    }
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  test.skipIf(!canMount)(
    'that cannot be written to, or is on a full disk, is refused in one sentence',
    async (t) => {
      const dir = await newFolder(t);
      expect(await startRefused({ dir, mounted: 'ro' })).toEqual({
        exitCode: 1,
        output: `The folder ${dir} cannot be written to. Choose another folder: npm start -- --dir PATH`,
      });
      expect(await startRefused({ dir, mounted: 'size=1m' })).toEqual({
        exitCode: 1,
        output: `The disk of ${dir} is full: the service needs 8 MB to begin. Choose another folder: npm start -- --dir PATH`,
      });
    },
  );
});

describe.skipIf(!canMount)('a disk that is full while the service runs', () => {
  test('is reported, causes 503 for writes, and is no longer a problem once there is room', async (t) => {
    const dir = await newFolder(t);
    const host = spawn(
      'unshare',
      [...mounting(dir, 'size=16m').slice(1), process.execPath, 'infra/local/start.ts', '--dir', dir],
      {
        env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: '', TABLE_NAME: 'full', PORT: '0' },
      },
    );
    t.onTestFinished(async () => {
      host.kill('SIGTERM');
      await once(host, 'exit');
    });
    let output = '';
    for (const stream of [host.stdout, host.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
      });
    }
    await t.expect.poll(() => output, START_WITHIN).toContain('is running');
    // The disk as the host sees it.
    const disk = path.join(`/proc/${host.pid}/root`, dir);
    const { key, baseUrl } = JSON.parse(await readFile(path.join(disk, 'service.json'), 'utf8'));
    const api = clientOf(key, baseUrl);
    await fill(path.join(disk, 'filler'));
    const body = { amount: { currency: 'THB', minor: 1_000 }, method: 'promptpay' };
    expect((await api(operations.createPayment, { body })).status).toBe(503);
    await t.expect.poll(() => output, START_WITHIN).toContain(`The disk of ${dir} is full`);
    await rm(path.join(disk, 'filler'));
    await t.expect.poll(() => output, START_WITHIN).toContain(`The disk of ${dir} has room again`);
    expect((await api(operations.createPayment, { body })).status).toBe(201);
  });
});

describe.concurrent('service.json', () => {
  test('is replaced atomically: a reader that opened the old file reads it to its end', async (t) => {
    const first = await newHost(t);
    await end(first);
    const file = path.join(first.dir, 'service.json');
    const old = await readFile(file, 'utf8');
    const reader = await open(file);
    t.onTestFinished(() => reader.close());
    const second = await newHost(t, { dir: first.dir });
    expect(await reader.readFile('utf8')).toBe(old);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      baseUrl: second.baseUrl,
      key: first.key,
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(first.dir)).not.toContain('service.json.new');
  });

  test('that is damaged is reported, and replaced with a new key', async (t) => {
    const dir = path.join(await newFolder(t), 'data');
    const file = path.join(dir, 'service.json');
    await mkdir(dir);
    for (const damaged of ['{"baseUrl":"http://127.0.0.1:40', '', 'null', '{"key":7}']) {
      await writeFile(file, damaged, { mode: 0o644 });
      const host = await startHost({ dir });
      expect(host.output()).toContain(`${file} was damaged.`);
      expect(await paymentsOf(host)).toEqual([]);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      await end(host);
    }
  });
});
