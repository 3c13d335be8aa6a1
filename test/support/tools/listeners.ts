import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { connect } from 'node:net';

/** As Linux writes the state of a socket that listens. */
const LISTENS = '0A';

export async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const children = await Promise.all(
    threads.map((id) => readFile(`/proc/${pid}/task/${id}/children`, 'utf8')),
  );
  return children.flatMap((list) => list.split(' ').filter((text) => text !== '')).map(Number);
}

/** Whether a server listens at an address. Not by `fetch`, which as browsers do connects to no store. */
export async function isAnybodyAt(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const isAnybody = once(socket, 'connect').then(Boolean, () => false);
  return isAnybody.finally(() => socket.destroy());
}

/** Every address on which a process or one of its descendants listens, as URLs. */
export async function listenersOf(pid: number): Promise<URL[]> {
  const pids = await familyOf(pid);
  const sockets = new Set((await Promise.all(pids.map(socketsOf))).flat());
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')));
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === LISTENS && sockets.has(`socket:[${inode}]`))
    .map(([, local = '']) => toUrl(local));
}

async function familyOf(pid: number): Promise<number[]> {
  const children = await Promise.all((await childrenOf(pid)).map(familyOf));
  return [pid, ...children.flat()];
}

async function socketsOf(pid: number): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`);
  return Promise.all(descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
}

/** @param local as Linux writes it: the bytes of an IPv4 address backwards, at the end of one of IPv6 that stands for it */
function toUrl(local: string): URL {
  const [address = '', port = ''] = local.split(':');
  const isVersion4 = address.length === 8 || address.startsWith('0000000000000000FFFF0000');
  const host = isVersion4 ? [...Buffer.from(address.slice(-8), 'hex')].reverse().join('.') : `[${address}]`;
  return new URL(`http://${host}:${Number.parseInt(port, 16)}`);
}
