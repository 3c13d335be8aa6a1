// @module-tag slow
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { LISTED_SKIPS } from './listed-skips.ts';

const VITEST = path.resolve('node_modules/vitest/vitest.mjs');
const OWN = path.relative(process.cwd(), import.meta.filename);
const TESTS = `
test('that runs', () => {});
test.skip('for a tool', () => {});
test.skip('elsewhere', () => {});
describe.skip('a group', () => { test('of its own', () => {}); });
test.todo('later');`;
const TOOL = "{ files: /^some[.]test[.]js$/, tests: /for a tool/, reason: 'No tool' }";
const ELSEWHERE =
  "{ files: /^some[.]test[.]js$/, tests: /elsewhere/, reason: 'Another command', inCi: true }";
const REST = "{ files: /^some[.]test[.]js$/, tests: /of its own|later/, reason: 'The rest', inCi: true }";

/** How a run of tests ends whose skips are listed so. */
async function runOf(listed: readonly string[], env: Readonly<Record<string, string>>, ...args: string[]) {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-skips-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const reporter = JSON.stringify(path.resolve(import.meta.dirname, 'skips-reporter.ts'));
  const config = `export default { test: { globals: true, reporters: [[${reporter}, { listed: [${listed}] }]] } };`;
  await writeFile(path.join(dir, 'vitest.config.mjs'), config);
  await writeFile(path.join(dir, 'some.test.js'), TESTS);
  const { CI: _ci, VITEST: _vitest, ...inherited } = process.env;
  const run = promisify(execFile)(process.execPath, [VITEST, 'run', ...args], {
    cwd: dir,
    env: { ...inherited, ...env },
  });
  return run.then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
}

test('in CI a skip that nobody listed fails the run, and is named', async () => {
  const { code, stdout } = await runOf([ELSEWHERE, TOOL.replace('}', ', inCi: true }')], { CI: 'true' });
  expect(code).toBe(1);
  expect(stdout).toContain('For no reason that is listed: 2 of some.test.js');
  expect(stdout).toMatch(/some\.test\.js > a group > of its own\n +some\.test\.js > later\n/);
});

test('in CI a skip for a missing tool fails the run', async () => {
  const { code, stdout } = await runOf([TOOL, ELSEWHERE, REST], { CI: 'true' });
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /No tool: 1 of some\.test\.js\n +CI skips none of these\.\n +some\.test\.js > for a tool\n/,
  );
});

test('in CI a run passes whose every skip is listed for CI, and each has its reason at the end', async () => {
  const { code, stdout } = await runOf(
    [ELSEWHERE, REST, "{ files: /^some[.]test[.]js$/, tests: /a tool/, reason: 'Why', inCi: true }"],
    {
      CI: 'true',
    },
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /Skipped:\n {2}Why: 1 of some\.test\.js\n {2}Another command: 1 of .*\n {2}The rest: 2 of /,
  );
});

test('elsewhere than in CI a skip is said, and fails nothing', async () => {
  const { code, stdout } = await runOf([TOOL], {});
  expect(code).toBe(0);
  expect(stdout).toContain('No tool: 1 of some.test.js');
  expect(stdout).toContain('For no reason that is listed: 3 of some.test.js');
});

test('the tests that a name leaves out are no skips', async () => {
  expect(await runOf([], { CI: 'true' }, '-t', 'that runs')).toEqual({ code: 0, stdout: '' });
});

/** What the text of a file with tests has that can be skipped. */
const SKIPPING = /\.(skip|todo|skipIf|runIf)\(|describeInBrowser\(/;

test('the list names every file whose tests can be skipped, and no other', () => {
  const files = globSync('test/**/*.test.ts').filter(
    (file) => file !== OWN && SKIPPING.test(readFileSync(file, 'utf8')),
  );
  const entriesOf = (file: string) => LISTED_SKIPS.filter((entry) => entry.files.test(file));
  expect(files.filter((file) => entriesOf(file).length === 0)).toEqual([]);
  expect(LISTED_SKIPS.filter((entry) => !files.some((file) => entry.files.test(file)))).toEqual([]);
});
