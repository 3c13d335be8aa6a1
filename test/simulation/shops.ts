import { Webhook } from 'standardwebhooks';
import type { Post } from '../../shared/webhooks/poster.ts';
import type { Break } from './laws/law.ts';
import type { SeededRandom } from './seeded-random.ts';

/** While a function may have read the secrets before a rotation, and sign after it. */
const STALE_MS = 7_200_000;
const RETRY_AFTER_SECONDS = [1, 60, 600, 86_400, 31_536_000];

interface Secret {
  readonly secret: string;
  /** Between these it signs every post. */
  readonly fromMs: number;
  untilMs: number;
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
  readonly #secrets = new Map<string, Secret[]>();
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

  /** A shop learns the secret of its endpoint. @param overlapMs how long those before are valid */
  learn(url: string, secret: string, nowMs: number, overlapMs: number): void {
    const known = (this.#secrets.get(url) ?? []).filter((it) => it.secret !== secret);
    for (const [nth, earlier] of known.entries()) {
      // The newest and the one before it sign, and no third one.
      const isPrevious = nth === known.length - 1;
      earlier.untilMs = Math.min(earlier.untilMs, nowMs + (isPrevious ? overlapMs : 0));
    }
    this.#changing.delete(url);
    const isFirst = known.length === 0;
    const fromMs = isFirst ? 0 : nowMs + STALE_MS;
    this.#secrets.set(url, [...known, { secret, fromMs, untilMs: Number.POSITIVE_INFINITY }]);
  }

  /** Another endpoint of the shop was created, by a copy of the request that came after a purge. */
  learnOther(url: string, secret: string): void {
    const known = this.#secrets.get(url) ?? [];
    this.#changing.delete(url);
    if (known.every((it) => it.secret !== secret)) {
      const never = Number.POSITIVE_INFINITY;
      this.#secrets.set(url, [...known, { secret, fromMs: never, untilMs: never }]);
    }
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
    const isMissing = ({ secret, fromMs, untilMs }: Secret) =>
      signedMs > fromMs && nowMs < untilMs - STALE_MS && verified.every((other) => other.secret !== secret);
    if (known.length > 1 && known.some(isMissing)) {
      this.#break('signature', `a post to ${url} lacks the signature of a secret that is valid`);
    }
  }
}
