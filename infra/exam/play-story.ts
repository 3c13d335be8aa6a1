import type { ScenarioFields } from '../../shared/contract/testkit/scenarios.ts';
import { failureOf } from '../scenario/scenario-failure.ts';
import { StepCalls } from '../scenario/step-calls.ts';
import { ActPlayer } from './act-player.ts';
import type { ExamAct, ExamStep } from './acts.ts';
import type { ExamPlay } from './exam-play.ts';
import { type ShopFailure, shopFailureIn } from './shop-failure.ts';

/** A story that the shop has failed. */
export interface FailedStory {
  readonly failure: ShopFailure;
  /** Of the step at which it failed, from 0. */
  readonly index: number;
}

/** What looks at the shop after a step. @throws ShopFailure, ShopError */
type AfterStep = (step: ExamStep, result: ScenarioFields) => Promise<void>;

/**
 * Plays the steps of a story at a shop.
 * @returns what the shop did wrong, and at which step; null where it did nothing wrong
 * @throws ScenarioFailure if the service refuses what a step asks of it; UnfairStory, NotAsked, ServiceRefusal
 * @throws the reason of the signal of the world
 */
export async function playStory(
  steps: readonly ExamStep[],
  play: ExamPlay,
  afterStep: AfterStep = async () => undefined,
): Promise<FailedStory | null> {
  // What is sent is waited for. Nothing else has to have happened.
  const calls = new StepCalls({ ...play.world, runDue: async () => undefined });
  const { results } = calls;
  const playStep = async (step: ExamStep): Promise<ScenarioFields> => {
    if ('act' in step) {
      const payment = await new ActPlayer(play, step).play(results.resolve(step.act) as ExamAct);
      results.keep(step.as, payment);
      return payment;
    }
    return calls.play(step);
  };
  for (const [index, step] of steps.entries()) {
    play.world.signal?.throwIfAborted();
    try {
      await afterStep(step, await playStep(step));
    } catch (error) {
      const failure = shopFailureIn(error);
      if (failure !== null) {
        return { failure, index };
      }
      throw 'act' in step ? error : failureOf(step, error);
    }
  }
  return null;
}
