import { createHash } from 'node:crypto';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { cachedFolder } from './cached-folder.ts';
import { runCommand } from './run-command.ts';

/**
 * Installs what a folder's lock names into a cache folder where it is not there yet: tools that judge the service and
 * need other versions of its own tools beside them.
 * @returns the folder that has them in `node_modules`
 * @throws Error that says what is missing
 */
export async function installNodePackages(name: string, folder: string): Promise<string> {
  const lock = await readFile(path.join(folder, 'package-lock.json'));
  const digest = createHash('sha256').update(lock).digest('hex').slice(0, 8);
  return cachedFolder(`${name}-${digest}`, async (cached) => {
    for (const file of ['package.json', 'package-lock.json']) {
      await copyFile(path.join(folder, file), path.join(cached, file));
    }
    await runCommand('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: cached });
  });
}
