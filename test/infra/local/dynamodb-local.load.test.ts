import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { JARS_VARIABLE, USUAL_JARS } from '../../../infra/local/engine-choice.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { clientOf } from '../../support/api.ts';
import { startHost, untilDead } from '../../support/host.ts';
import { createPayment } from '../../support/resources.ts';

const jars = process.env[JARS_VARIABLE] ?? path.join(homedir(), ...USUAL_JARS);
const isThere = existsSync(jars) && spawnSync('javac', ['-version']).status === 0;

/** The addresses on which a port is listened on, as Linux writes them. */
async function listenersOn(port: number): Promise<string[]> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')));
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(suffix) && state === '0A')
    .map(([, local = '']) => local.slice(0, -suffix.length));
}

const DELIVERED_WITHIN = { timeout: 60_000, interval: 200 };

const LOOPBACK = ['0100007F', '0000000000000000FFFF00000100007F'];

test.skipIf(!isThere)(
  "the service keeps its data in AWS's DynamoDB Local, which listens on this machine alone",
  async () => {
    const env = { [JARS_VARIABLE]: jars };
    const first = await startHost({ env });
    try {
      const [address, ...others] = await listenersOn(Number(new URL(first.dynamodbEndpoint).port));
      expect(LOOPBACK).toContain(address);
      expect(others).toEqual([]);
      const api = clientOf(first.key, first.baseUrl);
      const { json: sink } = await api(operations.createWebhookSink, { body: { name: 'all' } });
      const { id } = await createPayment(api);
      await expect
        .poll(async () => {
          const { json } = await api(operations.listDeliveries, { params: { id: sink.id } });
          return json.data.length;
        }, DELIVERED_WITHIN)
        .toBeGreaterThan(0);
      first.process.kill('SIGTERM');
      await untilDead(first);
      expect(first.process.exitCode).toBe(0);

      const second = await startHost({ dir: first.dir, env });
      const { json } = await clientOf(second.key, second.baseUrl)(operations.getPayment, { params: { id } });
      expect([second.key, json.id]).toEqual([first.key, id]);
      await second.stop();
      await expect(fetch(second.dynamodbEndpoint)).rejects.toThrow();
    } finally {
      await first.stop();
    }
  },
);
