import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildPackage, PACKAGE } from '../../../infra/build/build-package.ts';
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

/** @param hasEngine whether the engine of this machine is installed beside it, as npm does where it reaches a registry */
export async function installPackage({ hasEngine = false } = {}): Promise<InstalledPackage> {
  const top = await mkdtemp(path.join(tmpdir(), 'payments-package-'));
  const remove = () => rm(top, { recursive: true, maxRetries: 5 });
  try {
    return { ...(await installUnder(top, hasEngine)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function installUnder(top: string, hasEngine: boolean): Promise<Omit<InstalledPackage, 'remove'>> {
  const [built, dir, cache] = [path.join(top, 'built'), path.join(top, 'project'), path.join(top, 'cache')];
  await buildPackage(built);
  // With a cache of its own, which is empty: nothing else can come from there.
  const npm = (args: readonly string[], cwd: string) =>
    runCommand('npm', [...args, '--cache', cache, '--offline', '--no-audit', '--no-fund'], { cwd });
  const pack = async (folder: string) => {
    const { stdout } = await npm(['pack', '--json', '--pack-destination', top], folder);
    const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
    return { tarball: path.join(top, packed.filename), files: packed.files.map((file) => file.path) };
  };
  const own = await pack(built);
  const engines = hasEngine ? [(await pack(ENGINE)).tarball] : [];
  await mkdir(dir);
  await writeFile(path.join(dir, 'package.json'), JSON.stringify({ name: 'project', private: true }));
  await npm(['install', own.tarball, ...engines], dir);
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
