import type { Answer } from '../simulated-client.ts';
import type { SimulatedRequest } from '../simulated-service.ts';
import type { Break } from './law.ts';

const ID = /\b(?:pay|ref|lnk|pot|stl|evt|snk|whe|dlv)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
/** Clocks of processes differ by this, in milliseconds. */
const SKEWS_MS = 1_000;

/** So long a key is taken, in milliseconds of real time; the life of its record begins while it is answered. */
const KEY_LIVES_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** What was known when a request was sent. */
export interface Sending {
  readonly atMs: number;
  /** The latest time of the merchant's clock that an answer has named, in epoch milliseconds. */
  readonly clockMs: number;
  /** How many purges of the merchant have begun, and ended. */
  readonly purges: readonly [begun: number, ended: number];
}

/** The first answer to a key that says that its request had its effect. */
interface First {
  readonly request: SimulatedRequest;
  readonly body: string;
  /** The record of the key was made between these. */
  readonly sentMs: number;
  readonly answeredMs: number;
}

export interface Expectation {
  readonly merchant: string;
  readonly request: SimulatedRequest;
  readonly first: First;
  readonly sending: Sending;
}

/** Judges every answer that a client gets. */
export class Answers {
  /** Keys that had another effect after a day, as they may, or were used beside a purge, which may have freed them. */
  readonly #freed: string[] = [];
  readonly #break: Break;
  readonly #owners = new Map<string, string>();
  readonly #firsts = new Map<string, First>();
  /** When a key was first sent. */
  readonly #sentMs = new Map<string, number>();
  readonly #clocks = new Map<string, number>();
  /** By how many seconds a merchant has moved the clock, by purges. */
  readonly #moved = new Map<string, number>();
  /** How many sendings of a move have no answer yet, by its key. */
  readonly #unanswered = new Map<string, number>();
  /** Merchants of whose refused moves a sending is under way still: it may move the clock later. */
  readonly #unclear = new Set<string>();
  readonly #purges = new Map<string, readonly [begun: number, ended: number]>();

  constructor(report: Break) {
    this.#break = report;
  }

  /** The latest time of a merchant's clock that an answer has named, in epoch milliseconds. */
  clockOf(merchant: string): number {
    return this.#clocks.get(merchant) ?? Number.NEGATIVE_INFINITY;
  }

  /** An id of a kind that another merchant has seen. */
  foreignId(merchant: string, kind: string): string | undefined {
    return [...this.#owners].find(([id, owner]) => owner !== merchant && id.startsWith(kind))?.[0];
  }

  hasPurged(merchant: string): boolean {
    return this.#purgesOf(merchant)[0] > 0;
  }

  beginPurge(merchant: string): void {
    const [begun, ended] = this.#purgesOf(merchant);
    this.#purges.set(merchant, [begun + 1, ended]);
  }

  endPurge(merchant: string): void {
    const [begun, ended] = this.#purgesOf(merchant);
    this.#purges.set(merchant, [begun, ended + 1]);
    this.#clocks.delete(merchant);
  }

  /** Called when a request is sent. */
  sendingOf(merchant: string): Sending {
    return { atMs: Date.now(), clockMs: this.clockOf(merchant), purges: this.#purgesOf(merchant) };
  }

  /** Called when a request is sent, before `see`. */
  noteSending(merchant: string, request: SimulatedRequest, { atMs, purges }: Sending): void {
    const key = nameOf(merchant, purges[1], request);
    if (key !== null && !this.#sentMs.has(key)) {
      this.#sentMs.set(key, atMs);
    }
    if (key !== null && isMove(request)) {
      this.#unanswered.set(key, (this.#unanswered.get(key) ?? 0) + 1);
    }
  }

  #purgesOf(merchant: string): readonly [number, number] {
    return this.#purges.get(merchant) ?? [0, 0];
  }

  /** Each answer, and whose it is. */
  see(merchant: string, request: SimulatedRequest, answer: Answer, sending: Sending): void {
    const { status, body } = answer;
    if (status === 500) {
      this.#break('no-defect', `${request.method} ${request.path} found a defect`);
    }
    for (const [id] of body.matchAll(ID)) {
      const owner = this.#owners.get(id) ?? merchant;
      this.#owners.set(id, owner);
      if (owner !== merchant) {
        this.#break('isolation', `${merchant} sees ${id} of ${owner}`);
      }
    }
    const key = nameOf(merchant, sending.purges[1], request);
    if (key !== null && isMove(request)) {
      const unanswered = Number(this.#unanswered.get(key)) - 1;
      this.#unanswered.set(key, unanswered);
      if (status >= 400 && status < 500 && unanswered > 0) {
        this.#unclear.add(merchant);
      }
    }
    if (this.isOfOneEpoch(merchant, sending)) {
      this.#judgeClock(merchant, answer, sending);
      this.#judgeReplay(merchant, request, answer, sending);
    } else if (key !== null) {
      this.#freed.push(String(request.headers?.['Idempotency-Key']));
    }
  }

  /** Whether a claim is about a key that may have had another effect. */
  isAboutFreed(claim: string): boolean {
    return this.#freed.some((key) => claim.includes(key));
  }

  /** What is known of a key that had its effect, before it is sent again; null where a purge may have freed it. */
  expectationOf(merchant: string, request: SimulatedRequest): Expectation | null {
    const sending = this.sendingOf(merchant);
    const key = nameOf(merchant, sending.purges[1], request);
    const first = key === null ? undefined : this.#firsts.get(key);
    return first === undefined ? null : { merchant, request, first, sending };
  }

  /** Another request with that key: it is refused, unless the key is free again. */
  judgeReused({ merchant, request, first, sending }: Expectation, answer: Answer): void {
    const isRefused = answer.json.code === 'idempotency_key_reused';
    if (this.isOfOneEpoch(merchant, sending) && isSurelyTaken(first) && !isRefused) {
      const said = `${answer.status} ${answer.json.code ?? ''}`;
      this.#break('key-reuse', `the key of ${request.method} ${request.path} was taken for another: ${said}`);
    }
  }

  /** The same request again: it is replayed, as long as the key is taken, and no longer. */
  judgeRepeated({ merchant, request, first, sending }: Expectation, answer: Answer): void {
    if (!this.isOfOneEpoch(merchant, sending)) {
      return;
    }
    const isReplay = answer.headers['idempotent-replayed'] !== undefined && answer.body === first.body;
    if (isSurelyTaken(first) && !isReplay) {
      this.#break('one-effect', `${request.method} ${request.path} was not replayed, but ${answer.status}`);
    }
    if (isSurelyFree(first) && isReplay) {
      this.#break('key-reuse', `${request.method} ${request.path} was replayed after more than a day`);
    }
  }

  /** Whether no purge was under way since something was sent. */
  isOfOneEpoch(merchant: string, sending: Sending): boolean {
    const [begun, ended] = this.#purgesOf(merchant);
    return begun === ended && sending.purges[0] === begun && sending.purges[1] === ended;
  }

  #judgeClock(merchant: string, { headers }: Answer, { clockMs: atSend }: Sending): void {
    const clockMs = Date.parse(String(headers['pg-clock']));
    if (clockMs < atSend - SKEWS_MS && headers['idempotent-replayed'] === undefined) {
      this.#break('clock', `the clock of ${merchant} went back by ${atSend - clockMs} ms`);
    }
    if (clockMs > this.clockOf(merchant)) {
      this.#clocks.set(merchant, clockMs);
    }
  }

  /** A move of a clock is of the length that was asked for. */
  #noteMove(
    merchant: string,
    epoch: number,
    request: SimulatedRequest,
    { json }: Answer,
    isNew: boolean,
  ): void {
    const { advanced_seconds: moved } = json as MoveAnswer;
    if (moved === undefined || !isMove(request)) {
      return;
    }
    const { seconds } = JSON.parse(request.body ?? '{}') as { seconds?: number };
    if (seconds !== moved) {
      this.#break('clock', `a move of ${seconds} s was answered as one of ${moved} s`);
    }
    const key = `${merchant} ${epoch}`;
    this.#moved.set(key, (this.#moved.get(key) ?? 0) + (isNew ? moved : 0));
  }

