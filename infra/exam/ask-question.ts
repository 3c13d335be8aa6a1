import { EXAM_QUESTIONS, type QuestionId } from '../../shared/contract/testkit/exam-questions.ts';
import type { SentEvent } from '../../shared/contract/testkit/exam-report.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import type { Receiver } from '../events/forward.ts';
import { shrinkList } from '../scenario/ddmin.ts';
import { ScenarioFailure } from '../scenario/scenario-failure.ts';
import type { ScenarioWorld } from '../scenario/scenario-world.ts';
import { onceEach } from '../scenario/shrink.ts';
import { NotAsked, ServiceRefusal, UnfairStory } from './act-player.ts';
import { type ExamStep, order, pay, ping, send, unknownNames } from './acts.ts';
import { adviceOf } from './advice.ts';
import { Courier } from './courier.ts';
import { EventLog } from './event-log.ts';
import type { ExamPlay } from './exam-play.ts';
import { type ExamOrder, OrderBook } from './order-book.ts';
import { type ExamLimits, PROGRESS_MS, patienceFor, publishedWithin, type StoryLength } from './patience.ts';
import { type FailedStory, playStory } from './play-story.ts';
import { hasSameCause, isPartOf, type KnownFailure } from './same-cause.ts';
import type { ShopAddresses } from './shop.ts';
import type { ShopFailure } from './shop-failure.ts';
import { type PaymentCreator, STORIES } from './stories.ts';

/** A shop that has failed this often is no right one: it is waited for less. */
const FAILED_OFTEN = 3;
const SHORTER_PATIENCE_MS = 3 * SECOND_MS;
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

/** A failed question, with the shortest story that still fails. */
export interface AskedFailure {
  readonly failure: ShopFailure;
  readonly advice: string | null;
  /** The question that failed before for the same reason. */
  readonly sameAs: QuestionId | null;
  readonly steps: readonly ExamStep[];
  /** Of the step at which the shop failed, from 0. */
  readonly index: number;
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
  readonly failed: FailedStory | null;
  readonly sent: readonly SentEvent[];
  readonly probed: readonly ProbedOrder[];
}

/** How a story is played. */
interface Playing {
  readonly length: StoryLength;
  /** A failure is known that explains why this one fails, if it does. */
  readonly isKnown?: boolean;
  /** An event that is not accepted is not retried. */
  readonly isOnce?: boolean;
}

/** Asks questions of one shop, one after the other, and remembers how fast it is. */
export class Examiner {
  readonly #subject: ExamSubject;
  readonly #log: EventLog;
  /** How long the truth took at most. */
  #slowestMs = 0;
  #failures = 0;
  /** Found out by the first order. */
  creator: PaymentCreator = 'exam';
  readonly #known: (KnownFailure & Pick<AskedFailure, 'advice'> & { readonly id: QuestionId })[] = [];

  constructor(subject: ExamSubject) {
    this.#subject = subject;
    this.#log = new EventLog(subject.world.client);
  }

  get slowestMs(): number {
    return this.#slowestMs;
  }

  /**
   * Sends a signed ping, and the success of a payment where that is refused: a shop may know no pings, and still verify.
   * @returns the status of both; null where one of them was accepted, or the ping was not refused
   */
  async greet(): Promise<number | null> {
    const { shop } = this.#subject;
    const first = await this.#askForRefusal('a ping', [ping()]);
    if (first === null || shop.order === null) {
      return first;
    }
    return this.#askForRefusal('a payment', [order('a'), pay('$a'), send('payment.succeeded', '$a')]);
  }

