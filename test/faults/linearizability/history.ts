import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import type { ErrorCode } from '../../../shared/errors/catalogue.ts';
import { type Client, clientOf, type Received } from '../../support/world/api.ts';
import { type Sent, send } from '../../support/world/send.ts';
import { Dice } from '../chaos/dice.ts';
import type { Inspection } from '../model/invariants.ts';
import type { Model, ModelRequest, Recorded, Recording, Span, Verdict } from './recording.ts';
import { Broken, TimedOut, transportTo, Unreceived } from './transport.ts';

/** From then on a client does not try again. */
const PATIENCE_MS = 30_000;
/** Longer than all faults and every lease: within this time a request must get a response. */
const RESPONSE_WITHIN_MS = 240_000;
const PAUSE_MS = [20, 170] as const;
/** After a host wakes: by then it has read the requests sent to it. */
const BEGUN_WITHIN_MS = 1_000;
/** Responses that require another try. None of them has an effect. */
const TRIED_AGAIN: readonly ErrorCode[] = [
  'idempotency_in_progress',
  'temporarily_unavailable',
  'internal_error',
  'rate_limited',
];
const ANY_HOST = 'http://any-host';

/** One of the clients of a history. */
export interface Actor {
  /** A new one after each abandoned request, which may still take effect beside the next one. */
  number: number;
  readonly dice: Dice;
}

/** A request of the table of operations. */
export interface ApiRequest<Row extends Operation> {
  readonly row: Row;
  readonly sent?: Sent;
  /** The loopback address of a payer, which has no key. */
  readonly payer?: string;
}

export interface Persistence {
  /** The chance that a client gives up after a try without a response: reads are not repeated. */
  readonly givesUp?: number;
  /** Called after a try without a response: whether the client may try again. It may by default. */
  readonly mayTryAgain?: () => boolean;
}

const READ: Persistence = { givesUp: 1 };
export const WRITE: Persistence = { givesUp: 0.1 };
/** For the needs of the rest of a history. */
export const ALWAYS_ANSWERED: Persistence = { givesUp: 0 };

/** The merchant whose world a history has to itself, and how its requests get there. */
export interface Slot {
  readonly secret: string;
  readonly addresses: readonly [string, ...string[]];
  /** How long a client waits for one response. */
  readonly timeoutMs: number;
}

/** Records the concurrent requests of several clients for one resource, and their responses. */
export class History {
  readonly id: string;
  readonly dice: Dice;
  readonly inspection: Inspection;
  readonly operations: Recorded[] = [];
  readonly #model: Model;
  readonly #seed: number;
  readonly #slot: Slot;
  readonly #recording: Recording;
  #hasTimedOut = false;
  #actors = 0;
  #keys = 0;
  /* By how many seconds the clock was moved: at least, and at most. */
  #movedSeconds = 0;
  #movedMostSeconds = 0;

  constructor(id: string, model: Model, seed: number, slot: Slot, recording: Recording) {
    this.id = id;
    this.#model = model;
    this.#slot = slot;
    this.#recording = recording;
    this.dice = new Dice(seed, id);
    this.inspection = recording.inspection;
    this.#seed = seed;
  }

