import { type Client, createClient } from '../../shared/client/client.ts';
import { findLocalService, type LocalService } from '../machine/find-service.ts';
import { readAs } from './command.ts';
import type { OptionForm } from './option-form.ts';
import { PG } from './options.ts';
import { START } from './program-name.ts';

/** The service that a command calls. */
export interface CalledService {
  readonly 'base-url'?: string | undefined;
  readonly key?: string | undefined;
  /** The data folder of the local service; without it, the one that is found from the working directory. */
  readonly dir?: string | undefined;
}

/** A client and the address of its service: null for the local one. */
export interface ClientConnection {
  readonly client: Client;
  readonly service: string | null;
  readonly baseUrl: string;
  readonly key: string;
  /** The key of the local service; null for any other key. */
  readonly localKey: string | null;
  /** The data folder of the local service; null for another one. */
  readonly dir: string | null;
  /** Whether the key is a live key, so that money moves. */
  readonly isLive: boolean;
}

/**
 * A client of the named service, or of the local one. The key of the local service is never sent to another one.
 * @throws Error with advice
 */
export async function connect(target: CalledService): Promise<ClientConnection> {
  const baseUrl = target['base-url'] ?? readEnvironment('PG_BASE_URL', PG['base-url']);
  const key = target.key ?? readEnvironment('PG_KEY', PG.key);
  if (baseUrl !== undefined && key === undefined) {
    throw new Error('Set an API key for this URL: PG_KEY=pg_test_…');
  }
  const local = baseUrl === undefined ? await requireLocal(target.dir) : null;
  const used = key ?? local?.key ?? '';
  const called = baseUrl ?? local?.baseUrl ?? '';
  return {
    client: createClient({ baseUrl: called, key: used }),
    service: baseUrl ?? null,
    baseUrl: called,
    key: used,
    localKey: key === undefined ? used : null,
    dir: local?.dir ?? null,
    isLive: used.startsWith('pg_live_'),
  };
}

/** @throws Error that names the variable and what it takes */
function readEnvironment(name: string, { read }: OptionForm<string>): string | undefined {
  const given = process.env[name];
  return given === undefined ? undefined : readAs(name, () => read?.(given));
}

/**
 * The local service.
 * @throws Error with advice where none runs, or several do
 */
export async function requireLocal(dir: string | undefined): Promise<LocalService> {
  const service = await findLocalService(dir);
  if (service === null) {
    throw new Error(
      `No service runs ${dir === undefined ? 'here' : `in ${dir}`}. Start it with "${START}", or name another: --base-url URL, and PG_KEY in the environment.`,
    );
  }
  return service;
}
