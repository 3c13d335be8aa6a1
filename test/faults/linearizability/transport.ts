import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Transport } from '../../support/world/send.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 300 });
/** A loopback address is of one sender as long as its connections are. */
const agentsBySender = new Map<string, Agent>();

/** A request that was certainly not received: no server listens. */
export class Unreceived extends Error {}

/** A request whose connection broke: its host died, and does nothing more. */
export class Broken extends Error {}

/** A request that a client stopped waiting for: its host may sleep, and still perform it later. */
export class TimedOut extends Error {}

export interface Sending {
  readonly timeoutMs: number;
  /** The loopback address of the sender. */
  readonly sender?: string | undefined;
}

/**
 * Sends each request to the address that is chosen for it, whatever state its host is in.
 * @throws Unreceived, Broken, TimedOut
 */
export function transportTo(chooseAddress: () => string, sending: Sending): Transport {
  return async (address, init) => {
    const { pathname, search } = new URL(address);
    const { status, headers, body } = await exchange(`${chooseAddress()}${pathname}${search}`, init, sending);
    return new Response(new Uint8Array(body), { status, headers });
  };
}

async function exchange(address: string, { method, headers, body }: RequestInit, sending: Sending) {
  const sent = request(address, {
    method: String(method),
    headers: Object.fromEntries(new Headers(headers)),
    agent: agentOf(sending.sender),
    ...(sending.sender !== undefined && { localAddress: sending.sender }),
  });
  const timer = setTimeout(() => sent.destroy(new TimedOut('no response in time')), sending.timeoutMs);
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve);
      sent.on('error', reject);
      sent.end(body);
    });
    const answered = new Headers();
    for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
      for (const value of values) {
        answered.append(name, value);
      }
    }
    return { status: Number(answer.statusCode), headers: answered, body: await buffer(answer) };
  } catch (error) {
    if (error instanceof TimedOut || sent.errored instanceof TimedOut) {
      throw new TimedOut('no response in time');
    }
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === 'ECONNREFUSED' ? new Unreceived(message) : new Broken(message);
  } finally {
    clearTimeout(timer);
  }
}

function agentOf(sender: string | undefined): Agent {
  if (sender === undefined) {
    return agent;
  }
  const own = agentsBySender.get(sender) ?? new Agent({ keepAlive: true });
  agentsBySender.set(sender, own);
  return own;
}
