import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SAMPLES } from '../support/tools/guide-samples.ts';
import { installNodePackages } from '../support/tools/node-packages.ts';
import { installPythonRequirements } from '../support/tools/python-package.ts';

/** A project of somebody who has the guide, the client's package and a test runner, and nothing of the repository. */
export interface OtherRunner {
  readonly name: string;
  /** Whether its tests are run many times in a row. */
  readonly isInRounds: boolean;
  readonly command: readonly [program: string, ...args: string[]];
  readonly files: RunnerFiles;
}

/** Names of files, and where their content is. */
interface RunnerFiles {
  /** The test file, by the use of the guide's sample. */
  readonly guide: Readonly<Record<string, string>>;
  /**
   * The test file that waits until it is killed, in `waiting/`. None for `node:test`, which runs each file in a process
   * that it does not take with it: that one ends after its tests.
   */
  readonly waiting?: Readonly<Record<string, string>>;
  /** Beside both: samples of the guide, by their use. */
  readonly samples?: Readonly<Record<string, string>>;
  /** Beside both: files of the repository that the guide says to copy. */
  readonly copied?: Readonly<Record<string, string>>;
  /** Beside both: a configuration. */
  readonly written?: Readonly<Record<string, string>>;
}

const HERE = import.meta.dirname;
const ROOT = path.resolve(HERE, '../..');

/** For a machine with much else to do: runners end a test after 5 seconds by default. */
export const PATIENT_MS = 60_000;
const SETUP = { 'payments-setup.mjs': 'setup' };
const VITEST_CONFIG = "export default { test: { globalSetup: 'payments-setup.mjs' } };\n";
const VITEST = { guide: { 'orders.test.ts': 'vitest' }, waiting: { 'waits.test.ts': 'in-vitest.ts' } };
const JEST = { guide: { 'refunds.test.js': 'jest' }, waiting: { 'waits.test.js': 'in-jest.cjs' } };
const NODE_TEST = { guide: { 'links.test.mts': 'node-test' } };
const PYTEST = {
  guide: { 'test_orders.py': 'pytest' },
  waiting: { 'test_waits.py': 'in_pytest.py' },
  samples: { 'conftest.py': 'conftest' },
  copied: { 'payments_testing.py': 'shared/client/python/payments_testing.py' },
};

/**
 * Installs the test runners where they are not there yet.
 * @param project the folder that has the package of the client, and under which the folders of runners are
 */
export async function installRunners(project: string): Promise<OtherRunner[]> {
  const vitest = path.join(ROOT, 'node_modules/vitest');
  await symlink(vitest, path.join(project, 'node_modules/vitest'));
  const jest = await installNodePackages('jest', path.join(HERE, 'jest'));
  const python = await installPythonRequirements(path.join(HERE, 'python/requirements.txt'));
  const run = {
    vitest: [
      process.execPath,
      path.join(vitest, 'vitest.mjs'),
      'run',
      '--root=.',
      `--testTimeout=${PATIENT_MS}`,
      `--hookTimeout=${PATIENT_MS}`,
    ],
    jest: [
      process.execPath,
      path.join(jest, 'node_modules/jest/bin/jest.js'),
      '--rootDir=.',
      `--testTimeout=${PATIENT_MS}`,
      '--watchman=false',
    ],
    nodeTest: [process.execPath, '--test'],
    pytest: [path.join(python, 'bin/python'), '-B', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
  } as const;
  return [
    { name: 'vitest', isInRounds: true, command: run.vitest, files: VITEST },
    { name: 'jest', isInRounds: true, command: run.jest, files: JEST },
    { name: 'pytest', isInRounds: true, command: run.pytest, files: PYTEST },
    { name: 'node:test', isInRounds: false, command: run.nodeTest, files: NODE_TEST },
    {
      name: 'vitest, one service for the run',
      isInRounds: false,
      command: run.vitest,
      files: { ...VITEST, samples: SETUP, written: { 'vitest.config.mjs': VITEST_CONFIG } },
    },
    {
      name: 'jest, one service for the run',
      isInRounds: false,
      command: [...run.jest, '--globalSetup=./payments-setup.mjs'],
      files: { ...JEST, samples: SETUP },
    },
  ];
}

/** Writes the files of a runner into a new folder: with the test file of the guide, or the one that waits. */
export async function writeProject({ files }: OtherRunner, dir: string, isWaiting: boolean): Promise<void> {
  const { guide, waiting = {}, samples = {}, copied = {}, written = {} } = files;
  await mkdir(dir);
  const copies = { ...copied, ...(isWaiting ? prefixed('test/other-runners/waiting', waiting) : {}) };
  for (const [name, file] of Object.entries(copies)) {
    await copyFile(path.join(ROOT, file), path.join(dir, name));
  }
  for (const [name, use] of Object.entries({ ...samples, ...(isWaiting ? {} : guide) })) {
    await writeFile(path.join(dir, name), sampleFor(use));
  }
  // jest takes the nearest package.json for the root of a project.
  for (const [name, text] of Object.entries({ 'package.json': '{}', ...written })) {
    await writeFile(path.join(dir, name), text);
  }
}

function prefixed(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, `${folder}/${file}`]));
}

function sampleFor(use: string): string {
  const [sample] = SAMPLES.filter((each) => each.use === use);
  if (sample === undefined) {
    throw new Error(`the guides have no sample for ${use}`);
  }
  return sample.code;
}
