import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { BASE_URL_VARIABLE } from '../../shared/contract/base-url.ts';
import { PRESETS } from '../../shared/contract/permissions.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { hashSecret, keyRefusal } from '../../shared/domain/api-key.ts';
import { TABLE_NAME_VARIABLE } from '../../shared/store/table.ts';
import { actorOf } from '../cli/actor.ts';
import { runCommand } from '../cli/command.ts';
import { startSchedule } from './schedule.ts';
import { startServer } from './server.ts';
import { createTable, type EmbeddedStore, startStore } from './store.ts';

/*
 * npm start: the whole service on this machine. The functions, routes and events are those of the deployed stack;
 * the store is an embedded DynamoDB-compatible engine, or the one that AWS_ENDPOINT_URL_DYNAMODB names.
 */

const USAGE = `Usage:
  npm start [-- --fresh] [--dir PATH]

  --fresh      begins with nothing: what the folder holds of before is deleted
  --dir PATH   where the data is kept (default .local)

  PORT=4011 npm start takes another port than 4010.
`;

const DEFAULT_PORT = 4_010;
const LOOPBACK = '127.0.0.1';
const DEFAULT_DIR = '.local';
const DEFAULT_TABLE = 'payments-local';
const DEMO_MERCHANT = 'demo';
const DATA_FILES = ['payments.db', 'payments.db-wal', 'payments.db-shm', 'service.json'];

/** What the running service says about itself, for tools: `.local/service.json`. */
interface ServiceFile {
  readonly baseUrl: string;
  readonly tableName: string;
  readonly dynamodbEndpoint: string;
  readonly key: string;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { fresh: { type: 'boolean', default: false }, dir: { type: 'string', default: DEFAULT_DIR } },
  });
  const dir = path.resolve(values.dir);
  await keepToOneself(dir, dir === path.resolve(DEFAULT_DIR));

  setDefaults({
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    [TABLE_NAME_VARIABLE]: DEFAULT_TABLE,
    // A log line for each request would hide the printed introduction; set INFO to see them.
    POWERTOOLS_LOG_LEVEL: 'WARN',
    // Metrics are log lines too, and nothing collects them here.
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
  // The port first: a second start must fail before it touches the first one's data.
  const opening = Promise.withResolvers<void>();
  const { server, port } = await startServer(readPort(), opening.promise).catch(explainBusyPort);
  // For the workers, which have no request to take the base URL from.
  process.env[BASE_URL_VARIABLE] ||= `http://127.0.0.1:${port}`;
  if (values.fresh) {
    await Promise.all(DATA_FILES.map((name) => rm(path.join(dir, name), { force: true })));
  }
  const store = await openStore(path.join(dir, 'payments.db'));
  process.env.AWS_ENDPOINT_URL_DYNAMODB = store.endpoint;
  const tableName = String(process.env[TABLE_NAME_VARIABLE]);
  await createTable(store.endpoint, tableName);
  const schedule = await startSchedule(store.endpoint, tableName);
  opening.resolve();

  const file = path.join(dir, 'service.json');
  const service: ServiceFile = {
    baseUrl: `http://127.0.0.1:${port}`,
    tableName,
    dynamodbEndpoint: store.endpoint,
    key: await demoKey(file),
  };
  await writeFile(file, `${JSON.stringify(service, null, 2)}\n`);
  introduce(service);

  const stop = async () => {
    // First, since its deliveries go to sinks on this server.
    await schedule.stop();
    server.close();
    server.closeIdleConnections();
    await store.stop();
    process.exit(0);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

/**
 * Makes the data unreadable for other users of this machine: new files, the engine's included, and those of earlier
 * starts.
 * @param isOwn whether the folder belongs to this service alone, so that its mode may be changed
 */
async function keepToOneself(dir: string, isOwn: boolean): Promise<void> {
  process.umask(0o077);
  await mkdir(dir, { recursive: true });
  await Promise.all([
    ...(isOwn ? [chmod(dir, 0o700)] : []),
    ...DATA_FILES.map((name) => chmod(path.join(dir, name), 0o600).catch(unlessMissing)),
  ]);
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') {
    throw error;
  }
}

function setDefaults(defaults: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(defaults)) {
    process.env[name] ??= value;
  }
}

function readPort(): number {
  const port = Number(process.env.PORT ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error('PORT must be a number from 0 to 65535.');
  }
  return port;
}

function explainBusyPort(error: Error & { code?: string }): never {
  const { code } = error;
  throw code === 'EADDRINUSE'
    ? new Error(
        `Port ${readPort()} is in use. Stop what runs there, or choose another one: PORT=4011 npm start`,
      )
    : error;
}

async function openStore(dataFile: string): Promise<Omit<EmbeddedStore, 'kill'>> {
  const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  return endpoint === undefined ? startStore(dataFile) : { endpoint, stop: async () => undefined };
}

/** The demo merchant's owner key: that of the last start, if it still works, or a new one. */
async function demoKey(file: string): Promise<string> {
  // Loaded here because the client reads its endpoint from the environment.
  const { findApiKey, issueApiKey } = await import('../../shared/store/api-key.ts');
  const known = await readFile(file, 'utf8').then(
    (text) => (JSON.parse(text) as ServiceFile).key,
    () => null,
  );
  const stored = known === null ? null : await findApiKey(hashSecret(known));
  if (known !== null && stored !== null && keyRefusal(stored, Date.now(), LOOPBACK) === null) {
    return known;
  }
  const order = {
    merchant: DEMO_MERCHANT,
    mode: 'test',
    version: NEWEST_VERSION,
    label: 'npm start',
  } as const;
  const { secret } = await issueApiKey(
    { ...order, permissions: PRESETS.owner },
    await actorOf({}),
    Date.now(),
  );
  return secret;
}

function introduce({ baseUrl, key }: ServiceFile): void {
  console.log(`
  The payment service is running.

  Base URL   ${baseUrl}
  Test key   ${key}   (merchant "${DEMO_MERCHANT}", all permissions)
  Console    ${baseUrl}/console
  OpenAPI    ${baseUrl}/api/v1/openapi.json

  A first payment:

curl -s ${baseUrl}/api/v1/payments \\
  -H "Authorization: Bearer ${key}" \\
  -H "Idempotency-Key: $(date +%s%N)" \\
  -H "Content-Type: application/json" \\
  -d '{"amount":{"currency":"THB","minor":129900},"method":"promptpay"}'

  Ctrl-C stops it. The data stays in .local/ until "npm start -- --fresh".
`);
}

runCommand('npm start', USAGE, main);