  /** A clock is ahead by all of its moves, each counted once. @param offset in seconds */
  judgeMoves(merchant: string, offset: number): void {
    const [begun] = this.#purgesOf(merchant);
    const moved = this.#moved.get(`${merchant} 0`) ?? 0;
    if (begun === 0 && (this.#unclear.has(merchant) ? moved > offset : moved !== offset)) {
      this.#break('clock', `the clock of ${merchant} is ${offset} s ahead, and was moved by ${moved} s`);
    }
  }

  #judgeReplay(merchant: string, request: SimulatedRequest, answer: Answer, { purges, atMs }: Sending): void {
    const key = nameOf(merchant, purges[1], request);
    const { status, body } = answer;
    const first = key === null ? undefined : this.#firsts.get(key);
    if (key === null || status < 200 || status >= 300) {
      // Two that are sent at once do not know of each other.
      if (first !== undefined && first.answeredMs < atMs) {
        this.#judgeRefusedRepeat(first, request, answer);
      }
      return;
    }
    const answeredMs = Date.now();
    this.#noteMove(merchant, purges[1], request, answer, first === undefined || first.body !== body);
    if (first === undefined || (first.body !== body && !isSurelyTaken(first))) {
      this.#freed.push(...(first === undefined ? [] : [String(request.headers?.['Idempotency-Key'])]));
      const sentMs = first?.answeredMs ?? this.#sentMs.get(key) ?? 0;
      this.#firsts.set(key, { request, body, sentMs, answeredMs });
    } else if (first.body !== body) {
      this.#break('one-effect', `${request.method} ${request.path} was answered in two ways`);
    }
  }

  /** What had its effect is not refused later, whatever has changed since. */
  #judgeRefusedRepeat(first: First, request: SimulatedRequest, { status, json }: Answer): void {
    const isSame = first.request.path === request.path && first.request.body === request.body;
    const isRefused =
      status >= 400 && status < 500 && status !== 429 && json.code !== 'idempotency_in_progress';
    if (isSame && isRefused && isSurelyTaken(first)) {
      this.#break(
        'one-effect',
        `${request.method} ${request.path} was refused by ${json.code} after its effect`,
      );
    }
  }
}

interface MoveAnswer {
  readonly advanced_seconds?: number;
}

function isMove({ path }: SimulatedRequest): boolean {
  return path.endsWith('/clock/advance');
}

function nameOf(merchant: string, epoch: number, { headers }: SimulatedRequest): string | null {
  const key = headers?.['Idempotency-Key'];
  return key === undefined ? null : `${merchant} ${epoch} ${key}`;
}

function isSurelyTaken({ sentMs }: First): boolean {
  return Date.now() < sentMs + KEY_LIVES_MS - MINUTE_MS;
}

function isSurelyFree({ answeredMs }: First): boolean {
  return Date.now() > answeredMs + KEY_LIVES_MS + 10 * MINUTE_MS;
}
