import { createHash } from 'node:crypto';
import { operations } from '../../shared/contract/operations.ts';
import { PRESETS } from '../../shared/contract/permissions.ts';
import { API_VERSIONS } from '../../shared/contract/versions.ts';
import { worldIdOf } from '../../shared/domain/world.ts';
import { moveKey } from '../../shared/store/table/keys.ts';
import { callOf } from '../faults/model/commands.ts';
import { Inspection, inspectMoment, inspectRest, look, type Seen } from '../faults/model/invariants.ts';
import { openedItem } from '../support/world/opened-item.ts';
import { runErrand } from './errands.ts';
import { judgeCopy, judgeLivingCopy } from './forks.ts';
import type { Violation } from './laws/law.ts';
import { judgeEnds } from './laws/lives.ts';
import { judgeDays, judgeLists, judgeReports, judgeSchedule } from './laws/rest.ts';
import { Watch } from './laws/watch.ts';
import { planOf, type Step } from './plan.ts';
import { enterWorld } from './replace-globals.ts';
import { KnownResources, Scene } from './scene.ts';
import { SeededRandom } from './seeded-random.ts';
import { Shops } from './shops.ts';
import { type Answer, type MerchantKeys, SimulatedClient } from './simulated-client.ts';
import { type SimulatedRequest, SimulatedService } from './simulated-service.ts';
import { SimulatedTime } from './simulated-time.ts';
import { liveAlone } from './solo.ts';
import { Weather } from './weather.ts';

const { issueApiKey } = await import('../../shared/store/worlds/api-key.ts');

/** Stories begin within a day from here, at any hour. */
const START_MS = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;
/** So many stories have one client for each merchant, whose answers a model predicts. */
const ALONE_SHARE = 0.15;
/** So many merchants have a server of their own from the beginning. */
const SHOP_SHARE = 0.5;
/** So many worlds are copied at the end. */
const COPIED_SHARE = 0.2;
/** So many stories have a second merchant, of whose worlds the first one's must not know. */
const NEIGHBOR_SHARE = 0.4;
/** The clocks of processes differ from the simulated time by so much at most. */
const SKEW_MAX_MS = 200;
const MERCHANTS = ['somchai', 'malee'];
const CLIENTS = 2;
/** Longer than the last attempt of a delivery, the time of every payment and every delay. */
const TWO_DAYS_SECONDS = (2 * DAY_MS) / 1_000;
const MOVES_MAX = 20;
const REST_MS = 5 * 60_000;
/** So long after a purge nothing is left of what was there. */
const PURGED_MS = 3_600_000;
/** What waits for others. */
const PUT_OFF = /\/(fork|settlements\/simulate)$/;
const WEATHER_SEED = 0x5eed;
const PLAN_SEED = 0x91a4;
const SHOPS_SEED = 0x5409;

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

interface Household {
  readonly scenes: readonly Scene[];
  readonly sinkId: string;
}

export interface Told {
  readonly run: SimulatedRun;
  /** How many faults the weather had, those left out as well. */
  readonly faults: number;
  readonly steps: number;
  /** Every answer, in the order of time, without the last look at everything. */
  readonly lines: readonly string[];
}

const { now } = performance;
/** In real milliseconds: the one thing here that is not simulated. */
const realNow = now.bind(performance);

/** The address of the endpoint that a request creates; null where it creates none. */
function endpointUrlOf({ method, path, body }: SimulatedRequest): string | null {
  return method === 'POST' && path.endsWith('/webhook-endpoints') ? JSON.parse(String(body)).url : null;
}

/** Sets as lists, which JSON has. */
function listed(_name: string, value: unknown): unknown {
  return value instanceof Set ? [...value] : value;
}

/** One merchant or two, whose clients do what the plan says in the weather of the seed, until everything is at rest. */
export class Story {
  readonly service: SimulatedService;
  readonly #seed: number;
  readonly #isAlone: boolean;
  readonly #merchants: readonly string[];
  readonly #plan: readonly (readonly Step[])[];
  readonly #omissions: Omissions;
  readonly #time: SimulatedTime;
  readonly #startMs: number;
  readonly #random: SeededRandom;
  readonly #weather: Weather;
  readonly #watch = new Watch();
  readonly #shops: Shops;
  readonly #hash = createHash('sha256');
  readonly #lines: string[] = [];
  #isAtRest = false;

