import { existsSync, rmSync } from 'node:fs';
import { access, chmod, constants, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FolderInUse, lockFileOf, takeLock } from '../machine/folder-lock.ts';
import { serviceFileOf } from '../machine/service-file.ts';
import { createStateFolder, STATE_FOLDER } from '../machine/state-folder.ts';
import { startWith } from '../terminal/program-name.ts';

/** The version of the data format: increased if data that was stored before can no longer be read. */
const DATA_FORMAT = 8;

/** The free space that an engine needs to start: its file, and the log of 4 MB beside it. */
const FREE_MIN_BYTES = 8 * 1_024 * 1_024;

/** The free space that a running engine needs to store anything. */
const FULL_BELOW_BYTES = 64 * 1_024;
const DISK_LOOK_MS = 1_000;

const FORMAT = 'format';
const DATA = 'payments.db';
/** DynamoDB Local needs a folder, and names its file itself. */
const DATA_OF_DYNAMODB_LOCAL = 'shared-local-instance.db';
/** The provider secrets of live worlds; with an engine in memory, a folder that is removed when the service ends. */
const SECRETS = 'provider-secrets';
const SECRETS_IN_MEMORY = 'provider-secrets-in-memory';
/** All files that a start writes, except the lock, which must stay the same file. */
const FILES = [
  ...[DATA, DATA_OF_DYNAMODB_LOCAL].flatMap((name) => [
    name,
    `${name}-wal`,
    `${name}-shm`,
    `${name}-journal`,
  ]),
  FORMAT,
];

const SQLITE_READONLY = 8;
const SQLITE_FULL = 13;
const SQLITE_CANNOT_OPEN = 14;

/** A folder with the data of one service, which only this process uses until it ends. */
export interface DataFolder {
  /** For the engine. */
  readonly dataFile: string;
  readonly serviceFile: string;
  readonly secretsFolder: string;
  /** Prepares it for writing. Before this, nothing in it is changed, so a start that is refused leaves it unchanged. */
  prepare(): Promise<void>;
  /** Releases the folder, which is locked while this can be called, and removes the data that ends with the service. */
  release(): void;
}

export interface FolderUse {
  /** Whether earlier data in the folder is deleted. */
  readonly isFresh: boolean;
  /** Whether the engine stores its data there. */
  readonly holdsData: boolean;
  /** Whether nothing is kept after the end. */
  readonly inMemory: boolean;
}

/**
 * Locks a folder, and creates it if it does not exist.
 * @throws Error with a sentence for the user: another service uses it, it is not a folder or not writable, its disk is
 *   full, its data has another format
 */
export async function takeFolder(dir: string, use: FolderUse): Promise<DataFolder> {
  // From here on, only the owner can read the files that are written, the engine's files included.
  process.umask(0o077);
  await createStateFolder(dir);
  await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  if ((await freeBytes(dir)) < FREE_MIN_BYTES) {
    throw Object.assign(new Error('too little is free'), { code: 'ENOSPC' });
  }
  const lock = takeLock(lockFileOf(dir));
  if (use.holdsData && !use.isFresh) {
    await refuseOtherFormat(dir);
  }
  return {
    dataFile: path.join(dir, DATA),
    serviceFile: serviceFileOf(dir),
    secretsFolder: path.join(dir, use.inMemory ? SECRETS_IN_MEMORY : SECRETS),
    prepare: () => prepare(dir, use),
    release: () => {
      rmSync(path.join(dir, SECRETS_IN_MEMORY), REMOVING);
      lock.close();
    },
  };
}

const REMOVING = { force: true, recursive: true } as const;

async function prepare(dir: string, { isFresh, holdsData }: FolderUse): Promise<void> {
  const service = serviceFileOf(dir);
  const files = [...FILES.map((name) => path.join(dir, name)), service, `${service}.new`];
  // Left by a service that was killed.
  await rm(path.join(dir, SECRETS_IN_MEMORY), REMOVING);
  if (isFresh) {
    await Promise.all([...files, path.join(dir, SECRETS)].map((file) => rm(file, REMOVING)));
  }
  await Promise.all([
    // Another folder may have other things, and other users.
    ...(path.basename(dir) === STATE_FOLDER ? [chmod(dir, 0o700)] : []),
    ...[...files, lockFileOf(dir)].map((file) => chmod(file, 0o600).catch(unlessMissing)),
  ]);
  if (holdsData) {
    await writeFile(path.join(dir, FORMAT), `${DATA_FORMAT}\n`);
    watchDisk(dir);
  }
}

async function refuseOtherFormat(dir: string): Promise<void> {
  const isThere = (name: string) => existsSync(path.join(dir, name));
  if (![DATA, DATA_OF_DYNAMODB_LOCAL].some(isThere)) {
    return;
  }
  // The first format wrote no number.
  const found = isThere(FORMAT) ? Number(await readFile(path.join(dir, FORMAT), 'utf8')) : 1;
  if (found !== DATA_FORMAT) {
    throw new Error(
      `The data in ${dir} is of format ${found}, and this version reads format ${DATA_FORMAT} alone. Delete it and begin anew: ${startWith('--fresh')}`,
    );
  }
}

/** Reports when the disk of a folder is full, and when it no longer is. On a full disk the engine refuses to write. */
function watchDisk(dir: string): void {
  let wasFull = false;
  setInterval(async () => {
    // A deleted folder counts as not full.
    const isFull = (await freeBytes(dir).catch(() => Infinity)) < FULL_BELOW_BYTES;
    if (isFull !== wasFull) {
      console.error(
        isFull
          ? `The disk of ${dir} is full: requests that need to store data get 503 until there is room.`
          : `The disk of ${dir} has room again.`,
      );
    }
    wasFull = isFull;
  }, DISK_LOOK_MS).unref();
}

async function freeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

/** Turns an error of a folder or its disk into a sentence for the user. Other errors stay as they are. */
export function explained(error: Error & { code?: unknown; errcode?: unknown }, dir: string): Error {
  const otherFolder = `Choose another folder: ${startWith('--dir PATH')}`;
  if (error instanceof FolderInUse) {
    return new Error(
      `A service runs on the data in ${dir} already (process ${error.pid}). Stop it first. ${otherFolder}`,
    );
  }
  switch (error.code === 'ERR_SQLITE_ERROR' ? error.errcode : error.code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return new Error(`${dir} cannot hold data, for it is no folder. ${otherFolder}`);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case SQLITE_READONLY:
    case SQLITE_CANNOT_OPEN:
      return new Error(`The folder ${dir} cannot be written to. ${otherFolder}`);
    case 'ENOSPC':
    case 'EDQUOT':
    case SQLITE_FULL:
      return new Error(
        `The disk of ${dir} is full: the service needs ${FREE_MIN_BYTES / 1_024 ** 2} MB to begin. ${otherFolder}`,
      );
    default:
      return error;
  }
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') {
    throw error;
  }
}
