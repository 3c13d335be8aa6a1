import { randomUUID } from 'node:crypto';
import { link, rename, rm, writeFile } from 'node:fs/promises';

/** Writes an object as JSON atomically: until then, readers find the old file. Only its owner can read the file. */
export async function writeWhole(file: string, content: object): Promise<void> {
  const whole = `${file}.new`;
  await writeJson(whole, content);
  await rename(whole, file);
}

/** Writes a whole file that must not exist yet. @returns whether it was written: another process may have been first */
export async function writeFirst(file: string, content: object): Promise<boolean> {
  const whole = `${file}.${randomUUID()}`;
  await writeJson(whole, content);
  try {
    await link(whole, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
    return false;
  } finally {
    await rm(whole);
  }
}

async function writeJson(file: string, content: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}
