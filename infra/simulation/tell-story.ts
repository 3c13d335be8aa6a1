import { setTimeout as sleep } from 'node:timers/promises';
import type { SentEvent } from '../../shared/contract/testkit/exam-report.ts';
import type { ScenarioFields } from '../../shared/contract/testkit/scenarios.ts';
import type { NamedSigner } from '../events/signing-secret.ts';
import { ServiceRefusal, UnfairStory } from '../exam/act-player.ts';
import type { ExamStep } from '../exam/acts.ts';
import { Courier } from '../exam/courier.ts';
import { EventLog } from '../exam/event-log.ts';
import type { ExamPlay } from '../exam/exam-play.ts';
import { expectTruth } from '../exam/expect-truth.ts';
import { OrderBook } from '../exam/order-book.ts';
import {
  calmMs,
  LIMITS,
  PROGRESS_MS,
  patienceFor,
  publishedWithin,
  type StoryLength,
} from '../exam/patience.ts';
import { type FailedStory, playStory } from '../exam/play-story.ts';
import type { ShopAddresses } from '../exam/shop.ts';
import { ShopFailure, shopFailureIn } from '../exam/shop-failure.ts';
import { ScenarioFailure } from '../scenario/scenario-failure.ts';
import { openScenarioWorld, type ScenarioService, type ScenarioWorld } from '../scenario/scenario-world.ts';

/** The shop, and how it is told stories. */
export interface SimulationForm {
  readonly shop: { readonly [Name in keyof ShopAddresses]: string };
  readonly signer: NamedSigner;
  /** A shop may work for this long after its response. */
  readonly patienceMs?: number;
}

/** How one story is told. */
export interface StoryOptions {
  readonly seed: number;
  readonly length: StoryLength;
  /** How long the truth took the shop at most so far. */
  readonly slowestMs: number;
  /** The laws are checked once more when the shop has had time for what it must not do. */
  readonly looksLater: boolean;
}

/** A story as it was told. */
export interface ToldStory {
  /** Null where every law held. */
  readonly failed: FailedStory | null;
  /** In the order of their responses. */
  readonly sent: readonly SentEvent[];
  readonly slowestMs: number;
}

/**
 * Tells a shop a story in a world of its own, which is deleted whatever happens. The laws are checked after each step.
 * @throws ServiceRefusal if the service refuses what a step asks of it; UnfairStory where that is a shortened story
 * @throws NotAsked if the shop creates no second payment of an order
 */
export async function tellStory(
  service: ScenarioService,
  form: SimulationForm,
  steps: readonly ExamStep[],
  { seed, length, slowestMs, looksLater }: StoryOptions,
): Promise<ToldStory> {
  const world = await openScenarioWorld(service, { name: 'simulation', steps: [] }, seed);
  try {
    const { shop, signer } = form;
    const courier = new Courier({ ...signer, url: shop.receiver }, length);
    const patienceMs = patienceFor(length, form.patienceMs ?? LIMITS.patienceMs, slowestMs);
    const play: ExamPlay = {
      world: { ...world, runDue: () => runDue(world) },
      shop,
      seed,
      baseUrl: service.baseUrl,
      courier,
      book: new OrderBook(),
      log: new EventLog(world.client),
      publishedWithinMs: publishedWithin(length, world.eventTimeoutMs),
      patienceMs,
      progressMs: length === 'whole' ? PROGRESS_MS : patienceMs,
      findings: { right: new Map(), wrong: null, slowestMs },
    };
    const expectLaws = () => expectTruth(play, play.book.orders, shop.probe);
    const afterStep = async (step: ExamStep, result: ScenarioFields) => {
      note(play.book, step, result);
      await expectLaws();
    };
    const failed = await playStory(steps, play, afterStep).catch((error: unknown) => {
      if (!(error instanceof ScenarioFailure)) {
        throw error;
      }
      const said = `The story of seed ${seed} could not be told: ${error.message}`;
      throw length === 'shortened' ? new UnfairStory(said) : new ServiceRefusal(said);
    });
    const told = { sent: courier.sent, slowestMs: play.findings.slowestMs };
    if (failed !== null || !looksLater) {
      return { ...told, failed };
    }
    await sleep(calmMs(told.slowestMs, length));
    const later = await laterFailure(expectLaws);
    return { ...told, failed: later && { failure: later, index: steps.length - 1 } };
  } finally {
    await world.end();
  }
}

/** Publishes what has happened. No receiver of the service is waited for, so the clock moves as little as it can. */
async function runDue({ client }: ScenarioWorld): Promise<void> {
  await client.advanceClock({ seconds: 1 });
}

/** What breaks a law that held after the last step; null where nothing does. */
async function laterFailure(look: () => Promise<void>): Promise<ShopFailure | null> {
  try {
    await look();
    return null;
  } catch (error) {
    const failure = shopFailureIn(error);
    if (failure === null) {
      throw error;
    }
    const { kind, finding, expected, actual } = failure;
    return new ShopFailure(kind, {
      finding,
      expected: `${expected}, also later`,
      actual: `${actual}, after it had been right`,
    });
  }
}

/** Notes what has happened at the service before its event is sent: a shop that asks the API knows it already. */
function note(book: OrderBook, step: ExamStep, result: ScenarioFields): void {
  if ('call' in step && step.call === 'payments.create') {
    const order = book.orderOf(result);
    if (order !== undefined) {
      book.addPayment(order, String(result.id));
    }
  }
  if ('simulate' in step && step.simulate.outcome === 'succeeded') {
    const { payment_id, refund_id } = result;
    const type = refund_id === null ? 'payment.succeeded' : 'refund.succeeded';
    book.note({ type, data: { object: { id: refund_id ?? payment_id, payment_id } } }, false);
  }
}
