import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryDisk } from '../../../infra/local/store.ts';

const READY_WITHIN_MS = 60_000;
const POLL_MS = 50;
const DIE_WITH_PARENT = new URL('../tools/die-with-parent.ts', import.meta.url).href;

export interface ServiceFile {
  readonly baseUrl: string;
  readonly tableName: string;
  readonly dynamodbEndpoint: string;
  readonly key: string;
}

/**
 * A local host of its own: started as `npm start` starts it, on a free port, with its data in a temporary folder. A
 * killed process loses as little of a memory disk as of a real one, which is slower.
 */
export interface Host extends ServiceFile {
  readonly secretsFolder: string;
  readonly process: ChildProcess;
  readonly dir: string;
  /** Everything that it printed so far. */
  output(): string;
  /** Ends it as Ctrl-C does and removes its data. */
  stop(): Promise<void>;
}

/** Waits until a host that kills itself has ended. */
export async function untilDead({ process: child }: Host): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'exit');
  }
}

export interface HostOptions {
  /** The folder of an earlier host, to start again on its data. */
  readonly dir?: string;
  /** Keeps its data on the real disk, for what is measured, and not on a memory disk. */
  readonly isOnDisk?: boolean;
  readonly args?: readonly string[];
  /** Prints a line for each request, too. */
  readonly isTalkative?: boolean;
  /** Undefined: not set. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Modules that are loaded into the host before it starts. */
  readonly preload?: readonly string[];
}

export async function startHost(options: HostOptions = {}): Promise<Host> {
  const base = options.isOnDisk === true ? tmpdir() : (memoryDisk() ?? tmpdir());
  const dir = options.dir ?? (await mkdtemp(path.join(base, 'payments-')));
  const preload = [DIE_WITH_PARENT, ...(options.preload ?? [])].flatMap((module) => ['--import', module]);
  // A test that talks to the shared service has its store in the environment: this host has its own.
  const { AWS_ENDPOINT_URL_DYNAMODB: _endpoint, TABLE_NAME: _table, ...env } = process.env;
  const child = spawn(
    process.execPath,
    [
      ...preload,
      // As `npm start` does.
      '--max-semi-space-size=8',
      'infra/local/start.ts',
      ...['--dir', dir],
      ...(options.isTalkative === true ? [] : ['--quiet']),
      ...(options.args ?? []),
    ],
    {
      // Not found by programs that look for a service of this machine.
      env: { ...env, PORT: '0', XDG_RUNTIME_DIR: '/dev/null', ...options.env },
      // The channel ends with this process, and the host with it.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    output += String(chunk);
  });
  const giveUpAt = Date.now() + READY_WITHIN_MS;
  while (!output.includes('is running')) {
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      child.kill('SIGKILL');
      if (options.dir === undefined) {
        await rm(dir, { recursive: true, force: true });
      }
      throw new Error(`the host did not start: ${output}`);
    }
    await sleep(POLL_MS);
  }
  const service = JSON.parse(await readFile(path.join(dir, 'service.json'), 'utf8')) as ServiceFile &
    Pick<Host, 'secretsFolder'>;
  return {
    ...service,
    process: child,
    dir,
    output: () => output,
    stop: async () => {
      await end(child);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}
