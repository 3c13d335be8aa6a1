import { describe, expect, test } from 'vitest';
import { unknownNames } from '../../../infra/exam/acts.ts';
import { STORIES } from '../../../infra/exam/stories.ts';
import {
  EXAM_GROUPS,
  EXAM_QUESTIONS,
  type QuestionId,
} from '../../../shared/contract/testkit/exam-questions.ts';

const IDS = Object.keys(STORIES) as QuestionId[];
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

describe('the questions of the exam', () => {
  test('are those that the guide explains, in their order and by group', () => {
    expect(IDS).toEqual(Object.keys(EXAM_QUESTIONS));
    expect([...new Set(IDS.map((id) => id.slice(0, 3)))]).toEqual(Object.keys(EXAM_GROUPS));
  });

  test.each(IDS)('%s uses names that its steps have given before', (id) => {
    for (const creator of ['exam', 'shop'] as const) {
      const steps = STORIES[id].steps(1, creator);
      expect(unknownNames(steps)).toEqual([]);
      expect(steps.length).toBeGreaterThan(0);
    }
  });

  test('are the same for the same seed', () => {
    for (const id of IDS) {
      expect(STORIES[id].steps(7, 'exam')).toEqual(STORIES[id].steps(7, 'exam'));
    }
  });

  test('shuffle the events of ORD-06 by the seed, with an old one last', () => {
    const shuffles = SEEDS.map((seed) =>
      STORIES['ORD-06']
        .steps(seed, 'exam')
        .flatMap((step) => ('act' in step && 'send' in step.act ? [step.act.send] : [])),
    );
    expect(new Set(shuffles.map(String)).size).toBeGreaterThan(SEEDS.length / 2);
    expect(shuffles.filter((types) => types.at(-1) === 'payment.succeeded')).toEqual([]);
    const all = ['payment.created', 'payment.processing', 'payment.succeeded'].flatMap((type) => [
      type,
      type,
    ]);
    expect(shuffles.map((types) => types.toSorted())).toEqual(shuffles.map(() => all));
  });
});