  newActor(): Actor {
    const number = this.#nextActor();
    return { number, dice: new Dice(this.#seed, `${this.id} client ${number}`) };
  }

  #nextActor(): number {
    this.#actors += 1;
    return this.#actors;
  }

  /** A name that nothing else has, for keys and for things. */
  newName(): string {
    this.#keys += 1;
    return `${this.id}-${this.#keys}`.replaceAll(' ', '-');
  }

  /** By how many seconds the clock was moved at least. */
  get movedSeconds(): number {
    return this.#movedSeconds;
  }

  /** An operation that was completed before the race. */
  note(request: ModelRequest, response: object): void {
    const atUs = nowUs();
    const verdict = { status: 200, code: '', currentStatus: '', refundableMinor: -1, isReplay: false };
    const nowMs = Date.now();
    this.operations.push({
      ...this.#identity(this.newActor()),
      calledAtUs: atUs,
      respondedAtUs: nowUs(),
      tries: 1,
      hasTimedOut: false,
      clock: { from: nowMs, until: nowMs },
      real: { from: nowMs, until: nowMs },
      request,
      response: { ...verdict, ...response },
    });
  }

  /**
   * Sends a request until it gets a response, or the client gives up, and records the outcome.
   * @param read what the model needs from a response that is no refusal
   */
  async operation<const Row extends Operation, ResponseFields extends object>(
    actor: Actor,
    request: ModelRequest,
    apiRequest: ApiRequest<Row>,
    read: (received: Received<Row>) => ResponseFields | Promise<ResponseFields>,
    { givesUp = 0, mayTryAgain = () => true }: Persistence = apiRequest.row.method === 'GET' ? READ : WRITE,
  ): Promise<Recorded<ResponseFields>> {
    const begun = {
      ...this.#identity(actor),
      request,
      calledAtUs: nowUs(),
      fromMs: Date.now(),
      earliestMs: Date.now() + this.#movedSeconds * 1_000,
    };
    const sent = { idempotencyKey: this.newName(), ...apiRequest.sent };
    let hasTimedOut = false;
    let tries = 0;
    for (;;) {
      tries += 1;
      const triedAtMs = Date.now();
      const received = await this.#try({ ...apiRequest, sent }, actor.dice);
      if (typeof received === 'object' && !isTriedAgain(received)) {
        const respondedAtUs = nowUs();
        const verdict = verdictOf(received);
        const spans = this.#spans(begun, received, triedAtMs);
        const details = received.status < 400 ? await read(received) : {};
        return this.#record<ResponseFields>({ ...begun, ...spans, respondedAtUs, tries, hasTimedOut }, {
          ...verdict,
          ...details,
        } as Verdict & Partial<ResponseFields>);
      }
      const isSilent = received === 'broken' || received === 'timed out';
      hasTimedOut ||= received === 'timed out';
      const isTired = Date.now() - begun.fromMs > PATIENCE_MS || (isSilent && actor.dice.isHit(givesUp));
      if ((givesUp > 0 && isTired) || (isSilent && !mayTryAgain())) {
        actor.number = this.#nextActor();
        this.#recording.counts.unknowns += 1;
        const isRead = apiRequest.row.method === 'GET';
        const given = { ...begun, ...this.#spans(begun), respondedAtUs: null, tries, hasTimedOut };
        // A read without a response has no information.
        return this.#record<ResponseFields>(given, null, isRead ? [] : this.operations);
      }
      if (Date.now() - begun.fromMs > RESPONSE_WITHIN_MS) {
        throw new Error(`${apiRequest.row.id} got no response in ${tries} tries (${this.id})`);
      }
      await sleep(actor.dice.between(...PAUSE_MS));
    }
  }

  /** Moves the clock, and records the new bounds of its time. */
  async moveClock(actor: Actor, seconds: number) {
    this.#movedMostSeconds += seconds;
    const moved = await this.operation(
      actor,
      { command: 'move clock', seconds },
      { row: operations.advanceClock, sent: { body: { seconds } } },
      ({ json }) => ({ toMs: Date.parse(json.shifted.to), jobsRemaining: json.shifted.jobs_remaining }),
    );
    if (moved.response?.status === 200) {
      this.#movedSeconds += seconds;
    } else if (moved.response !== null && !moved.hasTimedOut) {
      // A try that timed out may still move the clock, although a later one was refused.
      this.#movedMostSeconds -= seconds;
    }
    return moved;
  }

  /** Sends a request that does not belong to the history, until it gets a response. */
  async call<const Row extends Operation>(row: Row, sent: Sent = {}): Promise<Received<Row>> {
    const keyed = { idempotencyKey: this.newName(), ...sent };
    const giveUpAtMs = Date.now() + RESPONSE_WITHIN_MS;
    while (Date.now() < giveUpAtMs) {
      const received = await this.#try({ row, sent: keyed }, this.dice);
      if (
        typeof received === 'object' &&
        !isTriedAgain(received) &&
        received.problem?.code !== 'clock_busy'
      ) {
        return received;
      }
      await sleep(this.dice.between(...PAUSE_MS));
    }
    throw new Error(`${row.id} got no response (${this.id})`);
  }

  /** Moves the clock while no other request races with the move. */
  async setClock(seconds: number) {
    const { json } = await this.call(operations.advanceClock, { body: { seconds } });
    this.#movedSeconds += seconds;
    this.#movedMostSeconds += seconds;
    return json;
  }

  /**
   * Waits until each host has started its requests. A purge ends those that started before it; a later one would
   * belong to the next history in this world (contract §4).
   */
  async drain(): Promise<void> {
    const { secret, addresses, timeoutMs } = this.#slot;
    if (!this.#hasTimedOut) {
      return;
    }
    for (const address of addresses) {
      const api = clientOf(
        secret,
        address,
        transportTo(() => address, { timeoutMs }),
      );
      for (let isAwake = false; !isAwake; ) {
        isAwake = await api(operations.getClock).then(
          () => true,
          () => false,
        );
        await sleep(BEGUN_WITHIN_MS);
      }
    }
  }

