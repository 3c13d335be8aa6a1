import { randomUUID } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { startServer } from '../../infra/local/server.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/domain/clock.ts';
import type { Write } from '../../shared/store/commit.ts';
import { storePayments } from './engine-file.ts';
import { type Call, sequentialRounds } from './meter.ts';
import { openMerchant, startOwnStore, startReceiver } from './own-store.ts';
import { type Author, type Commit, livePayments, ORDER } from './payment-life.ts';
import { kindOf, WriteLedger } from './write-ledger.ts';

/* In a thread of its own: what the service really writes and reads for a payment, and what it asks of a store that is
 * fuller and fuller. Posts one `Stored`. */

export const STORED_COUNTS = [100, 1_000, 10_000] as const;

/** What one thing asks of the store. */
export interface Asked {
  readonly calls: number;
  readonly rounds: number;
  readonly reads: number;
  readonly writes: number;
}

/** What is asked of a store in which one merchant has so many payments. */
export interface AskedOf {
  readonly stored: number;
  readonly list: Asked;
  readonly tick: Asked;
  readonly purge: Asked;
  /** Of one deletion job, and how many items it deleted. */
  readonly deletion: Asked & { readonly items: number };
}

export interface Stored {
  /** Writes of one payment by kind of partition: as they were seen, and as they are made up. */
  readonly seen: Readonly<Record<string, number>>;
  readonly madeUp: Readonly<Record<string, number>>;
  /** Read units of one payment by kind of partition. */
  readonly reads: Readonly<Record<string, number>>;
  /** What the store says that all writes of one payment cost, and what is made up. */
  readonly units: { readonly seen: number; readonly madeUp: number };
  readonly asked: readonly AskedOf[];
}

const LIST_LIMIT = 20;
const DELETE_MS = 1_500;

interface Input {
  readonly TransactItems?: readonly Partial<Record<'Put' | 'Update' | 'Delete', Input>>[];
  readonly RequestItems?: Readonly<Record<string, readonly { readonly DeleteRequest?: object }[]>>;
  readonly Item?: Parameters<typeof unmarshall>[0];
  readonly Key?: Parameters<typeof unmarshall>[0];
  readonly ExpressionAttributeValues?: Parameters<typeof unmarshall>[0];
}

/** What went over the wire to the store since the last time. */
interface Recorded {
  readonly commits: Commit[];
  /** Units by kind of partition. */
  readonly reads: Record<string, number>;
  readonly deleted: number;
}

