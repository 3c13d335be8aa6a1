import path from 'node:path';
import { renderUnicodeCompact } from 'uqr';
import { functionNameOf } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { PRESETS } from '../../shared/contract/permissions.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { type ApiKey, keyRefusal } from '../../shared/domain/api-key.ts';
import { SECOND_MS, toTimestamp } from '../../shared/domain/clock.ts';
import { readVariable, requireVariable, VARIABLES } from '../../shared/environment/variables.ts';
import { apiUrlVariable, configuredOrigin, PROVIDER_KINDS } from '../../shared/providers/provider-kinds.ts';
import { FolderInUse } from '../machine/folder-lock.ts';
import { localUser } from '../machine/local-user.ts';
import { registerService } from '../machine/running-services.ts';
import { readServiceFile, type ServiceFile } from '../machine/service-file.ts';
import { stateFolderFor } from '../machine/state-folder.ts';
import { writeWhole } from '../machine/write-whole.ts';
import { runCommand } from '../terminal/command.ts';
import type { ValuesOf } from '../terminal/option-form.ts';
import { DEFAULT_PORT, START_FORM } from '../terminal/options.ts';
import { complain, say, sayJson } from '../terminal/output.ts';
import { PROGRAM, startWith } from '../terminal/program-name.ts';
import { END_SIGNALS } from '../terminal/undo-at-end.ts';
import { collectWhenIdle } from './collect-when-idle.ts';
import { type DataFolder, explained, takeFolder } from './data-folder.ts';
import { loadFunction } from './function.ts';
import { folderOnLeash, onLeashEnd } from './leash.ts';
import { type Reachability, reachabilityOf } from './reachability.ts';
import { type HandledRequest, requestLine } from './request-line.ts';
import { prepareSchedule } from './schedule-thread.ts';
import { startServer } from './server.ts';
import { checkSettings, givenTestKey } from './settings.ts';
import { shareEngine } from './share-engine.ts';
import { shiftClock } from './shifted-clock.ts';
import { skipSignatures } from './skip-signatures.ts';
import { createTable, reachStore, type Store, startStore } from './store.ts';

/*
 * The whole service on this machine. The functions, routes and events are those of the deployed stack;
 * the store is an embedded DynamoDB-compatible engine, or the one that AWS_ENDPOINT_URL_DYNAMODB names.
 */

const LOOPBACK = '127.0.0.1';
/** Without `--` before them, npm takes --quiet and --silent for its own level of logging: they mean the same here. */
const QUIET_LEVELS: ReadonlySet<string> = new Set(['warn', 'silent']);
const DEFAULT_TABLE = 'payments-local';
const DEMO_MERCHANT = 'demo';
const PAUSED_LINE = '\n  Workers    off: nothing is delivered, and no job runs (WORKERS=off)';
const FIRST_FUNCTION = functionNameOf(operations.createPayment);

/** Where the data is stored, and whether it is kept after the end. */
interface StartOptions {
  readonly dir: string;
  readonly inMemory: boolean;
  readonly isFresh: boolean;
  readonly isQuiet: boolean;
  readonly port: number;
  readonly reachability: Reachability;
  /** Whether phones are to open it. */
  readonly isLan: boolean;
  /** Whether it runs beside a service that holds the folder: then it has another folder, and another port. */
  readonly isBeside: boolean;
  /** Whether another program started it, and ends it. */
  readonly isOnLeash: boolean;
  /** How far its clock is ahead. */
  readonly aheadMs: number;
  /** The URL of an external engine; undefined if one is started. */
  readonly endpoint: string | undefined;
}

/** What was typed. */
export type StartValues = ValuesOf<typeof START_FORM.options>;

/** A service of this process. */
export interface RunningHost {
  readonly service: ServiceFile;
  readonly dir: string;
  /** Resolves with the reason when it cannot go on. */
  readonly lost: Promise<Error>;
  /** Waits shortly for what runs, and ends it. */
  end(): Promise<void>;
}

/**
 * Starts the service in this process, and prints where it is.
 * @throws Error with a sentence for the user; until the folder is prepared, nothing was changed
 */
