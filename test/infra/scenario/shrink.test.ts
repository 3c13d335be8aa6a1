import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkNames } from '../../../infra/scenario/check-names.ts';
import { shrinkScenario } from '../../../infra/scenario/shrink.ts';
import type { Scenario, ScenarioStep } from '../../../shared/contract/testkit/scenarios.ts';

const advance = (minutes: number): ScenarioStep => ({ advance: `${minutes}m` });
const repeat = (times: number, ...steps: ScenarioStep[]): ScenarioStep => ({ repeat: { times, steps } });

/** The steps in the order in which they are played, without repetitions. */
function playedOf(steps: readonly ScenarioStep[]): ScenarioStep[] {
  return steps.flatMap((step) =>
    'repeat' in step
      ? Array.from({ length: step.repeat.times }, () => playedOf(step.repeat.steps)).flat()
      : [step],
  );
}

const timesOf = (scenario: Scenario, step: ScenarioStep) =>
  playedOf(scenario.steps).filter((each) => JSON.stringify(each) === JSON.stringify(step)).length;

/** The shortest scenario that has each of these steps at least so often. */
function shortest(steps: readonly ScenarioStep[], least: readonly (readonly [ScenarioStep, number])[]) {
  return shrinkScenario({ name: 'x', steps }, async (candidate) =>
    least.every(([step, times]) => timesOf(candidate, step) >= times),
  );
}

describe('the shortest scenario that fails', () => {
  test('has no repetition where once is enough', async () => {
    const steps = [repeat(7, advance(1), repeat(5, advance(2), advance(3)))];
    expect((await shortest(steps, [[advance(2), 1]])).steps).toEqual([advance(2)]);
  });

  test('repeats no more often than it takes, at any depth', async () => {
    const steps = [advance(9), repeat(2, advance(1), repeat(100, advance(2), advance(3)))];
    expect((await shortest(steps, [[advance(2), 37]])).steps).toEqual([repeat(37, advance(2))]);
    expect((await shortest(steps, [[advance(2), 137]])).steps).toEqual([repeat(2, repeat(69, advance(2)))]);
  });

  test('repeats less often once the steps are gone that stood in the way', async () => {
    const steps = [repeat(8, advance(1), advance(2)), advance(3)];
    // With the last step it takes eight times, without it two.
    const fails = async (candidate: Scenario) =>
      timesOf(candidate, advance(1)) >= (timesOf(candidate, advance(3)) > 0 ? 8 : 2);
    const { steps: left } = await shrinkScenario({ name: 'x', steps }, fails);
    expect(left).toEqual([repeat(2, advance(1))]);
  });

  test('still fails, is a scenario, and is never longer than what it was made from', async () => {
    const { step } = fc.letrec<{ step: ScenarioStep }>((tie) => ({
      step: fc.oneof(
        { maxDepth: 3 },
        fc.integer({ min: 1, max: 4 }).map(advance),
        fc
          .tuple(fc.integer({ min: 1, max: 6 }), fc.array(tie('step'), { minLength: 1, maxLength: 3 }))
          .map(([times, steps]) => repeat(times, ...steps)),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 5 }),
        async (steps, minutes, times) => {
          const whole = { name: 'x', steps };
          const least = Math.min(times, timesOf(whole, advance(minutes)));
          fc.pre(least > 0);
          const found = await shortest(steps, [[advance(minutes), least]]);
          expect(timesOf(found, advance(minutes))).toBeGreaterThanOrEqual(least);
          expect(playedOf(found.steps).length).toBeLessThanOrEqual(playedOf(steps).length);
          expect(playedOf(found.steps)).toEqual(playedOf(found.steps).map(() => advance(minutes)));
          expect(checkNames(found)).toEqual([]);
          expect(JSON.stringify(found)).not.toContain('"times":1,');
        },
      ),
      { numRuns: 60 },
    );
  });
});