async function main(): Promise<Stored> {
  const { meter, table, stop } = await startOwnStore({ isMetered: true });
  const receiver = await startReceiver();
  const { server, port } = await startServer(0, Promise.resolve());
  try {
    const take = await record();
    const send = async (secret: string, method: string, path: string, body?: object) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${secret}`,
          'Content-Type': 'application/json',
          ...(method === 'POST' && { 'Idempotency-Key': randomUUID() }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) {
        throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
      }
      return (await answer.json()) as { id: string };
    };
    const ask = async (act: () => Promise<unknown>): Promise<Asked> => {
      meter.take();
      await act();
      return asked(meter.take());
    };
    const { runWorld } = await import('../../shared/flows/run-world.ts');
    const { findDueWorlds } = await import('../../shared/store/scheduler/due.ts');
    const { documents } = await import('../../shared/store/client.ts');

    const single = await openMerchant('single');
    await send(single.secret, 'GET', '/payments');
    take();
    meter.take();
    await liveReally(single, receiver.url, (method, path, body) => send(single.secret, method, path, body));
    const { commits, reads } = take();
    const { writes: seenUnits } = asked(meter.take());
    const madeUp = ledgerOf(livePayments(single, [Date.now()]));

    const rows: AskedOf[] = [];
    const merchants = [];
    for (const stored of STORED_COUNTS) {
      const merchant = await openMerchant(`with-${stored}`);
      merchants.push(merchant);
      await storePayments(table, documents, merchant, stored);
      // Once before, so that what a process remembers is remembered.
      await send(merchant.secret, 'GET', '/payments');
      const list = await ask(() => send(merchant.secret, 'GET', `/payments?limit=${LIST_LIMIT}`));
      const tick = await ask(() => findDueWorlds(Date.now()));
      rows.push({ stored, list, tick, purge: NOT_ASKED, deletion: { ...NOT_ASKED, items: 0 } });
    }
    for (const [place, merchant] of merchants.entries()) {
      const purge = await ask(() => send(merchant.secret, 'POST', '/test/data', {}));
      take();
      const deletion = await ask(() => runWorld(merchant.world.id, receiver.url, DELETE_MS));
      const items = take().deleted;
      rows[place] = { ...(rows[place] as AskedOf), purge, deletion: { ...deletion, items } };
    }
    return {
      seen: ledgerOf(commits).counts,
      madeUp: madeUp.counts,
      reads,
      units: { seen: seenUnits, madeUp: madeUp.units },
      asked: rows,
    };
  } finally {
    server.closeAllConnections();
    server.close();
    receiver.stop();
    await stop();
  }
}

const NOT_ASKED: Asked = { calls: 0, rounds: 0, reads: 0, writes: 0 };

/** The life that `livePayments` makes up, by the service itself. */
async function liveReally(
  { world }: Author,
  baseUrl: string,
  send: (method: string, path: string, body?: object) => Promise<{ id: string }>,
): Promise<void> {
  const { runWorld } = await import('../../shared/flows/run-world.ts');
  const { runDueJobs } = await import('../../shared/flows/run-due-jobs.ts');
  const { takeLease } = await import('../../shared/store/scheduler/lease.ts');
  const { getWorld } = await import('../../shared/store/world.ts');
  const { id } = await send('POST', '/payments', { ...ORDER, reference: 'order-P-000001' });
  await runWorld(world.id, baseUrl, MINUTE_MS);
  await send('POST', `/test/payments/${id}/simulate`, { outcome: 'succeeded' });
  await runWorld(world.id, baseUrl, MINUTE_MS);
  // As a run does it when the expiry is due, which is in a quarter of an hour.
  const lease = await takeLease(world, 'run');
  if (typeof lease === 'string') {
    throw new Error('somebody else runs the jobs');
  }
  const limits = {
    baseUrl,
    untilMs: Date.now() + DAY_MS,
    deadlineMs: Date.now() + MINUTE_MS,
    jobsMax: 1,
    lease,
  };
  await runDueJobs(await getWorld(world.id), limits);
  await lease.release();
}

/** Listens to the client of the store. */
async function record(): Promise<() => Recorded> {
  const { dynamodb } = await import('../../shared/store/client.ts');
  let recorded = { commits: [] as Commit[], reads: {} as Record<string, number>, deleted: 0 };
  dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const answer = await next(args);
        const input = args.input as Input;
        const { ConsumedCapacity } = answer.output as { ConsumedCapacity?: { CapacityUnits?: number } };
        const written = writtenBy(String(commandName), input);
        if (written !== null) {
          recorded.commits.push(written);
        } else if (input.RequestItems === undefined) {
          const pk = unmarshall(input.Key ?? input.ExpressionAttributeValues ?? {});
          const kind = kindOf(String(pk.pk ?? pk[':pk']));
          recorded.reads[kind] = (recorded.reads[kind] ?? 0) + (ConsumedCapacity?.CapacityUnits ?? 0);
        }
        const requests = Object.values(input.RequestItems ?? {}).flat();
        recorded.deleted += requests.filter(({ DeleteRequest }) => DeleteRequest !== undefined).length;
        return answer;
      },
    // After the document client has said it in DynamoDB's own types.
    { step: 'build', name: 'record' },
  );
  return () => {
    const taken = recorded;
    recorded = { commits: [], reads: {}, deleted: 0 };
    return taken;
  };
}

function writtenBy(commandName: string, input: Input): Commit | null {
  switch (commandName) {
    case 'PutItemCommand':
      return { atMs: 0, changes: [changeOf({ Put: input })], isTransaction: false };
    case 'UpdateItemCommand':
      return { atMs: 0, changes: [changeOf({ Update: input })], isTransaction: false };
    case 'TransactWriteItemsCommand':
      return { atMs: 0, changes: (input.TransactItems ?? []).map(changeOf), isTransaction: true };
    default:
      return null;
  }
}

function changeOf({ Put, Update, Delete }: Partial<Record<'Put' | 'Update' | 'Delete', Input>>): Write {
  const read = (item: Input['Item'] = {}) => unmarshall(item) as { pk: string; sk: string };
  if (Put !== undefined) {
    return { put: { item: read(Put.Item), condition: '' } };
  }
  if (Delete !== undefined) {
    return { remove: { key: read(Delete.Key), condition: '' } };
  }
  const values = read(Update?.ExpressionAttributeValues);
  return { update: { key: read(Update?.Key), expression: '', condition: '', values: { ...values } } };
}

function ledgerOf(commits: Iterable<Commit>) {
  const ledger = new WriteLedger();
  const counts: Record<string, number> = {};
  let units = 0;
  for (const commit of commits) {
    for (const write of ledger.writesOf(commit)) {
      const kind = `${write.place}: ${kindOf(write.pk)}`;
      counts[kind] = (counts[kind] ?? 0) + 1;
      units += write.units();
    }
  }
  return { counts, units };
}

function asked(calls: readonly Call[]): Asked {
  const sum = (unit: 'readUnits' | 'writeUnits') => calls.reduce((total, call) => total + call[unit], 0);
  return {
    calls: calls.length,
    rounds: sequentialRounds(calls),
    reads: sum('readUnits'),
    writes: sum('writeUnits'),
  };
}

parentPort?.postMessage(await main());
