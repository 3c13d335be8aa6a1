import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs the commands of a step, as GitHub does. */
export function runStep(command: string | undefined, cwd: string, env: Readonly<Record<string, string>>) {
  return promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', String(command)], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
  });
}
