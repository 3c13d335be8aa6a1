import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PACKAGE } from '../../infra/build/build-package.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { installPackage } from '../support/tools/installed-package.ts';
import { runCommand } from '../support/tools/run-command.ts';
import { familyBytes } from './live-host.ts';
import { quantile } from './quantile.ts';
import type { Section } from './section.ts';
import { startOnLeash } from './start-on-leash.ts';

/* What the package costs somebody who installs it in an empty folder, beside a clone of the repository. */

const ROOT = path.resolve(import.meta.dirname, '../..');
const ROUNDS = 7;
const MEGABYTE = 1_000_000;
const FIRST_WEBHOOK = path.join(import.meta.dirname, 'first-webhook.mjs');

/** The command line, as it was installed. */
interface Installed {
  readonly program: readonly string[];
  /** What has the client, for `first-webhook.mjs`. */
  readonly client: readonly string[];
  readonly modules: string;
}

interface Measured {
  readonly installedBytes: number;
  readonly packages: number;
  readonly helpMs: number;
  readonly startMs: number;
  readonly readyBytes: number;
  /** From an empty cache of npm to a webhook that was verified. */
  readonly firstWebhookMs: number;
}

export async function measure(): Promise<Section> {
  const top = await mkdtemp(path.join(tmpdir(), 'payments-bench-package-'));
  const packed = path.join(top, 'packed');
  await mkdir(packed);
  const kit = await installPackage({ packedIn: packed, hasEngine: true });
  try {
    const tarballBytes = (await stat(kit.tarball)).size;
    const [own, clone] = [
      await measureInstalled(top, installerOf(kit.tarball)),
      await measureInstalled(top, CLONE),
    ];
    const row = (name: string, show: (of: Measured) => string) =>
      `| ${name} | ${show(own)} | ${show(clone)} |`;
    return {
      lines: [
        `The tarball has ${(tarballBytes / MEGABYTE).toFixed(1)} MB. Times are medians of ${ROUNDS}; the first webhook is measured once, and its installation is npm's, from an empty cache.`,
        '',
        '| | Package | Clone |',
        '|---|---:|---:|',
        row('Installed, MB', ({ installedBytes }) => (installedBytes / MEGABYTE).toFixed(0)),
        row('Packages', ({ packages }) => String(packages)),
        row('From an empty cache to a verified webhook, s', ({ firstWebhookMs }) =>
          (firstWebhookMs / SECOND_MS).toFixed(1),
        ),
        row('`pg start --leash` to its first response, ms', ({ startMs }) => startMs.toFixed(0)),
        row('`pg --help`, ms', ({ helpMs }) => helpMs.toFixed(0)),
        row('Host and engine in memory when ready, MB', ({ readyBytes }) =>
          (readyBytes / MEGABYTE).toFixed(0),
        ),
      ],
      figures: {
        'package.tarball_mb': tarballBytes / MEGABYTE,
        'package.installed_mb': own.installedBytes / MEGABYTE,
        'package.packages': own.packages,
        'package.empty_cache_to_webhook_ms': own.firstWebhookMs,
        'package.start_ms': own.startMs,
        'package.help_ms': own.helpMs,
        'package.ready_mb': own.readyBytes / MEGABYTE,
        'package.start_to_clone': own.startMs / clone.startMs,
        'package.help_to_clone': own.helpMs / clone.helpMs,
        'package.ready_to_clone': own.readyBytes / clone.readyBytes,
      },
      failures: [],
    };
  } finally {
    await kit.remove();
    await rm(top, { recursive: true, maxRetries: 5 });
  }
}

/** Installs into an empty folder, with an empty cache of npm. */
type Installer = (dir: string, cache: string) => Promise<Installed>;

function installerOf(tarball: string): Installer {
  return async (dir, cache) => {
    await writeFile(path.join(dir, 'package.json'), '{"name":"shop","private":true}');
    await runCommand('npm', ['install', tarball, '--cache', cache, '--no-audit', '--no-fund'], { cwd: dir });
    const modules = path.join(dir, 'node_modules');
    const installed = path.join(modules, PACKAGE);
    return {
      program: [process.execPath, path.join(installed, 'pg.js')],
      client: [path.join(installed, 'index.js')],
      modules,
    };
  };
}

const CLONE: Installer = async (dir, cache) => {
  // As it is here, committed or not.
  const { stdout } = await runCommand(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: ROOT },
  );
  for (const file of stdout.split('\0').filter(Boolean)) {
    await cp(path.join(ROOT, file), path.join(dir, file)).catch(() => undefined);
  }
  await runCommand('npm', ['ci', '--cache', cache, '--no-audit', '--no-fund'], { cwd: dir });
  return {
    program: [path.join(dir, 'pg')],
    client: ['client', 'webhooks'].map((name) => path.join(dir, `shared/client/${name}.ts`)),
    modules: path.join(dir, 'node_modules'),
  };
};

async function measureInstalled(top: string, install: Installer): Promise<Measured> {
  const dir = await mkdtemp(path.join(top, 'project-'));
  const beganAt = performance.now();
  const installed = await install(dir, path.join(dir, '.npm'));
  // Before the first start, which keeps what it compiled.
  const installedBytes = await bytesIn(installed.modules);
  const first = await startOnLeash([...installed.program, 'start']);
  await runCommand(process.execPath, [FIRST_WEBHOOK, ...installed.client], {
    cwd: dir,
    env: { ...process.env, PG_BASE_URL: first.baseUrl, PG_KEY: first.key },
  });
  const firstWebhookMs = performance.now() - beganAt;
  await first.stop();
  const lock = JSON.parse(await readFile(path.join(installed.modules, '.package-lock.json'), 'utf8'));
  const [starts, helps]: [number[], number[]] = [[], []];
  const ready: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { startMs, pid, stop } = await startOnLeash([...installed.program, 'start']);
    starts.push(startMs);
    ready.push(familyBytes(pid));
    await stop();
    helps.push(await timeHelp(installed));
  }
  return {
    installedBytes,
    packages: Object.keys(lock.packages).length,
    helpMs: quantile(helps, 0.5),
    startMs: quantile(starts, 0.5),
    readyBytes: quantile(ready, 0.5),
    firstWebhookMs,
  };
}

async function timeHelp({ program: [command = '', ...args] }: Installed): Promise<number> {
  const beganAt = performance.now();
  const child = spawn(command, [...args, '--help'], { stdio: 'ignore' });
  await once(child, 'exit');
  return performance.now() - beganAt;
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? bytesIn(file) : (await lstat(file)).size;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
