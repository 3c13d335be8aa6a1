import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import type { Engine } from './engine-choice.ts';

/** Java takes seconds on a busy machine. */
const READY_WITHIN_MS = 30_000;
const READY_POLL_MS = 20;
const COMPLAINT_MAX_CHARS = 2_000;

/**
 * Ends the engine when standard input closes, so that no engine is left even after a kill -9 of this process. Ends with
 * the engine, and then removes the folder that is its first argument. The reader of its output may already be gone.
 */
const LEASH = `
  exec 3<&0
  "$@" </dev/null 3<&- &
  engine=$!
  { while read -r line; do :; done <&3; kill $engine; } 2>/dev/null &
  exec 3<&-
  trap '' PIPE
  wait $engine
  code=$?
  [ -z "$0" ] || rm -rf -- "$0"
  exit $code
`;

/** An engine that runs beside this process. */
export interface EngineProcess {
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  /** Ends it like a crash. */
  kill(): Promise<void>;
}

/**
 * Starts an engine, and waits until it responds.
 * @param file where it stores its data; null keeps it in memory
 * @param folder removed when the engine has ended; null: none. Not on Windows
 * @throws Error with the output of the engine, if it ends or does not respond
 */
export async function startEngine(
  engine: Engine,
  endpoint: string,
  file: string | null,
  folder: string | null = null,
): Promise<EngineProcess> {
  const child = spawnOnLeash(engine.program, engine.args(new URL(endpoint), file), folder);
  const ending = new AbortController();
  const ended = once(child, 'exit').then(
    () => ending.abort(),
    () => ending.abort(),
  );
  let complaint = '';
  child.stderr?.on('data', (chunk) => {
    complaint = (complaint + String(chunk)).slice(-COMPLAINT_MAX_CHARS);
  });
  const stop = async () => {
    if (process.platform === 'win32') {
      child.kill();
    }
    child.stdin?.end();
    await ended;
  };
  const kill = async () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    }
    await ended;
    if (folder !== null) {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  if (!(await isResponding(endpoint, ending.signal))) {
    await stop();
    throw new Error(`The store's engine, ${engine.name}, did not come up. ${complaint}`.trim());
  }
  return { ended, stop, kill };
}

/** A process group of its own keeps Ctrl-C from stopping the engine before running requests have ended. */
function spawnOnLeash(program: string, args: readonly string[], folder: string | null): ChildProcess {
  const options: SpawnOptions = { stdio: ['pipe', 'ignore', 'pipe'], detached: true };
  return process.platform === 'win32'
    ? spawn(program, args, options)
    : spawn('sh', ['-c', LEASH, folder ?? '', program, ...args], options);
}

async function isResponding(endpoint: string, ended: AbortSignal): Promise<boolean> {
  const client = new DynamoDBClient({ endpoint, maxAttempts: 1 });
  const giveUpAt = Date.now() + READY_WITHIN_MS;
  try {
    while (!ended.aborted && Date.now() < giveUpAt) {
      try {
        await client.send(new ListTablesCommand({}), { abortSignal: ended });
        return true;
      } catch {
        await sleep(READY_POLL_MS);
      }
    }
    return false;
  } finally {
    client.destroy();
  }
}
