import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

const DIE_WITH_PARENT = new URL('../../support/tools/die-with-parent.ts', import.meta.url).href;

export interface StartOptions {
  readonly dir: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What is mounted over the folder, in a world of mounts that the start alone sees: options of a tmpfs. */
  readonly mounted?: string;
}

/** What a start that is to be refused printed, and how it ended; null where it did not end but ran, and was stopped. */
export async function startRefused({ dir, args = [], env = {}, mounted }: StartOptions) {
  const { AWS_ENDPOINT_URL_DYNAMODB: _endpoint, TABLE_NAME: _table, ...inherited } = process.env;
  const command = [
    process.execPath,
    '--import',
    DIE_WITH_PARENT,
    'infra/local/start.ts',
    '--dir',
    dir,
    ...args,
  ];
  const [program = '', ...rest] = mounted === undefined ? command : [...mounting(dir, mounted), ...command];
  const child = spawn(program, rest, {
    env: { ...inherited, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  let isRunning = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += String(chunk);
      if (output.includes('is running') && !isRunning) {
        isRunning = true;
        child.kill('SIGTERM');
      }
    });
  }
  await once(child, 'close');
  return { output: output.trim(), exitCode: isRunning ? null : child.exitCode };
}

/** Whether a process can have mounts, or a network, of its own here: as the root of a user namespace, whoever starts it. */
export function canUnshare(what: '--mount' | '--net'): boolean {
  return spawnSync('unshare', ['--map-root-user', what, 'true']).status === 0;
}

/** Whether a folder can be mounted as a disk here. */
export const canMount = canUnshare('--mount');

/** The start of a command line that mounts a folder as a disk that no other process sees. */
export function mounting(dir: string, options: string): string[] {
  const script = 'mount -t tmpfs -o "$0" tmpfs "$1" && shift && exec "$@"';
  return ['unshare', '--map-root-user', '--mount', 'sh', '-c', script, options, dir];
}
