import type { EventView } from '../../contract/events.ts';
import { isProblem } from '../call-error.ts';
import { type Client, createClient } from '../client.ts';
import { EventCollector, type EventOf, type NextEventOptions } from './event-collector.ts';
import { joinService } from './join-service.ts';
import { type SignedWebhook, WebhookCollector } from './webhook-collector.ts';

type WorldInput = NonNullable<Parameters<Client['createTestWorld']>[0]>;

/** The fields of Create Test World, all optional, and where the service is. */
export interface TestWorldOptions extends Partial<WorldInput> {
  /** The address of a running service; by default `PG_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** A test key of that service, with `world.create`; by default `PG_KEY`. */
  readonly key?: string | undefined;
  /**
   * How long `nextEvent` waits by default; without it, the seconds in `PG_EVENT_TIMEOUT`, or else 4. A stage at a target
   * that stands in for AWS may take a minute.
   */
  readonly eventTimeoutMs?: number | undefined;
}

/** A test world of one test file: nothing else has its clock, its numbers and its events. */
export interface OwnTestWorld {
  /** A client with the key of the world. */
  readonly client: Client;
  readonly id: string;
  readonly key: string;
  readonly baseUrl: string;
  /** When the world ends by itself, in real time. */
  readonly expiresAt: string;
  /**
   * The oldest event of a type that was not taken before, as soon as there is one. No port is opened for it.
   * @throws Error that lists the other events, if none comes within `timeoutMs` (`eventTimeoutMs` of the world)
   */
  nextEvent<Type extends EventView['type']>(
    type: Type,
    options?: NextEventOptions<Type>,
  ): Promise<EventOf<Type>>;
  /**
   * The secret of the deliveries that `nextWebhook` returns, for your own receiver. They begin when it is first asked for.
   */
  webhookSecret(): Promise<string>;
  /**
   * The delivery of the next event of a type, as it was sent: post `body` with `headers` to your own receiver.
   * @throws Error if `webhookSecret` was not asked for before, or none comes within `timeoutMs`
   */
  nextWebhook<Type extends EventView['type']>(
    type: Type,
    options?: NextEventOptions<Type>,
  ): Promise<SignedWebhook<Type>>;
  /** Deletes the world. The service that was started for it ends soon, unless another world needs it. */
  end(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const SECOND_MS = 1_000;
const DEFAULT_NAME = 'test file';
/** Worlds of tests that were killed end by themselves. */
const DEFAULT_TTL_MINUTES = 15;

/**
 * Creates a test world, at the service that `PG_BASE_URL` and `PG_KEY` name, or else at one that it starts (see
 * `startService`), which ends with the last world of this process.
 * @throws Error if no service is named and none can be started
 * @throws ProblemError if the service refuses the world
 */
export async function createTestWorld(options: TestWorldOptions = {}): Promise<OwnTestWorld> {
  const { PG_BASE_URL, PG_KEY } = process.env;
  const { baseUrl = PG_BASE_URL, key = PG_KEY, eventTimeoutMs = givenTimeoutMs(), ...input } = options;
  const service = await joinService(baseUrl || undefined, key || undefined);
  try {
    return await createAt(service, eventTimeoutMs, input);
  } catch (error) {
    service.leave();
    throw error;
  }
}

/** @throws Error where the variable is no number of seconds: a test would wait for another time than was meant */
function givenTimeoutMs(): number | undefined {
  const { PG_EVENT_TIMEOUT: given } = process.env;
  if (!given) {
    return undefined;
  }
  if (!/^\d{1,4}(\.\d+)?$/.test(given)) {
    throw new Error(`PG_EVENT_TIMEOUT takes seconds, as in 60, not "${given}".`);
  }
  return Number(given) * SECOND_MS;
}

async function createAt(
  service: Awaited<ReturnType<typeof joinService>>,
  eventTimeoutMs: number | undefined,
  { name = DEFAULT_NAME, ttl_minutes = DEFAULT_TTL_MINUTES, ...input }: Partial<WorldInput>,
): Promise<OwnTestWorld> {
  const { baseUrl } = service;
  const merchant = createClient(service);
  const { id, key, expires_at } = await merchant.createTestWorld({ name, ttl_minutes, ...input });
  const client = createClient({ baseUrl, key });
  // A test waits for what it does itself, not for the history that its world was seeded with.
  const history = input.profile === undefined ? [] : (await client.listEvents({ limit: 1 })).data;
  const events = new EventCollector(client, history[0], eventTimeoutMs);
  const webhooks = new WebhookCollector(client, events, eventTimeoutMs);
  let ending: Promise<void> | undefined;
  const remove = async () => {
    events.stop();
    try {
      await merchant.deleteTestWorld(id);
    } catch (error) {
      if (!isProblem(error, 'world_not_found')) {
        throw error;
      }
    } finally {
      service.leave();
    }
  };
  const end = () => {
    ending ??= remove();
    return ending;
  };
  return {
    client,
    id,
    key,
    baseUrl,
    expiresAt: expires_at,
    nextEvent: events.next,
    webhookSecret: async () => (await webhooks.sink()).secret,
    nextWebhook: webhooks.next,
    end,
    [Symbol.asyncDispose]: end,
  };
}
