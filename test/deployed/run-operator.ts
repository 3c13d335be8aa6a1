import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs a command of an operator on a stage, and returns its output.
 * @param env variables beyond those of this process
 * @param input its standard input
 */
export async function runOperator(
  file: 'keys' | 'providers',
  stackName: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input: object = {},
) {
  const running = promisify(execFile)(
    process.execPath,
    ['infra/pg/pg.ts', 'admin', file, ...args, '--stack', stackName, '--json'],
    { env: { ...process.env, ...env } },
  );
  running.child.stdin?.end(JSON.stringify(input));
  return JSON.parse((await running).stdout);
}
