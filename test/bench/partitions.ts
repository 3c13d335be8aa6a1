import { SECOND_MS } from '../../shared/domain/clock.ts';
import type { Order, Written } from './merchants.ts';
import { inOwnThread } from './own-thread.ts';
import { BEGIN_MS, livePayments, newAuthor } from './payment-life.ts';
import { type Partition, RunCounts, together } from './tally.ts';
import { WriteLedger } from './write-ledger.ts';

/* Where writes meet: a month of many merchants, and a rush at one, without a store. */

const LARGE = 'merchant-0';
const OTHERS = Array.from({ length: 1_000 }, (_, place) => `merchant-${place + 1}`);
const PAYMENTS = 1_000_000;
/** One merchant makes so much of everything. */
const LARGE_SHARE = 0.5;
/** A rush at the large merchant. */
export const RUSH_PER_SECOND = 1_000;
const RUSH_SECONDS = 5;

export interface Month extends Written {
  /** What of it the large merchant alone has written. */
  readonly ofLarge: Written;
}

/** A month of payments of a thousand merchants and a very large one. */
export async function simulateMonth(): Promise<Month> {
  const live = (order: Order) => inOwnThread<Written>('merchants.ts', order);
  const [ofLarge, ofOthers] = await Promise.all([
    live({ merchants: [LARGE], payments: PAYMENTS * LARGE_SHARE }),
    live({ merchants: OTHERS, payments: PAYMENTS * (1 - LARGE_SHARE) }),
  ]);
  return {
    writes: ofLarge.writes + ofOthers.writes,
    payments: ofLarge.payments + ofOthers.payments,
    partitions: together([ofLarge.partitions, ofOthers.partitions]),
    ofLarge,
  };
}

/** Write units of partitions while the large merchant is in a rush, and for how many payments. */
export function simulateRush(): { readonly payments: number; readonly partitions: readonly Partition[] } {
  const payments = RUSH_PER_SECOND * RUSH_SECONDS;
  const instants = Array.from(
    { length: payments },
    (_, place) => BEGIN_MS + Math.floor((place * SECOND_MS) / RUSH_PER_SECOND),
  );
  const units = new RunCounts();
  const ledger = new WriteLedger();
  for (const commit of livePayments(newAuthor(LARGE), instants)) {
    for (const write of ledger.writesOf(commit)) {
      units.add(write.place, write.pk, write.units());
    }
  }
  return { payments, partitions: units.hottest() };
}
