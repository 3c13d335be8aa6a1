import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** A service that this process started. */
export interface StartedService {
  readonly baseUrl: string;
  /** A test key with every permission. */
  readonly key: string;
  /** Ends it, and resolves when it has ended. */
  end(): Promise<void>;
}

const COMPLAINT_MAX_CHARS = 2_000;
/** What is set for the program under test, and would lead the service elsewhere. */
const OWN_SETTINGS = /^(AWS_.*|TABLE_NAME|PUBLIC_BASE_URL|NODE_OPTIONS|npm_lifecycle_event)$/;

/** The command line, from the folder of this file: beside it, where it is built. */
declare const BUILT_PROGRAM: string | undefined;
const PROGRAM = path.join(
  import.meta.dirname,
  typeof BUILT_PROGRAM === 'undefined' ? '../../../infra/pg/pg.ts' : BUILT_PROGRAM,
);

/**
 * Starts a service in memory, on a free port. It ends with this process, even one that is killed, and keeps no process
 * from ending.
 * @throws Error that says why it did not start
 */
export async function startService(): Promise<StartedService> {
  const child = spawn(process.execPath, [PROGRAM, 'start', '--leash', '--port', '0'], {
    env: serviceEnvironment(),
    // A process group of its own: Ctrl-C goes to the tests alone, and the service ends after them.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(
    () => undefined,
    () => undefined,
  );
  const { baseUrl, key } = await firstLine(child);
  child.unref();
  for (const pipe of child.stdio.filter((each) => each instanceof Socket)) {
    pipe.unref();
  }
  return {
    baseUrl,
    key,
    end: async () => {
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}

function serviceEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !OWN_SETTINGS.test(name)));
}

/** The line of JSON that a started service prints. */
async function firstLine(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
): Promise<{ baseUrl: string; key: string }> {
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint = (complaint + String(chunk)).slice(-COMPLAINT_MAX_CHARS);
  });
  const line = new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += String(chunk);
      if (printed.includes('\n')) {
        resolve(printed);
      }
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error(complaint.trim())));
  });
  try {
    return JSON.parse(await line);
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(`The service did not start. ${reason}`, { cause: error });
  }
}
