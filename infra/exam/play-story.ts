import { failureOf } from '../scenario/scenario-failure.ts';
import { StepCalls } from '../scenario/step-calls.ts';
import { ActPlayer, type ExamPlay } from './act-player.ts';
import type { ExamAct, ExamStep } from './acts.ts';
import { ShopFailure } from './shop-failure.ts';

/** A story that the shop has failed. */
export interface FailedStory {
  readonly failure: ShopFailure;
  /** Of the step at which it failed, from 0. */
  readonly index: number;
}

/**
 * Plays the steps of a question at a shop.
 * @returns what the shop did wrong, and at which step; null where it did nothing wrong
 * @throws ScenarioFailure if the service refuses what a step asks of it; UnfairStory, NotAsked, ServiceRefusal
 * @throws the reason of the signal of the world
 */
export async function playStory(steps: readonly ExamStep[], play: ExamPlay): Promise<FailedStory | null> {
  // What is sent is waited for. Nothing else has to have happened.
  const calls = new StepCalls({ ...play.world, runDue: async () => undefined });
  const { results } = calls;
  for (const [index, step] of steps.entries()) {
    play.world.signal?.throwIfAborted();
    try {
      if ('act' in step) {
        const act = results.resolve(step.act) as ExamAct;
        results.keep(step.as, await new ActPlayer(play, step).play(act));
      } else {
        await calls.play(step);
      }
    } catch (error) {
      if (error instanceof ShopFailure) {
        return { failure: error, index };
      }
      throw 'act' in step ? error : failureOf(step, error);
    }
  }
  return null;
}
