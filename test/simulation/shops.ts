import { Webhook } from 'standardwebhooks';
import type { Post } from '../../shared/webhooks/poster.ts';
import type { Break } from './laws/law.ts';
import type { SeededRandom } from './seeded-random.ts';

/** While a function may have read the secrets before a rotation, and sign after it. */
const STALE_MS = 7_200_000;
const RETRY_AFTER_SECONDS = [1, 60, 600, 86_400, 31_536_000];

interface Secret {
  readonly secret: string;
  /** When the shop asked for it. */
  readonly sentMs: number;
  /** How long the one before it is valid then. */
  readonly overlapMs: number;
  /** From then on it signs every post. */
  readonly fromMs: number;
}

const MOODS = ['calm', 'calm', 'whimsical', 'whimsical', 'slow', 'broken'] as const;
/** Shops that are slow in every story. */
const SLOW = /^https:\/\/slow-/;
const SLOW_MAX_MS = 3_000;

export interface ShopResponse {
  /** How long the shop takes. */
  readonly afterMs: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The merchants' own servers: each answers in its mood, and a broken one never well. */
export class Shops {
  isFair = false;
  #isMended = false;
  readonly #moods = new Map<string, (typeof MOODS)[number]>();
  readonly #random: SeededRandom;
  readonly #break: Break;
  /** By address, in the order in which they were given out. */
  readonly #secrets = new Map<string, readonly Secret[]>();
  /** When each secret of an address was given out first. */
  readonly #given = new Map<string, Map<string, number>>();
  readonly #waits = new Map<string, number[]>();
  /** Endpoints whose secret is changing: the shop does not know yet which one signs. */
  readonly #changing = new Set<string>();

  constructor(random: SeededRandom, report: Break) {
    this.#random = random;
    this.#break = report;
  }

  /** From now on every shop answers well. */
  mend(): void {
    this.#isMended = true;
  }

  /** A secret is given out, which its shop learns later: after what it asks for meanwhile. */
  giveOut(url: string, secret: string, nowMs: number): void {
    const given = this.#given.get(url) ?? new Map<string, number>();
    this.#given.set(url, given.set(secret, given.get(secret) ?? nowMs));
  }

  /** A shop learns the secret of its endpoint. @param overlapMs how long the one before is valid */
  learn(url: string, secret: string, sentMs: number, overlapMs: number): void {
    const isFirst = this.#othersOf(url, secret).length === 0;
    this.#keep(url, { secret, sentMs, overlapMs, fromMs: isFirst ? 0 : sentMs + STALE_MS });
  }

  /** Another endpoint of the shop was created, by a copy of the request that came after a purge. */
  learnOther(url: string, secret: string): void {
    const never = Number.POSITIVE_INFINITY;
    if (this.#secrets.get(url)?.every((it) => it.secret !== secret) !== false) {
      this.#keep(url, { secret, sentMs: never, overlapMs: never, fromMs: never });
    }
  }

  #othersOf(url: string, secret: string): readonly Secret[] {
    return (this.#secrets.get(url) ?? []).filter((it) => it.secret !== secret);
  }

  #keep(url: string, learned: Secret): void {
    const givenMs = ({ secret }: Secret) => this.#given.get(url)?.get(secret) ?? 0;
    const all = [...this.#othersOf(url, learned.secret), learned];
    this.#secrets.set(
      url,
      all.toSorted((a, b) => givenMs(a) - givenMs(b)),
    );
    this.#changing.delete(url);
  }

  /** A shop asks for another secret, and does not know it yet. */
  beginChange(url: string): void {
    this.#changing.add(url);
  }

  /**
   * How long a shop has asked to be left alone at an attempt, in milliseconds: once for each time that the attempt came,
   * since a runner that died makes it again.
   */
  waitsOf(url: string, eventId: string, attempt: number): readonly number[] {
    return this.#waits.get(`${url} ${eventId} ${attempt}`) ?? [];
  }

  receive({ url, headers, body }: Pick<Post, 'url' | 'headers' | 'body'>, nowMs: number): ShopResponse {
    this.#verify(url, headers, body, nowMs);
    const random = this.#random;
    const drawn = this.#moods.get(url) ?? random.pick(MOODS);
    const mood = this.#isMended ? 'calm' : SLOW.test(url) ? 'slow' : drawn;
    this.#moods.set(url, mood);
    const isWell = mood !== 'broken' && (this.isFair || mood === 'calm' || random.chance(0.6));
    const status = isWell ? 200 : random.pick([204, 302, 404, 429, 500, 503]);
    const waits = status >= 429 && mood !== 'broken' && random.chance(0.5);
    const seconds = waits ? random.pick(RETRY_AFTER_SECONDS) : 0;
    const heeded = status === 429 || status === 503 ? seconds * 1_000 : 0;
    const attempt = `${url} ${headers['webhook-id']} ${headers['webhook-attempt']}`;
    this.#waits.set(attempt, [...(this.#waits.get(attempt) ?? []), heeded]);
    return {
      afterMs: mood === 'slow' && !this.isFair ? random.pauseMs(SLOW_MAX_MS) : 0,
      status: mood === 'broken' ? 500 : status,
      headers: {
        ...(waits && { 'retry-after': String(seconds) }),
        ...(status === 302 && { location: `${url}/elsewhere` }),
      },
      body: '',
    };
  }

  #verify(url: string, headers: Readonly<Record<string, string>>, body: string, nowMs: number): void {
    const signedMs = Number(headers['webhook-timestamp']) * 1_000;
    const known = this.#secrets.get(url) ?? [];
    const verified = known.filter(({ secret }) => {
      try {
        new Webhook(secret).verify(body, { ...headers });
        return true;
      } catch {
        return false;
      }
    });
    if (known.length > 0 && verified.length === 0 && !this.#changing.has(url)) {
      this.#break('signature', `a post to ${url} has no signature of its ${known.length} secrets`);
    }
    const isMissing = ({ secret, fromMs }: Secret, nth: number) =>
      signedMs > fromMs &&
      nowMs < untilMs(known, nth) - STALE_MS &&
      verified.every((other) => other.secret !== secret);
    const isWhole = !this.#changing.has(url) && Number(this.#given.get(url)?.size) <= known.length;
    if (isWhole && known.some(isMissing)) {
      this.#break('signature', `a post to ${url} lacks the signature of a secret that is valid`);
    }
  }
}

/** Until when the secret of this position signs: the newest and the one before it do, and no third one. */
function untilMs(secrets: readonly Secret[], nth: number): number {
  const ends = secrets
    .slice(nth + 1)
    .map(({ sentMs, overlapMs }, after) => sentMs + (after === 0 ? overlapMs : 0));
  return Math.min(...ends);
}
