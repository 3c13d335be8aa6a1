import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildClient } from '../../../infra/build/build-client.ts';
import { runCommand } from './run-command.ts';

/** The client as others get it: built, packed, and installed into a project that has nothing else. */
export interface InstalledClient {
  /** The project. */
  readonly dir: string;
  /** The package, where it was installed. */
  readonly installed: string;
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

export async function installClient(): Promise<InstalledClient> {
  const top = await mkdtemp(path.join(tmpdir(), 'payments-client-'));
  const remove = () => rm(top, { recursive: true });
  try {
    return { ...(await installUnder(top)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function installUnder(top: string): Promise<Omit<InstalledClient, 'remove'>> {
  const [built, dir, cache] = [path.join(top, 'built'), path.join(top, 'project'), path.join(top, 'cache')];
  await buildClient(built);
  // With a cache of its own, which is empty: nothing else can come from there.
  const npm = (args: readonly string[], cwd: string) =>
    runCommand('npm', [...args, '--cache', cache, '--offline', '--no-audit', '--no-fund'], { cwd });
  const { stdout } = await npm(['pack', '--json', '--pack-destination', top], built);
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  await mkdir(dir);
  await writeFile(path.join(dir, 'package.json'), JSON.stringify({ name: 'project', private: true }));
  await npm(['install', path.join(top, filename)], dir);
  return {
    dir,
    installed: path.join(dir, 'node_modules/payments-client'),
    files: files.map((file) => file.path),
    compile: async (folder, config) => {
      const file = path.join(dir, folder, 'tsconfig.json');
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify(config.files ? { include: [], ...config } : config));
      await runCommand(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', file]);
    },
  };
}
