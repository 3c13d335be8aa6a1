import { rename, writeFile } from 'node:fs/promises';

/** Writes an object as JSON atomically: until then, readers find the old file. Only its owner can read the file. */
export async function writeWhole(file: string, content: object): Promise<void> {
  const whole = `${file}.new`;
  await writeFile(whole, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(whole, file);
}