export async function startHost(values: StartValues): Promise<RunningHost> {
  const keeping = readOptions(values);
  const host = await openHost(keeping);
  endOnce(host, keeping.isOnLeash);
  if (keeping.isOnLeash) {
    sayJson({ baseUrl: host.service.baseUrl, key: host.service.key });
  } else {
    introduce(host.service, keeping);
  }
  return host;
}

/**
 * Starts a service in this process that keeps nothing and prints nothing, beside any other.
 * @throws Error with a sentence for the user
 */
export function startInMemory(): Promise<RunningHost> {
  const nothing = { fresh: false, memory: false, dir: undefined, ahead: undefined, lan: false };
  return openHost(
    readOptions({
      ...nothing,
      leash: true,
      quiet: true,
      port: '0',
      host: undefined,
      'public-url': undefined,
    }),
  );
}

/** @throws Error for settings that contradict each other */
function readOptions(values: StartValues): StartOptions {
  checkSettings(process.env);
  if (values.leash && values.dir !== undefined) {
    throw new Error('--leash takes a folder of its own: leave out --dir.');
  }
  const keeping: StartOptions = {
    dir: values.leash ? folderOnLeash() : path.resolve(values.dir ?? stateFolderFor(process.cwd())),
    inMemory: values.memory || values.leash,
    port: Number(values.port ?? process.env.PORT ?? DEFAULT_PORT),
    isLan: values.lan,
    reachability: reachabilityOf({
      host: values.host,
      lan: values.lan,
      publicUrl: values['public-url'] ?? (readVariable('baseUrl') || undefined),
    }),
    isBeside: false,
    isOnLeash: values.leash,
    isFresh: values.fresh,
    isQuiet: values.leash || values.quiet || QUIET_LEVELS.has(process.env.npm_config_loglevel ?? ''),
    aheadMs: (values.ahead ?? 0) * SECOND_MS,
    endpoint: process.env.AWS_ENDPOINT_URL_DYNAMODB || undefined,
  };
  if (keeping.inMemory && keeping.endpoint !== undefined) {
    throw new Error(
      `${values.leash ? '--leash' : '--memory'} starts an engine, and AWS_ENDPOINT_URL_DYNAMODB names one: choose one of the two.`,
    );
  }
  if (keeping.aheadMs > 0) {
    requireLocalProviders();
    shiftClock(keeping.aheadMs);
  }
  return keeping;
}

async function openHost(keeping: StartOptions): Promise<RunningHost> {
  try {
    return await open(keeping);
  } catch (error) {
    // What is kept in memory needs no folder that another service holds.
    if (error instanceof FolderInUse && keeping.inMemory) {
      return open({ ...keeping, dir: folderOnLeash(), isBeside: true });
    }
    throw explained(error as Error, keeping.dir);
  }
}

/** Settings of a service on this machine, unless the environment has others. */
const DEFAULTS = {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  [VARIABLES.tableName]: DEFAULT_TABLE,
  // A log line for each request would hide the printed introduction. Set INFO to see them.
  POWERTOOLS_LOG_LEVEL: 'WARN',
  // Metrics are log lines too, and nothing collects them here.
  POWERTOOLS_METRICS_DISABLED: 'true',
};

