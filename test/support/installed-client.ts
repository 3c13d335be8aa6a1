import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildClient } from '../../infra/cli/build-client.ts';
import { runCommand } from './run-command.ts';

/** The client as others get it: built, packed, and installed into a project that has nothing else. */
export interface InstalledClient {
  /** The project. */
  readonly dir: string;
  /** The package, where it was installed. */
  readonly installed: string;
  /** What is in the package, as npm packed it. */
  readonly files: readonly string[];
  remove(): Promise<void>;
}

export async function installClient(): Promise<InstalledClient> {
  const top = await mkdtemp(path.join(tmpdir(), 'payments-client-'));
  const [built, dir, cache] = ['built', 'project', 'cache'].map((name) => path.join(top, name)) as [
    string,
    string,
    string,
  ];
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
    remove: () => rm(top, { recursive: true }),
  };
}
