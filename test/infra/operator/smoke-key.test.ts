import { randomInt } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { loadWorker } from '../../../infra/local/function.ts';
import { runGranted } from '../../../infra/local/guard.ts';
import { replaceSmokeKey } from '../../../infra/operator/smoke-key.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { VARIABLES } from '../../../shared/environment/variables.ts';
import { overHttp, type SmokeCall } from '../../../shared/flows/smoke/smoke-call.ts';
import { takeSmokePayment } from '../../../shared/flows/smoke/smoke-payment.ts';
import { startWorkers } from '../../../shared/flows/smoke/start-workers.ts';
import { emptySmokeWorld } from '../../../shared/flows/testkit/empty-smoke-world.ts';
import { baseUrl } from '../../support/world/merchant.ts';

/** Of some day, since a day empties the world once. */
const MIDNIGHT_MS = randomInt(20_000) * 24 * 60 * 60 * 1_000;
const WORKERS = [
  ...['clock-tick', 'job-runner', 'live-dispatcher', 'live-job-runner'],
  ...['deliverer', 'live-deliverer'],
];

async function newSmoke(): Promise<SmokeCall> {
  const keys: string[] = [];
  await replaceSmokeKey('a test', async (key) => {
    keys.push(key);
  });
  return overHttp(baseUrl, String(keys[0]));
}

async function countPayments(call: SmokeCall): Promise<number> {
  return JSON.parse((await call(operations.listPayments)).text).data.length;
}

test('a deployment makes a new key for smoke payments and ends the old one', async () => {
  const first = await newSmoke();
  expect(await first(operations.listPayments)).toMatchObject({ status: 200 });
  const second = await newSmoke();
  expect(await first(operations.listPayments)).toMatchObject({ status: 401 });
  await takeSmokePayment(second, { hasTestKit: true });
});

test('the world of smoke payments is emptied once a day, by a function that may touch no other', async () => {
  const call = await newSmoke();
  await takeSmokePayment(call, { hasTestKit: true });
  const emptyAt = (nowMs: number) => runGranted('rollout/smoke', () => emptySmokeWorld(nowMs));
  await emptyAt(MIDNIGHT_MS - 1);
  expect(await countPayments(call)).toBeGreaterThan(0);
  await emptyAt(MIDNIGHT_MS);
  expect(await countPayments(call)).toBe(0);
  await takeSmokePayment(call, { hasTestKit: true });
  // The day has begun: this only repeats what may not have been finished.
  await emptyAt(MIDNIGHT_MS + 5 * 60_000);
  expect(await countPayments(call)).toBe(1);
});

test('new versions of workers are each started once with what they find nothing to fail on', async () => {
  await newSmoke();
  vi.stubEnv(VARIABLES.baseUrl, baseUrl);
  const started: string[] = [];
  await startWorkers(
    new Map([...WORKERS, 'create-payment'].map((name) => [name, name])),
    async (name, event) => {
      started.push(name);
      const file = { 'live-dispatcher': 'job-runner', 'live-deliverer': 'deliverer' }[name] ?? name;
      // A tick would also announce what other tests have due: workers.isolated.test.ts runs it.
      if (name !== 'clock-tick') {
        await (await loadWorker<object, unknown>(file))(event);
      }
    },
  );
  expect(started.toSorted()).toEqual(WORKERS.toSorted());
});
