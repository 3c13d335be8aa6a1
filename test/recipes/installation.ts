import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cachedFolder } from '../support/tools/cached-folder.ts';
import { GO_ENV, LOCKED_GO_ENV } from '../support/tools/go.ts';
import { installNodePackages } from '../support/tools/node-packages.ts';
import { nodeOfVersion } from '../support/tools/node-version.ts';
import { installPythonRequirements } from '../support/tools/python-package.ts';
import { runCommand } from '../support/tools/run-command.ts';
import type { Recipe } from './recipes.ts';

/** A project of a stack that has everything but the files of its recipe. */
export interface EmptyProject {
  readonly dir: string;
  /** Where the programs are that the commands of the recipe name. */
  readonly env: NodeJS.ProcessEnv;
}

/** Their locks, or for Laravel the files that a new project has. */
const STACKS = path.join(import.meta.dirname, 'stacks');

/**
 * Makes a new project, and installs what it takes where that is not there yet: by the lock of its stack where there is
 * one, by the commands of the recipe for Maven. PHP and Ruby have packages of the system: `.ci/tools` installs them.
 * @param node the version of Node that a stack of JavaScript runs on
 * @throws Error that says what is missing
 */
export async function newProject(recipe: Recipe, node = process.versions.node): Promise<EmptyProject> {
  const locks = path.join(STACKS, recipe.stack);
  if (existsSync(path.join(locks, 'package-lock.json'))) {
    // Node looks for packages in the folders above.
    const installed = await installNodePackages(`recipe-${recipe.stack}`, locks);
    return {
      dir: await mkdtemp(path.join(installed, 'shop-')),
      env: withPath(path.dirname(await nodeOfVersion(node))),
    };
  }
  const dir = await mkdtemp(path.join(tmpdir(), 'shop-'));
  if (existsSync(path.join(locks, 'requirements.txt'))) {
    const venv = await installPythonRequirements(path.join(locks, 'requirements.txt'));
    return { dir, env: withPath(path.join(venv, 'bin')) };
  }
  if (recipe.files.has('pom.xml')) {
    await symlink(await installJars(recipe), path.join(dir, 'lib'));
  } else if (existsSync(locks)) {
    await cp(locks, dir, { recursive: true });
  }
  if (existsSync(path.join(dir, 'go.mod'))) {
    await runCommand('go', ['mod', 'download'], { cwd: dir, env: GO_ENV });
    return { dir, env: LOCKED_GO_ENV };
  }
  return { dir, env: {} };
}

function withPath(folder: string): NodeJS.ProcessEnv {
  return { PATH: [folder, process.env.PATH].join(path.delimiter) };
}

/** @returns the folder of the libraries */
async function installJars({ stack, install, files }: Recipe): Promise<string> {
  const pom = files.get('pom.xml') ?? '';
  const digest = createHash('sha256').update(pom).digest('hex').slice(0, 8);
  const folder = await cachedFolder(`recipe-${stack}-${digest}`, async (cached) => {
    await writeFile(path.join(cached, 'pom.xml'), pom);
    const options = `-Dmaven.repo.local=${path.join(cached, '..', 'maven')}`;
    await runCommand('bash', ['-euc', install], {
      cwd: cached,
      env: { ...process.env, MAVEN_OPTS: options },
    });
  });
  return path.join(folder, 'lib');
}

/** The programs of stacks that no package manager of their language installs here, as commands that print their versions. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  php: ['php', '-r', 'new PDO("sqlite::memory:"); echo PHP_VERSION;'],
  laravel: [
    'php',
    '-r',
    'require "Illuminate/autoload.php"; echo Illuminate\\Foundation\\Application::VERSION;',
  ],
  sinatra: ['ruby', '-e', 'require "sqlite3"; require "sinatra/base"; print Sinatra::VERSION'],
  puma: ['ruby', '-e', 'require "puma/const"; print Puma::Const::VERSION'],
};

/** @returns nothing for a program that is not there */
function installedVersion([command = '', ...args]: readonly string[]): string {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

/** Whether the system has the programs of a stack, in the versions that the table names or newer ones, or needs none. */
export function hasPrograms({ versions }: Recipe): boolean {
  return [...versions].every(([name, version]) => {
    const command = PROGRAMS[name];
    const isEnough = (installed: string) => installed.localeCompare(version, 'en', { numeric: true }) >= 0;
    return command === undefined || isEnough(installedVersion(command));
  });
}
