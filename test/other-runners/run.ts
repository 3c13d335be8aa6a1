import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../shared/client/client.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { quantile } from '../bench/quantile.ts';
import { installPackage } from '../support/tools/installed-package.ts';
import { isAnybodyAt } from '../support/tools/listeners.ts';
import { runCommand } from '../support/tools/run-command.ts';
import { startHost } from '../support/world/host.ts';
import { foldersOf, processesWith } from './left-over.ts';
import { installRunners, type OtherRunner, PATIENT_MS, writeProject } from './other-runner.ts';

/*
 * The test files of the guide about test worlds, in vitest, jest, node:test and pytest, as a runner has them: many
 * times in parallel on a running service, once with services that they start, and once killed in the middle.
 */

const ROUNDS = 20;
const RUN_TIMEOUT_MS = 2 * PATIENT_MS;
const WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;
/** More services than this at once, on a machine with two processors, start too slowly for jest's 5 seconds. */
const STARTS_AT_ONCE = 2;

/** The folder of a runner and the environment of its tests. */
interface Project {
  readonly runner: OtherRunner;
  readonly dir: string;
  readonly env: NodeJS.ProcessEnv;
}

async function main(): Promise<void> {
  const client = await installPackage({ hasEngine: true });
  try {
    // Where a test process keeps its files, which also marks it and everything that it starts.
    const tmp = path.join(client.dir, 'tmp');
    await mkdir(tmp);
    const runners = await installRunners(client.dir);
    const { PG_BASE_URL: _url, PG_KEY: _key, VITEST: _vitest, ...inherited } = process.env;
    const PG_EVENT_TIMEOUT = String(PATIENT_MS / SECOND_MS);
    const env = { ...inherited, CI: 'true', TMPDIR: tmp, PG_EVENT_TIMEOUT };
    const projects = async (
      kind: string,
      isOf: (runner: OtherRunner) => boolean,
      isWaiting = false,
    ): Promise<Project[]> =>
      Promise.all(
        runners.filter(isOf).map(async (runner, index) => {
          const dir = path.join(client.dir, `${kind}-${index}`);
          await writeProject(runner, dir, isWaiting);
          return { runner, dir, env };
        }),
      );
    await runOnRunningService(await projects('rounds', ({ isInRounds }) => isInRounds));
    await runWithOwnServices(await projects('own', () => true), tmp);
    await runUntilKilled(await projects('killed', ({ files }) => files.waiting !== undefined, true), tmp);
  } finally {
    await client.remove();
  }
}

/** Every round of each runner is green, and no world is left. */
async function runOnRunningService(projects: readonly Project[]): Promise<void> {
  const host = await startHost();
  try {
    const env = { PG_BASE_URL: host.baseUrl, PG_KEY: host.key };
    const lanes = projects.map(async (project) => {
      const took: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        took.push(await runOnce({ ...project, env: { ...project.env, ...env } }));
      }
      const p50 = (quantile(took, 0.5) / 1_000).toFixed(1);
      console.log(
        `${project.runner.name}: ${took.length} of ${ROUNDS} runs in a row are green, p50 ${p50} s`,
      );
    });
    await settled(lanes);
    const left = await createClient(host).listTestWorlds();
    if (left.data.length > 0) {
      throw new Error(`${left.data.length} test worlds are left`);
    }
  } finally {
    await host.stop();
  }
}

/** Each run is green, and ends the service that it started. */
async function runWithOwnServices(projects: readonly Project[], tmp: string): Promise<void> {
  const waiting = [...projects];
  const lane = async () => {
    for (let project = waiting.shift(); project !== undefined; project = waiting.shift()) {
      const tookMs = await runOnce(project);
      console.log(
        `${project.runner.name}: green with a service that it starts, in ${(tookMs / 1_000).toFixed(1)} s`,
      );
    }
  };
  await settled(Array.from({ length: STARTS_AT_ONCE }, lane));
  await expectNothingLeft(tmp, [], []);
}

/** After a SIGKILL of the test runner alone, no process, port or folder is left. */
async function runUntilKilled(projects: readonly Project[], tmp: string): Promise<void> {
  const runners = projects.map(({ runner: { command }, dir, env }) => {
    const [program, ...args] = command;
    return spawn(program, args, { cwd: dir, env, stdio: 'ignore' });
  });
  try {
    const baseUrls = await Promise.all(
      projects.map(async ({ runner, dir }, index) => {
        const file = path.join(dir, 'started');
        await within(`${runner.name} did not start`, async () => {
          if (hasEnded(runners[index])) {
            throw new Error(`${runner.name} ended before it was killed`);
          }
          return existsSync(file) && (await readFile(file, 'utf8')) !== '';
        });
        return readFile(file, 'utf8');
      }),
    );
    const running = await processesWith(tmp);
    const folders = await foldersOf(running, tmp);
    const services = [...running.values()].filter((line) => line.includes('--leash')).length;
    if (services < projects.length || folders.length < projects.length) {
      throw new Error(`only ${services} services ran, in ${folders.length} folders`);
    }
    for (const runner of runners) {
      runner.kill('SIGKILL');
    }
    await expectNothingLeft(tmp, folders, baseUrls);
    console.log(
      `${projects.length} test runs killed: none of ${running.size} processes, ${baseUrls.length} ports and ${folders.length} folders is left`,
    );
  } finally {
    for (const runner of runners) {
      runner.kill('SIGKILL');
    }
    for (const pid of (await processesWith(tmp)).keys()) {
      kill(pid);
    }
  }
}

async function expectNothingLeft(
  tmp: string,
  folders: readonly string[],
  baseUrls: readonly string[],
): Promise<void> {
  const found = async () => {
    const processes = await processesWith(tmp);
    const listened = await Promise.all(baseUrls.map(isAnybodyAt));
    return [
      ...[...processes].map(([pid, line]) => `process ${pid}: ${line}`),
      ...[...folders, ...(await foldersOf(processes, tmp))].filter((folder) => existsSync(folder)),
      ...baseUrls.filter((_, index) => listened[index]),
    ];
  };
  await within(
    async () => `left: ${(await found()).join('\n')}`,
    async () => (await found()).length === 0,
  );
}

/** Runs a runner's tests. @returns how long they took, in milliseconds */
async function runOnce({ runner, dir, env }: Project): Promise<number> {
  const startedAt = performance.now();
  const [program, ...args] = runner.command;
  await runCommand(program, args, { cwd: dir, env, timeout: RUN_TIMEOUT_MS });
  return performance.now() - startedAt;
}

/** Waits for all, then throws the first error. */
async function settled(running: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(running);
  await Promise.all(running);
}

async function within(
  failure: string | (() => Promise<string>),
  isTrue: () => Promise<boolean>,
): Promise<void> {
  const giveUpAt = Date.now() + WITHIN_MS;
  while (!(await isTrue())) {
    if (Date.now() > giveUpAt) {
      throw new Error(typeof failure === 'string' ? failure : await failure());
    }
    await sleep(LOOK_EVERY_MS);
  }
}

function hasEnded(child: ChildProcess | undefined): boolean {
  return child === undefined || child.exitCode !== null || child.signalCode !== null;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

main().catch((error: Error) => {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
});
