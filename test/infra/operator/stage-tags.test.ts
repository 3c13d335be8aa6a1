import { describe, expect, test } from 'vitest';
import { endAfter, readFacts, tagOptions } from '../../../infra/operator/stage-tags.ts';
import { whyRemovable } from '../../../infra/operator/why-removable.ts';

const FACTS = { stage: 'x', branch: 'feature/a=b', owner: 'สมชาย <ann>', endsAt: null };

describe('what a stage says of itself', () => {
  test('is a tag each, in characters that AWS takes, and none for what it does not know', () => {
    expect(tagOptions(FACTS)).toEqual([
      ...['--tags', 'payments:stage=x'],
      ...['--tags', 'payments:branch=feature/a-b'],
      ...['--tags', 'payments:owner=สมชาย -ann-'],
    ]);
  });

  test('is read back, and is nothing of the stack of another program', () => {
    const Tags = tagOptions(FACTS)
      .filter((option) => option !== '--tags')
      .map((option) => ({ Key: option.split('=')[0], Value: option.split('=')[1] }));
    expect(readFacts({ Tags } as never)).toEqual({ ...FACTS, branch: 'feature/a-b', owner: 'สมชาย -ann-' });
    expect(readFacts({ Tags: [] } as never)).toBe(null);
  });

  test('has an end at midnight, so that two deployments of a day are alike', () => {
    const [morning, evening] = ['2026-11-30T01:00:00Z', '2026-11-30T22:00:00Z'].map((at) =>
      endAfter(7 * 86_400, Date.parse(at)),
    );
    expect([morning, evening]).toEqual(['2026-12-08T00:00:00.000Z', '2026-12-08T00:00:00.000Z']);
  });
});

test('a branch that a tag cannot spell still counts as there', () => {
  const stage = { ...FACTS, branch: 'feature/a-b', deployedAtMs: 0, isProtected: false };
  expect(whyRemovable(stage, { branches: new Set(['feature/a=b']) }, 1)).toEqual([]);
  expect(whyRemovable(stage, { branches: new Set(['main']) }, 1)).toEqual(['its branch feature/a-b is gone']);
});
