import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A server that stands in front of another one, and handles each request with `handle`. */
export async function startProxy(
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

/**
 * What a store answers to a call whose body was read. Not by `fetch`, which as browsers do connects to no store:
 * infra/local/closed-endpoint.ts.
 */
export async function passOnToStore(
  endpoint: string,
  { headers }: IncomingMessage,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const { connection: _, host: __, 'content-length': ___, 'transfer-encoding': ____, ...passed } = headers;
  const length = { 'Content-Length': Buffer.byteLength(body) };
  const call = request(endpoint, { method: 'POST', headers: { ...passed, ...length } }).end(body);
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  return { status: Number(answer.statusCode), text: await text(answer) };
}

/** The response of the target to a request whose body was read. */
export function passOn(target: string, request: IncomingMessage, body: string): Promise<Response> {
  const { connection: _, host: __, 'content-length': ___, ...headers } = request.headers;
  return fetch(`${target}${request.url}`, {
    method: request.method ?? 'POST',
    headers: headers as Record<string, string>,
    ...(body !== '' && { body }),
  });
}
