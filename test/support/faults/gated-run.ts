import { AsyncLocalStorage } from 'node:async_hooks';
import { KeyedMutex } from '../../../shared/concurrency/keyed-mutex.ts';
import { type Interceptor, interceptCalls } from '../../../shared/store/table/aws-client.ts';
import { Poster } from '../../../shared/webhooks/poster.ts';
import '../world/merchant.ts';

const { dynamodb } = await import('../../../shared/store/table/client.ts');
const { eventBridge } = await import('../../../shared/flows/jobs/announce-due-work.ts');
const { Leases } = await import('../../../shared/store/scheduler/lease.ts');

/**
 * The fault of one call of a run. Killed: the run stops forever. Stalled: the run stops until it is woken. The others
 * fail once or, `for good`, from that call on, with each error of a store in turn; `answer lost` is a call that took
 * effect. Only providers do not respond in time (`silent`), fail (`500`), each before or after the effect of the call,
 * or are overloaded (`busy`).
 */
const OF_PROVIDERS = ['silent before', 'silent after', '500 before', '500 after', 'busy'] as const;
export const FAULTS = [
  'killed before',
  'killed after',
  'stalled before',
  'stalled after',
  'failed',
  'failed for good',
  'answer lost',
  'answer lost for good',
  'conflict',
  'conflict for good',
  ...OF_PROVIDERS,
] as const;
export type Fault = (typeof FAULTS)[number];
/** Wrong responses of a provider itself: the test makes its stand-in give them. */
export type Spoilt = Extract<Fault, `500 ${string}` | 'busy'>;

export interface Plan {
  /** Counted from 0, in the order in which calls are sent. */
  readonly at: number;
  readonly fault: Fault;
}

/** How a run ended: with a value, with an error, killed, or not yet. */
export type End<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'killed' }
  | { readonly kind: 'stalled'; readonly wake: () => Promise<End<T>> };

/** One call, as it was about to be sent. */
export interface GatedCall {
  readonly name: string;
  readonly input: unknown;
}

/** One call that was sent. */
export interface SentCall extends GatedCall {
  /** Whether every earlier call had its response. */
  readonly isAlone: boolean;
}

const gates = new AsyncLocalStorage<Gate>();
const NEVER = new Promise<never>(() => undefined);

/** Everything that one run sends out passes here. */
class Gate {
  readonly calls: SentCall[] = [];
  /** As in a process of its own, which knows nothing of other runs. */
  readonly holders: ReturnType<typeof Leases.holders> = new Map();
  readonly turns = new KeyedMutex();
  readonly stopped = Promise.withResolvers<'killed' | 'stalled'>();
  readonly #plan: Plan | null;
  readonly #spoil: Spoil;
  readonly #underWay = new Set<Promise<unknown>>();
  #isKilled = false;
  #waking: PromiseWithResolvers<void> | null = null;

  constructor(plan: Plan | null, spoil: Spoil) {
    this.#plan = plan;
    this.#spoil = spoil;
  }

