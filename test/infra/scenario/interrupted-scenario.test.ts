// @module-tag slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../shared/client/client.ts';
import { baseUrl, newKey } from '../../support/world/merchant.ts';

const ENDLESS = `name: endless
steps:
  - repeat:
      times: 1000
      steps: [{ advance: 1s }]
`;

async function startRun(at: string, key: string) {
  const dir = await mkdtemp(path.join(tmpdir(), 'interrupted-'));
  const file = path.join(dir, 'endless.yaml');
  await writeFile(file, ENDLESS);
  const child = spawn(process.execPath, ['infra/pg/pg.ts', 'scenario', 'run', file], {
    env: { ...process.env, PG_BASE_URL: at, PG_KEY: key },
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(dir, { recursive: true });
  });
  return { child, ended: once(child, 'exit') };
}

describe('the world of a scenario', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ends when the run is interrupted by %s, which is no success', async (signal, code) => {
    const { secret: key } = await newKey();
    const client = createClient({ baseUrl, key });
    const worlds = async () => (await client.listTestWorlds()).data.length;
    const { child, ended } = await startRun(baseUrl, key);
    await expect.poll(worlds).toBe(1);
    child.kill(signal);
    expect(await ended).toEqual([code, null]);
    expect(await worlds()).toBe(0);
  });

  test('ends too where the run is interrupted while it is made', async () => {
    const asked: string[] = [];
    const making = Promise.withResolvers<void>();
    const answering = Promise.withResolvers<void>();
    const server = createServer(async ({ method, url }, response) => {
      asked.push(`${method} ${url}`);
      if (method === 'POST') {
        making.resolve();
        await answering.promise;
      }
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end('{"id":"wld_1","key":"pg_test_1"}');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { child, ended } = await startRun(`http://127.0.0.1:${port}`, 'pg_test_2');
    await making.promise;
    child.kill('SIGINT');
    answering.resolve();
    expect(await ended).toEqual([130, null]);
    expect(asked).toContain('DELETE /api/v1/test/worlds/wld_1');
  });
});
