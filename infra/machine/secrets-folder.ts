import { chmod, mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ProviderSecrets, parseSecrets } from '../../shared/store/worlds/provider-secrets.ts';
import { writeWhole } from './write-whole.ts';

/** The mode bits of users other than the owner of a file. */
const OTHERS = 0o077;

/** The secrets of each connected world of a local service: a file that only its owner can read. */
export class SecretsFolder {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** @throws Error that names the file, if it is damaged or other users may read it */
  async read(worldId: string): Promise<ProviderSecrets | null> {
    const file = this.#fileOf(worldId);
    const found = await stat(file).catch(unlessMissing);
    if (found === null) {
      return null;
    }
    // Windows has no file modes.
    if (process.platform !== 'win32' && (found.mode & OTHERS) !== 0) {
      throw new Error(
        `Others than its owner may read ${file}: take that from them (chmod 600), and have the provider make new secrets.`,
      );
    }
    try {
      return parseSecrets(await readFile(file, 'utf8'));
    } catch {
      throw new Error(`${file} is damaged: connect again.`);
    }
  }

  async write(worldId: string, secrets: ProviderSecrets): Promise<void> {
    await mkdir(this.#dir, { recursive: true });
    await chmod(this.#dir, 0o700);
    await writeWhole(this.#fileOf(worldId), secrets);
  }

  async remove(worldId: string): Promise<void> {
    await rm(this.#fileOf(worldId), { force: true });
  }

  #fileOf(worldId: string): string {
    return path.join(this.#dir, `${worldId}.json`);
  }
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') {
    throw error;
  }
  return null;
}
