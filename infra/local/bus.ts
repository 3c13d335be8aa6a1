import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { EventBridgeEvent } from 'aws-lambda';
import { closedEndpoint } from './closed-endpoint.ts';

const PUT_EVENTS = 'AWSEvents.PutEvents';
const AMZ_JSON = { 'Content-Type': 'application/x-amz-json-1.1' };

type BusEvent = EventBridgeEvent<string, unknown>;

/** A local stand-in for EventBridge, as far as the clock needs it: an endpoint on this machine that accepts events. */
export interface LocalBus {
  readonly endpoint: string;
  stop(): void;
}

/**
 * @param name of the bus; events for other buses are dropped
 * @param onEvent called with each event, instead of the rules of the bus
 */
export async function startBus(name: string, onEvent: (event: BusEvent) => void): Promise<LocalBus> {
  const server = createServer(async (request, response) => {
    try {
      const body = await text(request);
      if (request.headers['x-amz-target'] !== PUT_EVENTS) {
        response.writeHead(400, AMZ_JSON).end('{"__type":"UnknownOperationException"}');
        return;
      }
      const { Entries: entries } = JSON.parse(body) as { Entries: PutEventsRequestEntry[] };
      const events = entries.map((entry) => ({ entry, event: toEvent(entry) }));
      const Entries = events.map(({ event }) => ({ EventId: event.id }));
      response.writeHead(200, AMZ_JSON).end(JSON.stringify({ FailedEntryCount: 0, Entries }));
      for (const { entry, event } of events) {
        if (entry.EventBusName === name) {
          onEvent(event);
        }
      }
    } catch {
      // The request is malformed, or its sender is gone.
      response.writeHead(400, AMZ_JSON).end('{"__type":"SerializationException"}');
    }
  });
  const endpoint = await closedEndpoint();
  const { hostname, port } = new URL(endpoint);
  server.listen(Number(port), hostname);
  await once(server, 'listening');
  return {
    endpoint,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function toEvent({ Source, DetailType, Detail, Resources, Time }: PutEventsRequestEntry): BusEvent {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': DetailType ?? '',
    source: Source ?? '',
    account: '000000000000',
    time: new Date(Time ?? Date.now()).toISOString(),
    region: 'local',
    resources: Resources ?? [],
    detail: JSON.parse(Detail ?? '{}'),
  };
}
