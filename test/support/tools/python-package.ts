import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cachedFolder } from './cached-folder.ts';
import { runCommand } from './run-command.ts';

/**
 * Installs a release of a Python package into a cache folder where it is not there yet.
 * @param release with its version, as in `name==1.2.3`
 * @returns the folder of a Python environment that has it
 * @throws Error that says what is missing
 */
export function installPythonPackage(release: string): Promise<string> {
  return installPython(release.replace('==', '-'), [release]);
}

/**
 * Installs everything that a file of requirements locks. Its first line is the package that is meant.
 */
export async function installPythonRequirements(file: string): Promise<string> {
  const requirements = await readFile(file, 'utf8');
  const [release = ''] = requirements.split('\n');
  const digest = createHash('sha256').update(requirements).digest('hex').slice(0, 8);
  return installPython(`${release.replace('==', '-')}-${digest}`, ['--no-deps', '--requirement', file]);
}

function installPython(name: string, what: readonly string[]): Promise<string> {
  return cachedFolder(name, async (venv) => {
    try {
      await runCommand('python3', ['-m', 'venv', '--clear', venv]);
      await runCommand(path.join(venv, 'bin', 'pip'), ['install', '--disable-pip-version-check', ...what]);
    } catch (error) {
      const needs = 'It takes Python 3.10 or newer with venv and pip (on Debian: python3-venv).';
      throw new Error(`${name} could not be installed. ${needs}\n${(error as Error).message}`);
    }
  });
}
