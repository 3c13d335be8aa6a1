import { type Client, createClient } from '../../shared/client/client.ts';
import type { Scenario } from '../../shared/contract/testkit/scenarios.ts';
import { WORLD_NAME_MAX_CHARS } from '../../shared/domain/testkit/created-world.ts';
import { undoAtEnd } from '../terminal/undo-at-end.ts';
import { type ReceivedDelivery, type RunningReceivers, startReceivers } from './receivers.ts';

const TTL_MINUTES = 60;
/** More than the first pause between two attempts, so that the second one never depends on how fast a machine is. */
const RUN_DUE_SECONDS = 6;
/** A receiver that does not respond keeps its delivery for longer than one move waits. */
const RUN_DUE_MOVES_MAX = 20;

/** A receiver of a scenario: a sink of the service or, where weather plays it, an endpoint on this machine. */
export interface ScenarioSink {
  readonly id: string;
  readonly secret: string;
  /** Every attempt so far, newest first. */
  deliveries(): AsyncIterable<ReceivedDelivery>;
}

/** A world that a scenario has to itself. */
export interface ScenarioWorld {
  readonly client: Client;
  /** The key of the world. */
  readonly key: string;
  readonly sinks: ReadonlyMap<string, ScenarioSink>;
  /** Both as the service has them. */
  readonly eventTimeoutMs: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Lets everything happen that is due: events are published and delivered. */
  readonly runDue: () => Promise<void>;
  /** Deletes the world, which also happens when the command is interrupted. */
  end(): Promise<void>;
}

/** The service at which scenarios are played. */
export interface ScenarioService {
  readonly client: Client;
  readonly baseUrl: string;
  /** How long what happens in the background is waited for, in real time, if longer than by default. */
  readonly eventTimeoutMs?: number | undefined;
  /** Ends a play early: its next step throws the reason of the signal, and its world is deleted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes a world for a scenario, with its receivers.
 * @throws ProblemError if the key may make no worlds
 */
export async function openScenarioWorld(
  { client: maker, baseUrl, eventTimeoutMs, signal }: ScenarioService,
  { name, given = {}, weather }: Scenario,
  seed: number,
): Promise<ScenarioWorld> {
  let receivers: RunningReceivers | undefined;
  const making = Promise.resolve(
    maker.createTestWorld({
      name: [...name].slice(0, WORLD_NAME_MAX_CHARS).join(''),
      ttl_minutes: TTL_MINUTES,
      starts_at: given.starts_at,
      profile: given.seed,
    }),
  );
  const end = undoAtEnd(async () => {
    receivers?.stop();
    const made = await making.catch(() => null);
    await (made && maker.deleteTestWorld(made.id));
  });
  try {
    const { key } = await making;
    const client = createClient({ baseUrl, key });
    const sinks = new Map<string, ScenarioSink>();
    if (weather?.receivers !== undefined && given.sinks !== undefined) {
      receivers = await startReceivers(given.sinks, weather.receivers, seed);
    }
    for (const [sink, script] of Object.entries(given.sinks ?? {})) {
      const url = receivers?.urlOf(sink);
      sinks.set(
        sink,
        url === undefined ? await createSink(client, sink, script) : await createEndpoint(client, url),
      );
    }
    return { client, key, sinks, eventTimeoutMs, signal, runDue: () => runDue(client), end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function createSink(client: Client, name: string, script: object): Promise<ScenarioSink> {
  const { id } = await client.createWebhookSink({ name });
  if (Object.keys(script).length > 0) {
    await client.updateWebhookSink(id, script);
  }
  const { secret } = await client.getWebhookSink(id);
  return { id, secret, deliveries: () => client.listDeliveries(id, { limit: 100 }) };
}

async function createEndpoint(client: Client, url: string): Promise<ScenarioSink> {
  const { id, secret } = await client.createWebhookEndpoint({ url });
  return { id, secret: String(secret), deliveries: () => client.listEndpointDeliveries(id, { limit: 100 }) };
}

async function runDue(client: Client): Promise<void> {
  for (let move = 0; move < RUN_DUE_MOVES_MAX; move += 1) {
    const { shifted } = await client.advanceClock({ seconds: move === 0 ? RUN_DUE_SECONDS : 1 });
    if (shifted.jobs_remaining === 0) {
      return;
    }
  }
}
