import { describe, expect, test } from 'vitest';
import { describeExamStep, type ExamStep, unknownNames } from '../../../infra/exam/acts.ts';
import { randomStory } from '../../../infra/simulation/random-story.ts';
import { shrinkStory } from '../../../infra/simulation/shrink-story.ts';

const textsOf = (steps: readonly ExamStep[]) => steps.map(describeExamStep);

/** The shortest part of the story of a seed at which a shop fails, which does so as soon as it has heard enough. */
async function shortest(seed: number, isEnough: (texts: readonly string[]) => boolean) {
  const whole = randomStory(seed, { creator: 'exam', paysAgain: true });
  const tried: (readonly ExamStep[])[] = [];
  const steps = await shrinkStory(whole, async (part) => {
    tried.push(part);
    const end = part.findIndex((_, index) => isEnough(textsOf(part.slice(0, index + 1))));
    return end === -1 ? null : end;
  });
  expect(tried.filter((part) => unknownNames(part).length > 0)).toEqual([]);
  return { texts: textsOf(steps), tried };
}

const hasSuccess = (texts: readonly string[], least = 1) =>
  texts.filter((text) => /^send payment\.succeeded, of \$/.test(text)).length >= least;

describe('the shortest story that breaks a law', () => {
  test('has one order, and of it the steps that it takes', async () => {
    const { texts } = await shortest(3, hasSuccess);
    expect(texts).toHaveLength(3);
    const [, name] = /^order (\w), minor \d+ as \1$/.exec(String(texts[0])) ?? [];
    expect(texts.slice(1)).toEqual([
      `simulate payment $${name}, outcome succeeded`,
      `send payment.succeeded, of $${name}`,
    ]);
  });

  test('has as many orders as it takes, where one is not enough', async () => {
    const { texts } = await shortest(3, (all) => all.filter((text) => text.startsWith('order ')).length >= 3);
    expect(texts).toHaveLength(3);
  });

  test('keeps weather only where it fails by the weather', async () => {
    const isStormy = (text: string) => /^send .*, manner hungUp$/.test(text);
    expect((await shortest(3, (all) => all.some(isStormy))).texts.at(-1)).toMatch(/, manner hungUp$/);
    const { texts } = await shortest(3, (all) => all.some((text) => text.startsWith('send ')));
    expect(texts.filter((text) => text.includes('manner'))).toEqual([]);
  });

  test('is found in few tries, none of which is made twice', async () => {
    const { tried } = await shortest(3, hasSuccess);
    expect(tried.length).toBeLessThan(60);
    expect(new Set(tried.map((part) => JSON.stringify(part))).size).toBe(tried.length);
  });
});
