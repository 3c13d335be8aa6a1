import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startServer } from '../../infra/local/server.ts';
import { createTable, startStore } from '../../infra/local/store.ts';
import { PRESETS } from '../../shared/contract/permissions.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { newId } from '../../shared/domain/id.ts';
import { worldIdOf } from '../../shared/domain/world.ts';
import { type Call, sequentialRounds, startMeter } from './meter.ts';

/*
 * npm run bench:cost: what operations ask of the store, measured on the wire, and what a million payments cost at list
 * price. Prints the tables of the README.
 */

/** List prices of AWS in us-east-1, in US dollars. Other regions differ by up to a half. */
const PRICES = {
  apiRequest: 3.5 / 1e6,
  lambdaRequest: 0.2 / 1e6,
  lambdaGbSecond: 0.000_013_333_4,
  readUnit: 0.125 / 1e6,
  writeUnit: 0.625 / 1e6,
  eventOnBus: 1 / 1e6,
  logGb: 0.5,
};
/** What cannot be measured on this machine, assumed: a warm call's billed time, and what it logs. */
const ASSUMED = { apiCallMs: 40, runnerCallMs: 120, memoryGb: 1, logBytesPerCall: 900 };
const PAYMENTS = 1e6;

interface Measured {
  readonly name: string;
  readonly rounds: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

const TABLE_NAME = 'bench';
const MERCHANT = 'bench';

async function main(): Promise<void> {
  const credentials = { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
  Object.assign(process.env, { ...credentials, TABLE_NAME, POWERTOOLS_LOG_LEVEL: 'WARN' });
  const store = await startStore(null);
  const meter = await startMeter(store.endpoint);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = meter.endpoint;
  await createTable(store.endpoint, TABLE_NAME);
  const { server, port } = await startServer(0, Promise.resolve());
  const receiver = createServer((_request, response) => response.writeHead(204).end());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  try {
    const call = await clientFor(port, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
    const measure = async (name: string, act: () => Promise<unknown>): Promise<Measured> => {
      meter.take();
      await act();
      return summarise(name, meter.take());
    };
    // Once before, so that connections are open and what a process remembers is remembered.
    const seen = await call('POST', '/payments', PAYMENT);
    await call('GET', `/payments/${seen.id}`);
    await run();

    const rows: Measured[] = [];
    let payment = { id: '' };
    rows.push(
      await measure('Create a payment', async () => {
        payment = await call('POST', '/payments', PAYMENT);
      }),
      await measure('Retrieve it', () => call('GET', `/payments/${payment.id}`)),
      await measure("The provider's word: succeeded", () =>
        call('POST', `/test/payments/${payment.id}/simulate`, { outcome: 'succeeded' }),
      ),
      await measure('Its three events, to one receiver', run),
    );
    let refund = { id: '' };
    rows.push(
      await measure('Request a refund', async () => {
        refund = await call('POST', `/payments/${payment.id}/refunds`, {});
      }),
      await measure('Cancel a refund', () => call('POST', `/refunds/${refund.id}/cancel`)),
      await measure('Cancel a payment', async () => {
        const { id } = await call('POST', '/payments', PAYMENT);
        meter.take();
        await call('POST', `/payments/${id}/cancel`);
      }),
      await measure('Create a payment link', () => call('POST', '/payment-links', LINK)),
      await measure('List 20 payments', async () => {
        for (let made = 0; made < 20; made += 1) {
          await call('POST', '/payments', PAYMENT);
        }
        meter.take();
        await call('GET', '/payments');
      }),
    );
    print(rows);
  } finally {
    server.closeAllConnections();
    server.close();
    receiver.closeAllConnections();
    receiver.close();
    meter.stop();
    await store.stop();
  }
}

const PAYMENT = {
  amount: { currency: 'THB', minor: 129_900 },
  method: 'promptpay',
  reference: 'order-1042',
  description: 'Two tickets',
  customer: { email: 'somchai@example.com', name: 'Somchai' },
};
const LINK = { amount: { type: 'fixed', fixed: { currency: 'THB', minor: 35_000 } } };

/** A merchant with one receiver of webhooks, and a way to call the API as that merchant. */
async function clientFor(port: number, receiverUrl: string) {
  const { issueApiKey } = await import('../../shared/store/api-key.ts');
  const order = { mode: 'test', permissions: PRESETS.owner, version: NEWEST_VERSION, label: null } as const;
  const { secret } = await issueApiKey({ merchant: MERCHANT, ...order }, Date.now());
  const { commit } = await import('../../shared/store/commit.ts');
  const { getWorld } = await import('../../shared/store/world.ts');
  const { insertSink } = await import('../../shared/store/sink.ts');
  const { aSink } = await import('../support/entities.ts');
  const world = await getWorld(worldIdOf(MERCHANT, 'test'));
  await commit(insertSink(world, aSink({ id: newId('snk', Date.now()), url: receiverUrl })));
  return async (method: string, address: string, body?: object): Promise<{ id: string }> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${address}`, {
      method,
      headers: {
        Authorization: `Bearer ${secret}`,
        ...(method === 'POST' && { 'Idempotency-Key': randomUUID() }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) {
      throw new Error(`${method} ${address} answered ${response.status}: ${await response.text()}`);
    }
    return (await response.json()) as { id: string };
  };
}

async function run(): Promise<void> {
  const { runWorld } = await import('../../shared/jobs/run-world.ts');
  await runWorld(worldIdOf(MERCHANT, 'test'), 10_000);
}

function summarise(name: string, calls: readonly Call[]): Measured {
  const sum = (unit: 'readUnits' | 'writeUnits') => calls.reduce((total, call) => total + call[unit], 0);
  return {
    name,
    rounds: sequentialRounds(calls),
    readUnits: sum('readUnits'),
    writeUnits: sum('writeUnits'),
  };
}

function print(rows: readonly Measured[]): void {
  console.log('| Operation | Sequential rounds | Read units | Write units | Store, $ per million |');
  console.log('|---|---:|---:|---:|---:|');
  for (const { name, rounds, readUnits, writeUnits } of rows) {
    const dollars = PAYMENTS * (readUnits * PRICES.readUnit + writeUnits * PRICES.writeUnit);
    console.log(`| ${name} | ${rounds} | ${readUnits} | ${writeUnits} | ${dollars.toFixed(2)} |`);
  }

  // Created, read once, paid, and its three events delivered to one receiver, in two runs of the job runner.
  const life = rows.slice(0, 4);
  const [reads, writes] = (['readUnits', 'writeUnits'] as const).map((unit) =>
    life.reduce((total, row) => total + row[unit], 0),
  ) as [number, number];
  const { apiCallMs, runnerCallMs, memoryGb, logBytesPerCall } = ASSUMED;
  const calls = 3;
  const runs = 2;
  const seconds = (calls * apiCallMs + runs * runnerCallMs) / 1_000;
  const costs: readonly (readonly [what: string, arithmetic: string, perPayment: number])[] = [
    ['API Gateway', `${calls} requests × $3.50`, calls * PRICES.apiRequest],
    ['DynamoDB, writes', `${writes} units × $0.625`, writes * PRICES.writeUnit],
    ['DynamoDB, reads', `${reads} units × $0.125`, reads * PRICES.readUnit],
    ['Lambda, requests', `${calls + runs} × $0.20`, (calls + runs) * PRICES.lambdaRequest],
    [
      'Lambda, time',
      `(${calls} × ${apiCallMs} ms + ${runs} × ${runnerCallMs} ms) × ${memoryGb} GB × $13.33`,
      seconds * memoryGb * PRICES.lambdaGbSecond,
    ],
    ['EventBridge', '1 event × $1.00', PRICES.eventOnBus],
    [
      'Logs',
      `${calls + runs} × ${logBytesPerCall} B × $0.50 a GB`,
      ((calls + runs) * logBytesPerCall * PRICES.logGb) / 1e9,
    ],
  ];
  console.log('\n| Of a million payments | Each | $ |\n|---|---|---:|');
  for (const [what, arithmetic, perPayment] of costs) {
    console.log(`| ${what} | ${arithmetic} | ${(perPayment * PAYMENTS).toFixed(2)} |`);
  }
  const total = costs.reduce((sum, [, , perPayment]) => sum + perPayment, 0);
  console.log(`| **Together** | | **${(total * PAYMENTS).toFixed(2)}** |`);
}

await main();
