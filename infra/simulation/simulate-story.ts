import type { ExamFailure } from '../../shared/contract/testkit/exam-report.ts';
import { NotAsked, ServiceRefusal, UnfairStory } from '../exam/act-player.ts';
import { describeExamStep, type ExamStep, nextPayment, order, send, simulate } from '../exam/acts.ts';
import { adviceOf } from '../exam/advice.ts';
import { Examiner } from '../exam/ask-question.ts';
import { meetShop } from '../exam/meet-shop.ts';
import { LIMITS, type StoryLength } from '../exam/patience.ts';
import type { FailedStory } from '../exam/play-story.ts';
import { expectReachable, ShopError } from '../exam/shop.ts';
import { shopOptions } from '../exam/shop-options.ts';
import { openScenarioWorld, type ScenarioService } from '../scenario/scenario-world.ts';
import { PROGRAM } from '../terminal/program-name.ts';
import { LAWS, lawOf } from './laws.ts';
import { randomStory, type ShopWays } from './random-story.ts';
import { shrinkStory } from './shrink-story.ts';
import { type SimulationForm, type StoryOptions, type ToldStory, tellStory } from './tell-story.ts';

/** The seed of what is asked before the first story. */
const FIRST_SEED = 1;
const IS_GONE =
  'The shop does not answer any more, so no shorter story was tried: its log says why it ended. Start it again first.';

/** A story, as `pg simulate --json` prints it. */
export interface StoryReport {
  readonly seed: number;
  /** Its steps, one line each: the same for one seed. */
  readonly story: readonly string[];
  /** The law that did not hold; null where every one did. */
  readonly law: string | null;
  /** The shortest story that still breaks the same law; null where every law held. */
  readonly failure: ExamFailure | null;
}

/**
 * Finds out what stories can be told to a shop.
 * @throws ShopError if the receiver refuses a signed request, or the addresses for tests do not respond as contract §19
 *   says
 * @throws ProblemError, ConnectionError if the service refuses or is not there
 */
export async function readShopWays(service: ScenarioService, form: SimulationForm): Promise<ShopWays> {
  const { shop, signer } = form;
  await expectReachable(shop.receiver);
  const world = await openScenarioWorld(service, { name: 'simulation', steps: [] }, FIRST_SEED);
  try {
    const examiner = new Examiner({
      world,
      shop,
      receiver: { ...signer, url: shop.receiver },
      seed: FIRST_SEED,
      baseUrl: service.baseUrl,
      limits: LIMITS,
    });
    await meetShop(examiner, shop, signer, world.key);
    const { creator } = examiner;
    return { creator, paysAgain: creator === 'exam' || (await createsNextPayment(service, form)) };
  } finally {
    await world.end();
  }
}

/** Whether a shop that creates its payments creates another one for an order whose payment has failed. */
async function createsNextPayment(service: ScenarioService, form: SimulationForm): Promise<boolean> {
  const steps = [order('a'), simulate('$a', 'failed'), send('payment.failed', '$a'), nextPayment('a2', '$a')];
  try {
    await tellStory(service, form, steps, {
      seed: FIRST_SEED,
      length: 'whole',
      slowestMs: 0,
      looksLater: false,
    });
    return true;
  } catch (error) {
    if (error instanceof NotAsked) {
      return false;
    }
    throw error;
  }
}

/**
 * Tells a shop the story of a seed. Where it breaks a law, the shortest story that breaks the same law is searched.
 * @param onBroken is called before that search, which takes a while
 * @throws ServiceRefusal, NotAsked if the story cannot be told
 * @throws the reason of the signal of the service, once it is aborted
 */
export async function simulateStory(
  service: ScenarioService,
  form: SimulationForm,
  ways: ShopWays,
  seed: number,
  onBroken: (broken: Omit<StoryReport, 'failure'>) => void = () => undefined,
): Promise<StoryReport> {
  const steps = randomStory(seed, ways);
  const { failed, sent, slowestMs } = await tellStory(service, form, steps, {
    seed,
    length: 'whole',
    slowestMs: 0,
    looksLater: true,
  });
  const story = steps.map(describeExamStep);
  if (failed === null) {
    return { seed, story, law: null, failure: null };
  }
  const law = lawOf(failed.failure.finding);
  const broken = { seed, story, law: LAWS[law] };
  onBroken(broken);
  const told = { failed, sent, steps: steps.slice(0, failed.index + 1) };
  // What is missing is waited for at its step. What the shop does later by itself is seen at the end alone.
  const looksLater = !['kept', 'accepted'].includes(law) || told.steps.length === steps.length;
  try {
    const shortest = await shortestOf(service, form, told, { seed, slowestMs, looksLater });
    return { ...broken, failure: failureOf(form, seed, shortest ?? told, shortest !== null) };
  } catch (error) {
    if (error instanceof ShopError) {
      return { ...broken, failure: { ...failureOf(form, seed, told, false), advice: IS_GONE } };
    }
    throw error;
  }
}

/** A part of a story, up to the step at which it fails. */
interface FailedPart extends Pick<ToldStory, 'sent'> {
  readonly steps: readonly ExamStep[];
  readonly failed: FailedStory;
}

/**
 * The shortest part that breaks the same law.
 * @returns null if no part does, when it is told once more
 * @throws ShopError if the shop is gone
 */
async function shortestOf(
  service: ScenarioService,
  form: SimulationForm,
  { failed: { failure }, steps }: FailedPart,
  options: Omit<StoryOptions, 'length'>,
): Promise<FailedPart | null> {
  const law = lawOf(failure.finding);
  const retell = async (part: readonly ExamStep[], length: StoryLength): Promise<FailedPart | null> => {
    // An event may have ended the shop. What starts it again takes a moment.
    await expectReachable(form.shop.receiver);
    const { failed, sent } = await tellPart(service, form, part, { ...options, length });
    return failed !== null && lawOf(failed.failure.finding) === law ? { failed, sent, steps: part } : null;
  };
  const shortest = await shrinkStory(
    steps,
    async (part) => (await retell(part, 'shortened'))?.failed.index ?? null,
  );
  // Once more with as much patience as the whole story had.
  return retell(shortest, 'whole');
}

/** A part of a story may lack what one of its steps needs: then it breaks no law. */
async function tellPart(
  service: ScenarioService,
  form: SimulationForm,
  part: readonly ExamStep[],
  telling: StoryOptions,
): Promise<Pick<ToldStory, 'failed' | 'sent'>> {
  try {
    return await tellStory(service, form, part, telling);
  } catch (error) {
    if ([UnfairStory, NotAsked, ServiceRefusal].some((reason) => error instanceof reason)) {
      return { failed: null, sent: [] };
    }
    throw error;
  }
}

function failureOf(
  { shop, signer }: SimulationForm,
  seed: number,
  { failed: { failure, index }, steps, sent }: FailedPart,
  isShortest: boolean,
): ExamFailure {
  return {
    expected: failure.expected,
    actual: failure.actual,
    advice: adviceOf(failure.finding, sent, steps[index]),
    same_as: null,
    story: steps.map(describeExamStep),
    failed_step: index + 1,
    events: [...sent],
    is_shortest: isShortest,
    again: `${PROGRAM} simulate ${shopOptions(shop)} --seed ${seed}${signer.options}`,
  };
}
