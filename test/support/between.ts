import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that stands in front of another one, and does with each request what it is told to. */
export async function startBetween(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
) {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What the target answers to a request whose body was read. */
export function passOn(target: string, request: IncomingMessage, body: string): Promise<Response> {
  const { connection: _, host: __, 'content-length': ___, ...headers } = request.headers;
  return fetch(`${target}${request.url}`, {
    method: request.method ?? 'POST',
    headers: headers as Record<string, string>,
    ...(body !== '' && { body }),
  });
}
