import { rename, writeFile } from 'node:fs/promises';

/** Writes an object as JSON, whole or not at all: who reads the file meanwhile finds the old one. For its owner alone. */
export async function writeWhole(file: string, content: object): Promise<void> {
  const whole = `${file}.new`;
  await writeFile(whole, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(whole, file);
}
