import { createHash } from 'node:crypto';
import { operations } from '../../shared/contract/operations.ts';
import { PRESETS } from '../../shared/contract/permissions.ts';
import { API_VERSIONS } from '../../shared/contract/versions.ts';
import { worldIdOf } from '../../shared/domain/world.ts';
import { type Command, callOf, type Known } from '../faults/model/commands.ts';
import { Inspection, inspectMoment, inspectRest, look } from '../faults/model/invariants.ts';
import { openedItem } from '../support/world/opened-item.ts';
import { type Violation, Watch } from './laws.ts';
import { planOf, type Step } from './plan.ts';
import { enterWorld } from './replace-globals.ts';
import { SeededRandom } from './seeded-random.ts';
import { type Answer, SimulatedClient } from './simulated-client.ts';
import { SimulatedService } from './simulated-service.ts';
import { SimulatedTime } from './simulated-time.ts';
import { Weather } from './weather.ts';

const { issueApiKey } = await import('../../shared/store/worlds/api-key.ts');

/** When every story begins. */
const START_MS = Date.UTC(2026, 0, 5, 2);
const MERCHANTS = ['somchai', 'malee'];
const CLIENTS = 2;
/** Longer than the last attempt of a delivery, the time of every payment and every delay. */
const TWO_DAYS_SECONDS = 2 * 86_400;
const MOVES_MAX = 20;
const REST_MS = 5 * 60_000;
const WEATHER_SEED = 0x5eed;
const PLAN_SEED = 0x91a4;

/** What one seed made happen. */
export interface SimulatedRun {
  readonly seed: number;
  readonly requests: number;
  readonly simulated_ms: number;
  readonly wall_ms: number;
  readonly faults: number;
  /** A hash of the whole table and of every answer: the same for a seed on any machine. */
  readonly digest: string;
  readonly violations: readonly Violation[];
}

/** What is left out of a story, by numbers from 1. */
export interface Omissions {
  readonly steps: ReadonlySet<number>;
  readonly faults: ReadonlySet<number>;
}

export const NO_OMISSIONS: Omissions = { steps: new Set(), faults: new Set() };

export interface Told {
  readonly run: SimulatedRun;
  /** How many faults the weather had, those left out as well. */
  readonly faults: number;
  readonly steps: number;
  /** Every answer, in the order of time. */
  readonly lines: readonly string[];
}

const { now } = performance;
/** In real milliseconds: the one thing here that is not simulated. */
const realNow = now.bind(performance);

/** Two merchants, whose clients do what the plan says in the weather of the seed, until everything is at rest. */
export class Story {
  readonly service: SimulatedService;
  readonly #seed: number;
  readonly #plan: readonly (readonly Step[])[];
  readonly #omissions: Omissions;
  readonly #time = new SimulatedTime(START_MS);
  readonly #random: SeededRandom;
  readonly #weather: Weather;
  readonly #watch = new Watch();
  readonly #hash = createHash('sha256');
  readonly #lines: string[] = [];

