import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

/** Keeps downloads of tests from one run to the next. */
export const CACHE = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'payments');

/**
 * A folder of the cache, filled where it is not there yet.
 * @param name with the version of its content
 * @throws Error that says what is missing
 */
export async function cachedFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = path.join(CACHE, name);
  // Written last, so that an installation that was interrupted is not taken for one.
  const isWhole = path.join(folder, 'installed');
  if (existsSync(isWhole)) {
    return folder;
  }
  console.log(`Installing ${name} into ${folder}, once.`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await fill(folder);
  await writeFile(isWhole, '');
  return folder;
}
