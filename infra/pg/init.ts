import { existsSync } from 'node:fs';
import { constants, copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { say } from '../terminal/output.ts';
import { IS_PACKAGED, PROGRAM } from '../terminal/program-name.ts';

/** The folders of the files that it copies, from the folder of this one: beside it, where it is built. */
declare const BUILT_STARTERS: string | undefined;
declare const BUILT_PYTHON: string | undefined;
const STARTERS = typeof BUILT_STARTERS === 'undefined' ? '../../shared/client/starters' : BUILT_STARTERS;
const PYTHON = typeof BUILT_PYTHON === 'undefined' ? '../../shared/client/python' : BUILT_PYTHON;

/** What a project gets. */
interface Starter {
  /** The files, by the names that they get there. */
  readonly files: Readonly<Record<string, string>>;
  /** What installs what the files need. */
  readonly needs: string;
  /** What runs them. */
  readonly runs: string;
}

const NODE_NEEDS = 'npm install --save-dev payments-kit';

const STARTER = {
  vitest: {
    files: { 'payments.test.mjs': `${STARTERS}/vitest.mjs` },
    needs: NODE_NEEDS,
    runs: 'npx vitest run payments.test.mjs',
  },
  jest: {
    files: { 'payments.test.cjs': `${STARTERS}/jest.cjs` },
    needs: NODE_NEEDS,
    runs: 'npx jest --testMatch "**/payments.test.cjs"',
  },
  node: {
    files: { 'payments.test.mjs': `${STARTERS}/node-test.mjs` },
    needs: NODE_NEEDS,
    runs: 'node --test payments.test.mjs',
  },
  python: {
    files: {
      'test_payments.py': `${STARTERS}/pytest.py`,
      'payments_testing.py': `${PYTHON}/payments_testing.py`,
    },
    needs: 'pip install pytest standardwebhooks',
    runs: 'python -m pytest test_payments.py',
  },
  other: {
    files: { 'payments.scenario.yaml': `${STARTERS}/scenario.yaml` },
    needs: '',
    runs: 'pg scenario run payments.scenario.yaml',
  },
} as const satisfies Record<string, Starter>;

const OF_PYTHON = ['pyproject.toml', 'requirements.txt', 'setup.py', 'Pipfile', 'manage.py'];

/**
 * Writes tests into a project, in the language and for the test runner that are found there.
 * @throws Error, and writes nothing, where a file of these names is there
 */
export async function init(dir: string): Promise<void> {
  const { files, needs, runs }: Starter = STARTER[await languageOf(dir)];
  const there = Object.keys(files).filter((name) => existsSync(path.join(dir, name)));
  if (there.length > 0) {
    throw new Error(
      `${there.join(' and ')} ${there.length > 1 ? 'are' : 'is'} there already. Nothing was written.`,
    );
  }
  for (const [name, source] of Object.entries(files)) {
    await copyFile(path.join(import.meta.dirname, source), path.join(dir, name), constants.COPYFILE_EXCL);
  }
  const run = `${IS_PACKAGED ? 'npx payments-kit' : PROGRAM} run -- ${runs.replace(/^pg /, `${PROGRAM} `)}`;
  say(
    `Wrote ${Object.keys(files).join(', ')}.`,
    ...(needs === '' ? [] : [`Install   ${needs}`]),
    `Run       ${run}`,
    `In CI     ${run}`,
    `Then put your own receiver to the exam: "${PROGRAM} exam --help".`,
  );
}

async function languageOf(dir: string): Promise<keyof typeof STARTER> {
  if (OF_PYTHON.some((name) => existsSync(path.join(dir, name)))) {
    return 'python';
  }
  const manifest = await readFile(path.join(dir, 'package.json'), 'utf8').catch(() => null);
  if (manifest === null) {
    return 'other';
  }
  return (['vitest', 'jest'] as const).find((name) => manifest.includes(`"${name}"`)) ?? 'node';
}
