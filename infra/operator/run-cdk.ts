import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Runs CDK. All that it prints is progress, and goes where errors go: a script reads standard output.
 * @throws Error if CDK failed, after it has printed why
 */
export async function runCdk(args: readonly string[], what: string): Promise<void> {
  // The one that the lock has: a pipeline has no program of packages on its path.
  const program = fileURLToPath(import.meta.resolve('aws-cdk/bin/cdk'));
  const child = spawn(process.execPath, [program, ...args], { stdio: ['inherit', 2, 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    throw new Error(`${what} failed: see the output of CDK above.`);
  }
}
