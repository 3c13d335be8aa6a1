import type { Client } from '../../shared/client/client.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import type { CommandForm, CommandLine } from './command.ts';
import type { ValuesOf } from './option-form.ts';
import type { PG, PG_OPTIONS } from './options.ts';
import type { ReportFiles } from './report-files.ts';

/** What a command needs that only reads from a service and prints. */
export type PgReader = Pick<PgRun, 'client' | 'key' | 'service' | 'dir'> & {
  readonly values: Partial<PgRun['values']>;
};

/** What a command of `pg` runs with. */
export interface PgRun {
  readonly client: Client;
  readonly args: readonly string[];
  readonly values: ValuesOf<typeof PG> & Partial<ValuesOf<typeof PG_OPTIONS>>;
  /** The address of the service; null for the local one. */
  readonly service: string | null;
  readonly baseUrl: string;
  readonly key: string;
  readonly reports: ReportFiles;
  /** The key of the local service; null for any other key. */
  readonly localKey: string | null;
  /** The data folder of the local service; null for another one. */
  readonly dir: string | null;
}

/** The service that a command calls, and how long it waits for an event of it. */
export function serviceOf({ client, baseUrl, values }: PgRun) {
  const seconds = values['event-timeout'];
  return { client, baseUrl, eventTimeoutMs: seconds === undefined ? undefined : seconds * SECOND_MS };
}

/** A command, or where nothing is run the first word of several. */
export interface Command extends CommandForm {
  readonly run?: (run: PgRun) => Promise<void>;
  /** Runs a command that is no client of the service. */
  readonly runAlone?: (values: object, args: readonly string[], line: CommandLine) => Promise<void> | void;
}
