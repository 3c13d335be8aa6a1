import { describe, expect, it } from 'vitest';
import { invalidState, type Machine, nextState } from '../../shared/domain/machine.ts';
import { problemOf } from '../support/faults/thrown-problem.ts';

const door: Machine<'open' | 'shut' | 'walled', 'push' | 'wall'> = {
  open: { push: 'shut' },
  shut: { push: 'open', wall: 'walled' },
  walled: {},
};

describe('a machine', () => {
  it('makes the step that the table has', () => {
    expect(nextState(door, 'shut', 'wall')).toBe('walled');
  });

  it('refuses every other step with a 409 that names the status and the allowed ones', () => {
    const problem = problemOf(() => nextState(door, 'open', 'wall'));
    expect(problem).toMatchObject({
      code: 'invalid_state',
      status: 409,
      detail: 'It is open. Wall works from shut.',
    });
    expect(problem.details).toEqual({ current_status: 'open', allowed_from: ['shut'] });
  });

  it('never leaves a final state', () => {
    expect(problemOf(() => nextState(door, 'walled', 'push')).details).toEqual({
      current_status: 'walled',
      allowed_from: ['open', 'shut'],
    });
  });

  it('names all allowed statuses of a refused operation, in words', () => {
    expect(invalidState('requireAction', 'shut', ['a', 'b', 'c']).detail).toBe(
      'It is shut. Require action works from a, b, and c.',
    );
  });
});
