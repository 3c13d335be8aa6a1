import { readFile } from 'node:fs/promises';

/** What the running service says about itself, for tools: `.local/service.json`. */
export interface ServiceFile {
  readonly baseUrl: string;
  readonly tableName: string;
  readonly dynamodbEndpoint: string;
  readonly secretsFolder: string;
  /** Of the demo merchant, with all permissions. */
  readonly key: string;
}

const FIELDS = [
  'baseUrl',
  'tableName',
  'dynamodbEndpoint',
  'secretsFolder',
  'key',
] as const satisfies (keyof ServiceFile)[];

/** What the last start wrote; null where there is no such file, `damaged` where it cannot be read. */
export async function readServiceFile(file: string): Promise<ServiceFile | 'damaged' | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  try {
    const service = text === null ? null : (JSON.parse(text) as Partial<ServiceFile> | null);
    const isWhole = FIELDS.every((field) => typeof service?.[field] === 'string');
    return text === null ? null : isWhole ? (service as ServiceFile) : 'damaged';
  } catch {
    return 'damaged';
  }
}
