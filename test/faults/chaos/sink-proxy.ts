import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A delivery as it arrived, and the response of its sink. */
export interface Sighting {
  readonly path: string;
  readonly eventId: string;
  readonly webhookId: string;
  readonly resourceId: string;
  readonly sequence: number;
  readonly bodyHash: string;
  readonly atMs: number;
  /** Null until the sink responds, and if it never does. */
  status: number | null;
}

/**
 * The public address of the service: deliveries arrive here first, are recorded in the order in which they
 * arrive, and go on to the sink on a host.
 */
export interface SinkProxy {
  readonly url: string;
  readonly sightings: readonly Sighting[];
  stop(): void;
}

/** The headers that the sink needs to check a delivery, and the one with the result of that check. */
const PASSED_ON = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
const VERDICT = 'sink-signature';
const NO_ANSWER = 502;

/** @param forward sends a request to any host that is up */
export async function startSinkProxy(
  forward: (path: string, init: RequestInit) => Promise<Response>,
): Promise<SinkProxy> {
  const sightings: Sighting[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const atMs = Date.now();
    const body = await text(request);
    const path = String(request.url);
    const headers = PASSED_ON.map((name) => [name, String(request.headers[name])] as [string, string]);
    const event = JSON.parse(body);
    const sighting: Sighting = {
      path,
      eventId: event.id,
      webhookId: String(request.headers['webhook-id']),
      resourceId: event.data.object.id,
      sequence: event.sequence,
      bodyHash: createHash('sha256').update(body).digest('hex'),
      atMs,
      status: null,
    };
    sightings.push(sighting);
    const answer = await forward(path, { method: 'POST', headers, body });
    sighting.status = answer.status;
    const verdict = answer.headers.get(VERDICT);
    response.writeHead(answer.status, verdict === null ? {} : { [VERDICT]: verdict });
    response.end(await answer.text());
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => {
      if (!response.headersSent) {
        response.writeHead(NO_ANSWER);
      }
      response.end();
    });
  });
  // Never closed while idle: a host that sleeps meanwhile would lose its next delivery.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sightings,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
