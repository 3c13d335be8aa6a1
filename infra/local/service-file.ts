import { readFile, rename, writeFile } from 'node:fs/promises';

/** What the running service says about itself, for tools: `.local/service.json`. */
export interface ServiceFile {
  readonly baseUrl: string;
  readonly tableName: string;
  readonly dynamodbEndpoint: string;
  /** Of the demo merchant, with all permissions. */
  readonly key: string;
}

/** The key that the last start wrote; null where there is none, or none that can be read. */
export async function readKnownKey(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  const key = text === null ? null : keyIn(text);
  if (text !== null && key === null) {
    console.warn(`${file} was damaged. It is made anew, with a new key; the old one still works.`);
  }
  return key;
}

function keyIn(text: string): string | null {
  try {
    const { key } = JSON.parse(text) as Partial<ServiceFile>;
    return typeof key === 'string' ? key : null;
  } catch {
    return null;
  }
}

/** Writes the file whole or not at all: who reads it meanwhile finds the old one. For its owner alone. */
export async function writeServiceFile(file: string, service: ServiceFile): Promise<void> {
  const whole = `${file}.new`;
  await writeFile(whole, `${JSON.stringify(service, null, 2)}\n`, { mode: 0o600 });
  await rename(whole, file);
}
