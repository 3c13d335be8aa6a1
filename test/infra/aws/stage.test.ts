import { describe, expect, test } from 'vitest';
import {
  chosenStage,
  isProduction,
  readStage,
  stackNameOf,
  stageOfBranch,
} from '../../../infra/aws/stage.ts';

/** What CloudFormation takes as the name of a stack. */
const STACK_NAME = /^[a-zA-Z][-a-zA-Z0-9]{0,127}$/;
const STAGE_CHARS_MAX = 28;

describe('the stage of a branch', () => {
  test.each(['main', 'dev', 'fix-42', 'a', 'production'])('that has the name of a stage is %s', (branch) => {
    expect(stageOfBranch(branch)).toBe(branch);
  });

  test.each([
    ['feature/qr-codes', /^feature-qr-codes-[0-9a-f]{6}$/],
    ['Fix_That', /^fix-that-[0-9a-f]{6}$/],
    ['ทดสอบ', /^branch-[0-9a-f]{6}$/],
    ['2026/11', /^branch-[0-9a-f]{6}$/],
    ['-', /^branch-[0-9a-f]{6}$/],
    ['renovate/all-minor-and-patch-updates-of-everything', /^renovate-all-minor-an-[0-9a-f]{6}$/],
  ])('converts branch %s into a readable stage name', (branch, expected) => {
    expect(stageOfBranch(branch)).toMatch(expected);
  });

  test('is a valid stack name of limited length for any branch', () => {
    const branches = ['x'.repeat(300), 'a/b', 'UPPER', '--', 'a--b-', '9lives', '.', 'é', 'a b', 'end-'];
    for (const branch of branches) {
      const stage = stageOfBranch(branch);
      expect(readStage(stage)).toBe(stage);
      expect(stage.length).toBeLessThanOrEqual(STAGE_CHARS_MAX);
      expect(stackNameOf(stage)).toMatch(STACK_NAME);
    }
  });

  test('is unique: similar branches have different stages', () => {
    const branches = ['fix/a', 'fix-a', 'fix_a', 'Fix-a', 'fix.a', 'fix-a-', 'fix--a'];
    const long = ['x'.repeat(40), 'x'.repeat(41)];
    const stages = [...branches, ...long].map(stageOfBranch);
    expect(new Set(stages).size).toBe(branches.length + long.length);
  });

  test('is production only for the branch with exactly that name', () => {
    expect(isProduction(stageOfBranch('production'))).toBe(true);
    for (const branch of ['Production', 'production/', 'feature/production', 'prod', 'PROD', 'prod-fix']) {
      expect(isProduction(stageOfBranch(branch))).toBe(false);
    }
  });
});

describe('a named stage', () => {
  test.each(['', 'A', '1a', 'a_b', 'a/b', '-a', 'a-', 'a b', 'a'.repeat(29), 'a\n'])(
    'is refused, not converted, if its name is not valid: %j',
    (name) => {
      expect(() => readStage(name)).toThrow('A stage is named by');
    },
  );

  test('is not called prod, which nothing would protect', () => {
    expect(() => readStage('prod')).toThrow('Production is called "production".');
  });

  test('is named itself or by its branch, not by both, and without either no stage is chosen', () => {
    expect(chosenStage({ stage: 'blue' })).toBe('blue');
    expect(() => chosenStage({ stage: 'blue', branch: 'red' })).toThrow('not by both');
    expect(chosenStage({ branch: 'red' })).toBe('red');
    expect(chosenStage({})).toBeNull();
  });
});
