import type { PutEventsCommandInput } from '@aws-sdk/client-eventbridge';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyResult, Context, DynamoDBRecord } from 'aws-lambda';
import { isWaking } from '../../infra/local/schedule.ts';
import { toEvent } from '../../infra/local/server.ts';
import {
  JOB_RUNNER_TIMEOUT_SECONDS,
  LIVE_JOBS_DUE,
  RECEIVER_DUE,
  WORLD_DUE,
} from '../../shared/contract/bus.ts';
import { FUNCTION_TIMEOUT_SECONDS, functionNameOf } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { matchRoute } from '../../shared/contract/routes.ts';
import { MODES } from '../../shared/domain/world.ts';
import { skUntil } from '../../shared/store/table/keys.ts';
import type { Post, PostResponse } from '../../shared/webhooks/poster.ts';
import { BASE_URL } from './base-url.ts';
import type { Posts, SeenPost } from './laws/posts.ts';
import { handlerOf, type Worker } from './load-functions.ts';
import { canceled, conflict, ModelStore, type StoreCall, type StreamChange } from './model-store.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Shops } from './shops.ts';
import { currentProcess, runIn, SimulatedProcess, type SimulatedTime } from './simulated-time.ts';
import type { Fault, Weather } from './weather.ts';

const TICK_MS = 60_000;
/** How long a receiver has to answer (contract §14). */
const POST_MAX_MS = 15_000;
const CALL_MAX_MS = 20;
const STREAM_MAX_MS = 400;
const INDEX_LAG_MAX_MS = 2_000;
const LATE_MAX_MS = 90_000;
/** How long a call can be on its way. */
const DELAY_MAX_MS = 60_000;
const FREEZE_MAX_MS = 200_000;
/** Longer than what a purge leaves to late commits. */
const LONG_FREEZE_MAX_MS = 3_600_000;
const LONG_FREEZE_SHARE = 0.2;
/** As often as the SDK tries a call, and what it waits at most before it does. */
const TRIES = 3;
const TRY_PAUSE_MS = 100;
/** How often a worker that died is called again with what it was called with. */
const REDELIVERIES = 2;
/** How often a call goes to a process that was called before, if there is one. */
const WARM_SHARE = 0.5;
const NEVER = new Promise<never>(() => undefined);

const STORE_FAULTS: readonly Fault[] = [
  'died before',
  'died after',
  'frozen',
  'lost',
  'answer lost',
  'throttled',
];
const WRITE_FAULTS: readonly Fault[] = [...STORE_FAULTS, 'in conflict', 'delayed'];
const DELIVERY_FAULTS: readonly Fault[] = ['repeated', 'late'];
const POST_FAULTS: readonly Fault[] = ['died before', 'died after', 'frozen', 'lost', 'answer lost'];

