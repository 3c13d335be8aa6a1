import { spawn } from 'node:child_process';
import { VARIABLES } from '../../shared/environment/variables.ts';
import { installDynamoDbLocal } from '../support/tools/dynamodb-local.ts';

/*
 * npm run test:engine: the tests of the API on AWS's own DynamoDB Local. Other tests keep their data in dynoxide, and
 * a second engine finds code that depends on the first.
 */

/** An engine of Java leaves less processor time for tests. */
const ARGS = ['--maxWorkers=2'];

async function main(): Promise<void> {
  const jars = await installDynamoDbLocal();
  const env = { ...process.env, [VARIABLES.jars]: jars };
  await runTests(['--project', 'service', 'test/api'], env);
  await runTests(['--project', 'slow', 'test/infra/local/dynamodb-local.slow.test.ts'], env);
}

/** @throws Error where a test fails */
async function runTests(which: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const vitest = spawn('vitest', ['run', ...which, ...ARGS], { env, stdio: 'inherit' });
  const code = await new Promise((resolve, reject) => {
    vitest.once('error', reject);
    vitest.once('exit', resolve);
  });
  if (code !== 0) {
    throw new Error(`vitest run ${which.join(' ')} ended with ${code}`);
  }
}

await main();
