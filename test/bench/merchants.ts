import { parentPort, workerData } from 'node:worker_threads';
import { DAY_MS, MINUTE_MS } from '../../shared/domain/clock.ts';
import { type Author, BEGIN_MS, livePayments, newAuthor } from './payment-life.ts';
import { type Partition, RunCounts } from './tally.ts';
import { WriteLedger } from './write-ledger.ts';

/* In a thread of its own: a month of payments of some merchants, each run by itself. Posts what they wrote where. */

/** Half of all payments come within a quarter of an hour a day, the others at any time. */
const RUSH_SHARE = 0.5;
const RUSH_HOUR_MS = 12 * 60 * MINUTE_MS;
const RUSH_MS = 15 * MINUTE_MS;
const DAYS = 30;
/** Of the hottest, as many as anybody looks at. */
const POSTED = 10_000;

export interface Order {
  readonly merchants: readonly string[];
  readonly payments: number;
}

export interface Written {
  /** Of the table and of every index. */
  readonly writes: number;
  readonly payments: number;
  /** Most written first. */
  readonly partitions: readonly Partition[];
}

function simulate({ merchants, payments }: Order): Written {
  const authors = merchants.map(newAuthor);
  const random = randomFrom(merchants.length);
  const tally = new RunCounts();
  for (let made = 0; made < payments; made += 1) {
    const author = authors[Math.floor(random() * authors.length)] as Author;
    const day = BEGIN_MS + Math.floor(random() * DAYS) * DAY_MS;
    const sinceMidnightMs = random() < RUSH_SHARE ? RUSH_HOUR_MS + random() * RUSH_MS : random() * DAY_MS;
    const ledger = new WriteLedger();
    for (const commit of livePayments(author, [Math.floor(day + sinceMidnightMs)])) {
      for (const { place, pk } of ledger.writesOf(commit)) {
        tally.add(place, pk, 1);
      }
    }
  }
  return { writes: tally.total, payments, partitions: tally.hottest().slice(0, POSTED) };
}

/** Numbers from 0 to 1 that are the same in every run (a linear congruence: good enough to spread). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

parentPort?.postMessage(simulate(workerData as Order));
