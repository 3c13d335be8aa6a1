import path from 'node:path';
import { cachedFolder } from './cached-folder.ts';
import { runCommand } from './run-command.ts';

/**
 * Node in a version: where it is not that of the repository, from npm, which has it for Linux as a package.
 * @returns the program
 */
export async function nodeOfVersion(version: string): Promise<string> {
  if (version === process.versions.node) {
    return process.execPath;
  }
  const name = `node-${process.platform}-${process.arch}`;
  const folder = await cachedFolder(`${name}-${version}`, async (cached) => {
    const flags = ['--prefix', cached, '--ignore-scripts', '--no-audit', '--no-fund'];
    await runCommand('npm', ['install', ...flags, `${name}@${version}`]);
  });
  return path.join(folder, 'node_modules', name, 'bin/node');
}
