import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { PACKAGE } from '../../infra/build/build-package.ts';
import { PG_OPTIONS } from '../../infra/terminal/options.ts';
import { runStep } from '../support/tools/run-step.ts';

interface ExamAction {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly {
      readonly run: string;
      readonly shell: string;
      readonly env: Readonly<Record<string, string>>;
    }[];
  };
}

const ACTION = '.github/actions/exam';
const text = readFileSync(`${ACTION}/action.yml`, 'utf8');
const { inputs, runs } = parse(text) as ExamAction;
const [step] = runs.steps;
const NOTHING = Object.fromEntries(Object.keys(step?.env ?? {}).map((name) => [name, '']));

/** A runner whose npx writes its arguments to a file, and ends with this code. */
async function newRunner(code = 0) {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-exam-action-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const [bin, workspace, said] = [
    path.join(dir, 'bin'),
    path.join(dir, 'my shop'),
    path.join(dir, 'arguments'),
  ];
  await Promise.all([bin, workspace].map((folder) => mkdir(folder, { recursive: true })));
  const npx = path.join(bin, 'npx');
  await writeFile(npx, `#!/bin/sh\nprintf '%s\\n' "$@" >"${said}"\nexit ${code}\n`);
  await chmod(npx, 0o755);
  const env = {
    ...NOTHING,
    PATH: `${bin}:${process.env.PATH}`,
    GITHUB_WORKSPACE: workspace,
    EXAM_PACKAGE: 'payments-kit',
    PG_BASE_URL: 'http://127.0.0.1:1',
    PG_KEY: 'k',
  };
  const run = (values: Readonly<Record<string, string>>) => runStep(step?.run, dir, { ...env, ...values });
  const readArguments = async () => (await readFile(said, 'utf8')).split('\n').slice(0, -1);
  return { workspace, run, readArguments };
}

describe('the action that examines a receiver', () => {
  test('is one step in bash, which runs the package and needs no repository', () => {
    expect([runs.using, runs.steps.length, step?.shell]).toEqual(['composite', 1, 'bash']);
    expect(inputs.package?.default).toBe(PACKAGE);
  });

  test('needs the receiver alone, and has an option of the command for every other input', () => {
    const required = Object.entries(inputs).filter(([, input]) => input.required === true);
    expect(required.map(([name]) => name)).toEqual(['receiver']);
    const options = Object.keys(inputs).filter((name) => name !== 'reports' && name !== 'package');
    expect(options.filter((name) => !(name in PG_OPTIONS))).toEqual([]);
  });

  test('puts no input into its command, where it would be run', () => {
    expect(step?.run).not.toContain('${{');
    const expected = Object.keys(inputs).map((name) => [
      `EXAM_${name.toUpperCase()}`,
      `\${{ inputs.${name} }}`,
    ]);
    expect(Object.entries(step?.env ?? {})).toEqual(expected);
  });

  test('runs the exam with what is given, and writes three reports into the workspace', {
    tags: 'slow',
  }, async () => {
    const { workspace, run, readArguments } = await newRunner();
    await run({ EXAM_RECEIVER: 'http://127.0.0.1:3000/$(id) *', EXAM_REPORTS: 'out/exam of today' });
    const folder = path.join(workspace, 'out/exam of today');
    expect(await readArguments()).toEqual([
      ...['--yes', '--package', 'payments-kit', 'pg', 'exam'],
      ...['--receiver', 'http://127.0.0.1:3000/$(id) *'],
      ...['--report', path.join(folder, 'exam.json')],
      ...['--junit', path.join(folder, 'exam.xml')],
      ...['--html', path.join(folder, 'exam.html')],
    ]);
    await writeFile(path.join(folder, 'exam.json'), '');
  });

  test('hands on the order, the probe, the choice of questions and the seed', { tags: 'slow' }, async () => {
    const { run, readArguments } = await newRunner();
    const given = { EXAM_ORDER: 'http://o', EXAM_PROBE: 'http://p', EXAM_ONLY: 'DUP', EXAM_SEED: '7' };
    await run({ ...given, EXAM_RECEIVER: 'http://r', EXAM_REPORTS: 'exam' });
    expect((await readArguments()).slice(5, 15)).toEqual([
      ...['--receiver', 'http://r', '--order', 'http://o', '--probe', 'http://p'],
      ...['--only', 'DUP', '--seed', '7'],
    ]);
  });

  test('fails when the exam fails', async () => {
    const { run } = await newRunner(1);
    await expect(run({ EXAM_RECEIVER: 'http://r', EXAM_REPORTS: 'exam' })).rejects.toThrow();
  });

  test.each(['PG_BASE_URL', 'PG_KEY'])('says what is missing without %s', { tags: 'slow' }, async (name) => {
    const { run } = await newRunner();
    await expect(run({ EXAM_RECEIVER: 'http://r', EXAM_REPORTS: 'exam', [name]: '' })).rejects.toThrow(
      'use the action that starts the service before this one',
    );
  });
});
