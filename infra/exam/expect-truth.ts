import { mapLimit } from '../../shared/concurrency/map-limit.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { waitWhileProgress } from '../scenario/wait-until.ts';
import type { ExamPlay } from './exam-play.ts';
import { differenceOf, type ExamOrder, type ProbeDifference } from './order-book.ts';
import { askProbe } from './shop.ts';
import { ShopFailure } from './shop-failure.ts';

const PROBES_AT_ONCE = 8;

/** What asks for the truth of orders, and finds it. */
type TruthPlay = Pick<ExamPlay, 'book' | 'patienceMs' | 'progressMs' | 'findings' | 'world'>;

/**
 * Waits for the truth of all orders, as long as what the probe says of them changes.
 * @throws ShopFailure if the probe does not say it; ShopError if it does not answer as §19 says
 */
export async function expectTruth(
  play: TruthPlay,
  orders: readonly ExamOrder[],
  probe: string,
): Promise<void> {
  const { book, patienceMs, progressMs, findings, world } = play;
  const startedAt = performance.now();
  let open = orders;
  const first = await waitWhileProgress(
    async () => {
      world.signal?.throwIfAborted();
      const found = await mapLimit(PROBES_AT_ONCE, open, async (order) => {
        const difference = differenceOf(book.expected(order), await askProbe(probe, order.reference));
        if (difference?.isTooMuch) {
          // What is missing may still come; what is too much never goes away.
          throw probeFailure(play, order, difference);
        }
        return difference === null ? [] : [{ order, difference }];
      });
      const wrong = found.flat();
      open = wrong.map(({ order }) => order);
      return { objection: wrong[0] ?? null, reached: JSON.stringify(wrong) };
    },
    patienceMs,
    progressMs,
  );
  const tookMs = performance.now() - startedAt;
  if (first !== null) {
    throw probeFailure(play, first.order, first.difference, tookMs);
  }
  findings.slowestMs = Math.max(findings.slowestMs, tookMs);
  for (const order of orders) {
    findings.right.set(order.reference, order);
  }
}

function probeFailure(
  { findings, progressMs }: TruthPlay,
  order: ExamOrder,
  { field, expected, actual, isTooMuch }: ProbeDifference,
  waitedMs = 0,
): ShopFailure {
  findings.wrong = order;
  const late = waitedMs < progressMs ? '' : `, ${progressMs / SECOND_MS} s after its last event`;
  return new ShopFailure(`probe ${field}, too ${isTooMuch ? 'much' : 'little'}`, {
    finding: { at: 'probe', field, isTooMuch },
    expected,
    actual: `${actual} of ${order.reference}${late}`,
  });
}
