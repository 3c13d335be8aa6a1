import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '../../shared/domain/clock.ts';
import { ORDER } from './life.ts';
import { type LiveHost, startLiveHost } from './live-host.ts';
import { quantile } from './quantile.ts';
import type { Section } from './section.ts';

/* What receivers that are slow or away cost the others of their merchant, and how fresh events are. */

const HEALTHY = 12;
const LOAD_MS = 60 * SECOND_MS;
/** A payment is created so often: two events for each endpoint. */
const PAUSE_MS = 400;
/** One of so many expires within the load. */
const PER_EXPIRING = 5;
const EXPIRES_IN_MINUTES = 1;
/** Whatever is not there by then is lost. */
const DELIVERED_WITHIN_MS = 2 * MINUTE_MS;
const POLL_MS = 500;
const DRIP_MS = SECOND_MS;
/** What is not worth a word: both latenesses are taken for so much more. */
const LATENESS_SLACK_MS = SECOND_MS;

/** Bad receivers, by what they do with a request. */
const BAD: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  'does not answer': () => undefined,
  'answers 500': (_, response) => void response.writeHead(500).end(),
  'drops the connection': ({ socket }) => void socket.destroy(),
  'answers a byte a second': (_, response) => {
    response.writeHead(200);
    const dripping = setInterval(() => response.write('.'), DRIP_MS);
    response.once('close', () => clearInterval(dripping));
  },
};

interface WebhookArrival {
  readonly type: string;
  /** From when it happened to its first byte at the receiver, in milliseconds. */
  readonly afterMs: number;
}

/** Healthy receivers and bad ones, at paths of one server each. */
async function startReceivers() {
  const arrivals: WebhookArrival[] = [];
  const expiresAt = new Map<string, number>();
  const healthy = createServer(async (request, response) => {
    const atMs = Date.now();
    const { type, timestamp, data } = JSON.parse(await text(request));
    const fromMs = type === 'payment.expired' ? Number(expiresAt.get(data.object.id)) : Date.parse(timestamp);
    arrivals.push({ type, afterMs: atMs - fromMs });
    response.writeHead(204).end();
  });
  const bad = createServer((request, response) => {
    request.resume();
    BAD[decodeURIComponent(String(request.url?.slice(1)))]?.(request, response);
  });
  for (const server of [healthy, bad]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const urlOf = (server: typeof bad, path: string) =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/${encodeURIComponent(path)}`;
  return {
    arrivals,
    expiresAt,
    healthyUrls: Array.from({ length: HEALTHY }, (_, index) => urlOf(healthy, String(index))),
    badUrls: Object.keys(BAD).map((path) => urlOf(bad, path)),
    stop: () => {
      for (const server of [healthy, bad]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** What the healthy ones of these receivers see of a merchant with payments that are created and expire. */
async function observe(host: LiveHost, merchant: string, hasBad: boolean) {
  const receivers = await startReceivers();
  try {
    const secret = await host.issueKey(merchant);
    for (const url of [...receivers.healthyUrls, ...(hasBad ? receivers.badUrls : [])]) {
      await host.ask(secret, 'POST', '/webhook-endpoints', { url });
    }
    const endsAt = Date.now() + LOAD_MS;
    let payments = 0;
    for (; Date.now() < endsAt; payments += 1) {
      const nextAt = Date.now() + PAUSE_MS;
      const isExpiring = payments % PER_EXPIRING === 0;
      const order = isExpiring ? { ...ORDER, expires_in_minutes: EXPIRES_IN_MINUTES } : ORDER;
      const made = await host.ask<{ id: string; expires_at: string }>(secret, 'POST', '/payments', order);
      if (isExpiring) {
        receivers.expiresAt.set(made.id, Date.parse(made.expires_at));
      }
      await sleep(Math.max(0, nextAt - Date.now()));
    }
    const expected = HEALTHY * (2 * payments + receivers.expiresAt.size);
    const giveUpAt = Date.now() + DELIVERED_WITHIN_MS;
    while (receivers.arrivals.length < expected && Date.now() < giveUpAt) {
      await sleep(POLL_MS);
    }
    const [expired, fresh] = [true, false].map((isExpired) =>
      receivers.arrivals
        .filter(({ type }) => (type === 'payment.expired') === isExpired)
        .map(({ afterMs }) => afterMs),
    );
    return {
      fresh: fresh ?? [],
      expired: expired ?? [],
      lost: Math.max(0, expected - receivers.arrivals.length),
    };
  } finally {
    receivers.stop();
  }
}

export async function measure(): Promise<Section> {
  const host = await startLiveHost();
  try {
    const alone = await observe(host, 'alone', false);
    const beside = await observe(host, 'beside', true);
    const row = (what: string, { fresh, expired }: typeof alone) =>
      `| ${[what, ...[quantile(fresh, 0.5), quantile(fresh, 0.99), quantile(expired, 0.99)].map(Math.round)].join(' | ')} |`;
    const latenessOf = ({ expired }: typeof alone) => quantile(expired, 0.99) + LATENESS_SLACK_MS;
    return {
      lines: [
        `A merchant with ${HEALTHY} endpoints at \`npm start\`, which creates a payment every ${PAUSE_MS} ms for ${LOAD_MS / SECOND_MS} seconds; then one that has four more: one does not respond, one responds with 500, one drops the connection, one sends a byte a second. From when an event happened, before its commit, to its first byte at each of the ${HEALTHY}; of an expiry, from when it was due. The clock of \`npm start\` ticks every 3 seconds.`,
        '',
        '| Milliseconds | Events, median | Events, p99 | Expiries, p99 |',
        '|---|---:|---:|---:|',
        row(`${HEALTHY} endpoints`, alone),
        row('the same beside four bad ones', beside),
      ],
      figures: {
        'isolation.fresh_p50_ms': quantile(alone.fresh, 0.5),
        'isolation.fresh_p99_ms': quantile(alone.fresh, 0.99),
        'isolation.beside_bad_p50_ms': quantile(beside.fresh, 0.5),
        'isolation.beside_bad_p99_ms': quantile(beside.fresh, 0.99),
        'isolation.p99_beside_bad_to_alone': quantile(beside.fresh, 0.99) / quantile(alone.fresh, 0.99),
        'isolation.lateness_beside_bad_to_alone': latenessOf(beside) / latenessOf(alone),
      },
      failures: [alone, beside].flatMap(({ lost }) => (lost > 0 ? [`${lost} events did not arrive`] : [])),
    };
  } finally {
    await host.stop();
  }
}
