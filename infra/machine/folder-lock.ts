import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Database, DatabaseSync } from './sqlite.ts';

const BUSY_MS = 500;
/** Longer than another look at a lock takes. */
const LOOK_MS = 20;
const SQLITE_BUSY = 5;
const LOCK = 'lock';

/** A running process has locked the folder. */
export class FolderInUse extends Error {
  /** The other process. */
  readonly pid: number;

  constructor(file: string, pid: number) {
    super(`Process ${pid} has locked ${file}.`);
    this.pid = pid;
  }
}

/** The lock of a data folder, beside the data. */
export function lockFileOf(dir: string): string {
  return path.join(dir, LOCK);
}

/**
 * Takes a lock for this process. It is the operating system's, on an SQLite file: it ends with the process, however that
 * ends, so the process id of a dead process cannot be mistaken for that of a running one.
 * @param file nothing in this process may open it while the lock is held
 * @returns an object that holds the lock until it is closed or garbage-collected
 * @throws FolderInUse
 */
export function takeLock(file: string): Database {
  const lock = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    // The process id is written before the transaction, whose writes are not visible until it ends.
    lock.exec(`PRAGMA journal_mode = MEMORY; PRAGMA user_version = ${process.pid}; BEGIN IMMEDIATE`);
  } catch (error) {
    const pid = pidIn(lock);
    lock.close();
    throw isBusy(error) ? new FolderInUse(file, pid) : error;
  }
  return lock;
}

/** The process whose service holds a data folder; null where none does. Not for the folder of this process. */
export function lockHolder(dir: string): number | null {
  const file = lockFileOf(dir);
  if (!existsSync(file)) {
    return null;
  }
  const lock = new DatabaseSync(file, { timeout: LOOK_MS });
  try {
    lock.exec('BEGIN IMMEDIATE; ROLLBACK');
    return null;
  } catch (error) {
    // One that is just taken is being written to.
    lock.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    return isBusy(error) ? pidIn(lock) : null;
  } finally {
    lock.close();
  }
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === SQLITE_BUSY;
}

function pidIn(lock: Database): number {
  return Number(lock.prepare('PRAGMA user_version').get()?.user_version);
}
