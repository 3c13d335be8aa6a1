import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installNodePackages } from '../support/tools/node-packages.ts';
import { runCommand } from '../support/tools/run-command.ts';
import type { ServiceFile } from '../support/world/host.ts';

/** The address of `npm start`, which the stories name. */
const USUAL = 'http://127.0.0.1:4010';

/**
 * Lets Redocly's runner of Arazzo tell every story to a service. It compares each response with the document, too.
 * @param dir for its files
 * @returns which of the stories passed, and what it printed
 */
export async function tellStories(
  stories: string,
  { baseUrl, key }: Pick<ServiceFile, 'baseUrl' | 'key'>,
  dir: string,
): Promise<{ readonly passed: number; readonly output: string }> {
  const folder = await installNodePackages('respect', path.join(import.meta.dirname, 'respect'));
  const program = path.join(folder, 'node_modules/@redocly/cli/bin/cli.js');
  const file = path.join(dir, 'stories.arazzo.yaml');
  await writeFile(file, stories.replace(USUAL, baseUrl));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const args = [program, 'respect', file, '--input', `key=${key}`, '--input', 'run=told'];
  const output = await runCommand(process.execPath, args, { env, cwd: dir }).then(
    ({ stdout, stderr }) => `${stdout}${stderr}`,
    ({ message }: Error) => message,
  );
  const [, passed = 0] = /Workflows: (\d+) passed/.exec(output) ?? [];
  return { passed: Number(passed), output };
}
