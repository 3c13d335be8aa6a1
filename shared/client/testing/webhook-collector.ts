import type { EventView } from '../../contract/events.ts';
import type { Client } from '../client.ts';
import { elapsedMs, startTimer } from '../real-timers.ts';
import { type EventCollector, type EventOf, type NextEventOptions, WAIT_MS } from './event-collector.ts';

/** A delivery of an event, as it was sent. */
export interface SignedWebhook<Type extends EventView['type']> {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly event: EventOf<Type>;
}

const LOOK_EVERY_MS = 50;

/**
 * Collects the deliveries to a sink of one world.
 * @internal
 */
export class WebhookCollector {
  readonly #client: Pick<Client, 'createWebhookSink' | 'getWebhookSink' | 'listEventDeliveries'>;
  readonly #events: EventCollector;
  readonly #waitMs: number;
  #sink: ReturnType<WebhookCollector['sink']> | undefined;

  constructor(client: Client, events: EventCollector, waitMs = WAIT_MS) {
    this.#client = client;
    this.#events = events;
    this.#waitMs = waitMs;
  }

  /** The sink, which is created when it is first needed. */
  sink(): Promise<{ readonly id: string; readonly secret: string }> {
    this.#sink ??= this.#client
      .createWebhookSink({ name: 'test file' })
      .then(({ id }) => this.#client.getWebhookSink(id));
    return this.#sink;
  }

  /**
   * The delivery of the next event of a type. It may be handed out as a function.
   * @throws Error if there is no sink, or none comes in time
   */
  readonly next = async <Type extends EventView['type']>(
    type: Type,
    options: NextEventOptions<Type> = {},
  ): Promise<SignedWebhook<Type>> => {
    if (this.#sink === undefined) {
      throw new Error('Ask for world.webhookSecret() before what makes the event: deliveries begin with it.');
    }
    const sink = await this.#sink;
    const { timeoutMs = this.#waitMs } = options;
    const giveUpAt = elapsedMs() + timeoutMs;
    const { id } = await this.#events.next(type, options);
    for (;;) {
      const { data } = await this.#client.listEventDeliveries(id);
      const delivery = data.find(({ sink_id }) => sink_id === sink.id);
      if (delivery !== undefined) {
        const { body, request_headers: headers } = delivery;
        return { body, headers, event: JSON.parse(body) };
      }
      if (elapsedMs() > giveUpAt) {
        throw new Error(`${type} (${id}) was not delivered within ${timeoutMs} ms.`);
      }
      await new Promise<void>((resolve) => startTimer(resolve, LOOK_EVERY_MS));
    }
  };
}
