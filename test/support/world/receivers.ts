import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** Where a receiver of a test listens, and how many connections have come. */
export interface Listening {
  readonly port: number;
  readonly connections: () => number;
}

/** A receiver that speaks HTTP. */
export function listenHttp(listener: RequestListener, host?: string, port?: number): Promise<Listening> {
  return listen(createServer(listener), host, port);
}

/** A receiver whose connections the test handles. */
export function listenTcp(onConnection: (socket: Socket) => void): Promise<Listening> {
  return listen(createTcpServer(onConnection));
}

/** Any server, until the test ends; without a port, on one that is free. */
export async function listen(
  server: Server | ReturnType<typeof createTcpServer>,
  host = '127.0.0.1',
  port = 0,
): Promise<Listening> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    // The code under test may reset it.
    socket.on('error', () => undefined);
  });
  server.listen(port, host);
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
    await once(server, 'close');
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** A port without a listener. */
export async function unusedPort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Listens, and stands still for ever with a short queue. */
const DEAF = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });`;
/** More than its queue takes: the system does not respond to further connections. */
const QUEUED = 8;

/** A port at which connections are neither made nor refused. */
export async function listenDeaf(): Promise<number> {
  const worker = new Worker(DEAF, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  const queued = Array.from({ length: QUEUED }, () =>
    connect({ host: '127.0.0.1', port }).on('error', () => undefined),
  );
  onTestFinished(async () => {
    for (const socket of queued) {
      socket.destroy();
    }
    await worker.terminate();
  });
  return port;
}
