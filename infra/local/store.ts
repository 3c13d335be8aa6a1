import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { INDEXES, TABLE } from '../../shared/store/table.ts';

const READY_WITHIN_MS = 5_000;
const READY_POLL_MS = 20;
const DATA_BUSY_MS = 2_000;

/** A DynamoDB-compatible engine that runs beside this process. */
export interface EmbeddedStore {
  readonly endpoint: string;
  stop(): Promise<void>;
  /** Ends it as a crash does, without a moment to write anything down. */
  kill(): Promise<void>;
}

/**
 * Starts the embedded engine.
 * @param file where it keeps its data; null keeps it in memory
 * @param givenPort where it listens; by default where nobody else does
 * @throws Error where the engine is not installed for this platform, or does not start
 */
export async function startStore(file: string | null, givenPort?: number): Promise<EmbeddedStore> {
  const port = givenPort ?? (await freePort());
  const args = [
    'serve',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    ...(file === null ? [] : ['--db-path', file]),
  ];
  // The shell stops the engine when its standard input closes, so even after a kill -9 of this process no engine is left.
  // A process group of its own keeps Ctrl-C from stopping the engine before running requests have ended.
  const shell = spawn(
    'sh',
    ['-c', '"$0" "$@" </dev/null & engine=$!; cat >/dev/null; kill $engine', engine(), ...args],
    {
      stdio: ['pipe', 'ignore', 'pipe'],
      detached: true,
    },
  );
  const endpoint = `http://127.0.0.1:${port}`;
  const stop = () => stopProcess(shell);
  try {
    await untilReady(endpoint, shell);
    if (file !== null) {
      keepStreamFast(file);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, stop, kill: () => killGroup(shell) };
}

/** Creates the table of `store/table.ts` where it is not there yet. */
export async function createTable(endpoint: string, tableName: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  const keys = [TABLE, ...Object.values(INDEXES)];
  const attributes = new Set(keys.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]));
  const command = new CreateTableCommand({
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...attributes].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: keySchema(TABLE),
    GlobalSecondaryIndexes: Object.entries(INDEXES).map(([name, key]) => ({
      IndexName: name,
      KeySchema: keySchema(key),
      Projection: { ProjectionType: 'KEYS_ONLY' },
    })),
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  });
  try {
    await client.send(command);
  } catch (error) {
    if ((error as Error).name !== 'ResourceInUseException') {
      throw error;
    }
  } finally {
    client.destroy();
  }
}

/**
 * To number a stream record, the engine reads all earlier ones, and it never deletes any: 50,000 make every write
 * 30 ms slower. So old records are deleted at the start, and an index finds the last number.
 */
function keepStreamFast(file: string): void {
  const data = new DatabaseSync(file, { timeout: DATA_BUSY_MS });
  try {
    data.exec(`
      DELETE FROM _stream_records;
      CREATE INDEX IF NOT EXISTS stream_numbers ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
    `);
  } finally {
    data.close();
  }
}

function keySchema({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}

function engine(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
    return path.join(path.dirname(manifest), 'dynoxide');
  } catch {
    throw new Error(
      'The embedded store is available for Linux on x64 only. Start any DynamoDB-compatible engine (DynamoDB Local, for example) and name it: AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000 npm start',
    );
  }
}

async function untilReady(endpoint: string, shell: ChildProcess): Promise<void> {
  let complaint = '';
  shell.stderr?.on('data', (chunk) => {
    complaint += String(chunk);
  });
  const client = new DynamoDBClient({ endpoint, maxAttempts: 1 });
  const giveUpAt = Date.now() + READY_WITHIN_MS;
  try {
    while (Date.now() < giveUpAt) {
      try {
        await client.send(new ListTablesCommand({}));
        return;
      } catch {
        await sleep(READY_POLL_MS);
      }
    }
  } finally {
    client.destroy();
  }
  throw new Error(`The embedded store did not come up. ${complaint}`);
}

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function stopProcess(shell: ChildProcess): Promise<void> {
  if (shell.exitCode === null && shell.signalCode === null) {
    shell.stdin?.end();
    await once(shell, 'exit');
  }
}

async function killGroup(shell: ChildProcess): Promise<void> {
  if (shell.pid !== undefined && shell.exitCode === null && shell.signalCode === null) {
    process.kill(-shell.pid, 'SIGKILL');
    await once(shell, 'exit');
  }
}
