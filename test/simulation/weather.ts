import type { SeededRandom } from './seeded-random.ts';

/** What can go wrong with a call to the store, the bus, a receiver or the service. */
export const FAULTS = [
  /** The call has no effect, and no answer comes: the client sends it again. */
  'lost',
  /** The call has its effect, and no answer comes: the client sends it again. */
  'answer lost',
  /** The call has its effect much later, when its sender has sent it again. */
  'delayed',
  'throttled',
  /** Another transaction holds an item of it. */
  'in conflict',
  /** The process dies before the call, or after its effect. */
  'died before',
  'died after',
  /** The process stops for seconds or minutes after the call. */
  'frozen',
  /** A record of the stream, an event of the bus or a message of the queue comes twice. */
  'repeated',
  'late',
] as const;
export type Fault = (typeof FAULTS)[number];

/** A storm is over after so many faults: what needs many calls at once ends in the end. */
const FAULTS_MAX = 120;

/** As many chances that a story has no storm; one of ten faults is the storm else. About one story of seven has fair weather. */
const CALMER = 6;

/** How often each fault comes: all of one story, by its seed. Some stories have fair weather, some one storm. */
export class Weather {
  readonly counts: Partial<Record<Fault, number>> = {};
  readonly #random: SeededRandom;
  readonly #shares: Readonly<Record<Fault, number>>;
  /** The faults that do not happen, by their number in the story: how a story is shrunk. */
  readonly #without: ReadonlySet<number>;
  #drawn = 0;
  #isCalm = true;

  constructor(random: SeededRandom, without: ReadonlySet<number>) {
    this.#random = random;
    this.#without = without;
    const strength = random.pick([0, 0, 0.01, 0.03, 0.1]);
    const storm = random.pick([...FAULTS, ...Array.from({ length: CALMER }, () => null)]);
    this.#shares = Object.fromEntries(
      FAULTS.map((fault) => {
        const share = random.chance(0.6) ? strength * random.fraction() : 0;
        return [fault, fault === storm ? Math.max(share, 0.08) : share];
      }),
    ) as Record<Fault, number>;
  }

  /** How many faults there were, those left out as well. */
  get drawn(): number {
    return this.#drawn;
  }

  get total(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  begin(): void {
    this.#isCalm = false;
  }

  /** From now on nothing goes wrong. */
  end(): void {
    this.#isCalm = true;
  }

  /** The fault of one call, of those that it can have; mostly none. */
  faultOf(possible: readonly Fault[]): Fault | null {
    // As many numbers are drawn in any case, so that leaving a fault out changes no other.
    const drawn = this.#random.fraction();
    let sum = 0;
    for (const fault of possible) {
      sum += this.#shares[fault];
      if (drawn < sum && !this.#isCalm && this.#drawn < FAULTS_MAX) {
        this.#drawn += 1;
        if (this.#without.has(this.#drawn)) {
          return null;
        }
        this.counts[fault] = (this.counts[fault] ?? 0) + 1;
        return fault;
      }
    }
    return null;
  }
}
