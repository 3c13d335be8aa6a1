import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Fields that a later version may add, and that no current client knows. */
const LATER = { added_later: 'text', also_added_later: { deep: [1, null, { deeper: true }] } };
/** Maps, whose keys the merchant chooses. */
const MAPS = ['metadata'];
/** What concerns the request; the rest concerns the connection, which is another one. */
const PASSED_ON = ['accept', 'authorization', 'content-type', 'idempotency-key', 'pg-version'];

export interface GrowingProxy {
  readonly baseUrl: string;
  /** The number of JSON responses that it extended with undocumented fields. */
  answers(): number;
  stop(): Promise<void>;
}

/** A proxy of a service that adds unknown fields to every object of every JSON response. */
export async function startGrowingProxy(service: string): Promise<GrowingProxy> {
  let answers = 0;
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const sent = PASSED_ON.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const body = await buffer(request);
    const answer = await fetch(`${service}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(sent),
      ...(body.length > 0 && { body }),
    });
    const type = answer.headers.get('content-type') ?? '';
    const text = await answer.text();
    const isJson = /\bjson\b/.test(type);
    answers += isJson ? 1 : 0;
    response
      .writeHead(answer.status, { 'Content-Type': type })
      .end(isJson ? JSON.stringify(grow(JSON.parse(text))) : text);
  };
  const server = createServer((request, response) => {
    forward(request, response).catch((error: Error) => response.writeHead(502).end(error.message));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers: () => answers,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function grow(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(grow);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    MAPS.includes(name) ? field : grow(field),
  ]);
  return { ...LATER, ...Object.fromEntries(fields) };
}
