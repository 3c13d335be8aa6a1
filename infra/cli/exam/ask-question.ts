import { randomUUID } from 'node:crypto';
import { EXAM_QUESTIONS, type QuestionId } from '../../../shared/contract/testkit/exam-questions.ts';
import type { SentEvent } from '../../../shared/contract/testkit/exam-report.ts';
import type { Scenario } from '../../../shared/contract/testkit/scenarios.ts';
import { SECOND_MS } from '../../../shared/domain/clock.ts';
import type { Receiver } from '../pg/forward.ts';
import { playScenario } from '../scenario/play-scenario.ts';
import type { ScenarioFailure } from '../scenario/scenario-failure.ts';
import type { ScenarioWorld } from '../scenario/scenario-world.ts';
import { shrinkScenario } from '../scenario/shrink.ts';
import { Courier } from './courier.ts';
import { EventLog } from './event-log.ts';
import { examWorld, NotAsked, ServiceRefusal, UnfairStory } from './exam-world.ts';
import { type ExamOrder, OrderBook } from './order-book.ts';
import type { ShopAddresses } from './shop.ts';
import { STORIES } from './stories.ts';

/** Long enough for a right shop on a slow machine. */
export const LIMITS: ExamLimits = { patienceMs: 10 * SECOND_MS, shrinkMs: 8 * SECOND_MS };
/** A shop that has failed this often is no right one: it is waited for less. */
const FAILED_OFTEN = 3;
const SHORTER_PATIENCE_MS = 3 * SECOND_MS;
/** While a shorter story is tried, a shop gets several times what the truth took it at most so far. */
const SHORT_PATIENCE = { floorMs: 250, factor: 5 } as const;
/** A deployed service may take seconds. A shorter story may have no such event at all. */
const PUBLISHED_WITHIN_MS = { whole: 15 * SECOND_MS, shortened: 200 } as const;
/** The more events a failure shows, the less it says. */
const SHOWN_EVENTS_MAX = 5;

/** The shop, and the world in which it is examined. */
export interface ExamSubject {
  readonly world: ScenarioWorld;
  readonly shop: ShopAddresses;
  readonly receiver: Receiver;
  readonly seed: number;
  readonly baseUrl: string;
  readonly limits: ExamLimits;
}

/** How long the exam waits. */
export interface ExamLimits {
  /** A shop may work for this long after it has answered. */
  readonly patienceMs: number;
  /** Shorter stories that fail are tried for this long. */
  readonly shrinkMs: number;
}

/** A failed question, with the shortest story that still fails. */
export interface AskedFailure {
  readonly failure: ScenarioFailure;
  readonly scenario: Scenario;
  readonly sent: readonly SentEvent[];
  readonly isShortest: boolean;
}

/** An order whose truth the probe has said, to be asked for once more at the end. */
export interface ProbedOrder {
  readonly order: ExamOrder;
  readonly book: OrderBook;
}

/** What became of a question. */
export interface AskedQuestion {
  /** Why it could not be asked after all; null where it was. */
  readonly lack: string | null;
  readonly failed: AskedFailure | null;
  readonly probed: readonly ProbedOrder[];
  readonly sent: readonly SentEvent[];
}

interface Played {
  readonly failure: ScenarioFailure | null;
  readonly sent: readonly SentEvent[];
  readonly probed: readonly ProbedOrder[];
}

/** Asks questions of one shop, one after the other, and remembers how fast it is. */
export class Examiner {
  readonly #subject: ExamSubject;
  readonly #log: EventLog;
  /** How long the truth took at most. */
  #slowestMs = 0;
  #failures = 0;

  constructor(subject: ExamSubject) {
    this.#subject = subject;
    this.#log = new EventLog(subject.world.client);
  }

  get slowestMs(): number {
    return this.#slowestMs;
  }

  async ask(id: QuestionId): Promise<AskedQuestion> {
    const steps = STORIES[id].steps(this.#subject.seed);
    const scenario: Scenario = { name: `${id}: ${EXAM_QUESTIONS[id].title}`, steps };
    const played = await this.#play(scenario, 'whole').catch((error: unknown) => {
      if (error instanceof NotAsked) {
        return error;
      }
      throw error;
    });
    if (played instanceof NotAsked) {
      return { lack: played.message, failed: null, probed: [], sent: [] };
    }
    const { failure, sent, probed } = played;
    if (failure !== null && !('exam' in failure.step)) {
      throw new ServiceRefusal(`${id} could not be asked: ${failure.message}`);
    }
    if (failure === null) {
      return { lack: null, failed: null, probed, sent };
    }
    this.#failures += 1;
    return { lack: null, failed: await this.#shorten(scenario, failure, sent), probed: [], sent };
  }

  async #shorten(
    scenario: Scenario,
    failure: ScenarioFailure,
    sent: readonly SentEvent[],
  ): Promise<AskedFailure> {
    const endsAt = performance.now() + this.#subject.limits.shrinkMs;
    let shortest = { failure, sent };
    let isComplete = true;
    const shrunk = await shrinkScenario(scenario, async (candidate) => {
      if (performance.now() > endsAt) {
        isComplete = false;
        return false;
      }
      const played = await this.#play(candidate, 'shortened').catch((error: unknown) => {
        if (error instanceof UnfairStory) {
          return null;
        }
        throw error;
      });
      if (played?.failure?.kind !== failure.kind) {
        return false;
      }
      shortest = { failure: played.failure, sent: played.sent };
      return true;
    });
    return {
      ...shortest,
      scenario: shrunk,
      isShortest: isComplete,
    };
  }

  #patienceMs(length: 'whole' | 'shortened'): number {
    const { floorMs, factor } = SHORT_PATIENCE;
    const { patienceMs } = this.#subject.limits;
    const usual = this.#failures < FAILED_OFTEN ? patienceMs : Math.min(patienceMs, SHORTER_PATIENCE_MS);
    return length === 'whole' ? usual : Math.min(floorMs + factor * this.#slowestMs, usual);
  }

  async #play(scenario: Scenario, length: 'whole' | 'shortened'): Promise<Played> {
    const { world, shop, receiver, seed, baseUrl } = this.#subject;
    const courier = new Courier(receiver, this.#failures < FAILED_OFTEN ? length : 'shortened');
    const book = new OrderBook();
    const probed = new Map<string, ProbedOrder>();
    let wrong: ExamOrder | null = null;
    const played = await playScenario(
      scenario,
      examWorld(world, {
        shop,
        seed,
        baseUrl,
        newReference: () => `exam-${randomUUID()}`,
        courier,
        book,
        log: this.#log,
        publishedWithinMs: PUBLISHED_WITHIN_MS[length],
        patienceMs: this.#patienceMs(length),
        onTruth: (tookMs) => {
          this.#slowestMs = Math.max(this.#slowestMs, tookMs);
        },
        onProbed: (order) => probed.set(order.reference, { order, book }),
        onWrong: (order) => {
          wrong = order;
        },
      }),
      seed,
      () => 0,
    );
    return { failure: played.failure, sent: shownOf(courier.sent, wrong), probed: [...probed.values()] };
  }
}

/** Of many events, those of the order that went wrong; and of those, the last ones. */
function shownOf(sent: readonly SentEvent[], wrong: ExamOrder | null): readonly SentEvent[] {
  const isFew = wrong === null || sent.length <= SHOWN_EVENTS_MAX;
  const own = isFew ? sent : sent.filter(({ body }) => body.includes(wrong.paymentId));
  return own.slice(-SHOWN_EVENTS_MAX);
}
