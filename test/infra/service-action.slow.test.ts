import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { PACKAGE } from '../../infra/build/build-package.ts';
import { operations } from '../../shared/contract/operations.ts';
import { SAMPLES } from '../support/tools/guide-samples.ts';
import { type InstalledPackage, installPackage } from '../support/tools/installed-package.ts';
import { isAnybodyAt } from '../support/tools/listeners.ts';
import { runStep } from '../support/tools/run-step.ts';
import { clientOf } from '../support/world/api.ts';

interface Action {
  readonly inputs: { readonly package: { readonly default: string } };
  readonly runs: {
    readonly using: string;
    readonly steps: readonly {
      readonly run: string;
      readonly shell: string;
    }[];
  };
}

const ACTION = '.github/actions/service';
const { runs, inputs } = parse(readFileSync(`${ACTION}/action.yml`, 'utf8')) as Action;
const [start] = runs.steps;

let kit: InstalledPackage;

beforeAll(async () => {
  kit = await installPackage({ packedIn: inject('runFolder') });
});
afterAll(() => kit?.remove());

async function newRunner() {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-action-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const file = path.join(dir, 'env');
  await writeFile(file, '');
  // npm may reach its registry by what the environment says.
  const {
    AWS_ENDPOINT_URL_DYNAMODB: _engine,
    TABLE_NAME: _table,
    PORT: _port,
    // No runner is a script of npm, with which a service of it ends.
    npm_lifecycle_event: _npm,
    ...inherited
  } = process.env;
  const env = { RUNNER_TEMP: dir, GITHUB_ENV: file, PACKAGE: kit.tarball };
  return { dir, env: { ...(inherited as Record<string, string>), ...env } };
}

/** The processes that have the folder on their command line. */
async function processesOf(dir: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const isOf = async (pid: string) =>
    (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(dir);
  const found = await Promise.all(pids.map(async (pid) => ((await isOf(pid)) ? [Number(pid)] : [])));
  return found.flat();
}

describe('the action that starts the service', () => {
  test('is one step in bash, which installs the package and no repository', () => {
    expect(runs.using).toBe('composite');
    expect(runs.steps.map(({ shell }) => shell)).toEqual(['bash']);
    expect(inputs.package.default).toBe(PACKAGE);
  });

  test('is used by the guide under the name that it has', () => {
    const [sample] = SAMPLES.filter(({ use }) => use === 'action');
    const { steps } = parse(sample?.code ?? '') as { steps: readonly { uses?: string }[] };
    expect(steps.map(({ uses }) => uses)).toContain(`your-company/payments/${ACTION}@main`);
  });

  test('sets the address and the key of a service that responds', async () => {
    const { dir, env } = await newRunner();
    try {
      await runStep(start?.run, process.cwd(), env);
      const [, baseUrl = '', key = ''] =
        /^PG_BASE_URL=(\S+)\nPG_KEY=(\S+)\n$/.exec(await readFile(env.GITHUB_ENV, 'utf8')) ?? [];
      const world = await clientOf(key, baseUrl)(operations.createTestWorld, { body: { name: 'action' } });
      expect(world.status, world.text).toBe(operations.createTestWorld.success.status);
      for (const pid of await processesOf(dir)) {
        process.kill(pid, 'SIGTERM');
      }
      await expect.poll(() => processesOf(dir)).toEqual([]);
      expect(await isAnybodyAt(baseUrl)).toBe(false);
    } finally {
      for (const pid of await processesOf(dir)) {
        process.kill(pid, 'SIGKILL');
      }
    }
  });

  test('fails, and shows why, where the service does not start', async () => {
    const { env } = await newRunner();
    const named = { ...env, AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' };
    await expect(runStep(start?.run, process.cwd(), named)).rejects.toThrow(
      '--memory starts an engine, and AWS_ENDPOINT_URL_DYNAMODB names one',
    );
    expect(await readFile(env.GITHUB_ENV, 'utf8')).toBe('');
  });
});
