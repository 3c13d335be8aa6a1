import path from 'node:path';
import { type Client, createClient } from '../../../shared/client/client.ts';
import { readServiceFile, type ServiceFile } from '../../local/service-file.ts';

/** The service that a command calls. */
export interface Target {
  readonly 'base-url'?: string | undefined;
  readonly key?: string | undefined;
  /** Where the local service keeps its data. */
  readonly dir: string;
}

/** A client, and where its service is: null is the one on this machine. */
export interface Connection {
  readonly client: Client;
  readonly service: string | null;
  /** Whether the key is of live mode, where money moves. */
  readonly isLive: boolean;
}

/**
 * A client of the service that is named, or of the one on this machine, whose key is sent to no other.
 * @throws Error that says what to do
 */
export async function connect(target: Target): Promise<Connection> {
  const baseUrl = target['base-url'] ?? process.env.PG_BASE_URL;
  const key = target.key ?? process.env.PG_KEY;
  if (baseUrl !== undefined && key === undefined) {
    throw new Error('Name a key for this address: PG_KEY=pg_test_…');
  }
  const local = baseUrl === undefined ? await readLocal(target.dir) : null;
  const used = key ?? local?.key ?? '';
  const client = createClient({ baseUrl: baseUrl ?? local?.baseUrl ?? '', key: used });
  return { client, service: baseUrl ?? null, isLive: used.startsWith('pg_live_') };
}

async function readLocal(dir: string): Promise<ServiceFile> {
  const service = await readServiceFile(path.join(dir, 'service.json'));
  if (service === null || service === 'damaged') {
    throw new Error(
      'The local service was never started here. Start it with "npm start", or name another: --base-url URL, and PG_KEY in the environment.',
    );
  }
  return service;
}