async function open(keeping: StartOptions): Promise<RunningHost> {
  const folder = await takeFolder(keeping.dir, {
    isFresh: keeping.isFresh,
    holdsData: !keeping.inMemory && keeping.endpoint === undefined,
    inMemory: keeping.inMemory,
  });
  setDefaults(DEFAULTS);
  const tableName = requireVariable('tableName');
  const isEngineOwn = keeping.endpoint === undefined;
  const schedule = prepareSchedule({ tableName, isEngineOwn, aheadMs: keeping.aheadMs }, (number) =>
    store.readUntil(tableName, number),
  );
  const opening = Promise.withResolvers<void>();
  const print = keeping.isQuiet ? undefined : (handled: HandledRequest) => say(requestLine(handled));
  const { servers, port } = await startServer(
    keeping.isBeside ? 0 : keeping.port,
    opening.promise,
    {},
    print,
    keeping.reachability,
  ).catch((error) => explainBusyPort(error, keeping));
  // For the workers, which have no request to take the base URL from.
  process.env[VARIABLES.baseUrl] = keeping.reachability.baseUrl(port) ?? `http://127.0.0.1:${port}`;
  process.env[VARIABLES.secretsFolder] = folder.secretsFolder;
  await folder.prepare();
  const opened = openStore(keeping, folder);
  // Meanwhile: most services serve it first, and it loads what most others need.
  const loaded = loadFunction(FIRST_FUNCTION);
  const store = await opened;
  process.env.AWS_ENDPOINT_URL_DYNAMODB = store.endpoint;
  await createTable(store.endpoint, tableName);
  if (isEngineOwn) {
    await Promise.all([skipSignatures(), shareEngine()]);
  }
  if (keeping.reachability.isOpen) {
    await requireNoLiveMoney();
  }
  const begun = isPaused() ? null : schedule.begin();
  const [key] = await Promise.all([demoKey(folder.serviceFile), begun, loaded]);
  opening.resolve();
  collectWhenIdle();

  const service: ServiceFile = {
    baseUrl: `http://127.0.0.1:${port}`,
    tableName,
    dynamodbEndpoint: store.endpoint,
    secretsFolder: folder.secretsFolder,
    key,
    pid: process.pid,
  };

  await writeWhole(folder.serviceFile, service);
  const unregister = keeping.isOnLeash ? () => undefined : registerService(keeping.dir);
  return {
    service,
    dir: keeping.dir,
    lost: Promise.race([store.lost, schedule.lost]),
    end: async () => {
      // First, since its deliveries go to sinks on this server.
      await schedule.stop();
      for (const server of servers) {
        server.close();
        server.closeIdleConnections();
      }
      await store.stop();
      unregister();
      folder.release();
    },
  };
}

/** Ends the service at a signal, with the program that holds its leash, and where what it stands on is lost. */
function endOnce({ end, lost }: RunningHost, isOnLeash: boolean): void {
  let ending: Promise<void> | undefined;
  // Ctrl-C comes from the terminal and again from npm, which forwards signals. The second one changes nothing.
  const endNow = () => (ending ??= end().then(() => process.exit(0)));
  for (const signal of END_SIGNALS) {
    process.on(signal, endNow);
  }
  if (isOnLeash) {
    onLeashEnd(endNow);
  }
  lost.then((reason) => {
    if (ending !== undefined) {
      // An engine in memory is lost when it is stopped.
      return;
    }
    complain(`The service ends. ${reason.message}`);
    process.exit(1);
  });
}

/** Whether nothing runs by itself: for data that was restored, until somebody has looked at it. */
function isPaused(): boolean {
  return readVariable('workers') === 'off';
}

function setDefaults(defaults: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(defaults)) {
    process.env[name] ??= value;
  }
}

/** @throws Error unless every provider is on this machine: another one must not receive times that are not true */
function requireLocalProviders(): void {
  const far = Object.keys(PROVIDER_KINDS).find(
    (kind) => new URL(configuredOrigin(kind) ?? 'https://unset').hostname !== LOOPBACK,
  );
  if (far !== undefined) {
    throw new Error(
      `--ahead is for rehearsals: ${apiUrlVariable(far)} must name a stand-in for ${far} at http://${LOOPBACK}:PORT.`,
    );
  }
}

/**
 * A service that other machines can reach is for tests.
 * @throws Error where a live world of it is connected to a provider
 */
async function requireNoLiveMoney(): Promise<void> {
  const { listLiveWorlds } = await import('../../shared/store/worlds/merchant.ts');
  const connected = (await listLiveWorlds()).find(({ provider }) => provider !== null);
  if (connected !== undefined) {
    throw new Error(
      `${connected.merchant} takes live money here: other machines must not reach this service. Disconnect its provider, or start without --host, --lan and --public-url.`,
    );
  }
}

function explainBusyPort(error: Error & { code?: string }, { port }: StartOptions): never {
  throw error.code === 'EADDRINUSE'
    ? new Error(
        `Port ${port} is in use. Stop what runs there, or choose another one: ${startWith('--port 4011')}`,
      )
    : error;
}

function openStore({ endpoint, inMemory }: StartOptions, { dataFile }: DataFolder): Promise<Store> {
  return endpoint === undefined ? startStore(inMemory ? null : dataFile) : reachStore(endpoint);
}

