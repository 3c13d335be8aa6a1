import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { USUAL_JARS } from '../../../infra/local/engine-choice.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { readVariable, VARIABLES } from '../../../shared/environment/variables.ts';
import { isAnybodyAt, listenersOf } from '../../support/tools/listeners.ts';
import { clientOf } from '../../support/world/api.ts';
import { startHost, untilDead } from '../../support/world/host.ts';
import { createPayment } from '../../support/world/resources.ts';

const jars = readVariable('jars') ?? path.join(homedir(), ...USUAL_JARS);
const isThere =
  VARIABLES.jars in process.env || (existsSync(jars) && spawnSync('javac', ['-version']).status === 0);

const DELIVERED_WITHIN = { timeout: 60_000, interval: 200 };

test.skipIf(!isThere)(
  "the service keeps its data in AWS's DynamoDB Local, which listens on this machine alone",
  async () => {
    const env = { [VARIABLES.jars]: jars };
    const first = await startHost({ env });
    try {
      const listeners = (await listenersOf(Number(first.process.pid))).map(({ origin }) => origin);
      expect(listeners).toContain(first.dynamodbEndpoint);
      expect(listeners.filter((origin) => !origin.startsWith('http://127.'))).toEqual([]);
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
      expect(await isAnybodyAt(second.dynamodbEndpoint)).toBe(false);
    } finally {
      await first.stop();
    }
  },
);
