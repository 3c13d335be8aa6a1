import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { cachedFolder } from './cached-folder.ts';
import { runCommand } from './run-command.ts';

const POM = 'infra/local/dynamodb-local.xml';

/**
 * Installs AWS's DynamoDB Local into a cache folder where it is not there yet.
 * @returns the folder with its jars
 * @throws Error that says what is missing
 */
export async function installDynamoDbLocal(): Promise<string> {
  const version = createHash('sha256')
    .update(await readFile(POM))
    .digest('hex')
    .slice(0, 12);
  return cachedFolder(`dynamodb-local-${version}`, async (folder) => {
    const args = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
    try {
      await runCommand('mvn', ['-q', '-f', POM, ...args]);
    } catch (error) {
      const needs = 'It takes Maven and a Java development kit, 17 or newer.';
      throw new Error(`DynamoDB Local could not be installed. ${needs}\n${(error as Error).message}`);
    }
  });
}