export interface SimulatedResponse {
  /** How often its function called the store. */
  readonly storeCalls: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SimulatedRequest {
  /** The address that the gateway sees; by default this machine's. */
  readonly sourceIp?: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface ServiceParts {
  readonly time: SimulatedTime;
  readonly random: SeededRandom;
  readonly weather: Weather;
  /** How far the clock of a process is from the simulated time at most. */
  readonly skewMaxMs: number;
}

/** Every function of the service in one world: store, stream, bus, queue, clock and receivers are simulated. */
export class SimulatedService {
  readonly store = new ModelStore();
  readonly posts: Posts;
  readonly shops: Shops;
  requests = 0;
  /** Told where a function that was never frozen is still at work when its time is over. */
  onTimeout: (name: string) => void = () => undefined;
  /** Told after every change of the store. */
  onChange: (changes: readonly StreamChange[]) => void = () => undefined;
  readonly #time: SimulatedTime;
  readonly #random: SeededRandom;
  readonly #weather: Weather;
  readonly #skewMaxMs: number;
  #sequence = 0;
  /** Until when the indexes lag: they have changes in their order. */
  #indexedAtMs = 0;
  #isTicking = true;
  #running = 0;
  /** What processes keep that are called no more, and may be called again, by function. */
  readonly #warm = new Map<string, object[]>();

  constructor({ time, random, weather, skewMaxMs }: ServiceParts, posts: Posts, shops: Shops) {
    this.posts = posts;
    this.shops = shops;
    this.#time = time;
    this.#random = random;
    this.#weather = weather;
    this.#skewMaxMs = skewMaxMs;
    this.store.lag = (apply) => this.#index(apply);
    this.#tick();
  }

  stop(): void {
    this.#isTicking = false;
  }

  /** How many functions are at work. */
  get running(): number {
    return this.#running;
  }

  /** Sends a request, as one process of API Gateway's. @returns null where no answer comes */
  async send({
    method,
    path,
    headers = {},
    body = '',
    sourceIp,
  }: SimulatedRequest): Promise<SimulatedResponse | null> {
    const url = new URL(BASE_URL + path);
    const match = matchRoute(allOperations, method, url.pathname);
    if (match === null) {
      throw new Error(`no operation answers ${method} ${path}`);
    }
    this.requests += 1;
    const headersDistinct = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]),
    );
    const name = functionNameOf(match.row);
    const seconds = match.row.timeoutSeconds ?? FUNCTION_TIMEOUT_SECONDS;
    await this.#time.pause(this.#random.pauseMs(CALL_MAX_MS));
    const socket = { remoteAddress: sourceIp };
    const event = toEvent({ method, headersDistinct, socket }, url, match, Buffer.from(body));
    const called = await this.#call(name, event, seconds);
    if (called === null) {
      return null;
    }
    const result = called.result as APIGatewayProxyResult;
    const { statusCode, headers: given = {}, body: text, isBase64Encoded } = result;
    return {
      storeCalls: called.process.storeCalls,
      status: statusCode,
      headers: Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)]),
      ),
      body: isBase64Encoded ? Buffer.from(text, 'base64').toString() : text,
    };
  }

  /** A call of the document client. */
  callStore(call: StoreCall): Promise<object> {
    const process = currentProcess();
    if (process !== undefined) {
      process.storeCalls += 1;
    }
    const isWrite = /^(Put|Update|Delete|Transact)/.test(call.operation);
    return this.#attempt(isWrite ? WRITE_FAULTS : STORE_FAULTS, call, () => {
      try {
        return this.store.call(call, this.#time.nowMs);
      } finally {
        const changes = this.store.takeChanges();
        if (changes.length > 0) {
          this.onChange(changes);
          this.#stream(changes);
        }
      }
    });
  }

  /** A call of the client of the bus. */
  callBus({ Entries = [] }: PutEventsCommandInput): Promise<object> {
    return this.#attempt(STORE_FAULTS, null, () => {
      for (const { Source: source, DetailType: type, Detail } of Entries) {
        const event = { source, 'detail-type': type, detail: JSON.parse(String(Detail)) };
        const is = (what: { source: string; detailType: string }) =>
          what.source === source && what.detailType === type;
        if (is(LIVE_JOBS_DUE)) {
          this.#deliver('live-job-runner', event);
        }
        for (const mode of MODES) {
          if (is(WORLD_DUE[mode])) {
            this.#deliver('job-runner', event);
          } else if (is(RECEIVER_DUE[mode])) {
            this.#deliver('deliverer', { Records: [{ body: JSON.stringify(event) }] });
          }
        }
      }
      return { FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: 'event' })) };
    });
  }

  /** A post to a receiver: a sink of the service, or a shop of a merchant. */
  async post({ url, headers, body, reach, timeoutMs = POST_MAX_MS, signal }: Post): Promise<PostResponse> {
    const beganMs = this.#time.nowMs;
    const { pathname } = new URL(url);
    const { data } = JSON.parse(body) as { data?: { object?: { id?: string } } };
    const post: SeenPost = {
      receiver: reach === 'own' ? pathname : url,
      eventId: String(headers['webhook-id']),
      resourceId: String(data?.object?.id),
      isFirst: headers['webhook-attempt'] === '1',
      process: currentProcess(),
    };
    this.posts.begin(post, beganMs);
    const receive = async () => {
      this.posts.leave(post);
      return runIn(undefined, () =>
        reach === 'own'
          ? this.send({ method: 'POST', path: pathname, headers, body })
          : this.shops.receive({ url, headers, body }, this.#time.nowMs),
      );
    };
    const given = await this.#once(POST_FAULTS, receive);
    const endsMs = beganMs + timeoutMs;
    const answeredMs = this.#time.nowMs + (given !== null && 'afterMs' in given ? given.afterMs : 0);
    const isInTime = given !== null && answeredMs < endsMs;
    await this.#time.pauseUnless(signal, (isInTime ? answeredMs : endsMs) - this.#time.nowMs);
    const response = isInTime && signal?.aborted !== true ? given : null;
    this.posts.leave(post);
    this.posts.end(post, isTaken(response));
    const durationMs = this.#time.nowMs - beganMs;
    return response === null
      ? { status: null, headers: {}, bodyStart: '', failure: 'timeout', durationMs }
      : {
          status: response.status,
          headers: response.headers,
          bodyStart: response.body.slice(0, 1_024),
          failure: null,
          durationMs,
        };
  }

  /** Tries a call as the SDK does. */
  async #attempt<T>(possible: readonly Fault[], call: StoreCall | null, act: () => T): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const fault = this.#weather.faultOf(possible);
      const answer = await this.#round(fault, act, call);
      if (answer !== 'none') {
        if ('error' in answer) {
          throw answer.error;
        }
        return answer.value;
      }
      if (tries === TRIES) {
        throw Object.assign(new Error('no answer came'), { name: 'TimeoutError' });
      }
      await this.#time.pause(this.#random.pauseMs(TRY_PAUSE_MS));
    }
  }

  /** One try of a call: there, its effect, and back. */
  async #round<T>(
    fault: Fault | null,
    act: () => T,
    call: StoreCall | null,
  ): Promise<{ readonly value: T } | { readonly error: unknown } | 'none'> {
    const process = currentProcess();
    const pause = () => this.#time.pause(this.#random.pauseMs(CALL_MAX_MS));
    if (fault === 'died before') {
      process?.die();
      return NEVER;
    }
    if (fault === 'delayed') {
      // It is on its way for long, and its sender sends it again meanwhile.
      runIn(undefined, () =>
        this.#time.after(this.#random.pauseMs(DELAY_MAX_MS), () => {
          try {
            act();
          } catch {
            // Nobody hears of it.
          }
        }),
      );
      await pause();
      return 'none';
    }
    let answer: { readonly value: T } | { readonly error: unknown } | 'none' = 'none';
    const take = () => {
      if (fault === 'throttled') {
        answer = {
          error: Object.assign(new Error('throttled'), { name: 'ThrottlingException', $fault: 'client' }),
        };
      } else if (fault === 'in conflict' && call !== null) {
        answer = { error: conflictOf(call) };
      } else if (fault !== 'lost') {
        try {
          answer = { value: act() };
        } catch (error) {
          answer = { error };
        }
      }
    };
    // What was sent takes effect, whatever becomes of its sender.
    await new Promise<void>((resolve) => {
      runIn(undefined, () =>
        this.#time.after(this.#random.pauseMs(CALL_MAX_MS), () => {
          take();
          resolve();
        }),
      );
    });
    if (fault === 'died after') {
      process?.die();
    } else if (fault === 'frozen' && process !== undefined) {
      this.#freeze(process);
    }
    // In the process again: where it has died, this never ends.
    await pause();
    return fault === 'answer lost' ? 'none' : answer;
  }

  /** One try of something that takes its own time. @returns null where no answer comes */
  async #once<T>(possible: readonly Fault[], act: () => Promise<T>): Promise<T | null> {
    const fault = this.#weather.faultOf(possible);
    const process = currentProcess();
    if (fault === 'died before') {
      process?.die();
      return NEVER;
    }
    const answer = fault === 'lost' ? null : await act();
    if (fault === 'died after') {
      process?.die();
    } else if (fault === 'frozen' && process !== undefined) {
      this.#freeze(process);
    }
    await this.#time.pause(this.#random.pauseMs(CALL_MAX_MS));
    return fault === 'answer lost' ? null : answer;
  }

  #freeze(process: SimulatedProcess): void {
    const isLong = this.#random.chance(LONG_FREEZE_SHARE);
    const ms = this.#random.pauseMs(isLong ? LONG_FREEZE_MAX_MS : FREEZE_MAX_MS);
    process.freeze(this.#time.nowMs, ms);
    this.posts.freeze(process.frozenUntilMs);
  }

  /** Ends a process after its time, which stands still while it is frozen. */
  #endAfter(process: SimulatedProcess, ms: number): { cancel(): void } {
    const counted = process.frozenMs;
    return this.#time.after(ms, () => {
      const missed = process.frozenMs - counted;
      if (missed > 0) {
        this.#endAfter(process, missed);
      } else {
        if (process.frozenMs === 0) {
          this.onTimeout(process.name);
        }
        process.die();
      }
    });
  }

  #index(apply: () => void): void {
    const { nowMs } = this.#time;
    const lagMs = this.#weather.faultOf(['late']) === null ? 0 : this.#random.pauseMs(INDEX_LAG_MAX_MS);
    this.#indexedAtMs = Math.max(this.#indexedAtMs, nowMs + lagMs);
    if (this.#indexedAtMs === nowMs) {
      apply();
    } else {
      runIn(undefined, () => this.#time.after(this.#indexedAtMs - nowMs, apply));
    }
  }

  /** Wakes a runner for each world with something in the outbox or due, as the stream's mappings do. */
  #stream(changes: readonly StreamChange[]): void {
    for (const { after } of changes) {
      this.#sequence += 1;
      if (after === undefined || after.kind === undefined || after.duePk === undefined) {
        continue;
      }
      const record = {
        eventName: 'INSERT',
        dynamodb: {
          Keys: marshall({ pk: after.pk, sk: after.sk }),
          NewImage: marshall({ kind: after.kind, duePk: after.duePk }),
          SequenceNumber: String(this.#sequence),
        },
      } as DynamoDBRecord;
      if (MODES.some((mode) => isWaking(record, mode))) {
        this.#deliver('job-runner', { Records: [record] });
      }
    }
  }

  /** Calls a worker soon; it may be called late, or twice, and again where it has died. */
  #deliver(worker: Worker, event: object): void {
    const fault = this.#weather.faultOf(DELIVERY_FAULTS);
    for (let copies = fault === 'repeated' ? 2 : 1; copies > 0; copies -= 1) {
      const pauseMs = this.#random.pauseMs(fault === 'late' ? LATE_MAX_MS : STREAM_MAX_MS);
      runIn(undefined, () => this.#time.after(pauseMs, () => void this.#work(worker, event)));
    }
  }

  async #work(worker: Worker, event: object): Promise<void> {
    for (let calls = 0; calls <= REDELIVERIES; calls += 1) {
      const result = await this.#call(worker, event, JOB_RUNNER_TIMEOUT_SECONDS).catch(() => null);
      if (result !== null) {
        return;
      }
      await this.#time.pause(this.#random.pauseMs(LATE_MAX_MS));
    }
  }

  #tick(): void {
    this.#time.after(TICK_MS, () => {
      if (this.#isTicking) {
        // A tick that finds nothing does nothing, by a hundred queries: most of a quiet night.
        if (this.store.hasEntryUntil('due', skUntil(this.#time.nowMs + this.#skewMaxMs))) {
          void this.#call('clock-tick', {}, FUNCTION_TIMEOUT_SECONDS).catch(() => null);
        }
        this.#tick();
      }
    });
  }

  #warmOf(name: string): object[] {
    const warm = this.#warm.get(name) ?? [];
    this.#warm.set(name, warm);
    return warm;
  }

  /** Calls a function in a process of its own, which Lambda ends after its time. @returns null where it has died */
  async #call(
    name: string,
    event: object,
    timeoutSeconds: number,
  ): Promise<{ readonly result: unknown; readonly process: SimulatedProcess } | null> {
    const handler = handlerOf(name);
    const skewMs = this.#random.below(2 * this.#skewMaxMs + 1) - this.#skewMaxMs;
    const warm = this.#warmOf(name);
    const memory = this.#random.chance(WARM_SHARE) ? warm.pop() : undefined;
    const process = new SimulatedProcess(name, skewMs, memory ?? {});
    const endsAtMs = this.#time.nowMs + timeoutSeconds * 1_000;
    const context = {
      functionName: name,
      awsRequestId: `call ${this.#sequence}`,
      getRemainingTimeInMillis: () => Math.max(endsAtMs - this.#time.nowMs, 0),
    } as Context;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    process.onDeath(() => resolve(null));
    const timeout = this.#endAfter(process, timeoutSeconds * 1_000);
    // Whoever called it waits no longer, frozen or not.
    const patience = this.#time.after(timeoutSeconds * 1_000 + 1, () => resolve(null));
    runIn(process, () => handler(event, context)).then((result) => resolve(result ?? 'done'), reject);
    this.#running += 1;
    try {
      const result = await promise;
      if (result !== null) {
        warm.push(process.memory);
      }
      return result === null ? null : { result, process };
    } finally {
      this.#running -= 1;
      patience.cancel();
      // What it left undone is not done: Lambda stops a process between its calls. One that is frozen goes on.
      if (process.frozenUntilMs <= this.#time.nowMs) {
        timeout.cancel();
        process.die();
      }
    }
  }
}

function isTaken(response: { readonly status: number } | null): boolean {
  return response !== null && response.status >= 200 && response.status < 300;
}

function conflictOf({ input }: StoreCall): Error {
  const { TransactItems: items } = input as { TransactItems?: readonly unknown[] };
  return items === undefined
    ? conflict()
    : canceled(items.map((_, index) => (index === 0 ? 'TransactionConflict' : 'None')));
}
