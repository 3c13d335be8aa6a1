import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/tools/free-port.ts';
import { installPythonPackage } from '../support/tools/python-package.ts';

/** A stateful fake of Stripe: what people test payments against on their own machines today. */
export const RELEASE = 'localstripe==1.15.10';
const READY_WITHIN_MS = 20_000;
const POLL_MS = 100;

/**
 * Starts its own application, on the loopback address alone, without a line for every request (this service: none) and
 * with its file in the folder of the process instead of a fixed place. Twice on every write it saves all that it holds
 * into that file; so that thousands of payments can be put in, it begins to on request.
 */
const LAUNCHER = `
import builtins, os, signal, sys, threading
from aiohttp import web
from localstripe import resources, server

resources.open = lambda path, mode: builtins.open(os.path.basename(path), mode)
save = resources.Store.dump_to_disk
def set_saving(is_saving):
    resources.Store.dump_to_disk = save if is_saving else lambda self: None
signal.signal(signal.SIGUSR1, lambda *_: set_saving(True))
signal.signal(signal.SIGUSR2, lambda *_: set_saving(False))
set_saving(False)
# It ends with whoever has started it.
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
web.run_app(server.app, host='127.0.0.1', port=int(sys.argv[1]), access_log=None, print=None)
`;

/** A running one. */
export interface LocalStripe {
  readonly baseUrl: string;
  /** Whether it saves what it holds, as it does by itself. */
  setSaving(isSaving: boolean): void;
  stop(): Promise<void>;
}

/**
 * @throws Error that says what is missing
 */
export async function startLocalStripe(): Promise<LocalStripe> {
  const venv = await installPythonPackage(RELEASE);
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-localstripe-'));
  const port = await freePort();
  const child = spawn(path.join(venv, 'bin', 'python'), ['-c', LAUNCHER, String(port)], {
    cwd: dir,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += String(chunk);
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(dir, { recursive: true, force: true });
  };
  const giveUpAt = Date.now() + READY_WITHIN_MS;
  while (!(await answers(baseUrl))) {
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      await stop();
      throw new Error(`${RELEASE} did not start.\n${complaint}`);
    }
    await sleep(POLL_MS);
  }
  return { baseUrl, setSaving: (isSaving) => child.kill(isSaving ? 'SIGUSR1' : 'SIGUSR2'), stop };
}

function answers(baseUrl: string): Promise<boolean> {
  return fetch(baseUrl).then(
    () => true,
    () => false,
  );
}
