import { Agent, request } from 'node:http';

/** A request that creates something, anew each time. */
export interface Creation {
  readonly url: string;
  readonly headers: () => Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answered by a service that has too much to do just then: nothing is created. */
const BUSY = 503;

/** What clients got done in a window of time. */
export interface Window {
  readonly perSecond: number;
  readonly ids: readonly string[];
}

/** Clients that send one request after another, each on a connection that stays open. */
export async function loadFor(ms: number, clients: number, creation: Creation): Promise<Window> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const ids: string[] = [];
  const startedAt = performance.now();
  const client = async () => {
    while (performance.now() - startedAt < ms) {
      const { status, text } = await send(agent, 'POST', creation.url, creation.headers(), creation.body);
      if (status === 200 || status === 201) {
        ids.push(JSON.parse(text).id);
      } else if (status !== BUSY) {
        throw new Error(`${creation.url} answered ${status}: ${text}`);
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
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const rest = urls.values();
  const client = async () => {
    for (const url of rest) {
      const { status, text } = await send(agent, method, url, headers, body);
      if (status !== 200) {
        throw new Error(`${method} ${url} answered ${status}: ${text}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  agent.destroy();
}

const AT_ONCE = 16;

function send(
  agent: Agent,
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
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
