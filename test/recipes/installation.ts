import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installNodePackages } from '../support/tools/node-packages.ts';
import { installPythonRequirements } from '../support/tools/python-package.ts';

/** What a stack takes, in the versions that its lock in `stacks/` names. */
export interface Installation {
  /** A project of the stack is a folder in this one. */
  readonly parent: string;
  /** Where the programs are that its commands name. */
  readonly env: NodeJS.ProcessEnv;
}

const STACKS = path.join(import.meta.dirname, 'stacks');

/** The folder with the lock of a stack. */
export function lockFolderOf(stack: string): string {
  return path.join(STACKS, stack);
}

/** Installs what a stack takes where it is not there yet. @throws Error that says what is missing */
export async function installStack(stack: string): Promise<Installation> {
  const folder = lockFolderOf(stack);
  if (existsSync(path.join(folder, 'package-lock.json'))) {
    // Node looks for packages in the folders above.
    const parent = await installNodePackages(`recipe-${stack}`, folder);
    return { parent, env: pathWith(path.dirname(process.execPath)) };
  }
  const venv = await installPythonRequirements(path.join(folder, 'requirements.txt'));
  return { parent: tmpdir(), env: pathWith(path.join(venv, 'bin')) };
}

function pathWith(folder: string): NodeJS.ProcessEnv {
  return { PATH: [folder, process.env.PATH].join(path.delimiter) };
}