  constructor(seed: number, omissions: Omissions) {
    this.#seed = seed;
    this.#omissions = omissions;
    this.#plan = planOf(seed ^ PLAN_SEED, MERCHANTS.length * CLIENTS);
    this.#random = new SeededRandom(seed);
    this.#weather = new Weather(new SeededRandom(seed ^ WEATHER_SEED), omissions.faults);
    this.service = new SimulatedService(this.#time, this.#random, this.#weather);
    this.service.onChange = (changes) => this.#watch.seeChanges(changes);
  }

  /** Tells it from its beginning to its end, once. */
  async tell(): Promise<Told> {
    const beganAt = realNow();
    enterWorld({ time: this.#time, random: this.#random });
    const living = this.#live();
    await this.#time.until(living).catch((error: Error) => this.#watch.break('answered', error.message));
    for (const item of this.service.store.items()) {
      this.#hash.update(JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value)));
    }
    const run = {
      seed: this.#seed,
      requests: this.service.requests,
      simulated_ms: this.#time.nowMs - START_MS,
      wall_ms: Math.round(realNow() - beganAt),
      faults: this.#weather.total,
      digest: this.#hash.digest('hex').slice(0, 16),
      violations: this.#watch.violations,
    };
    return { run, faults: this.#weather.drawn, steps: this.#plan.flat().length, lines: this.#lines };
  }

  async #live(): Promise<void> {
    const clients = await Promise.all(MERCHANTS.map((merchant) => this.#clientsOf(merchant)));
    this.#weather.begin();
    const all = clients.flat();
    await Promise.all(this.#plan.map((steps, index) => this.#act(all[index] as SimulatedClient, steps)));
    this.#weather.end();
    await this.#time.pause(REST_MS);
    await Promise.all(clients.map(([first], index) => this.#rest(String(MERCHANTS[index]), first)));
    this.service.stop();
  }

  /** The clients of a merchant that has a sink, each with a key of its own. */
  async #clientsOf(merchant: string): Promise<readonly [SimulatedClient, ...SimulatedClient[]]> {
    const clients: SimulatedClient[] = [];
    const { owner: permissions } = PRESETS;
    const order = {
      merchant,
      mode: 'test',
      permissions,
      version: API_VERSIONS[0],
      label: 'a simulation',
    } as const;
    for (let index = 0; index < CLIENTS; index += 1) {
      const { secret } = await issueApiKey(order, 'a simulation', Date.now());
      const client = new SimulatedClient(this.service, this.#time, this.#random, secret);
      client.onSend = () => this.#watch.clockOf(merchant);
      client.onAnswer = (request, answer, clockAtSend) => {
        this.#watch.seeAnswer(merchant, request, answer, clockAtSend);
        this.#hash.update(`${answer.status} ${answer.body}`);
        const code = answer.status < 400 ? '' : ` ${answer.json.code}`;
        const at = new Date(this.#time.nowMs).toISOString();
        this.#lines.push(`${at} ${merchant} ${request.method} ${request.path}: ${answer.status}${code}`);
      };
      clients.push(client);
    }
    const [first, ...others] = clients as [SimulatedClient, ...SimulatedClient[]];
    await first.sendUntilAnswered(first.requestOf(operations.createWebhookSink, {}, 'sink'));
    return [first, ...others];
  }

  async #act(client: SimulatedClient, steps: readonly Step[]): Promise<void> {
    const known = new KnownResources();
    for (const step of steps) {
      await this.#time.pause(step.pauseMs);
      const call = this.#omissions.steps.has(step.number) ? null : callOf(step.command, known);
      if (call === null) {
        continue;
      }
      const { copyMs, againMs, idempotencyKey } = step;
      const request =
        'form' in call
          ? client.formOf(call.form, idempotencyKey)
          : client.requestOf(
              call.row,
              { body: call.body, ...(call.id !== undefined && { params: { id: call.id } }) },
              idempotencyKey,
            );
      const copy = async () => {
        if (copyMs !== null) {
          await this.#time.pause(copyMs);
          await client.sendUntilAnswered(request);
        }
      };
      const [answer] = await Promise.all([client.sendUntilAnswered(request), copy()]);
      known.learn(step.command, answer);
      if (againMs !== null) {
        await this.#time.pause(againMs);
        await client.sendUntilAnswered(request);
      }
    }
  }

  /** Lets everything finish, and looks at what has become of it. */
  async #rest(merchant: string, client: SimulatedClient): Promise<void> {
    const api = client.client;
    const { data: sinks } = (await api(operations.listWebhookSinks)).json;
    for (const { id } of sinks) {
      const body = { fail_count: 0, respond_status: 200 };
      await api(operations.updateWebhookSink, { params: { id }, body });
    }
    await this.#pass(client, TWO_DAYS_SECONDS);
    await api(operations.simulateSettlement);
    await this.#pass(client, 1);
    await this.#time.pause(REST_MS);
    const seen = await look(api);
    const inspection = new Inspection();
    inspectMoment(inspection, seen);
    inspectRest(inspection, seen, this.#storedOf(merchant));
    for (const claim of inspection.violations) {
      this.#watch.break('rest', claim);
    }
  }

  #storedOf(merchant: string) {
    const prefix = `${worldIdOf(merchant, 'test')}.`;
    return [...this.service.store.items()]
      .filter(({ pk }) => String(pk).startsWith(prefix) && !String(pk).includes('#REQUESTS#'))
      .map(openedItem);
  }

  /** Moves a clock, and by a second again while jobs are left. */
  async #pass({ client }: SimulatedClient, seconds: number): Promise<void> {
    let step = seconds;
    for (let moves = 0; moves < MOVES_MAX; moves += 1) {
      const { status, json } = await client(operations.advanceClock, { body: { seconds: step } });
      if (status === 200 && json.shifted.jobs_remaining === 0) {
        return;
      }
      step = status === 200 ? 1 : step;
      await this.#time.pause(REST_MS);
    }
  }
}

/** What a client knows by its answers, oldest first. */
class KnownResources implements Known {
  readonly payments: { id: string }[] = [];
  readonly refunds: { id: string }[] = [];
  readonly links: { id: string; url: string }[] = [];
  readonly payouts: { id: string }[] = [];
  readonly sinks: { id: string }[] = [];

  learn({ kind }: Command, { status, json }: Answer): void {
    const { id, url, payout_id: payoutId } = json as { id: string; url: string; payout_id?: string | null };
    if (status >= 300) {
      return;
    }
    if (kind === 'createPayment') {
      this.payments.push({ id });
    } else if (kind === 'requestRefund') {
      this.refunds.push({ id });
    } else if (kind === 'createLink') {
      this.links.push({ id, url });
    } else if (kind === 'settle' && typeof payoutId === 'string') {
      this.payouts.push({ id: payoutId });
    }
  }
}
