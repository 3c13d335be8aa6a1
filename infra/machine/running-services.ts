import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { sha256Hex } from '../../shared/domain/secret.ts';
import { lockHolder } from './folder-lock.ts';

/*
 * The services that this user runs, so that a command finds one from any folder: a file for each in a folder of the
 * user's own, beside those of other programs. It names the folder of the service, whose lock says whether that runs.
 */

/** Adds the service of a folder. Where nothing can be written, it is found from its project alone. @returns removes it */
export function registerService(dir: string): () => void {
  const registry = registryFolder();
  const file = path.join(registry, sha256Hex(dir));
  try {
    mkdirSync(registry, { recursive: true, mode: 0o700 });
    // Forgets those that were killed.
    runningServices();
    if (isPrivate(registry)) {
      writeFileSync(file, dir);
      return () => rmSync(file, { force: true });
    }
  } catch {
    // No service needs it.
  }
  return () => undefined;
}

/** The folders of the services that run in other processes. */
export function runningServices(): string[] {
  const registry = registryFolder();
  const files = isPrivate(registry) ? readdirSync(registry).map((name) => path.join(registry, name)) : [];
  return files.flatMap((file) => {
    const dir = readText(file);
    if (dir !== null && lockHolder(dir) === null) {
      rmSync(file, { force: true });
      return [];
    }
    return dir ?? [];
  });
}

/** Null where the service has ended since. */
function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** In the folder that a login has for such files; in that of all users where there is none. */
function registryFolder(): string {
  const { XDG_RUNTIME_DIR: ofLogin } = process.env;
  return ofLogin
    ? path.join(ofLogin, 'payments-services')
    : path.join(tmpdir(), `payments-services-${userInfo().uid}`);
}

/** Whether nobody else could have written there: everybody may create folders beside it. */
function isPrivate(registry: string): boolean {
  const found = existsSync(registry) ? lstatSync(registry) : undefined;
  if (found === undefined || process.getuid === undefined) {
    return found !== undefined;
  }
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o077) === 0;
}
