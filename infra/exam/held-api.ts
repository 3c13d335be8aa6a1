import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boundedBytes } from '../scenario/bounded-body.ts';

/** The API at another address of this machine, which keeps back the responses to new payments. */
export interface HeldApi {
  readonly url: string;
  /** Lets the responses go that were kept back, and those to come. */
  release(): void;
  stop(): void;
}

/** Not sent on: they are of one connection, or are set anew. */
const OF_CONNECTION = new Set(['connection', 'host', 'content-length', 'transfer-encoding', 'keep-alive']);

/** Starts it for a shop that creates its payments itself, so that an event can be faster than the response. */
export async function holdApi(baseUrl: string): Promise<HeldApi> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    try {
      const received = await sendOn(baseUrl, request);
      const body = Buffer.from(await received.arrayBuffer());
      if (request.method === 'POST') {
        await isReleased;
      }
      response.writeHead(received.status, { 'content-type': String(received.headers.get('content-type')) });
      response.end(body);
    } catch {
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release,
    stop: () => {
      release();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function sendOn(baseUrl: string, request: IncomingMessage): Promise<Response> {
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    OF_CONNECTION.has(name) || value === undefined ? [] : [[name, String(value)]],
  );
  const body = await boundedBytes({ body: request });
  return fetch(`${baseUrl.replace(/\/$/, '')}${request.url}`, {
    method: String(request.method),
    headers,
    ...(body.length > 0 && { body }),
  });
}
