import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { passOn, startProxy } from './proxy.ts';

/**
 * The fault of one request at the edge: `lost request` breaks the connection before the service sees it, `lost answer`
 * after the service has responded, `silence` never responds, and an `EdgeAnswer` replaces the service's response.
 */
export type Fate = 'pass' | 'lost request' | 'lost answer' | 'silence' | EdgeAnswer;

export interface EdgeAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request as it came in. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly key: string | undefined;
  readonly body: string;
  readonly atMs: number;
}

/** A server in front of the service that applies one fate to each request; past the last fate, everything passes. */
export async function startEdge(target: string, fates: readonly Fate[]) {
  const seen: Seen[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const fate = fates[seen.length] ?? 'pass';
    const atMs = performance.now();
    const key = request.headers['idempotency-key'];
    const index = seen.push({ method: '', url: '', key: undefined, body: '', atMs }) - 1;
    const body = await text(request);
    const method = request.method ?? '';
    const url = request.url ?? '';
    seen[index] = { method, url, key: typeof key === 'string' ? key : undefined, body, atMs };
    if (fate === 'silence') {
      return;
    }
    if (fate === 'lost request') {
      request.socket.destroy();
      return;
    }
    if (typeof fate === 'object') {
      const type = fate.body === undefined ? 'text/html' : 'application/problem+json';
      response.writeHead(fate.status, { 'Content-Type': type, ...fate.headers });
      response.end(fate.body === undefined ? '<h1>Sorry</h1>' : JSON.stringify(fate.body));
      return;
    }
    const answer = await passOn(target, request, body);
    const content = await answer.text();
    if (fate === 'lost answer') {
      request.socket.destroy();
      return;
    }
    const { 'transfer-encoding': ____, ...answered } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, answered);
    response.end(content);
  };
  return { seen, ...(await startProxy(handle)) };
}
