import { DatabaseSync } from 'node:sqlite';

const BUSY_MS = 500;
const SQLITE_BUSY = 5;

/** A running process has locked the folder. */
export class FolderInUse extends Error {
  /** The other process. */
  readonly pid: number;

  constructor(dir: string, pid: number) {
    super(
      `A service runs on the data in ${dir} already (process ${pid}). Stop it first, or choose another folder: npm start -- --dir PATH`,
    );
    this.pid = pid;
  }
}

/**
 * Locks a folder for this process. The lock is the operating system's, on an SQLite file: it ends with the process,
 * however that ends, so the process id of a dead process cannot be mistaken for that of a running one.
 * @param file the lock, beside the data; nothing in this process may open it while it is held
 * @returns an object that holds the lock until it is closed or garbage-collected
 * @throws FolderInUse
 */
export function lockFolder(dir: string, file: string): DatabaseSync {
  const lock = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    // The process id is written before the transaction, whose writes are not visible until it ends.
    lock.exec(`PRAGMA journal_mode = MEMORY; PRAGMA user_version = ${process.pid}; BEGIN IMMEDIATE`);
  } catch (error) {
    const pid = Number(lock.prepare('PRAGMA user_version').get()?.user_version);
    lock.close();
    throw (error as { errcode?: number }).errcode === SQLITE_BUSY ? new FolderInUse(dir, pid) : error;
  }
  return lock;
}