  /** Lets several clients perform so many operations between them, each with a pause after it. */
  async run(
    howMany: number,
    things: number,
    thinkingMs: number,
    doOne: (actor: Actor) => Promise<unknown>,
  ): Promise<void> {
    let left = things;
    const act = async () => {
      const actor = this.newActor();
      while (left > 0) {
        left -= 1;
        await doOne(actor);
        await sleep(actor.dice.between(0, thinkingMs));
      }
    };
    await Promise.all(Array.from({ length: howMany }, act));
  }

  async #try<Row extends Operation>(
    { row, sent, payer }: ApiRequest<Row>,
    dice: Dice,
  ): Promise<Received<Row> | 'unreceived' | 'broken' | 'timed out'> {
    this.#recording.counts.tries += 1;
    const { addresses, timeoutMs } = this.#slot;
    const transport = transportTo(() => dice.pick(addresses), { timeoutMs, sender: payer });
    try {
      if (payer !== undefined) {
        const { response, text } = await send(ANY_HOST, null, row, sent, transport);
        const { status, headers } = response;
        return { status, headers, text } as Received<Row>;
      }
      const api: Client = clientOf(this.#slot.secret, ANY_HOST, transport);
      const received = await api(row, sent);
      this.inspection.that(
        received.status !== 500,
        `${row.id} got the response ${received.text} (${this.id})`,
      );
      return received;
    } catch (error) {
      if (error instanceof Unreceived) {
        return 'unreceived';
      }
      if (error instanceof Broken) {
        return 'broken';
      }
      if (error instanceof TimedOut) {
        this.#hasTimedOut = true;
        return 'timed out';
      }
      throw error;
    }
  }

  #identity({ number }: Actor) {
    return { history: this.id, model: this.#model, client: number };
  }

  /** A response reports the clock at the time of sending, for the world as the request has read it. */
  #spans(
    { fromMs, earliestMs }: { fromMs: number; earliestMs: number },
    received?: Received<Operation>,
    triedAtMs = 0,
  ): { clock: Span; real: Span } {
    const untilMs = Date.now();
    const shown = verdictOf(received).isReplay ? null : received?.headers.get('pg-clock');
    const shownMs = typeof shown === 'string' ? Date.parse(shown) - (untilMs - triedAtMs) : 0;
    return {
      clock: { from: Math.max(earliestMs, shownMs), until: untilMs + this.#movedMostSeconds * 1_000 },
      real: { from: fromMs, until: untilMs },
    };
  }

  #record<ResponseFields>(
    seen: Omit<Recorded, 'response'> & { fromMs?: number; earliestMs?: number },
    response: Recorded<ResponseFields>['response'],
    operations = this.operations,
  ): Recorded<ResponseFields> {
    const { fromMs: _from, earliestMs: _earliest, ...operation } = seen;
    const recorded = { ...operation, response };
    operations.push(recorded);
    return recorded;
  }
}

function verdictOf(received: Received<Operation> | undefined): Verdict {
  const details = received?.problem?.details ?? {};
  const { current_status = '', refundable_minor = -1 } = details;
  return {
    status: received?.status ?? 0,
    code: (received?.status ?? 0) < 400 ? '' : String(received?.problem?.code ?? ''),
    currentStatus: String(current_status),
    refundableMinor: Number(refundable_minor),
    isReplay: received?.headers.get('idempotent-replayed') === 'true',
  };
}

function isTriedAgain({ status, problem }: Received<Operation>): boolean {
  return status >= 500 || status === 429 || (status === 409 && TRIED_AGAIN.includes(problem?.code));
}

function nowUs(): number {
  return Math.round(performance.now() * 1_000);
}

/** Makes responses comparable. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Chooses by weight. */
export function choose<Choice extends string>(dice: Dice, weights: Readonly<Record<Choice, number>>): Choice {
  const entries = Object.entries<number>(weights) as [Choice, number][];
  let rest = dice.roll() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [choice, weight] of entries) {
    rest -= weight;
    if (rest < 0) {
      return choice;
    }
  }
  return (entries[0] as [Choice, number])[0];
}

export const thb = (minor: number) => ({ currency: 'THB', minor });
