import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installPythonPackage } from '../support/tools/python-package.ts';
import { REGION, type Target } from './target.ts';
import { watchStart } from './watch-start.ts';

/** A LocalStack-compatible target that needs no container engine, of the release that all this was tried on. */
const RELEASE = 'ministack==1.5.33';
const READY_WITHIN_MS = 30_000;
const ENDS_WITHIN_MS = 10_000;
const COMPLAINT = /\b(ERROR|WARNING|CRITICAL|Traceback)\b/;

/**
 * Installs it into a cache folder where it is not there yet, and starts it on a port of the loopback address.
 * @throws Error that says what is missing
 */
export async function startMiniStack(port: number): Promise<Target> {
  const venv = await installPythonPackage(RELEASE);
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-deployed-'));
  const child = spawn(path.join(venv, 'bin', 'ministack'), {
    cwd: dir,
    env: environmentOf(venv, dir, port),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    await end(child);
    await rm(dir, { recursive: true, force: true });
  };
  const endpoint = `http://127.0.0.1:${port}`;
  const { untilReady, complaints } = watchStart(child, 'MiniStack', stop);
  await untilReady(READY_WITHIN_MS, async () => (await isMiniStackAt(endpoint)) || null);
  return { endpoint, complaints: () => complaints((line) => COMPLAINT.test(line)), stop };
}

export function isMiniStackAt(endpoint: string): Promise<boolean> {
  return isHealthy(`${endpoint}/_ministack/health`);
}

/** Whether a target says so at this address. */
export function isHealthy(address: string): Promise<boolean> {
  return fetch(address).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Its whole environment: it is passed on to every function, so it inherits no variable of this process. */
function environmentOf(venv: string, dir: string, port: number): Record<string, string> {
  return {
    // The functions run on the first Node of the path: this one.
    PATH: [path.dirname(process.execPath), path.join(venv, 'bin'), '/usr/bin', '/bin'].join(path.delimiter),
    HOME: dir,
    // It leaves folders of functions there.
    TMPDIR: dir,
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    MINISTACK_HOST: 'localhost',
    MINISTACK_REGION: REGION,
    LAMBDA_EXECUTOR: 'local',
    DOCKER_HOST: 'unix:///nonexistent.sock',
    // Policies count: a function that lacks a grant is refused, as in AWS.
    AUTH: 'true',
    SFTP_ENABLED: '0',
    IOT_MTLS_ENABLED: '0',
    AWS_DEFAULT_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const isEnded = await Promise.race([ended.then(() => true), sleep(ENDS_WITHIN_MS).then(() => false)]);
  if (!isEnded) {
    child.kill('SIGKILL');
    await ended;
  }
}