/**
 * The demo merchant's owner key: that of PG_KEY, so that what a shop has noted stays right; else the one of the last
 * start, or a new one where that is not valid any more, or lacks a permission that came with a newer version.
 * @throws Error where the key of PG_KEY has ended
 */
async function demoKey(file: string): Promise<string> {
  // Loaded here because the client reads its endpoint from the environment.
  const { findApiKey, issueApiKey } = await import('../../shared/store/worlds/api-key.ts');
  const given = givenTestKey(process.env);
  const isUsable = (key: ApiKey) => keyRefusal(key, Date.now(), LOOPBACK) === null;
  const kept = given === null ? null : await findApiKey(given);
  if (given !== null && kept !== null) {
    if (!isUsable(kept)) {
      throw new Error('The key in PG_KEY has ended. Leave it out, and a new one is made.');
    }
    return given;
  }
  const service = await readServiceFile(file);
  if (service === 'damaged') {
    console.warn(`${file} was damaged. It was replaced and has a new key. The old key still works.`);
  }
  const known = given !== null || service === null || service === 'damaged' ? null : service.key;
  const stored = known === null ? null : await findApiKey(known);
  const isOwners = PRESETS.owner.every((permission) => stored?.permissions.includes(permission));
  if (known !== null && stored !== null && isOwners && isUsable(stored)) {
    return known;
  }
  const order = {
    merchant: DEMO_MERCHANT,
    mode: 'test',
    version: NEWEST_VERSION,
    label: 'npm start',
  } as const;
  const owner = { ...order, permissions: PRESETS.owner };
  const { secret } = await issueApiKey(owner, localUser(), Date.now(), given ?? undefined);
  return secret;
}

function introduce({ baseUrl, key }: ServiceFile, keeping: StartOptions): void {
  const text = `
  The payment service is running. ${whoReachesIt(keeping)}

  Base URL   ${baseUrl}
  Test key   ${key}   (merchant "${DEMO_MERCHANT}", all permissions)
  Dashboard  ${baseUrl}/console#key=${key}
  Docs       ${baseUrl}/docs${clockLine(keeping)}${isPaused() ? PAUSED_LINE : ''}

  A first payment:

curl -s ${baseUrl}/api/v1/payments \\
  -H "Authorization: Bearer ${key}" \\
  -H "Idempotency-Key: $(date +%s%N)" \\
  -H "Content-Type: application/json" \\
  -d '{"amount":{"currency":"THB","minor":129900},"method":"promptpay"}'

  Ctrl-C stops it. ${whereData(keeping)}
`;
  say(...text.split('\n'));
}

function whoReachesIt({ reachability: { isOpen }, isLan }: StartOptions): string {
  if (!isOpen) {
    return 'Only programs of this machine can reach it.';
  }
  const baseUrl = requireVariable('baseUrl');
  return [
    `Other machines can reach it: ${baseUrl}. It takes test keys alone.`,
    ...(isLan ? ['', `  For a phone in the same network:`, '', renderUnicodeCompact(baseUrl)] : []),
  ].join('\n');
}

function clockLine({ aheadMs }: StartOptions): string {
  return aheadMs === 0
    ? ''
    : `\n  Clock      ${toTimestamp(Date.now())}, which is ${aheadMs / SECOND_MS} seconds ahead, for a rehearsal`;
}

function whereData({ dir, inMemory, isBeside, endpoint }: StartOptions): string {
  if (isBeside) {
    return `The data is kept in memory, and ends with it.

  Another service runs on this folder: it is what pg calls. To call this one: ${PROGRAM} --dir ${dir} …`;
  }
  if (inMemory) {
    return 'The data is kept in memory, and ends with it.';
  }
  const folder = path.relative('', dir);
  const isBelow = folder !== '' && !folder.startsWith('..');
  return endpoint === undefined
    ? `The data stays in ${isBelow ? `${folder}/` : dir} until "${startWith('--fresh')}".`
    : `The data stays in the engine at ${endpoint}.`;
}

/** Runs the command line of `npm start`. */
export function runHost(): void {
  const line = { name: 'npm start', says: START_FORM.says, commands: { '': START_FORM } } as const;
  runCommand(line, { '': async (values) => void (await startHost(values)) });
}