  async #askForRefusal(name: string, steps: readonly ExamStep[]): Promise<number | null> {
    const { failed } = await this.#play(name, steps, { length: 'whole', isOnce: true });
    const { finding } = failed?.failure ?? {};
    const status = finding?.at === 'response' ? finding.status : null;
    return status !== null && isRefusal(status) ? status : null;
  }

  async ask(id: QuestionId): Promise<AskedQuestion> {
    const steps = STORIES[id].steps(this.#subject.seed, this.creator);
    const name = `${id}: ${EXAM_QUESTIONS[id].title}`;
    // What fails as it did before is not waited for as long.
    const isKnown = this.#known.some((known) => isPartOf(known.steps, steps));
    const played = await this.#play(name, steps, { length: 'whole', isKnown }).catch((error: unknown) => {
      if (error instanceof NotAsked) {
        return error;
      }
      throw error;
    });
    if (played instanceof NotAsked) {
      return { lack: played.message, failed: null, probed: [], sent: [] };
    }
    const { sent, probed } = played;
    if (played.failed === null) {
      return { lack: null, failed: null, probed, sent };
    }
    this.#failures += 1;
    const { finding } = played.failed.failure;
    const same = this.#known.find((known) => hasSameCause(known, { finding, steps }));
    const failed =
      same === undefined
        ? await this.#shorten(name, steps, played.failed, sent)
        : { ...played.failed, advice: same.advice, sameAs: same.id, steps, sent, isShortest: false };
    if (same === undefined) {
      const { advice, steps: shortest } = failed;
      this.#known.push({ id, finding: failed.failure.finding, steps: shortest, advice });
    }
    return { lack: null, failed, probed: [], sent };
  }

  async #shorten(
    name: string,
    steps: readonly ExamStep[],
    failed: FailedStory,
    sent: readonly SentEvent[],
  ): Promise<AskedFailure> {
    const endsAt = performance.now() + this.#subject.limits.shrinkMs;
    let shortest = { ...failed, sent };
    let isComplete = true;
    const fails = onceEach(async (part: readonly ExamStep[]) => {
      if (performance.now() > endsAt) {
        isComplete = false;
        return false;
      }
      const played = await this.#play(name, part, { length: 'shortened' }).catch((error: unknown) => {
        if (error instanceof UnfairStory || error instanceof NotAsked) {
          return null;
        }
        throw error;
      });
      if (played?.failed?.failure.kind !== failed.failure.kind) {
        return false;
      }
      shortest = { ...played.failed, sent: played.sent };
      return true;
    });
    const shrunk = await shrinkList(
      steps,
      // A step whose name is used cannot be left out alone.
      async (part) => part.length > 0 && unknownNames(part).length === 0 && fails(part),
    );
    return {
      ...shortest,
      advice: adviceOf(shortest.failure.finding, shortest.sent, shrunk[shortest.index]),
      sameAs: null,
      steps: shrunk,
      isShortest: isComplete,
    };
  }

  #patienceMs({ length, isKnown = false }: Playing): number {
    const { patienceMs } = this.#subject.limits;
    const isShorter = isKnown || this.#failures >= FAILED_OFTEN;
    const usual = isShorter ? Math.min(patienceMs, SHORTER_PATIENCE_MS) : patienceMs;
    return patienceFor(length, usual, this.#slowestMs);
  }

  /** @throws ServiceRefusal where something fails that is no step at the shop; UnfairStory in a shortened story */
  async #play(name: string, steps: readonly ExamStep[], playing: Playing): Promise<Played> {
    const { length, isKnown = false, isOnce = false } = playing;
    const isShorter = isKnown || this.#failures >= FAILED_OFTEN;
    const courier = new Courier(this.#subject.receiver, isOnce ? 'once' : isShorter ? 'shortened' : length);
    const book = new OrderBook();
    const findings: ExamPlay['findings'] = { right: new Map(), wrong: null, slowestMs: this.#slowestMs };
    const patienceMs = this.#patienceMs(playing);
    const failed = await playStory(steps, {
      ...this.#subject,
      courier,
      book,
      log: this.#log,
      publishedWithinMs: publishedWithin(length, this.#subject.world.eventTimeoutMs),
      patienceMs,
      progressMs: length === 'whole' ? PROGRESS_MS : patienceMs,
      findings,
    }).catch((error: unknown) => {
      if (!(error instanceof ScenarioFailure)) {
        throw error;
      }
      const said = `${name} could not be asked: ${error.message}`;
      throw length === 'shortened' ? new UnfairStory(said) : new ServiceRefusal(said);
    });
    this.#slowestMs = findings.slowestMs;
    const probed = [...findings.right.values()].map((order) => ({ order, book }));
    return { failed, sent: shownOf(courier.sent, findings.wrong), probed };
  }
}

/** By these, receivers refuse who sends or where to. Any other one may be about a ping alone. */
function isRefusal(status: number): boolean {
  return [400, 401, 403, 404, 405, 410].includes(status) || (status >= 300 && status <= 399);
}

/** Keeps the events of the order that went wrong where there are many, and the last of them. */
function shownOf(sent: readonly SentEvent[], wrong: ExamOrder | null): readonly SentEvent[] {
  const isFew = wrong === null || sent.length <= SHOWN_EVENTS_MAX;
  const own = isFew ? sent : sent.filter(({ body }) => body.includes(wrong.paymentId));
  return own.slice(-SHOWN_EVENTS_MAX);
}