  async pass<T>(call: GatedCall, send: () => Promise<T>): Promise<T> {
    const at = this.calls.push({ ...call, isAlone: this.#underWay.size === 0 }) - 1;
    const fault = this.#faultAt(at, call);
    if (fault === 'killed before') {
      this.#kill();
    } else if (fault === 'stalled before') {
      this.#stall();
    } else if (fault === '500 before' || fault === '500 after' || fault === 'busy') {
      this.#spoil(call.name, fault);
    } else if (fault !== null && !fault.startsWith('answer lost') && isError(fault)) {
      const error = errorOf(fault, at, call);
      if (error !== null) {
        throw error;
      }
    }
    // Without a pause where there is nothing to wait for: a call is under way before another one passes.
    if (this.#waking !== null) {
      await this.#waking.promise;
    }
    if (this.#isKilled) {
      return NEVER;
    }
    const sending = send();
    this.#underWay.add(sending);
    try {
      const answer = await sending;
      if (fault === 'killed after') {
        this.#kill();
      } else if (fault === 'stalled after') {
        this.#stall();
      } else if (fault?.startsWith('answer lost')) {
        throw isToProvider(call) ? new TypeError('terminated') : named('TimeoutError');
      } else if (fault === 'silent after') {
        throw timeOut(call);
      }
      return answer;
    } finally {
      this.#underWay.delete(sending);
      await this.#waking?.promise;
      if (this.#isKilled) {
        await NEVER;
      }
    }
  }

  /** Waits for the calls that a stopped run has sent: they may still take effect. */
  async settle(): Promise<void> {
    while (this.#underWay.size > 0) {
      await Promise.allSettled(this.#underWay);
    }
  }

  wake(): void {
    this.#waking?.resolve();
    this.#waking = null;
  }

  #faultAt(at: number, call: GatedCall): Fault | null {
    const plan = this.#plan;
    if (plan === null || at < plan.at || (at > plan.at && !plan.fault.endsWith('for good'))) {
      return null;
    }
    // What goes wrong for good is either the store or the provider, and never an endpoint.
    const first = this.calls[plan.at] ?? call;
    const isSame = isToProvider(first) === isToProvider(call);
    return isSame && !(call.name === 'post' && isError(plan.fault)) ? plan.fault : null;
  }

  #kill(): void {
    this.#isKilled = true;
    this.stopped.resolve('killed');
  }

  #stall(): void {
    this.#waking = Promise.withResolvers();
    this.stopped.resolve('stalled');
  }
}

/** Whether a call can go wrong in this way: only writes run into one another, and an endpoint is not the store. */
export function canHappen(fault: Fault, call: GatedCall): boolean {
  if (call.name === 'post') {
    return !isError(fault);
  }
  if (OF_PROVIDERS.includes(fault as (typeof OF_PROVIDERS)[number])) {
    return isToProvider(call);
  }
  return !fault.startsWith('conflict') || conflictOf(call) !== null;
}

/** Only providers are called by `fetch`. */
export function isToProvider({ name }: GatedCall): boolean {
  return name.includes(' /');
}

function isError(fault: Fault): boolean {
  return !fault.startsWith('killed') && !fault.startsWith('stalled');
}

/** What a store that fails makes of a call: throttled, failed, or not reached. */
const FAILURES = [
  () => named('ThrottlingException', { $fault: 'client', $metadata: { httpStatusCode: 400 } }),
  () => named('InternalServerError', { $fault: 'server', $metadata: { httpStatusCode: 500 } }),
  () => named('Error', { code: 'ECONNREFUSED' }),
];

/** The error that the client throws for such a response, or null if this call cannot have it. */
function errorOf(fault: Fault, at: number, call: GatedCall): Error | null {
  if (fault === 'silent before') {
    return timeOut(call);
  }
  if (fault === 'silent after') {
    return null;
  }
  if (isToProvider(call)) {
    return fault.startsWith('failed') ? new TypeError('fetch failed') : null;
  }
  return fault.startsWith('failed') ? (FAILURES[at % FAILURES.length]?.() ?? null) : conflictOf(call);
}

/** Times a call out: no response has come until then. */
function timeOut({ input }: GatedCall): Error {
  const { signal } = input as RequestInit;
  deadlines.get(signal as AbortSignal)?.abort();
  return named('TimeoutError');
}

/** Another transaction is at work on the same item. */
function conflictOf({ name, input }: GatedCall): Error | null {
  const { TransactItems: items } = input as { TransactItems?: readonly unknown[] };
  if (items !== undefined) {
    const CancellationReasons = items.map((_, index) => ({
      Code: index === 0 ? 'TransactionConflict' : 'None',
    }));
    return named('TransactionCanceledException', { CancellationReasons, $fault: 'client' });
  }
  const isWrite = ['PutItem', 'UpdateItem', 'DeleteItem'].includes(name);
  return isWrite ? named('TransactionConflictException', { $fault: 'client' }) : null;
}

