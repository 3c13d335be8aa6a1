import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../bench/quantile.ts';
import { passOn, startProxy } from '../support/faults/proxy.ts';
import { call, type Stage } from './stage.ts';

const PAYMENTS = 50;
const EVENTS = 2 * PAYMENTS;
const PAUSE_MS = 200;
/** Whatever is not there by then is lost. */
const RECEIVED_WITHIN_MS = 60_000;
const POLL_MS = 100;

/** A proxy of a target that measures deliveries to sinks by the clock of this machine. */
export interface Witness extends AsyncDisposable {
  /** Its address: it passes every request on to the target. */
  readonly endpoint: string;
  /** By event: from when it happened to its first byte here, in milliseconds. */
  readonly delaysMs: ReadonlyMap<string, number>;
}

/** @param target on this machine too, as its functions are: there is one clock */
export async function startWitness(target: string): Promise<Witness> {
  const delaysMs = new Map<string, number>();
  const between = await startProxy(async (request, response) => {
    const atMs = Date.now();
    const body = await text(request);
    if (/\/sink\/[^/]+$/.test(String(request.url))) {
      const { id, timestamp } = JSON.parse(body) as { id: string; timestamp: string };
      delaysMs.set(id, delaysMs.get(id) ?? atMs - Date.parse(timestamp));
    }
    const answer = await passOn(target, request, body);
    const said = await answer.text();
    const {
      'content-encoding': _,
      'content-length': __,
      'transfer-encoding': ___,
      ...headers
    } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, headers).end(said);
  });
  return {
    endpoint: between.baseUrl,
    delaysMs,
    [Symbol.asyncDispose]: between[Symbol.asyncDispose],
  };
}

/**
 * Measures how long events take to get to a sink, on a stage that is reached by way of a witness.
 * @returns a description of the measurements
 * @throws Error where events did not arrive
 */
export async function measureFreshness(stage: Stage, { delaysMs }: Witness): Promise<string> {
  await call(stage, 'POST', '/test/webhooks/sinks', {});
  for (let made = 0; made < PAYMENTS; made += 1) {
    const { status } = await call(stage, 'POST', '/payments', {
      amount: { currency: 'THB', minor: 1_000 },
      method: 'promptpay',
    });
    if (status !== 201) {
      throw new Error(`a payment in ${stage.name} answered ${status}`);
    }
    await sleep(PAUSE_MS);
  }
  const giveUpAt = Date.now() + RECEIVED_WITHIN_MS;
  while (delaysMs.size < EVENTS && Date.now() < giveUpAt) {
    await sleep(POLL_MS);
  }
  if (delaysMs.size !== EVENTS) {
    throw new Error(`${delaysMs.size} of ${EVENTS} events arrived`);
  }
  const [p50, p99] = [0.5, 0.99].map((share) => quantile([...delaysMs.values()], share));
  return `Fresh events: ${EVENTS} of ${EVENTS} arrived, half of them within ${p50} ms and 99 % within ${p99} ms, from when each happened, before its commit, to its first byte at the receiver.`;
}
