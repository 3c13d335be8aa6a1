import { describe, expect, it } from 'vitest';
import { invalidFields, Problem } from '../../shared/errors/problem.ts';

describe('a problem', () => {
  it('takes its status from the catalogue', () => {
    expect(new Problem('refund_not_found')).toMatchObject({ code: 'refund_not_found', status: 404 });
  });

  it('carries the details that the caller needs', () => {
    const problem = new Problem('refund_amount_exceeded', { details: { refundable_minor: 5 } });
    expect(problem.more.details).toEqual({ refundable_minor: 5 });
  });

  it('lists invalid fields as a 422', () => {
    const errors = [{ code: 'required', field: 'amount', message: 'is required' }] as const;
    expect(invalidFields(errors)).toMatchObject({ code: 'validation_failed', status: 422, more: { errors } });
  });
});
