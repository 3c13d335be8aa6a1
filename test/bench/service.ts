import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { loadFunction } from '../../infra/local/function.ts';
import { startServer } from '../../infra/local/server.ts';
import '../support/die-with-parent.ts';

/*
 * A service for the bench, in a process of its own: the API as the local host has it, and each worker by its name at a
 * second address. Nothing runs by itself, so what the store is asked for is what was asked of the service.
 */

/** Where a service for the bench answers. */
export interface Addresses {
  readonly api: string;
  readonly workers: string;
}

const WORKER_TIMEOUT_SECONDS = 60;

const { port } = await startServer(0, Promise.resolve());
const workers = createServer(async (request, response) => {
  try {
    const run = await loadFunction(`workers${request.url}`, WORKER_TIMEOUT_SECONDS);
    await run(await json(request));
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
workers.listen(0, '127.0.0.1');
await once(workers, 'listening');
const addressOf = (listening: number) => `http://127.0.0.1:${listening}`;
process.send?.({
  api: addressOf(port),
  workers: addressOf((workers.address() as AddressInfo).port),
} satisfies Addresses);
