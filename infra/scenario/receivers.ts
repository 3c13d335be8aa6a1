import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  RECEIVER_WEATHER,
  type Scenario,
  type ScenarioWeather,
} from '../../shared/contract/testkit/scenarios.ts';
import { createSink, instructSink, receive } from '../../shared/domain/testkit/sink.ts';
import { boundedText } from './bounded-body.ts';
import { strikeOf } from './weather.ts';

/* Receivers on this machine, for weather that no sink of the service can play: no response, and a lost connection. */

type SinkScripts = NonNullable<NonNullable<Scenario['given']>['sinks']>;

/** One attempt to deliver, as the service logged it. */
export interface ReceivedDelivery {
  readonly id: string;
  readonly event_id: string;
  readonly attempt: number;
  readonly body: string;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly answered_status: number | null;
}

export interface RunningReceivers {
  urlOf(name: string): string;
  stop(): void;
}

const FAILURE_STATUS = 500;
const NO_EVENT_STATUS = 400;

/**
 * Starts a receiver for each sink of a scenario, all on one free port of loopback.
 * @param shares of a thousand deliveries
 */
export async function startReceivers(
  scripts: SinkScripts,
  shares: NonNullable<ScenarioWeather['receivers']>,
  seed: number,
): Promise<RunningReceivers> {
  const sinks = new Map(
    Object.entries(scripts).map(([name, { fail_count: failCount, respond_status: respondStatus }]) => {
      const { sink } = createSink([], name, 0);
      return [name, instructSink(sink, { failCount, respondStatus }, 0).after] as const;
    }),
  );
  const statusAt = (name: string) => {
    const sink = sinks.get(name);
    if (sink === undefined) {
      return FAILURE_STATUS;
    }
    const { status, after } = receive(sink);
    sinks.set(name, after);
    return status;
  };
  const server = createServer(async (request, response) => {
    const name = String(request.url).slice(1);
    const delivery = keyOfDelivery(await boundedText({ body: request }).catch(() => ''));
    // Any program of this machine can send something here.
    if (delivery === null) {
      response.writeHead(NO_EVENT_STATUS, { Connection: 'close' }).end();
      return;
    }
    const key = `${name} ${delivery} ${request.headers['webhook-attempt']}`;
    switch (strikeOf(RECEIVER_WEATHER, shares, seed, key)) {
      case 'error':
        return respond(response, FAILURE_STATUS);
      case 'hang':
        return;
      case 'drop':
        request.socket.destroy();
        return;
      case 'lost_ack':
        statusAt(name);
        return respond(response, FAILURE_STATUS);
      default:
        return respond(response, statusAt(name));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (name) => `http://127.0.0.1:${port}/${name}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What an event is about without ids and times, which are new in each run; null for what is no event. */
function keyOfDelivery(body: string): string | null {
  try {
    const { type, data } = JSON.parse(body) as {
      type: string;
      data: { object: { number?: string; status?: string }; previous_status: string | null };
    };
    return `${type} ${data.object.number} ${data.previous_status} ${data.object.status}`;
  } catch {
    return null;
  }
}

function respond(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end('{"received":true}');
}
