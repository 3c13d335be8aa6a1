import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { readVariable } from '../../shared/environment/variables.ts';
import { type Database, DatabaseSync } from '../machine/sqlite.ts';

/*
 * The only code that writes into an engine's own tables. dynoxide keeps the records of its streams forever, in a table
 * of its SQLite file: half of all that it stores. To number a record it reads all the others, and no setting changes
 * that. So an index finds the last number, and records that were read are deleted.
 *
 * This is done to the versions of dynoxide whose table is known, and to no other engine. The service does not depend on
 * it: with `KEEP_STREAM_RECORDS=1`, or another version, the file grows twice as fast, and each write takes longer.
 */

/** The versions whose table of records was looked at. */
const KNOWN_VERSIONS: readonly unknown[] = ['1.2.1'];
const START_BUSY_MS = 2_000;
/** This blocks the thread that serves requests, so it is short: if the engine is busy, the next turn deletes more. */
const BUSY_MS = 25;
const PAUSE_MS = 1_000;
/** The engine's write-ahead log grows to 4 MB and keeps that size. When idle, a log above this limit is emptied. */
const LOG_MAX_BYTES = 256 * 1_024;

const REMOVE =
  'DELETE FROM _stream_records WHERE table_name = ? AND CAST(sequence_number AS INTEGER) < CAST(? AS INTEGER)';

export interface StreamRecords {
  /** Allows deleting the records of a table before this number, since they were read. */
  forget(tableName: string, beforeNumber: string): void;
  close(): void;
}

/**
 * @param program of dynoxide, which lies beside the description of its package
 * @param file of the running engine
 * @returns null where its records stay
 */
export function openStreamRecords(program: string, file: string): StreamRecords | null {
  if (readVariable('streamRecords') === '1') {
    return null;
  }
  const description = path.join(path.dirname(program), 'package.json');
  const { version } = JSON.parse(readFileSync(description, 'utf8')) as { version?: string };
  if (!KNOWN_VERSIONS.includes(version)) {
    console.warn(
      `dynoxide ${version} keeps all records of its streams: deleting them was tried with ${KNOWN_VERSIONS.join(', ')} alone.`,
    );
    return null;
  }
  // The last record of a table stays, since the engine numbers the next one after it.
  within(file, START_BUSY_MS, (data) =>
    data.exec(`
      CREATE INDEX IF NOT EXISTS stream_numbers ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
      DELETE FROM _stream_records WHERE id NOT IN (SELECT MAX(id) FROM _stream_records GROUP BY table_name);
    `),
  );
  const read = new Map<string, string>();
  const timer = setInterval(() => {
    try {
      takeTurn(file, read);
    } catch {
      // The engine is busy or gone, or the disk is full: requests to the engine report that themselves.
    }
  }, PAUSE_MS);
  return {
    forget: (tableName, beforeNumber) => read.set(tableName, beforeNumber),
    close: () => clearInterval(timer),
  };
}

function takeTurn(file: string, read: Map<string, string>): void {
  for (const [tableName, beforeNumber] of read) {
    within(file, BUSY_MS, (data) => {
      // No checkpoint here: the engine writes the log back in the course of its own work.
      data.exec('PRAGMA wal_autocheckpoint = 0');
      data.prepare(REMOVE).run(tableName, beforeNumber);
    });
    read.delete(tableName);
    return;
  }
  if (statSync(`${file}-wal`).size > LOG_MAX_BYTES) {
    within(file, BUSY_MS, (data) => data.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  }
}

/** Opens a connection each time, so that the engine's connection is the last one to be closed. */
function within(file: string, busyMs: number, act: (data: Database) => void): void {
  const data = new DatabaseSync(file, { timeout: busyMs });
  try {
    act(data);
  } finally {
    data.close();
  }
}
