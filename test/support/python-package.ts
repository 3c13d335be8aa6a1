import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Installs a release of a Python package into a cache folder where it is not there yet.
 * @param release with its version, as in `name==1.2.3`
 * @returns the folder of a Python environment that has it
 * @throws Error that says what is missing
 */
export async function installPythonPackage(release: string): Promise<string> {
  const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'payments');
  const venv = path.join(cache, release.replace('==', '-'));
  // Written last, so that an installation that was interrupted is not taken for one.
  const isWhole = path.join(venv, 'installed');
  if (existsSync(isWhole)) {
    return venv;
  }
  console.log(`Installing ${release} into ${venv}, once.`);
  try {
    await run('python3', ['-m', 'venv', '--clear', venv]);
    await run(path.join(venv, 'bin', 'pip'), ['install', '--disable-pip-version-check', release]);
    await writeFile(isWhole, '');
  } catch (error) {
    const needs = 'It takes Python 3.10 or newer with venv and pip (on Debian: python3-venv).';
    throw new Error(`${release} could not be installed. ${needs}\n${(error as Error).message}`);
  }
  return venv;
}
