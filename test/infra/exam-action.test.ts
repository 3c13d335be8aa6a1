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
const [step, verdictStep] = runs.steps;
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
  test('is two steps in bash, which run the package and need no repository', () => {
    expect([runs.using, ...runs.steps.map(({ shell }) => shell)]).toEqual(['composite', 'bash', 'bash']);
    expect(inputs.package?.default).toBe(PACKAGE);
  });

  test('needs the receiver alone, and has an option of the command for every other input', () => {
    const required = Object.entries(inputs).filter(([, input]) => input.required === true);
    expect(required.map(([name]) => name)).toEqual(['receiver']);
    const options = Object.keys(inputs).filter((name) => !['reports', 'package', 'token'].includes(name));
    expect(options.filter((name) => !(name in PG_OPTIONS))).toEqual([]);
  });

  test('puts no input into its commands, where it would be run', () => {
    expect(runs.steps.map(({ run }) => run).join()).not.toContain('${{');
    const names = Object.keys(inputs).filter((name) => name !== 'token');
    const expected = names.map((name) => [`EXAM_${name.toUpperCase()}`, `\${{ inputs.${name} }}`]);
    expect(Object.entries(step?.env ?? {})).toEqual(expected);
  });

  test('runs the exam with what is given, and writes its reports into the workspace', {
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
      ...['--markdown', path.join(folder, 'exam.md')],
    ]);
    await writeFile(path.join(folder, 'exam.json'), '');
  });

  test('hands on order, probe, choice of questions, scheme and seed', { tags: 'slow' }, async () => {
    const { run, readArguments } = await newRunner();
    const given = {
      EXAM_ORDER: 'http://o',
      EXAM_PROBE: 'http://p',
      EXAM_ONLY: 'DUP',
      EXAM_SEED: '7',
      EXAM_SCHEME: 'svix',
    };
    await run({ ...given, EXAM_RECEIVER: 'http://r', EXAM_REPORTS: 'exam' });
    expect((await readArguments()).slice(5, 17)).toEqual([
      ...['--receiver', 'http://r', '--order', 'http://o', '--probe', 'http://p'],
      ...['--only', 'DUP', '--scheme', 'svix', '--seed', '7'],
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

describe('the verdict of the exam', () => {
  const VERDICT = '### Exam: 1 of 1 question passed';
  const MARK = '<!-- exam of a webhook receiver: CI, shop -->';
  const PULL = 'repos/a/shop/issues/12/comments';

  /**
   * A job whose command line of GitHub writes down its calls: each with its arguments and what it reads.
   * @param found the id of the comment that an earlier run has left
   * @param code which it ends with
   */
  async function newJob({ found = '', code = 0, verdict = VERDICT } = {}) {
    const dir = await mkdtemp(path.join(tmpdir(), 'payments-exam-verdict-'));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const [gh, calls, summary] = ['gh', 'calls', 'summary'].map((name) => path.join(dir, name));
    const lines = [
      '#!/bin/sh',
      `printf '%s\\n' "$*" >>"${calls}"`,
      `case "$*" in *--paginate*) printf '%s' '${found}' ;; *) cat >>"${calls}" ;; esac`,
      `exit ${code}`,
    ];
    await writeFile(String(gh), lines.join('\n'));
    await chmod(String(gh), 0o755);
    await mkdir(path.join(dir, 'exam'));
    await writeFile(path.join(dir, 'exam/exam.md'), verdict);
    const env = {
      PATH: `${dir}:${process.env.PATH}`,
      GITHUB_WORKSPACE: dir,
      GITHUB_STEP_SUMMARY: String(summary),
      GITHUB_REPOSITORY: 'a/shop',
      GITHUB_WORKFLOW: 'CI',
      GITHUB_JOB: 'shop',
      EXAM_REPORTS: 'exam',
      GH_TOKEN: 'token',
      PULL_REQUEST: '12',
    };
    const run = (values: Readonly<Record<string, string>> = {}) =>
      runStep(verdictStep?.run, dir, { ...env, ...values });
    const read = (file: string | undefined) => readFile(String(file), 'utf8').catch(() => '');
    return { run, readCalls: () => read(calls), readSummary: () => read(summary) };
  }

  test('is in the summary of the job, and becomes a comment on its pull request', async () => {
    const { run, readCalls, readSummary } = await newJob();
    await run();
    expect(await readSummary()).toBe(VERDICT);
    const [search, post, ...body] = (await readCalls()).trimEnd().split('\n');
    expect(search).toContain(`api --paginate ${PULL} --jq`);
    expect(post).toBe(`api --silent --method POST ${PULL} --field body=@-`);
    expect(body).toEqual([MARK, VERDICT]);
  });

  test('replaces the comment of an earlier run', { tags: 'slow' }, async () => {
    const { run, readCalls } = await newJob({ found: '77\n78' });
    await run();
    const patch = 'api --silent --method PATCH repos/a/shop/issues/comments/77 --field body=@-';
    expect((await readCalls()).trimEnd().split('\n').slice(1)).toEqual([patch, MARK, VERDICT]);
  });

  test.each(['GH_TOKEN', 'PULL_REQUEST'])(
    'is in the summary alone without %s',
    {
      tags: 'slow',
    },
    async (name) => {
      const { run, readCalls, readSummary } = await newJob();
      await run({ [name]: '' });
      expect([await readSummary(), await readCalls()]).toEqual([VERDICT, '']);
    },
  );

  test('fails no job where it cannot be commented, and warns', { tags: 'slow' }, async () => {
    const { run } = await newJob({ code: 1 });
    expect((await run()).stdout).toContain('::warning::');
  });

  test('is nothing where no exam has run', { tags: 'slow' }, async () => {
    const { run, readCalls, readSummary } = await newJob({ verdict: '' });
    await run();
    expect([await readSummary(), await readCalls()]).toEqual(['', '']);
  });
});
