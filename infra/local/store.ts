import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { readVariable, VARIABLES } from '../../shared/environment/variables.ts';
import { INDEXES, TABLE } from '../../shared/store/table/table.ts';
import { closedEndpoint } from './closed-endpoint.ts';
import { chooseEngine, type Engine, type Surroundings, USUAL_JARS } from './engine-choice.ts';
import { startEngine } from './engine-process.ts';
import { type LastingEngine, startLasting } from './lasting-engine.ts';
import { openStreamRecords } from './stream-records.ts';

const REACHED_WITHIN_MS = 3_000;
/** The memory disk of Linux. */
const MEMORY_DISK = '/dev/shm';
const MEMORY_DISK_MIN_BYTES = 1_024 ** 3;

/** A running DynamoDB-compatible engine. */
export interface Store {
  readonly endpoint: string;
  /** Resolves with the reason when the engine has ended and cannot be restarted. */
  readonly lost: Promise<Error>;
  /** Allows the engine to drop the stream records of a table before this one, since they were read. */
  readUntil(tableName: string, sequenceNumber: string): void;
  stop(): Promise<void>;
}

/** An engine that this process starts. */
export interface EmbeddedStore extends Store {
  /** Ends it like a crash of the whole machine, without time to write anything. */
  kill(): Promise<void>;
}

/**
 * Starts the engine of this machine. When it ends by itself, it is restarted.
 * @param file where it stores its data; null keeps it in memory, so that an engine that ends is lost
 * @param givenEndpoint where it listens; by default at a free port to which no browser connects
 * @throws Error if this machine has no engine, or if it does not start
 */
export async function startStore(file: string | null, givenEndpoint?: string): Promise<EmbeddedStore> {
  const engine = chooseEngine(surroundings());
  const endpoint = givenEndpoint ?? (await closedEndpoint());
  if (file === null) {
    const folder = engine.name === 'dynoxide' ? newFolderInMemory() : null;
    const fileInMemory = folder && path.join(folder, 'payments.db');
    const running = await startEngine(engine, endpoint, fileInMemory, folder);
    const lost = running.ended.then(
      () => new Error("The store's engine ended, and the data that it kept in memory is gone."),
    );
    return toStore(engine, endpoint, fileInMemory, { ...running, lost });
  }
  return toStore(engine, endpoint, file, await startLasting(() => startEngine(engine, endpoint, file)));
}

function toStore(
  { name, program }: Engine,
  endpoint: string,
  file: string | null,
  { lost, stop, kill }: LastingEngine,
): EmbeddedStore {
  const records = name === 'dynoxide' && file !== null ? openStreamRecords(program, file) : null;
  return {
    endpoint,
    lost,
    readUntil: (tableName, sequenceNumber) => records?.forget(tableName, sequenceNumber),
    stop: async () => {
      records?.close();
      await stop();
    },
    kill: async () => {
      records?.close();
      await kill();
    },
  };
}

/**
 * A folder on a memory disk, for a file whose stream records can be deleted: without a file, dynoxide keeps all of
 * them, which slows down every write. Null if this machine has no memory disk.
 */
function newFolderInMemory(): string | null {
  const disk = memoryDisk();
  return disk && mkdtempSync(path.join(disk, 'payments-'));
}

/** The folder of a memory disk. Null if this machine has none, or a small one, as containers do. @internal */
export function memoryDisk(): string | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return bavail * bsize < MEMORY_DISK_MIN_BYTES ? null : MEMORY_DISK;
  } catch {
    return null;
  }
}

/**
 * Connects to an external engine.
 * @param endpoint its URL
 * @throws Error that names the URL, if no DynamoDB-compatible engine responds there
 */
export async function reachStore(endpoint: string): Promise<Store> {
  const client = new DynamoDBClient({ endpoint, maxAttempts: 1 });
  try {
    await client.send(new ListTablesCommand({}), { abortSignal: AbortSignal.timeout(REACHED_WITHIN_MS) });
  } catch (error) {
    const { name, message, code = name } = error as Error & { code?: string };
    throw new Error(
      `AWS_ENDPOINT_URL_DYNAMODB names ${endpoint}, and no DynamoDB-compatible engine responds there (${message === '' ? code : message}). Start one, or leave the variable out.`,
    );
  } finally {
    client.destroy();
  }
  return {
    endpoint,
    lost: new Promise(() => undefined),
    readUntil: () => undefined,
    stop: async () => undefined,
  };
}

/** Creates the table of `store/table/table.ts` if it does not exist. */
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

function keySchema({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}

function surroundings(): Surroundings {
  const namedJars = readVariable('jars');
  if (namedJars !== undefined && !existsSync(namedJars)) {
    throw new Error(`${VARIABLES.jars} names ${namedJars}, and there is no such folder.`);
  }
  const usualJars = path.join(homedir(), ...USUAL_JARS);
  return {
    platform: process.platform,
    arch: process.arch,
    folderOfPackage,
    namedJars,
    usualJars: existsSync(usualJars) ? usualJars : null,
    // Checked only if needed, since it takes a while.
    hasJava: () => spawnSync('java', ['-version'], { stdio: 'ignore' }).status === 0,
  };
}

function folderOfPackage(name: string): string | null {
  try {
    return path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}
