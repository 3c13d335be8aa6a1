import type { ScenarioWorld } from '../scenario/scenario-world.ts';
import type { Courier } from './courier.ts';
import type { EventLog } from './event-log.ts';
import type { ExamOrder, OrderBook } from './order-book.ts';
import type { ShopAddresses } from './shop.ts';

/** What a play of one question works with. */
export interface ExamPlay {
  readonly world: ScenarioWorld;
  readonly shop: ShopAddresses;
  readonly seed: number;
  readonly baseUrl: string;
  readonly courier: Courier;
  readonly book: OrderBook;
  readonly log: EventLog;
  /** How long an event is waited for. */
  readonly publishedWithinMs: number;
  /** How long a probe is asked until it says the truth, after what it says has changed last. */
  readonly patienceMs: number;
  /** How long it is asked in all, however often that changes. */
  readonly progressMs: number;
  readonly findings: ProbeFindings;
}

/** What the probe said during a play. */
interface ProbeFindings {
  /** The orders of which it said the truth, by their references. */
  readonly right: Map<string, ExamOrder>;
  /** The order of which it did not. */
  wrong: ExamOrder | null;
  /** How long the truth took at most. */
  slowestMs: number;
}
