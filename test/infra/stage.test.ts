import { describe, expect, test } from 'vitest';
import { chosenStage, isProduction, readStage, stackNameOf, stageOfBranch } from '../../infra/stage.ts';

/** What CloudFormation takes as the name of a stack. */
const STACK_NAME = /^[a-zA-Z][-a-zA-Z0-9]{0,127}$/;
const STAGE_CHARS_MAX = 28;

describe('the stage of a branch', () => {
  test.each(['main', 'dev', 'fix-42', 'a', 'production'])('that is called like a stage is %s', (branch) => {
    expect(stageOfBranch(branch)).toBe(branch);
  });

  test.each([
    ['feature/qr-codes', /^feature-qr-codes-[0-9a-f]{6}$/],
    ['Fix_That', /^fix-that-[0-9a-f]{6}$/],
    ['ทดสอบ', /^branch-[0-9a-f]{6}$/],
    ['2026/11', /^branch-[0-9a-f]{6}$/],
    ['-', /^branch-[0-9a-f]{6}$/],
    ['renovate/all-minor-and-patch-updates-of-everything', /^renovate-all-minor-an-[0-9a-f]{6}$/],
  ])('%s is bent into a name that still tells it', (branch, expected) => {
    expect(stageOfBranch(branch)).toMatch(expected);
  });

  test('is a name for a stack, bounded, whatever the branch is called', () => {
    const branches = ['x'.repeat(300), 'a/b', 'UPPER', '--', 'a--b-', '9lives', '.', 'é', 'a b', 'end-'];
    for (const branch of branches) {
      const stage = stageOfBranch(branch);
      expect(readStage(stage)).toBe(stage);
      expect(stage.length).toBeLessThanOrEqual(STAGE_CHARS_MAX);
      expect(stackNameOf(stage)).toMatch(STACK_NAME);
    }
  });

  test('is its alone: branches that look alike have stages of their own', () => {
    const branches = ['fix/a', 'fix-a', 'fix_a', 'Fix-a', 'fix.a', 'fix-a-', 'fix--a'];
    const long = ['x'.repeat(40), 'x'.repeat(41)];
    const stages = [...branches, ...long].map(stageOfBranch);
    expect(new Set(stages).size).toBe(branches.length + long.length);
  });

  test('is production for no branch but one of that very name', () => {
    expect(isProduction(stageOfBranch('production'))).toBe(true);
    for (const branch of ['Production', 'production/', 'feature/production', 'PROD', 'prod-fix']) {
      expect(isProduction(stageOfBranch(branch))).toBe(false);
    }
  });
});

describe('a stage that is named', () => {
  test.each(['', 'A', '1a', 'a_b', 'a/b', '-a', 'a-', 'a b', 'a'.repeat(29), 'a\n'])(
    'is refused, not bent, where it cannot be one: %j',
    (name) => {
      expect(() => readStage(name)).toThrow('A stage is named by');
    },
  );

  test('goes before a branch, and without either nothing is chosen', () => {
    expect(chosenStage({ stage: 'blue', branch: 'red' })).toBe('blue');
    expect(chosenStage({ branch: 'red' })).toBe('red');
    expect(chosenStage({})).toBeNull();
  });
});
