import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { allOperations } from '../../shared/contract/operations.ts';
import { LISTED_KINDS } from '../../shared/story/lists.ts';
import { installPythonRequirements } from '../support/tools/python-package.ts';
import { runCommand } from '../support/tools/run-command.ts';
import type { Exception } from './finding.ts';

const HERE = path.join(import.meta.dirname, 'schemathesis');
const PHASES = ['examples', 'coverage', 'fuzzing', 'stateful'];
/** Each operation gets so many, in each phase that draws them; every run draws the same ones. */
const EXAMPLES = 6;
/** It takes four minutes, and several times as long on a machine with much to do. */
const TIMEOUT_MS = 30 * 60_000;

/** The lists of what is retrieved by its id. */
const LISTED = LISTED_KINDS.flatMap(({ listId, getId }) =>
  allOperations
    .filter(({ id }) => getId !== null && id === listId)
    .map(({ path }) => path.replace('/api/v1', '')),
);

/** A failure that is known: of a check, of operations, and of the answers that it is about. */
export interface KnownFailure extends Exception {
  readonly status?: number;
  /** The code of the problem in the response. */
  readonly code?: string;
  /** Which of the field errors, as `field code`; where there are several, each must be known. */
  readonly field?: RegExp;
  /** The body that was sent has a null in it. */
  readonly hasNull?: true;
}

export interface Target {
  readonly baseUrl: string;
  readonly key: string;
  /** Keys of two other merchants: for what fills and empties a world, and for what moves its clock. */
  readonly scratchKey: string;
  readonly clockKey: string;
}

export interface Trial {
  readonly operations: number;
  readonly cases: number;
  /** What it printed of the failures that no exception explains; empty where there are none. */
  readonly failures: string;
  /** How often each known failure was seen. */
  readonly explained: readonly number[];
}

interface Report {
  readonly operations: { readonly total: number; readonly tested: number };
  readonly phases: Readonly<Record<string, { readonly status: string }>>;
  readonly test_cases: { readonly generated: number };
}

export function installSchemathesis(): Promise<string> {
  return installPythonRequirements(path.join(HERE, 'requirements.txt'));
}

/**
 * Lets schemathesis try every operation of a service's document, in all its phases.
 * @param dir for its files
 */
export async function trySchemathesis(
  target: Target,
  document: string,
  known: readonly KnownFailure[],
  dir: string,
  signal: AbortSignal,
): Promise<Trial> {
  const files = {
    document: path.join(dir, 'openapi.json'),
    config: path.join(dir, 'schemathesis.toml'),
    report: path.join(dir, 'report.json'),
    used: path.join(dir, 'used.json'),
  };
  await writeFile(files.document, document);
  await writeFile(files.config, configuration(target));
  const venv = await installSchemathesis();
  const child = spawn(
    path.join(venv, 'bin', 'schemathesis'),
    [
      `--config-file=${files.config}`,
      'run',
      // By an address it would leave out the operation that answers the document.
      files.document,
      `--url=${target.baseUrl}`,
      `--phases=${PHASES.join(',')}`,
      '--report=json',
      `--report-json-path=${files.report}`,
      '--no-color',
      '--warnings=off',
    ],
    {
      cwd: dir,
      timeout: TIMEOUT_MS,
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        BASE_URL: target.baseUrl,
        KEY: target.key,
        USED_FILE: files.used,
        LISTS: JSON.stringify(LISTED),
        OWN_IDS: JSON.stringify(allOperations.flatMap(({ bodyId = [] }) => bodyId)),
        EXCEPTIONS: JSON.stringify(
          known.map(({ where, field, ...rest }) => ({
            ...rest,
            where: where.source,
            ...(field !== undefined && { field: field.source }),
          })),
        ),
        PYTHONDONTWRITEBYTECODE: '1',
      },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const [code] = await once(child, 'exit');
  const report = await readFile(files.report, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => null,
  );
  if (report === null) {
    throw new Error(`schemathesis ended with ${code}:\n${output}`);
  }
  const { operations, phases, test_cases } = report;
  const notRun = PHASES.filter((phase) => !['success', 'failure'].includes(phases[phase]?.status ?? ''));
  const isWhole = notRun.length === 0 && operations.tested === operations.total;
  return {
    operations: operations.tested,
    cases: test_cases.generated,
    failures: isWhole
      ? code === 0
        ? ''
        : output
      : `${output}\nnot run whole: ${notRun.join(', ')}; ${operations.tested} of ${operations.total} operations`,
    explained: JSON.parse(await readFile(files.used, 'utf8')) as number[],
  };
}

function configuration({ key, scratchKey, clockKey }: Target): string {
  const headers = (secret: string) => `headers = { Authorization = "Bearer ${secret}" }`;
  return [
    `hooks = ${JSON.stringify(path.join(HERE, 'hooks.py'))}`,
    headers(key),
    'continue-on-failure = true',
    // A machine with much else to do may take longer than the usual ten seconds.
    'request-timeout = 60',
    '[generation]',
    'deterministic = true',
    'database = "none"',
    'no-shrink = true',
    `max-examples = ${EXAMPLES}`,
    '[[operations]]',
    'include-path-regex = "^/api/v1/test/(data|seed)$"',
    headers(scratchKey),
    '[[operations]]',
    'include-path-regex = "^/api/v1/test/clock/advance$"',
    headers(clockKey),
    '',
  ].join('\n');
}

/** A key of a merchant of its own, made as an operator makes one. */
export async function newMerchantKey(merchant: string, dir: string): Promise<string> {
  const order = ['create', '--merchant', merchant, '--preset', 'owner', '--dir', dir, '--json'];
  const { stdout } = await runCommand(process.execPath, ['infra/pg/pg.ts', 'admin', 'keys', ...order]);
  return (JSON.parse(stdout) as { key: string }).key;
}
