import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'vitest';
import { createClient } from '../../../shared/client/client.ts';
import { runToEnd } from '../tools/run-to-end.ts';
import { baseUrl, newKey } from './merchant.ts';
import { type MerchantServerOptions, startMerchantServer } from './merchant-server.ts';

export const PATIENT = { timeout: 60_000, interval: 50 };
export const BAHT = { currency: 'THB', minor: 1_000 } as const;
export const LINE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (\S+) (evt_\w{26}) → (.*)$/;

export interface World {
  readonly t: TestContext;
  readonly env: NodeJS.ProcessEnv;
  readonly dir: string;
  readonly key: string;
  readonly client: ReturnType<typeof createClient>;
}

/** A world that no other test has, and a folder for what is kept of it. */
export async function newWorld(t: TestContext, order: Parameters<typeof newKey>[0] = {}): Promise<World> {
  const { secret: key } = await newKey(order);
  const dir = await mkdtemp(path.join(tmpdir(), 'listen-'));
  t.onTestFinished(() => rm(dir, { recursive: true }));
  const env = { ...process.env, PG_BASE_URL: baseUrl, PG_KEY: key };
  return { t, env, dir, key, client: createClient({ baseUrl, key }) };
}

export async function newReceiver({ t }: World, options: MerchantServerOptions = {}) {
  const receiver = await startMerchantServer(options);
  t.onTestFinished(() => receiver.stop().catch(() => undefined));
  return receiver;
}

/** Runs a command to its end. */
export function pg({ env, dir }: World, ...args: string[]) {
  return runToEnd(['infra/pg/pg.ts', ...args, '--dir', dir], env, PATIENT.timeout);
}

/** Listens until it is stopped, and is ready when this answers. */
export async function listen({ t, env, dir }: World, ...args: string[]) {
  const child = spawn(process.execPath, ['infra/pg/pg.ts', 'listen', ...args, '--dir', dir], { env });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk) => {
      printed[stream] += String(chunk);
    });
  }
  const ended = once(child, 'exit');
  t.onTestFinished(() => void child.kill('SIGKILL'));
  await t.expect.poll(() => printed.stdout + printed.stderr, PATIENT).toContain('\n');
  return {
    printed,
    /** What was printed of attempts: type, id and outcome of each. */
    lines: () =>
      printed.stdout.split('\n').flatMap((line) => {
        const [, type, id, outcome] = LINE.exec(line) ?? [];
        return id === undefined ? [] : [{ type: String(type), id, outcome: String(outcome) }];
      }),
    secret: () => /whsec_[\w+/=]+/.exec(printed.stdout)?.[0] ?? '',
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    stop: async () => {
      // From the terminal, and a moment later from npm, which sends on what it gets.
      child.kill('SIGINT');
      setTimeout(() => child.kill('SIGINT'), 10);
      return ended;
    },
  };
}

/** So many events, one after another. */
export async function happen({ client }: World, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    await client.createPayment({ amount: BAHT });
  }
}

export async function eventIds({ client }: World): Promise<string[]> {
  return (await client.listEvents({ limit: 100 })).data.map(({ id }) => id).toReversed();
}
