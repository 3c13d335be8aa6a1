import { existsSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { runCommand } from '../support/tools/run-command.ts';

const LISTENS = '0A';
const IPV4_LOOPBACK = /^[\dA-F]{6}7F$/;
const IPV6_LOOPBACK = /^(0{24}01000000|0{16}FFFF0000[\dA-F]{6}7F)$/;

/** The processes with a text in their arguments. */
export async function processesNaming(text: string): Promise<number[]> {
  const all = await listProcesses();
  return all.filter(({ args }) => args.includes(text)).map(({ pid }) => pid);
}

/** The processes that a process has started, and those that these have started, and so on. */
export async function childrenOf(pid: number): Promise<number[]> {
  const all = await listProcesses();
  const found = [pid];
  for (const parent of found) {
    found.push(...all.filter((process) => process.parent === parent).map((process) => process.pid));
  }
  return found.slice(1);
}

async function listProcesses() {
  const { stdout } = await runCommand('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args=']);
  return stdout.split('\n').map((line) => {
    const [pid, parent, ...args] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), args: args.join(' ') };
  });
}

export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** A socket that accepts connections. */
export interface Listener {
  readonly port: number;
  readonly isOnLoopback: boolean;
}

/**
 * The TCP sockets on which any of some processes listens.
 * @returns null where the machine does not tell: this reads Linux's /proc
 */
export async function listenersOf(pids: readonly number[]): Promise<Listener[] | null> {
  if (!existsSync('/proc/net/tcp')) {
    return null;
  }
  const inodes = new Set((await Promise.all(pids.map(socketsOf))).flat());
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  return tables
    .flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)))
    .filter(([, , , state, , , , , , inode = '']) => state === LISTENS && inodes.has(inode))
    .map(([, local = '']) => toListener(local));
}

/** The inodes of the sockets of a process; none where it has ended meanwhile. */
async function socketsOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}

/** @param local address and port in hexadecimal, the address as words of the machine's byte order: `0100007F:11D6` */
function toListener(local: string): Listener {
  const [address = '', port = ''] = local.split(':');
  return {
    port: Number.parseInt(port, 16),
    isOnLoopback: IPV4_LOOPBACK.test(address) || IPV6_LOOPBACK.test(address),
  };
}
