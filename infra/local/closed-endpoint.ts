import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/*
 * Endpoints for programs that do not authenticate callers: an engine, the bus. Any page in a browser can send requests
 * to this machine, by its addresses and by names that point to them. Neither dynoxide nor DynamoDB Local can require a
 * secret or refuse an `Origin`. But no browser connects to the ports of other protocols that the `fetch` standard
 * blocks (https://fetch.spec.whatwg.org/#port-blocking), under any name.
 */

/**
 * The blocked ports that need no privileges, without those that a desktop may use itself (NFS, SIP and X11), and
 * without those of the standard that Chromium does not block (4190 and 6679).
 * @internal
 */
export const BLOCKED_PORTS = [
  1719, 1720, 1723, 3659, 4045, 5061, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10080,
];

/** All of 127.0.0.0/8 is this machine, so that few ports are enough. But macOS has only the first address. */
const TRIES_ANYWHERE = 20;
const FIRST_ADDRESS = '127.0.0.1';

/**
 * The URL of a free address and port of this machine to which no browser connects.
 * @throws Error if all are taken
 */
export async function closedEndpoint(): Promise<string> {
  const anywhere = Array.from({ length: TRIES_ANYWHERE }, () => ({
    host: ['127', randomInt(1, 255), randomInt(256), randomInt(1, 255)].join('.'),
    port: Number(BLOCKED_PORTS[randomInt(BLOCKED_PORTS.length)]),
  }));
  const first = BLOCKED_PORTS.map((port) => ({ host: FIRST_ADDRESS, port }));
  for (const { host, port } of [...anywhere, ...first]) {
    if (await isFree(host, port)) {
      return `http://${host}:${port}`;
    }
  }
  throw new Error(`All ports that no browser connects to are in use: ${BLOCKED_PORTS.join(', ')}.`);
}

async function isFree(host: string, port: number): Promise<boolean> {
  const probe = createServer().listen(port, host);
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  // dynoxide also needs its port to be free on the first address, or on all addresses.
  return !(await isListenedTo(FIRST_ADDRESS, port));
}

/** Whether a program listens there. */
async function isListenedTo(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
