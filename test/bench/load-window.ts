import { randomUUID } from 'node:crypto';
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';

/** Does something once. Resolves to the id of what it made; null: it was not done. */
export type Act = (agent: Agent) => Promise<string | null>;

/** A request that creates something, anew each time. */
export interface Creation {
  readonly url: string;
  readonly headers: () => OutgoingHttpHeaders;
  readonly body: string;
}

/** Answered by a service that has too much to do just then: nothing is created. */
const BUSY = 503;

/** What clients got done in a window of time. */
export interface Window {
  readonly perSecond: number;
  readonly ids: readonly string[];
}

/** The headers of a request to this service. */
export function requestHeaders(secret: string): OutgoingHttpHeaders {
  return {
    Authorization: `Bearer ${secret}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': randomUUID(),
  };
}

/** Clients that do one thing after another for so long, each on a connection that stays open. */
export function loadFor(ms: number, clients: number, act: Act): Promise<Window> {
  const startedAt = performance.now();
  return load(clients, act, () => performance.now() - startedAt < ms);
}

/** Clients that send one request after another until so much is created. */
export function createSome(count: number, clients: number, creation: Creation): Promise<Window> {
  let left = count;
  return load(clients, creating(creation), () => {
    left -= 1;
    return left >= 0;
  });
}

export function creating({ url, headers, body }: Creation): Act {
  return async (agent) => {
    const { status, text } = await send(agent, 'POST', url, headers(), body);
    if (status === 200 || status === 201) {
      return JSON.parse(text).id;
    }
    if (status !== BUSY) {
      throw new Error(`${url} answered ${status}: ${text}`);
    }
    return null;
  };
}

async function load(clients: number, act: Act, goesOn: () => boolean): Promise<Window> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const ids: string[] = [];
  const startedAt = performance.now();
  const client = async () => {
    while (goesOn()) {
      const id = await act(agent);
      if (id !== null) {
        ids.push(id);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  return { perSecond: ids.length / seconds, ids };
}

/** Sends requests, several at once, until all are answered. */
export async function sendAll(
  method: string,
  urls: readonly string[],
  headers: OutgoingHttpHeaders,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const rest = urls.values();
  const client = async () => {
    for (const url of rest) {
      const { status, text } = await send(agent, method, url, headers);
      if (status !== 200) {
        throw new Error(`${method} ${url} answered ${status}: ${text}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  agent.destroy();
}

const AT_ONCE = 16;

/** Sends one request, with less to do than `fetch` has. */
export function send(
  agent: Agent,
  method: string,
  url: string,
  headers: OutgoingHttpHeaders,
  body: string | Buffer = '',
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent, headers }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      resolve({ status: Number(answer.statusCode), text });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
