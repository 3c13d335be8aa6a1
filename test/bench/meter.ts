import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call of the store, as it was seen on the wire. */
export interface Call {
  readonly operation: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface Meter {
  readonly endpoint: string;
  /** The calls since the last time, in the order in which they began. */
  take(): Call[];
  stop(): void;
}

const READS = new Set(['GetItem', 'BatchGetItem', 'Query', 'TransactGetItems']);
const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems']);

interface Capacity {
  readonly CapacityUnits?: number;
}

/** Stands between the service and a DynamoDB-compatible store, and has each call say what it costs. */
export async function startMeter(store: string): Promise<Meter> {
  let calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const startedAt = performance.now();
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const isMetered = READS.has(operation) || WRITES.has(operation);
    const text = Buffer.concat(await request.toArray()).toString();
    const body = isMetered
      ? JSON.stringify({ ...JSON.parse(text), ReturnConsumedCapacity: 'INDEXES' })
      : text;
    const { host: _host, 'content-length': _length, ...headers } = request.headers;
    const answer = await fetch(store, { method: 'POST', headers: headers as Record<string, string>, body });
    const answered = await answer.text();
    if (isMetered && answer.ok) {
      const { ConsumedCapacity = [] } = JSON.parse(answered) as { ConsumedCapacity?: Capacity | Capacity[] };
      const units = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
      const [readUnits, writeUnits] = READS.has(operation) ? [units, 0] : [0, units];
      calls.push({ operation, startedAt, endedAt: performance.now(), readUnits, writeUnits });
    }
    response.writeHead(answer.status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(answered);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = calls.toSorted((a, b) => a.startedAt - b.startedAt);
      calls = [];
      return taken;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** How many calls had to wait for one another: the longest chain of calls that do not overlap. */
export function sequentialRounds(calls: readonly Call[]): number {
  let rounds = 0;
  let lastEnd = Number.NEGATIVE_INFINITY;
  for (const { startedAt, endedAt } of calls.toSorted((a, b) => a.endedAt - b.endedAt)) {
    if (startedAt >= lastEnd) {
      rounds += 1;
      lastEnd = endedAt;
    }
  }
  return rounds;
}
