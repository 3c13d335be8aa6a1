import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../shared/domain/clock.ts';
import { newId } from '../../shared/domain/id.ts';
import { worldIdOf } from '../../shared/domain/world.ts';
import { aSink, aWorld } from '../support/entities.ts';
import { type Author, livePayments } from './payment-life.ts';
import { PLACES, type Place, WriteLedger } from './write-ledger.ts';

/* Where writes meet: a month of many merchants, and a rush at one, without a store. */

const MERCHANTS = 1_000;
/** One merchant makes so much of everything. */
const LARGE_SHARE = 0.5;
/** As many of the month's payments as are made up: each takes half a millisecond, and shares stay as they are. */
const MADE_UP = 20_000;
/** Half of all payments come within a quarter of an hour a day, the others at any time. */
const RUSH_SHARE = 0.5;
const RUSH_HOUR_MS = 12 * 60 * MINUTE_MS;
const RUSH_MS = 15 * MINUTE_MS;
const DAYS = 30;
const BEGIN_MS = Date.UTC(2026, 10, 1);
/** A rush at the large merchant. */
export const RUSH_PER_SECOND = 1_000;
const RUSH_SECONDS = 5;
const HOTTEST_KEPT = 10_000;

/** So much was written to a partition. */
export interface Partition {
  readonly place: Place;
  readonly pk: string;
  readonly writes: number;
}

export interface Month {
  /** Of the table and of every index. */
  readonly writes: number;
  readonly writesOfLarge: number;
  readonly payments: number;
  /** Most written first. */
  readonly partitions: readonly Partition[];
  /** The same of the large merchant alone. */
  readonly partitionsOfLarge: readonly Partition[];
}

/** A month of payments of a thousand merchants and one very large one, each of them run by itself. */
export function simulateMonth(): Month {
  const authors = Array.from({ length: MERCHANTS + 1 }, (_, place) => newAuthor(`merchant-${place}`));
  const random = randomFrom(1);
  const all = new Tally();
  const ofLarge = new Tally();
  for (let made = 0; made < MADE_UP; made += 1) {
    const place = random() < LARGE_SHARE ? 0 : 1 + Math.floor(random() * MERCHANTS);
    const day = BEGIN_MS + Math.floor(random() * DAYS) * DAY_MS;
    const atMs =
      random() < RUSH_SHARE ? day + RUSH_HOUR_MS + random() * RUSH_MS : day + Math.floor(random() * DAY_MS);
    const ledger = new WriteLedger();
    for (const commit of livePayments(authors[place] as Author, [Math.floor(atMs)])) {
      for (const write of ledger.writesOf(commit)) {
        all.add(write.place, write.pk, 1);
        if (place === 0) {
          ofLarge.add(write.place, write.pk, 1);
        }
      }
    }
  }
  return {
    writes: all.total,
    writesOfLarge: ofLarge.total,
    payments: MADE_UP,
    partitions: all.hottest(),
    partitionsOfLarge: ofLarge.hottest(),
  };
}

/** Write units of partitions while the large merchant is in a rush, and for how many payments. */
export function simulateRush(): { readonly payments: number; readonly partitions: readonly Partition[] } {
  const payments = RUSH_PER_SECOND * RUSH_SECONDS;
  const instants = Array.from(
    { length: payments },
    (_, place) => BEGIN_MS + Math.floor((place * SECOND_MS) / RUSH_PER_SECOND),
  );
  const units = new Tally();
  const ledger = new WriteLedger();
  for (const commit of livePayments(newAuthor('merchant-0'), instants)) {
    for (const write of ledger.writesOf(commit)) {
      units.add(write.place, write.pk, write.units);
    }
  }
  return { payments, partitions: units.hottest() };
}

/** Counts by partition. */
class Tally {
  total = 0;
  readonly #counts = new Map<Place, Map<string, number>>(PLACES.map((place) => [place, new Map()]));

  add(place: Place, pk: string, count: number): void {
    const counts = this.#counts.get(place);
    counts?.set(pk, (counts.get(pk) ?? 0) + count);
    this.total += count;
  }

  /** Most written first; the many that one payment writes alone are left out. */
  hottest(): Partition[] {
    return [...this.#counts]
      .flatMap(([place, counts]) => [...counts].map(([pk, writes]) => ({ place, pk, writes })))
      .toSorted((a, b) => b.writes - a.writes)
      .slice(0, HOTTEST_KEPT);
  }
}

function newAuthor(merchant: string): Author {
  const world = aWorld({ id: worldIdOf(merchant, 'test'), merchant });
  return { world, sink: aSink({ id: newId('snk', BEGIN_MS) }) };
}

/** Numbers from 0 to 1 that are the same in every run (a linear congruence: good enough to spread). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
