import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTable, startStore } from '../../infra/local/store.ts';
import { PRESETS } from '../../shared/contract/permissions.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { newId } from '../../shared/domain/id.ts';
import { worldIdOf } from '../../shared/domain/world.ts';
import { aSink } from '../support/entities.ts';
import type { FileTable } from './engine-file.ts';
import { type Meter, startMeter } from './meter.ts';
import type { Author } from './payment-life.ts';

const TABLE_NAME = 'bench';

/** A store for one thread: the client of the store takes the first one that it is told of, and keeps it. */
export interface OwnStore {
  readonly meter: Meter;
  readonly table: FileTable;
  stop(): Promise<void>;
}

/** @param isMetered the meter stands in between and costs time: not where time is what counts */
export async function startOwnStore({ isMetered }: { isMetered: boolean }): Promise<OwnStore> {
  // In a file, for the engine's stream is kept fast there.
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-bench-'));
  const file = path.join(dir, 'payments.db');
  const store = await startStore(file);
  await createTable(store.endpoint, TABLE_NAME);
  const meter = await startMeter(store.endpoint);
  process.env.TABLE_NAME = TABLE_NAME;
  process.env.AWS_ENDPOINT_URL_DYNAMODB = isMetered ? meter.endpoint : store.endpoint;
  const stop = async () => {
    meter.stop();
    await store.stop();
    await rm(dir, { recursive: true, force: true });
  };
  return { meter, table: { file, tableName: TABLE_NAME }, stop };
}

/** A receiver of webhooks that takes everything: it stands where the service says that its sinks are. */
export async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A merchant with a key and one sink. */
export async function openMerchant(merchant: string): Promise<Author & { secret: string }> {
  const { issueApiKey } = await import('../../shared/store/api-key.ts');
  const { commit } = await import('../../shared/store/commit.ts');
  const { writeSink } = await import('../../shared/store/testkit/sinks.ts');
  const { getWorld } = await import('../../shared/store/world.ts');
  const order = { mode: 'test', permissions: PRESETS.owner, version: NEWEST_VERSION, label: null } as const;
  const { secret } = await issueApiKey({ merchant, ...order }, 'bench', Date.now());
  const world = await getWorld(worldIdOf(merchant, 'test'));
  const sink = aSink({ id: newId('snk', Date.now()), token: merchant });
  await commit(writeSink(world, null, sink));
  return { world, sink, secret };
}
