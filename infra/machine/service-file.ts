import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The running service's description of itself, for tools: `.payments/service.json`. */
export interface ServiceFile {
  readonly baseUrl: string;
  readonly tableName: string;
  readonly dynamodbEndpoint: string;
  readonly secretsFolder: string;
  /** The demo merchant's key, with all permissions. */
  readonly key: string;
  /** Its process. Until a service that starts has written its own file, that of the last start is there. */
  readonly pid: number;
}

/** The file of a data folder. */
export function serviceFileOf(dir: string): string {
  return path.join(dir, 'service.json');
}

const FIELDS = [
  'baseUrl',
  'tableName',
  'dynamodbEndpoint',
  'secretsFolder',
  'key',
] as const satisfies (keyof ServiceFile)[];

/** The file of the last start; null if there is none, `damaged` if it cannot be read. */
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
