import { once } from 'node:events';
import { Agent, createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** One call of the store, as it was seen on the wire. */
export interface Call {
  readonly operation: string;
  /** From when until when the service waited for it. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** How long the store itself took. */
  readonly storeMs: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface Meter {
  readonly endpoint: string;
  /** The calls since the last time. */
  take(): Call[];
  stop(): void;
}

/**
 * No answer is given sooner. Calls that go out together do so within a few milliseconds: held for longer than that,
 * they overlap however fast the store is, and calls that wait for one another never do.
 */
const HOLD_MS = 12;

const READS = new Set(['GetItem', 'BatchGetItem', 'Query', 'TransactGetItems']);
const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems']);

interface Capacity {
  readonly CapacityUnits?: number;
}

/** Stands between the service and a DynamoDB-compatible store, and has each call say what it costs. */
export async function startMeter(store: string): Promise<Meter> {
  let calls: Call[] = [];
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (incoming, response) => {
    const startedAt = performance.now();
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    const isMetered = READS.has(operation) || WRITES.has(operation);
    const sent = await text(incoming);
    const body = isMetered
      ? JSON.stringify({ ...JSON.parse(sent), ReturnConsumedCapacity: 'INDEXES' })
      : sent;
    const sentAt = performance.now();
    const { status, answer } = await post(store, agent, incoming.headers, body);
    const storeMs = performance.now() - sentAt;
    if (isMetered) {
      const { ConsumedCapacity = [] } = JSON.parse(answer) as { ConsumedCapacity?: Capacity | Capacity[] };
      const units = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
      const [readUnits, writeUnits] = READS.has(operation) ? [units, 0] : [0, units];
      await sleep(Math.max(0, startedAt + HOLD_MS - performance.now()));
      calls.push({ operation, startedAt, endedAt: performance.now(), storeMs, readUnits, writeUnits });
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

/** How many calls had to wait for one another. */
export function sequentialRounds(calls: readonly Call[]): number {
  return longestChain(calls, () => 1);
}

/** How long the store took along the longest chain of calls that waited for one another: nobody can be faster. */
export function bareMs(calls: readonly Call[]): number {
  return longestChain(calls, ({ storeMs }) => storeMs);
}

/** The heaviest chain of calls each of which began after the one before had ended. */
function longestChain(calls: readonly Call[], weigh: (call: Call) => number): number {
  const chains: { readonly endedAt: number; readonly weight: number }[] = [];
  for (const call of calls.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const before = chains.filter(({ endedAt }) => endedAt <= call.startedAt).map(({ weight }) => weight);
    chains.push({ endedAt: call.endedAt, weight: weigh(call) + Math.max(0, ...before) });
  }
  return Math.max(0, ...chains.map(({ weight }) => weight));
}
