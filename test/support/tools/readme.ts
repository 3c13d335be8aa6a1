import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { type HostOptions, startHost, untilDead } from '../world/host.ts';
import { freePort } from './free-port.ts';

/** What the samples use of a checkout. */
const CHECKED_OUT = ['package.json', 'node_modules', 'infra', 'shared', 'test', 'pg'];

export const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');

/** What a fence of the README has between its lines; with the n-th of several of its kind. */
export function fenced(kind: string, index = 0): string {
  return [...readme.matchAll(new RegExp(`\`\`\`${kind}\\n(.*?)\`\`\``, 'gs'))][index]?.[1] ?? '';
}

/** The top of this repository as a newcomer has it, with a service of its own that `npm start` runs on another port. */
export async function startCheckout(options: HostOptions = {}) {
  const top = await mkdtemp(path.join(tmpdir(), 'readme-'));
  await Promise.all(CHECKED_OUT.map((name) => symlink(path.resolve(name), path.join(top, name))));
  const started = { ...options, dir: path.join(top, '.payments') };
  let host = await startHost(started);
  /** Ends the service as Ctrl-C does, and starts it again at its address, with these options. */
  const restart = async (...args: readonly string[]) => {
    host.process.kill('SIGINT');
    await untilDead(host);
    const { port } = new URL(host.baseUrl);
    host = await startHost({ ...started, args, env: { ...options.env, PORT: port } });
  };
  const stop = async () => {
    await host.stop();
    await rm(top, { recursive: true });
  };
  return { top, restart, stop };
}

/** Pastes commands into a terminal of their own; it ends with the shell, npm and all their processes. */
export function openTerminal(pasted: string, top: string, env: Readonly<Record<string, string>> = {}) {
  const terminal = spawn('bash', ['-euc', pasted], {
    cwd: top,
    detached: true,
    env: { ...process.env, ...env },
  });
  const closed = once(terminal, 'close');
  let printed = '';
  let complained = '';
  terminal.stdout.on('data', (chunk) => {
    printed += String(chunk);
  });
  terminal.stderr.on('data', (chunk) => {
    complained += String(chunk);
  });
  const close = async () => {
    if (terminal.exitCode === null) {
      process.kill(-Number(terminal.pid), 'SIGTERM');
    }
    await closed;
  };
  return { printed: () => printed, complained: () => complained, closed, close };
}

/** Saves the receiver of the README, on a port that is free, and starts it as the README says. */
export async function startReceiver(top: string, env: Readonly<Record<string, string>> = {}) {
  const port = String(await freePort());
  await writeFile(path.join(top, 'receiver.mts'), fenced('ts receiver').replace('3000', port));
  const { printed, close } = openTerminal(fenced('sh receiver'), top, env);
  const post = () => fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST' }).catch(() => null);
  await expect.poll(async () => (await post())?.status, { timeout: 60_000, interval: 100 }).toBe(400);
  /** What it prints, once that are so many lines. */
  const lines = async (count: number) => {
    await expect.poll(() => printed().trim().split('\n').length).toBe(count);
    return printed().trim().split('\n');
  };
  return { port, lines, close };
}
