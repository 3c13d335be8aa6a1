import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { lastLines } from '../support/tools/run-command.ts';

/** The projects of `npm test`, as its script names them. */
const PROJECTS = ['domain', 'units', 'service', 'isolated'].flatMap((name) => ['--project', name]);
/** A defect can make a test wait for ever. */
const TIMEOUT_MS = 15 * 60_000;
const REPORT = 'planted-report.json';

/** The result of a run of tests: which test failed first, or null where all passed. */
export interface TestRun {
  readonly failed: string | null;
  readonly seconds: number;
}

interface JsonReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/**
 * Runs tests of `npm test` in a checkout, up to the first that fails.
 * @param files all where it is empty
 * @throws Error where no test ran to its end: such a run says nothing about the code
 */
export async function runTests(folder: string, files: readonly string[]): Promise<TestRun> {
  const startedAt = performance.now();
  const report = path.join(folder, REPORT);
  await rm(report, { force: true });
  const vitest = path.join(folder, 'node_modules/vitest/vitest.mjs');
  const args = ['run', ...PROJECTS, '--bail', '1', '--reporter', 'json', '--outputFile', report, ...files];
  const child = spawn(process.execPath, [vitest, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: where it is killed, the services that its tests started end with it.
    detached: true,
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill(-(child.pid as number), 'SIGKILL');
  }, TIMEOUT_MS);
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const [exitCode] = await Promise.all([
    new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject)),
    printed,
  ]).finally(() => clearTimeout(timer));
  const seconds = (performance.now() - startedAt) / 1_000;
  if (isLate) {
    return { failed: 'a run that does not end', seconds };
  }
  const result = await readFile(report, 'utf8').catch(() => null);
  if (result === null) {
    throw new Error(`no tests ran:\n${lastLines((await printed).join('\n'))}`);
  }
  const { testResults, numPassedTests } = JSON.parse(result) as JsonReport;
  const failed = testResults.find(({ status }) => status === 'failed');
  if (failed === undefined && (exitCode !== 0 || numPassedTests === 0)) {
    throw new Error(`no test ran to its end:\n${lastLines((await printed).join('\n'))}`);
  }
  return { failed: failed === undefined ? null : nameOf(failed, folder), seconds };
}

function nameOf(
  { name, message, assertionResults }: JsonReport['testResults'][number],
  folder: string,
): string {
  const test = assertionResults.find(({ status }) => status === 'failed')?.fullName;
  return `${path.relative(folder, name)}: ${test ?? message?.split('\n')[0] ?? 'failed'}`;
}
