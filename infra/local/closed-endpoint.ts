import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/*
 * Where that listens which checks nobody: an engine, the bus. Every page that a browser shows may send requests to this
 * machine, by its addresses and by names that point to them, and neither dynoxide nor DynamoDB Local can be told to ask
 * for a secret or to refuse an `Origin`. But no browser connects to the ports of other protocols that the standard of
 * `fetch` blocks (https://fetch.spec.whatwg.org/#port-blocking), by no way and under no name.
 */

/**
 * Those that need no rights, without what a desktop may use itself (NFS, SIP and X11), and without those that the standard
 * has and Chromium does not (4190 and 6679).
 */
export const BLOCKED_PORTS = [
  1719, 1720, 1723, 3659, 4045, 5061, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10080,
];

/** All of 127.0.0.0/8 is this machine, so that the few ports are enough: but macOS has the first address alone. */
const TRIES_ANYWHERE = 20;
const FIRST_ADDRESS = '127.0.0.1';

/**
 * The URL of a place of this machine where nobody listens, and to which no browser connects.
 * @throws Error where all are taken
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
  // dynoxide wants its port of the first address too, or of all, to be free.
  return !(await isListenedTo(FIRST_ADDRESS, port));
}

/** Whether anybody listens there. */
export async function isListenedTo(host: string, port: number): Promise<boolean> {
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
