import { failureOf } from '../scenario/scenario-failure.ts';
import { StepCalls } from '../scenario/step-calls.ts';
import { ActPlayer, type ExamPlay } from './act-player.ts';
import type { ExamAct, ExamStep } from './acts.ts';
import { ShopFailure } from './shop-failure.ts';

/**
 * Plays the steps of a question at a shop.
 * @returns what the shop did wrong; null where it did nothing wrong
 * @throws ScenarioFailure if the service refuses what a step asks of it; UnfairStory, NotAsked, ServiceRefusal
 */
export async function playStory(steps: readonly ExamStep[], play: ExamPlay): Promise<ShopFailure | null> {
  // What is sent is waited for. Nothing else has to have happened.
  const calls = new StepCalls({ ...play.world, runDue: async () => undefined });
  const { results } = calls;
  for (const step of steps) {
    try {
      if ('act' in step) {
        const act = results.resolve(step.act) as ExamAct;
        results.keep(step.as, await new ActPlayer(play, step).play(act));
      } else {
        await calls.play(step);
      }
    } catch (error) {
      if (error instanceof ShopFailure) {
        return error;
      }
      throw 'act' in step ? error : failureOf(step, error);
    }
  }
  return null;
}
