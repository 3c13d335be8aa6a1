import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DynamoDBRecord } from 'aws-lambda';
import { startBus } from '../../infra/local/bus.ts';
import { isWaking } from '../../infra/local/schedule.ts';
import { createTable, startStore } from '../../infra/local/store.ts';
import { TableStream } from '../../infra/local/stream.ts';
import { LIVE_JOBS_DUE, RECEIVER_DUE } from '../../shared/contract/bus.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { MODES } from '../../shared/domain/world.ts';
import { VARIABLES } from '../../shared/environment/variables.ts';
import { type Sent, send } from '../support/world/send.ts';
import { type Meter, startMeter } from './meter.ts';
import type { Addresses } from './service.ts';

export const TABLE_NAME = 'bench';
const BUS_NAME = 'bench';
/** As many records as the deployed runner gets at once. */
const RECORDS_AT_ONCE = 10;

export interface Merchant {
  readonly merchant: string;
  readonly secret: string;
}

/** A service on a store of the bench, whose workers run only on request. */
export interface Service {
  readonly api: string;
  /** Sends a request. @throws Error where it is refused */
  ask<Answer>(secret: string, row: Operation, sent?: Sent): Promise<Answer>;
  /** Calls what is beside the API: `service.ts` says what there is. */
  call<Answer>(what: string, fields?: object): Promise<Answer>;
  /** A merchant of its own, with so many receivers. */
  openMerchant(receivers: number): Promise<Merchant>;
  stop(): void;
}

/** Store, stream, bus and a receiver of webhooks, as the deployed stack has them, with a meter on the store. */
export interface Stand {
  readonly meter: Meter;
  readonly storeEndpoint: string;
  readonly tableName: string;
  /** Where the store keeps its data. */
  readonly file: string;
  readonly receiver: Receiver;
  /** @param endpoint of the store, or of the meter that stands before it */
  startService(endpoint: string): Promise<Service>;
  /** Has a service run its job runner for what the table's stream has delivered, until it delivers nothing new. */
  runFresh(service: Service): Promise<{ readonly runs: number }>;
  /** The records that the stream has delivered and that wake the runner, as it gets them. */
  takeFresh(): Promise<object[]>;
  /** Has a service run its clock tick, once. @returns the events that it put on the bus */
  tick(service: Service): Promise<object[]>;
  /** Has a service run its job runner for each event. */
  run(service: Service, events: readonly object[]): Promise<void>;
  stop(): Promise<void>;
}

interface StandOptions {
  /** See `startMeter`. */
  readonly holdMs?: number;
  /** Called with everything that the table's stream delivers. */
  readonly onRecords?: (records: readonly DynamoDBRecord[]) => void;
}

export async function startStand({ holdMs = 0, onRecords }: StandOptions = {}): Promise<Stand> {
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) {
    process.env[name] ??= 'local';
  }
  // In a file, for the engine's stream is kept fast there.
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-bench-'));
  const file = path.join(dir, 'payments.db');
  const store = await startStore(file);
  await createTable(store.endpoint, TABLE_NAME);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = store.endpoint;
  const stream = await TableStream.open(TABLE_NAME);
  if (stream === null) {
    throw new Error('the store has no stream');
  }
  const meter = await startMeter(store.endpoint, holdMs);
  const put: object[] = [];
  const bus = await startBus(BUS_NAME, (event) => put.push(event));
  const receiver = await startReceiver();
  const environment = {
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.endpoint,
    [VARIABLES.tableName]: TABLE_NAME,
    [VARIABLES.busName]: BUS_NAME,
    [VARIABLES.secretsFolder]: path.join(dir, 'secrets'),
    // So that deliveries do not count as requests.
    [VARIABLES.baseUrl]: receiver.url,
    POWERTOOLS_LOG_LEVEL: 'WARN',
    POWERTOOLS_METRICS_DISABLED: 'true',
  };
  const services: Service[] = [];

  const run = async (service: Service, events: readonly object[]) => {
    for (const event of events) {
      const what = (event as { 'detail-type'?: string })['detail-type'];
      const [worker, woken] = MODES.some((mode) => what === RECEIVER_DUE[mode].detailType)
        ? ['deliverer', { Records: [{ body: JSON.stringify(event) }] }]
        : [what === LIVE_JOBS_DUE.detailType ? 'live-job-runner' : 'job-runner', event];
      await service.call(`/workers/${worker}`, woken);
    }
  };
  const takeFresh = async () => {
    const delivered: DynamoDBRecord[] = [];
    // Each read gives a part of what there is.
    for (let part = await stream.read(); part.length > 0; part = await stream.read()) {
      delivered.push(...part);
    }
    onRecords?.(delivered);
    const records = delivered.filter((record) => MODES.some((mode) => isWaking(record, mode)));
    const batches = Array.from({ length: Math.ceil(records.length / RECORDS_AT_ONCE) }, (_, index) =>
      records.slice(index * RECORDS_AT_ONCE, (index + 1) * RECORDS_AT_ONCE),
    );
    return batches.map((Records) => ({ Records }));
  };
  return {
    meter,
    storeEndpoint: store.endpoint,
    tableName: TABLE_NAME,
    file,
    receiver,
    startService: async (endpoint) => {
      const env = { ...process.env, ...environment, AWS_ENDPOINT_URL_DYNAMODB: endpoint };
      const service = await startService(env);
      services.push(service);
      return service;
    },
    runFresh: async (service) => {
      let runs = 0;
      for (let events = await takeFresh(); events.length > 0; events = await takeFresh()) {
        await run(service, events);
        await run(service, put.splice(0));
        runs += events.length;
      }
      return { runs };
    },
    takeFresh,
    tick: async (service) => {
      await service.call('/workers/clock-tick');
      return put.splice(0);
    },
    run,
    stop: async () => {
      for (const service of services) {
        service.stop();
      }
      receiver.stop();
      bus.stop();
      meter.stop();
      await store.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function startService(env: NodeJS.ProcessEnv): Promise<Service> {
  const child = fork(new URL('./service.ts', import.meta.url), { env });
  const [{ api, inside }] = (await once(child, 'message')) as [Addresses];
  const service: Service = {
    api,
    ask: async <Answer>(secret: string, row: Operation, sent?: Sent) => {
      const { response, text } = await send(api, secret, row, sent);
      if (response.status !== row.success.status) {
        throw new Error(`${row.id} answered ${response.status}: ${text}`);
      }
      return JSON.parse(text) as Answer;
    },
    call: async <Answer>(what: string, fields: object = {}) => {
      const response = await fetch(inside + what, { method: 'POST', body: JSON.stringify(fields) });
      const answer = await response.text();
      if (!response.ok) {
        throw new Error(`${what}: ${answer}`);
      }
      return JSON.parse(answer) as Answer;
    },
    openMerchant: async (receivers) => {
      const merchant = `bench-${randomUUID()}`;
      const secret = await service.call<string>('/key', { merchant });
      // A service that has seen a key knows its world.
      await service.ask(secret, operations.getClock);
      for (let made = 0; made < receivers; made += 1) {
        await service.ask(secret, operations.createWebhookSink, { body: {} });
      }
      return { merchant, secret };
    },
    stop: () => child.disconnect(),
  };
  return service;
}

/** A receiver of webhooks that takes everything: it stands where the service says that its sinks are. */
interface Receiver {
  readonly url: string;
  /** How many deliveries came since the last time. */
  take(): number;
  stop(): void;
}

async function startReceiver(): Promise<Receiver> {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    request.resume();
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    take: () => {
      const taken = received;
      received = 0;
      return taken;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