  constructor(seed: number, omissions: Omissions) {
    this.#seed = seed;
    this.#omissions = omissions;
    this.#random = new SeededRandom(seed);
    this.#isAlone = this.#random.chance(ALONE_SHARE);
    this.#merchants = this.#random.chance(NEIGHBOR_SHARE) ? MERCHANTS : MERCHANTS.slice(0, 1);
    this.#startMs = START_MS + this.#random.below(DAY_MS);
    this.#time = new SimulatedTime(this.#startMs);
    this.#plan = planOf(seed ^ PLAN_SEED, this.#merchants.length * this.#clientCount, this.#isAlone);
    this.#weather = new Weather(new SeededRandom(seed ^ WEATHER_SEED), omissions.faults);
    this.#shops = new Shops(new SeededRandom(seed ^ SHOPS_SEED), this.#watch.break);
    const parts = { time: this.#time, random: this.#random, weather: this.#weather };
    // A model that knows no order but that of its requests has one clock.
    const skewMaxMs = this.#isAlone ? 0 : SKEW_MAX_MS;
    this.service = new SimulatedService({ ...parts, skewMaxMs }, this.#watch.posts, this.#shops);
    this.service.onTimeout = (name) =>
      this.#watch.break('answered', `${name} was still at work when its time was over`);
    this.service.onChange = (changes) => this.#watch.seeChanges(changes, this.#time.nowMs);
  }

  get #clientCount(): number {
    return this.#isAlone ? 1 : CLIENTS;
  }

  /** Tells it from its beginning to its end, once. */
  async tell(): Promise<Told> {
    const beganAt = realNow();
    enterWorld({ time: this.#time, random: this.#random });
    const living = this.#live();
    await this.#time.until(living).catch((error: Error) => this.#watch.break('answered', error.message));
    for (const item of this.service.store.items()) {
      for (const [name, value] of Object.entries(item)) {
        this.#hash.update(name);
        this.#hash.update(value instanceof Uint8Array ? value : (JSON.stringify(value, listed) ?? ''));
      }
    }
    const run = {
      seed: this.#seed,
      requests: this.service.requests,
      simulated_ms: this.#time.nowMs - this.#startMs,
      wall_ms: Math.round(realNow() - beganAt),
      faults: this.#weather.total,
      digest: this.#hash.digest('hex').slice(0, 16),
      violations: this.#watch.violations,
    };
    return { run, faults: this.#weather.drawn, steps: this.#plan.flat().length, lines: this.#lines };
  }

  async #live(): Promise<void> {
    const households = await Promise.all(this.#merchants.map((merchant) => this.#open(merchant)));
    if (!this.#isAlone) {
      this.#weather.begin();
    }
    const scenes = households.flatMap(({ scenes: own }) => own);
    await Promise.all(
      this.#plan.map((steps, index) => {
        const scene = scenes[index] as Scene;
        const { sinkId } = households.find(({ scenes: own }) => own.includes(scene)) as Household;
        return this.#isAlone
          ? liveAlone(scene, steps, sinkId, (step) => this.#isLeftOut(step))
          : this.#act(scene, steps);
      }),
    );
    this.#weather.end();
    this.#isAtRest = true;
    this.#shops.isFair = true;
    await this.#time.pause(REST_MS);
    await Promise.all(households.map(({ scenes: [first] }) => this.#calm(first as Scene)));
    this.#shops.mend();
    await Promise.all(households.map(({ scenes: [first] }) => this.#rest(first as Scene)));
    this.#watch.judgeDue(this.service.store.items(), this.#time.nowMs);
    this.service.stop();
  }

  #isLeftOut({ number }: Step): boolean {
    return this.#omissions.steps.has(number);
  }

  /** A merchant with a sink, whose clients have a key each. */
  async #open(merchant: string): Promise<Household> {
    const order = { merchant, version: API_VERSIONS[0], label: 'a simulation' } as const;
    const { owner: permissions } = PRESETS;
    const nowMs = Date.now();
    const secretOf = async (
      more: Pick<Parameters<typeof issueApiKey>[0], 'mode' | 'permissions' | 'networks' | 'expiresAtMs'>,
    ) => (await issueApiKey({ ...order, ...more }, 'a simulation', nowMs)).secret;
    const owner = () => secretOf({ mode: 'test', permissions });
    const clientsSecrets: string[] = [];
    for (let index = 0; index < this.#clientCount; index += 1) {
      clientsSecrets.push(await owner());
    }
    const keys: MerchantKeys = {
      reader: await secretOf({ mode: 'test', permissions: ['payment.read'] }),
      live: await secretOf({ mode: 'live', permissions: ['event.read', 'simulate'] }),
      ended: await secretOf({ mode: 'test', permissions, expiresAtMs: nowMs }),
      networked: await secretOf({ mode: 'test', permissions, networks: ['203.0.113.0/24', '2001:db8::/32'] }),
    };
    const known = new KnownResources();
    const scenes = clientsSecrets.map((secret) => {
      const client = new SimulatedClient(
        this.service,
        { time: this.#time, random: this.#random },
        secret,
        keys,
      );
      client.onSend = (request) => this.#watchSending(merchant, request);
      return new Scene({
        merchant,
        client,
        known,
        time: this.#time,
        watch: this.#watch,
        shops: this.#shops,
        faults: () => this.#weather.total,
      });
    });
    const [{ client }] = scenes as [Scene];
    const sinkId = await client.openSink('sink', this.#watch.posts);
    if (!this.#isAlone && this.#random.chance(SHOP_SHARE)) {
      const url = `https://${merchant}.example.com/hook`;
      const sent = { body: { url } };
      const { json } = await client.sendUntilAnswered(
        client.requestOf(operations.createWebhookEndpoint, sent, 'shop'),
      );
      this.#shops.learn(url, String(json.secret), nowMs, Number.POSITIVE_INFINITY);
      scenes[0]?.known.endpoints.push({ id: String(json.id), url });
      this.#watch.posts.watch(url);
    }
    return { scenes, sinkId };
  }

  #watchSending(merchant: string, request: SimulatedRequest) {
    const { answers } = this.#watch;
    const sending = answers.sendingOf(merchant);
    answers.noteSending(merchant, request, sending);
    const stood = this.#standsMove(merchant, request);
    const endpointUrl = endpointUrlOf(request);
    if (endpointUrl !== null) {
      this.#shops.beginChange(endpointUrl);
    }
    return (answer: Answer) => {
      answers.see(merchant, request, answer, sending);
      const { url, secret } = answer.json;
      if (secret !== undefined) {
        this.#shops.giveOut(String(url), String(secret), this.#time.nowMs);
      }
      if (endpointUrl !== null && secret !== undefined) {
        this.#shops.learnOther(endpointUrl, String(secret));
      }
      this.#judgeRefusedMove(request, stood, answer);
      const isCalm = this.#weather.total === 0 && answers.isOfOneEpoch(merchant, sending);
      if (answer.status === 503 && isCalm && !PUT_OFF.test(request.path)) {
        this.#watch.break('answered', `${request.method} ${request.path} is put off, and nothing went wrong`);
      }
      this.#hash.update(`${answer.status} ${answer.body}`);
      const code = answer.status < 400 ? '' : ` ${answer.json.code ?? ''}`;
      const at = new Date(this.#time.nowMs).toISOString();
      const isLook = this.#isAtRest && request.method === 'GET';
      this.#lines.push(
        ...(isLook ? [] : [`${at} ${merchant} ${request.method} ${request.path}: ${answer.status}${code}`]),
      );
    };
  }

  /**
   * A refusal says that nothing has changed.
   * @param stood whether the move stood when the request was sent; two that are sent at once do not know of each other
   */
  #judgeRefusedMove({ path }: SimulatedRequest, stood: boolean, { status, json }: Answer): void {
    const isRefused = status >= 400 && status < 500 && !/^idempotency_/.test(String(json.code));
    if (stood && isRefused) {
      this.#watch.break('refused', `${path} was refused by ${json.code}, and has its effect`);
    }
  }

  /** Whether the move of a clock that a request asks for has been made. */
  #standsMove(merchant: string, { path, headers }: SimulatedRequest): boolean {
    const { pk } = moveKey(worldIdOf(merchant, 'test'), String(headers?.['Idempotency-Key']));
    return path.endsWith('/clock/advance') && this.service.store.has(pk);
  }

  async #act(scene: Scene, steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      await this.#time.pause(step.pauseMs);
      scene.step = step;
      if (this.#isLeftOut(step)) {
        continue;
      }
      const { action } = step;
      if ('errand' in action) {
        await runErrand(scene, action);
        continue;
      }
      const call = callOf(action, scene.known);
      if (call !== null) {
        scene.known.learn(action, await scene.callCommand(call));
      }
    }
  }

  /** Lets everything finish that is under way. */
  async #calm({ merchant, client, watch }: Scene): Promise<void> {
    const api = client.client;
    const { data: sinks } = (await api(operations.listWebhookSinks)).json;
    for (const { id } of sinks) {
      const body = { fail_count: 0, respond_status: 200 };
      await api(operations.updateWebhookSink, { params: { id }, body });
    }
    await this.#pass(client, TWO_DAYS_SECONDS);
    if (watch.answers.hasPurged(merchant)) {
      await this.#time.pause(PURGED_MS);
    }
  }

  /** Looks at what has become of everything. */
  async #rest(scene: Scene): Promise<void> {
    const { merchant, client, watch } = scene;
    const api = client.client;
    await api(operations.simulateSettlement);
    await this.#pass(client, TWO_DAYS_SECONDS);
    await this.#time.pause(REST_MS);
    const seen = await look(api);
    const inspection = new Inspection();
    inspectMoment(inspection, seen);
    // What happened between a purge and the next sink came to none.
    const judged = watch.answers.hasPurged(merchant) ? { ...seen, sinks: [] } : seen;
    const stored = this.#storedOf(merchant);
    inspectRest(inspection, judged, stored);
    watch.breakAll('rest', inspection);
    judgeEnds(stored, seen.fromMs, watch.break);
    this.#judgeEnded(merchant);
    const { offset_seconds: offset } = (await api(operations.getClock)).json;
    watch.answers.judgeMoves(merchant, offset);
    judgeDays(seen, watch.break);
    watch.settled.judge(seen, watch.break);
    await judgeLists(api, seen, this.#random, watch.break);
    await judgeReports(api, seen, watch.break);
    await this.#judgeDeliveries(merchant, api, seen);
    for (const copy of scene.known.copies) {
      await judgeLivingCopy(scene, copy);
    }
    if (!this.#isAlone && this.#random.chance(COPIED_SHARE)) {
      await judgeCopy(scene, api, seen);
    }
  }

  async #judgeDeliveries(merchant: string, api: SimulatedClient['client'], seen: Seen): Promise<void> {
    for (const { id, deliveries } of seen.sinks) {
      judgeSchedule(id, deliveries, this.#shops, this.#watch.break);
    }
    const { data: endpoints } = (await api(operations.listWebhookEndpoints)).json;
    const { id: world, epoch } = this.#worldOf(merchant);
    for (const { id, url, status } of endpoints) {
      const { data } = (
        await api(operations.listEndpointDeliveries, { params: { id }, query: { limit: '100' } })
      ).json;
      judgeSchedule(url, data, this.#shops, this.#watch.break);
      if (status === 'enabled') {
        this.#watch.posts.judgeAll(url, `${world}.${epoch}`);
      }
    }
  }

  /** Nothing is left of the epochs that were purged. */
  #judgeEnded(merchant: string): void {
    const { id, epoch } = this.#worldOf(merchant);
    for (const { pk, ttl } of this.service.store.items()) {
      const [world, rest = ''] = String(pk).split('.', 2);
      // What the time to live deletes may stay so long.
      if (world === id && Number.parseInt(rest, 10) < epoch && ttl === undefined) {
        this.#watch.break('epoch', `of what was purged, ${String(pk).replace(/^[^#]*/, '')} is left`);
      }
    }
  }

  #worldOf(merchant: string): { readonly id: string; readonly epoch: number } {
    const id = worldIdOf(merchant, 'test');
    const world = [...this.service.store.items()].find(({ pk }) => pk === `WORLD#${id}`);
    return { id, epoch: Number(world?.epoch) };
  }

  #storedOf(merchant: string) {
    const { id, epoch } = this.#worldOf(merchant);
    const prefix = `${id}.${epoch}#`;
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
