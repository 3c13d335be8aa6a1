import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/*
 * dynoxide keeps the records of its streams for ever, in a table of its SQLite file: half of all that it stores, and to
 * number a record it reads all the others. So an index finds the last number, and what was read is deleted.
 */

const START_BUSY_MS = 2_000;
/** The thread that answers requests waits here: where the engine is busy, the next turn deletes more. */
const BUSY_MS = 25;
const PAUSE_MS = 1_000;
/** The engine's write-ahead log grows to 4 MB and stays so. In a quiet moment, one above this is emptied. */
const LOG_MAX_BYTES = 256 * 1_024;

const REMOVE =
  'DELETE FROM _stream_records WHERE table_name = ? AND CAST(sequence_number AS INTEGER) < CAST(? AS INTEGER)';

export interface StreamRecords {
  /** Tells that the records of a table before this number were read, and are not asked for again. */
  forget(tableName: string, beforeNumber: string): void;
  close(): void;
}

/** @param file of a running engine */
export function openStreamRecords(file: string): StreamRecords {
  // The last record of a table stays: the engine numbers the next one after it.
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
      // The engine is busy or away, or the disk is full: whoever asks the engine for something hears of it.
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
      // The engine moves what is in the log to its place, beside its own work.
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

/** Each time with a connection of its own, so that the engine's is the last one to be closed. */
function within(file: string, busyMs: number, act: (data: DatabaseSync) => void): void {
  const data = new DatabaseSync(file, { timeout: busyMs });
  try {
    act(data);
  } finally {
    data.close();
  }
}
