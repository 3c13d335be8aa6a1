import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildPackage, PACKAGE } from '../../../infra/build/build-package.ts';
import { FolderInUse, takeLock } from '../../../infra/machine/folder-lock.ts';
import { runCommand } from './run-command.ts';

/** The package as others get it: built, packed, and installed into a project that has nothing else. */
export interface InstalledPackage {
  /** The project. */
  readonly dir: string;
  /** The package, where it was installed. */
  readonly installed: string;
  readonly tarball: string;
  /** What is in the package, as npm packed it. */
  readonly files: readonly string[];
  /**
   * Compiles a folder of the project.
   * @param config a tsconfig
   * @throws Error with the messages of the compiler
   */
  compile(folder: string, config: CompilerConfig): Promise<void>;
  remove(): Promise<void>;
}

interface CompilerConfig {
  readonly extends?: string;
  readonly files?: readonly string[];
  readonly compilerOptions: Readonly<Record<string, unknown>>;
}

const ROOT = process.cwd();
const LOCK_POLL_MS = 100;
/** The engine of this machine, which is a package of its own. */
const ENGINE = path.join(ROOT, 'node_modules/@dynoxide', `${process.platform}-${process.arch}`);

/** The strictest settings of TypeScript, which also check declarations. */
export const STRICT = {
  noEmit: true,
  strict: true,
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'],
  types: [],
  noPropertyAccessFromIndexSignature: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  isolatedModules: true,
  skipLibCheck: false,
};

interface InstallOptions {
  /** A folder in which the package is built and packed once for all that share it; by default, one of its own. */
  readonly packedIn?: string;
  /** Whether the engine of this machine is installed beside it, as npm does where it reaches a registry. */
  readonly hasEngine?: boolean;
}

/** @returns the package, installed into a project of its own */
export async function installPackage({
  packedIn,
  hasEngine = false,
}: InstallOptions = {}): Promise<InstalledPackage> {
  const top = await mkdtemp(path.join(tmpdir(), 'payments-package-'));
  const remove = () => rm(top, { recursive: true, maxRetries: 5 });
  try {
    return { ...(await installUnder(top, await packOnce(packedIn ?? top), hasEngine)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function installUnder(
  top: string,
  { own, engine }: Packed,
  hasEngine: boolean,
): Promise<Omit<InstalledPackage, 'remove'>> {
  const dir = path.join(top, 'project');
  await mkdir(dir);
  await writeFile(path.join(dir, 'package.json'), JSON.stringify({ name: 'project', private: true }));
  await offlineNpm(['install', own.tarball, ...(hasEngine ? [engine.tarball] : [])], dir, top);
  return {
    dir,
    installed: path.join(dir, 'node_modules', PACKAGE),
    ...own,
    compile: async (folder, config) => {
      const file = path.join(dir, folder, 'tsconfig.json');
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify(config.files ? { include: [], ...config } : config));
      await runCommand(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', file]);
    },
  };
}

type Tarball = Pick<InstalledPackage, 'tarball' | 'files'>;
interface Packed {
  readonly own: Tarball;
  readonly engine: Tarball;
}

/** Builds and packs the package in a folder, once for all processes that ask. */
async function packOnce(folder: string): Promise<Packed> {
  const result = path.join(folder, 'packed.json');
  const lock = await waitForLock(path.join(folder, 'lock'));
  try {
    if (!existsSync(result)) {
      const built = path.join(folder, 'built');
      await buildPackage(built);
      const packed: Packed = { own: await pack(built, folder), engine: await pack(ENGINE, folder) };
      await writeFile(result, JSON.stringify(packed));
    }
    return JSON.parse(await readFile(result, 'utf8'));
  } finally {
    lock.close();
  }
}

async function waitForLock(file: string): Promise<ReturnType<typeof takeLock>> {
  for (;;) {
    try {
      return takeLock(file);
    } catch (error) {
      if (!(error instanceof FolderInUse)) {
        throw error;
      }
      await sleep(LOCK_POLL_MS);
    }
  }
}

async function pack(folder: string, destination: string): Promise<Tarball> {
  const { stdout } = await offlineNpm(
    ['pack', '--json', '--pack-destination', destination],
    folder,
    destination,
  );
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  return { tarball: path.join(destination, packed.filename), files: packed.files.map((file) => file.path) };
}

/** With a cache of its own, which is empty: nothing else can come from there. */
function offlineNpm(args: readonly string[], cwd: string, top: string) {
  const cache = path.join(top, 'cache');
  return runCommand('npm', [...args, '--cache', cache, '--offline', '--no-audit', '--no-fund'], { cwd });
}
