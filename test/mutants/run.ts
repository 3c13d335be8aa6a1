import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CACHE } from '../support/tools/cached-folder.ts';
import { copyCheckout } from '../support/tools/checkout-copy.ts';
import { installNodePackages } from '../support/tools/node-packages.ts';
import { compareSurvivors, isKilled, type MutationReport, scoreOf, survivorsOf } from './mutation-report.ts';
import { SURVIVORS } from './survivors.ts';

/*
 * node test/mutants/run.ts: Stryker changes every expression of the money rules (shared/domain without its test kit), one
 * at a time, and the tests of test/domain have to fail on each. It fails where fewer than 97 % are detected, where a
 * mutant survives that survivors.ts does not explain, and where an explained one no longer survives.
 *
 *   --afresh    without results of earlier runs, which miss changes of what tests import from other folders
 */

const DETECTED_MIN = 0.97;
/** Others may work on the machine. */
const CONCURRENCY = 2;
const NICENESS = 10;
/** A mutant may run for ever. Those that loop are counted, and end sooner; a busy machine is no reason to end one. */
const TIMEOUT_MS = 60_000;
const STRYKER = path.join(import.meta.dirname, 'stryker');
/** Results of earlier runs, by which Stryker runs again only what a change concerns. */
const EARLIER = path.join(CACHE, 'mutants.json');
const REPORT = 'mutants.json';

async function main(): Promise<void> {
  const startedAt = performance.now();
  const { values } = parseArgs({
    options: { afresh: { type: 'boolean', default: false } },
  });
  const folder = await installNodePackages('stryker', STRYKER);
  await mkdir(CACHE, { recursive: true });
  if (values.afresh) {
    await rm(EARLIER, { force: true });
  }
  await using copy = await copyCheckout();
  await keepKilled();
  const report = await runStryker(
    path.join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
    copy.folder,
  );
  const files = Object.keys(report.files);
  const { detected, all } = scoreOf(report);
  const found = survivorsOf(report);
  const { unexplained, gone } = compareSurvivors(found, SURVIVORS);
  for (const { file, line, mutant } of unexplained) {
    console.log(`survived    ${file}:${line}  ${mutant}`);
  }
  for (const mutant of gone) {
    console.log(`detected, or not there any more    ${mutant}`);
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(
    `\n${detected} of ${all} mutants in ${files.length} files were detected (${((detected / all) * 100).toFixed(2)} %) ` +
      `in ${seconds} s. ${found.length} survived, ${found.length - unexplained.length} of them explained.`,
  );
  process.exitCode = detected / all >= DETECTED_MIN && unexplained.length === 0 && gone.length === 0 ? 0 : 1;
}

/**
 * Keeps of earlier results those that a test has shown. Stryker would take a constant that survived for one that still
 * does, whatever tests are new, and a run that was too slow for one that never ended.
 */
async function keepKilled(): Promise<void> {
  const text = await readFile(EARLIER, 'utf8').catch(() => null);
  if (text === null) {
    return;
  }
  const earlier = JSON.parse(text) as MutationReport;
  const files = Object.entries(earlier.files).map(([file, { mutants, ...rest }]) => [
    file,
    { ...rest, mutants: mutants.filter(isKilled) },
  ]);
  await writeFile(EARLIER, JSON.stringify({ ...earlier, files: Object.fromEntries(files) }));
}

/** Runs Stryker in a copy of the checkout. @throws Error where it did not come to its end */
async function runStryker(program: string, folder: string): Promise<MutationReport> {
  const config = {
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
    mutate: ['shared/domain/*.ts'],
    coverageAnalysis: 'perTest',
    incremental: true,
    incrementalFile: EARLIER,
    inPlace: true,
    concurrency: CONCURRENCY,
    timeoutMS: TIMEOUT_MS,
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: REPORT },
    allowConsoleColors: false,
    warnings: false,
  };
  await writeFile(path.join(folder, 'stryker.config.json'), JSON.stringify(config));
  const child = spawn(process.execPath, [program, 'run'], { cwd: folder, stdio: 'inherit' });
  os.setPriority(child.pid as number, NICENESS);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  if (exitCode !== 0) {
    throw new Error('Stryker did not come to its end');
  }
  return JSON.parse(await readFile(path.join(folder, REPORT), 'utf8')) as MutationReport;
}

main().catch((error: Error) => {
  console.error(`\n${error.message}`);
  process.exitCode = 2;
});
