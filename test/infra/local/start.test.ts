import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { clientOf } from '../../support/api.ts';
import { type Host, startHost, untilDead } from '../../support/host.ts';
import { createPayment } from '../../support/resources.ts';

const GONE_WITHIN_MS = 5_000;

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

async function engineOf(dir: string): Promise<number[]> {
  const engines = (await processesOf(dir)).filter(({ command }) => /^[^\0]*dynoxide\0/.test(command));
  return engines.map(({ pid }) => pid);
}

async function expectNothingLeft({ dir, dynamodbEndpoint }: Host): Promise<void> {
  const giveUpAt = Date.now() + GONE_WITHIN_MS;
  while ((await processesOf(dir)).length > 0 && Date.now() < giveUpAt) {
    await sleep(50);
  }
  expect(await processesOf(dir)).toEqual([]);
  await expect(fetch(dynamodbEndpoint)).rejects.toThrow();
}

describe.concurrent('npm start', () => {
  test('prints the address, the key and a command to paste that works', async () => {
    const host = await startHost();
    try {
      expect(host.output()).toContain(`Base URL   ${host.baseUrl}`);
      expect(host.output()).toContain(host.key);
      const command = host.output().slice(host.output().indexOf('curl -s'), host.output().indexOf('Ctrl-C'));
      const pasted = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
      expect(JSON.parse(pasted.stdout)).toMatchObject({ number: 'P-000001', status: 'requires_action' });
    } finally {
      await host.stop();
    }
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

  test('leaves no process behind, whether it is asked to stop or killed', async () => {
    const asked = await startHost();
    await asked.stop();
    expect(asked.process.exitCode).toBe(0);
    await expectNothingLeft(asked);

    const killed = await startHost();
    killed.process.kill('SIGKILL');
    await untilDead(killed);
    await expectNothingLeft(killed);
    await killed.stop();
  });

  test('refuses a port that is in use, in one sentence, and leaves the data alone', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(startHost({ env: { PORT: String(port) } })).rejects.toThrow(`Port ${port} is in use.`);
    other.close();
  });

  test('answers 503, and when to try again, while its store is away', async () => {
    const host = await startHost();
    try {
      for (const pid of await engineOf(host.dir)) {
        process.kill(pid, 'SIGKILL');
      }
      const { status, headers } = await clientOf(host.key, host.baseUrl)(operations.listPayments);
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    } finally {
      await host.stop();
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

describe('an address that nobody has', () => {
  test('answers 404, and 405 with the methods that would do', async () => {
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
