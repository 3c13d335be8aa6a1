import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Units } from './cost.ts';

/** One call of the store, as it was seen on the wire. */
export interface Call {
  /** From when until when the service waited for it. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** As the service sent it. */
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Meter {
  readonly endpoint: string;
  /** The calls since the last time, but for the next ones. */
  take(): Call[];
  /** Those that logged requests of test worlds, since the last time: live mode has none of them. */
  takeLogging(): Call[];
  /**
   * Sends calls again, straight to the store: one after another, or together, as they were sent.
   * @returns how long that took, in milliseconds
   */
  replay(calls: readonly Call[]): Promise<number>;
  stop(): void;
}

const READS = new Set(['GetItem', 'BatchGetItem', 'Query', 'TransactGetItems']);
const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems']);

interface Capacity {
  readonly CapacityUnits?: number;
}

/**
 * Stands between the service and a DynamoDB-compatible store, and has each call say what it costs.
 * @param holdMs no answer is given sooner: calls that go out together within that time overlap however fast the store
 * is, and calls that wait for one another never do
 */
export async function startMeter(store: string, holdMs = 0): Promise<Meter> {
  let calls: Call[] = [];
  let logging: Call[] = [];
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (incoming, response) => {
    const startedAt = performance.now();
    const operation = operationOf(incoming);
    const isMetered = READS.has(operation) || WRITES.has(operation);
    const sent = await text(incoming);
    const body = isMetered
      ? JSON.stringify({ ...JSON.parse(sent), ReturnConsumedCapacity: 'INDEXES' })
      : sent;
    const { headers } = incoming;
    const { status, answer } = await post(store, agent, headers, body);
    if (isMetered) {
      const { ConsumedCapacity = [] } = JSON.parse(answer) as { ConsumedCapacity?: Capacity | Capacity[] };
      const units = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
      const [readUnits, writeUnits] = READS.has(operation) ? [units, 0] : [0, units];
      await sleep(Math.max(0, startedAt + holdMs - performance.now()));
      const list = sent.includes('#REQUESTS#') && WRITES.has(operation) ? logging : calls;
      list.push({ startedAt, endedAt: performance.now(), readUnits, writeUnits, headers, body: sent });
    }
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
    takeLogging: () => {
      const taken = logging;
      logging = [];
      return taken;
    },
    replay: async (recorded) => {
      const rounds = roundsOf(recorded).map((round) =>
        round.map(({ headers, body }) => ({ headers, body: repeatable(body) })),
      );
      const from = performance.now();
      for (const round of rounds) {
        const answers = await Promise.all(
          round.map(({ headers, body }) => post(store, agent, headers, body)),
        );
        const refused = answers.find(({ status }) => status !== 200);
        if (refused !== undefined) {
          throw new Error(`the store refused what it had taken before: ${refused.answer}`);
        }
      }
      return performance.now() - from;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

/** Over a connection that is kept open, as the service's own are. */
async function post(
  store: string,
  agent: Agent,
  { host: _host, 'content-length': _length, 'transfer-encoding': _encoding, ...headers }: IncomingHttpHeaders,
  body: string,
): Promise<{ readonly status: number; readonly answer: string }> {
  const length = { 'Content-Length': Buffer.byteLength(body) };
  const outgoing = request(store, { method: 'POST', agent, headers: { ...headers, ...length } }).end(body);
  const [incoming] = await once(outgoing, 'response');
  return { status: incoming.statusCode, answer: (await buffer(incoming)).toString() };
}

/** `GetItem` */
export function operationOf({ headers }: Pick<Call, 'headers'>): string {
  return String(headers['x-amz-target']).split('.')[1] ?? '';
}

type Timed = Pick<Call, 'startedAt' | 'endedAt'>;

/** The calls by how many others each had to wait for, one after another. */
export function roundsOf<Each extends Timed>(calls: readonly Each[]): Each[][] {
  const rounds: Each[][] = [];
  for (const call of calls.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const before = rounds.findLastIndex((round) => round.some(({ endedAt }) => endedAt <= call.startedAt));
    rounds[before + 1] = [...(rounds[before + 1] ?? []), call];
  }
  return rounds;
}

/** What calls cost together. */
export function unitsOf(calls: readonly Call[]): Units {
  const sum = (unit: keyof Units) => calls.reduce((total, call) => total + call[unit], 0);
  return { readUnits: sum('readUnits'), writeUnits: sum('writeUnits') };
}

/** How many calls had to wait for one another. */
export function sequentialRounds(calls: readonly Timed[]): number {
  return roundsOf(calls).length;
}

const CONDITION = 'ConditionExpression';

/** A call that the store takes a second time too: its conditions hold in any case, and it is not taken for a retry. */
export function repeatable(body: string): string {
  return JSON.stringify(JSON.parse(body), (name, value: unknown) => {
    if (name === CONDITION) {
      return `(${value}) OR attribute_not_exists(neverThere)`;
    }
    return name === 'ClientRequestToken' ? randomUUID() : value;
  });
}