function named(name: string, more: object = {}): Error {
  return Object.assign(new Error(`${name}, made by a test`), { name, ...more });
}

/** @param on the method and the path of the request that is spoilt */
type Spoil = (on: string, how: Spoilt) => void;

/**
 * Runs an action whose calls to store, bus, endpoints and providers pass a gate, where one of them may fail.
 * What a killed or stalled run has sent already has taken effect when this returns.
 */
export async function gatedRun<T>(
  plan: Plan | null,
  act: () => Promise<T>,
  spoil: Spoil = () => undefined,
): Promise<{ readonly end: End<T>; readonly calls: readonly SentCall[] }> {
  const gate = new Gate(plan, spoil);
  const ended: Promise<End<T>> = gates.run(gate, act).then(
    (value): End<T> => ({ kind: 'done', value }),
    (error: unknown): End<T> => ({ kind: 'threw', error }),
  );
  const first = await Promise.race([ended, gate.stopped.promise]);
  if (typeof first === 'object') {
    return { end: first, calls: gate.calls };
  }
  await gate.settle();
  if (first === 'killed') {
    return { end: { kind: 'killed' }, calls: gate.calls };
  }
  const wake = () => {
    gate.wake();
    return ended;
  };
  return { end: { kind: 'stalled', wake }, calls: gate.calls };
}

function pass<T>(call: GatedCall, send: () => Promise<T>): Promise<T> {
  const gate = gates.getStore();
  return gate === undefined ? send() : gate.pass(call, send);
}

// Within the client's own retries, so that these are tried too.
const gated: Interceptor = (call, next) => pass({ name: call.operation, input: call.input }, () => next());
interceptCalls(dynamodb, gated);
interceptCalls(eventBridge, gated);

const { post } = Poster.prototype;
Poster.prototype.post = function gated(this: Poster, message) {
  // A receiver has the time that it is given.
  return pass({ name: 'post', input: {} }, () => gates.exit(() => post.call(this, message)));
};

const { fetch: fetchUngated } = globalThis;
globalThis.fetch = (resource, init = {}) => {
  const { method = 'GET' } = init;
  const name = `${method} ${new URL(String(resource)).pathname}`;
  return pass({ name, input: init }, () => fetchUngated(resource, init));
};

/** How the time that something is given can be ended before it is over. */
const deadlines = new WeakMap<AbortSignal, AbortController>();
const { timeout } = AbortSignal;
AbortSignal.timeout = (ms) => {
  const early = new AbortController();
  const signal = AbortSignal.any([timeout.call(AbortSignal, ms), early.signal]);
  deadlines.set(signal, early);
  return signal;
};

const { holders } = Leases;
Leases.holders = () => gates.getStore()?.holders ?? holders();
const { take } = KeyedMutex.prototype;
KeyedMutex.prototype.take = function taken(this: KeyedMutex<unknown>, ...args: Parameters<typeof take>) {
  return Reflect.apply(take, gates.getStore()?.turns ?? this, args);
} as typeof take;

/** Leases are not renewed where time stands still: how often they are would depend on how fast the machine is. */
const NEVER_MS = 2 ** 30;
const { setInterval: setIntervalUngated } = globalThis;
globalThis.setInterval = ((callback: () => void, ms = 0, ...args: never[]) =>
  setIntervalUngated(
    callback,
    gates.getStore() === undefined ? ms : NEVER_MS,
    ...args,
  )) as typeof setInterval;

/** The client's pauses between its tries, up to a second long, are not tested: a run skips them. */
const CLIENT_PAUSE_MAX_MS = 1_000;
const { setTimeout: setTimeoutUngated } = globalThis;
globalThis.setTimeout = ((callback: () => void, ms = 0, ...args: never[]) =>
  setTimeoutUngated(
    callback,
    gates.getStore() !== undefined && ms < CLIENT_PAUSE_MAX_MS ? 0 : ms,
    ...args,
  )) as typeof setTimeout;
