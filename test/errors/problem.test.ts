import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ErrorCode } from '../../shared/errors/catalogue.ts';
import { found, invalidFields, isProblem, Problem } from '../../shared/errors/problem.ts';

describe('a problem', () => {
  it('takes its status from the catalogue', () => {
    expect(new Problem('refund_not_found')).toMatchObject({ code: 'refund_not_found', status: 404 });
  });

  it('carries the details that the caller needs', () => {
    const problem = new Problem('refund_amount_exceeded', { details: { refundable_minor: 5 } });
    expect(problem.details).toEqual({ refundable_minor: 5 });
    expectTypeOf(problem.details.refundable_minor).toEqualTypeOf<number>();
  });

  it('lists invalid fields as a 422', () => {
    const errors = [{ code: 'required', field: 'amount', message: 'is required' }] as const;
    expect(invalidFields(errors)).toMatchObject({ code: 'validation_failed', status: 422, errors });
  });

  it('is known by its code, and its details with it', () => {
    const error: unknown = new Problem('link_unavailable', { details: { reason: 'expired' } });
    expect(isProblem(error, 'invalid_state', 'clock_busy')).toBe(false);
    expect(isProblem(new Error('link_unavailable'), 'link_unavailable')).toBe(false);
    if (!isProblem(error, 'link_unavailable')) {
      throw new Error('it is none');
    }
    expect(error.details.reason).toBe('expired');
    expectTypeOf(error.details.reason).toEqualTypeOf<'disabled' | 'expired' | 'exhausted' | 'reserved'>();
  });

  it('compiles with the details of its code and with nothing else', () => {
    const details = { refundable_minor: 5 };
    const errors = [{ code: 'required', field: 'amount', message: 'is required' }] as const;
    const anyCode = (code: ErrorCode) => code;
    expect(() => [
      // @ts-expect-error details are missing
      new Problem('invalid_state'),
      // @ts-expect-error details are missing
      new Problem('permission_denied', { detail: 'Use another key.' }),
      // @ts-expect-error one detail is missing
      new Problem('invalid_state', { details: { current_status: 'open' } }),
      // @ts-expect-error one detail too many
      new Problem('permission_denied', { details: { required: 'payment.read', given: 'none' } }),
      // @ts-expect-error a detail of another type
      new Problem('refund_amount_exceeded', { details: { refundable_minor: '5' } }),
      // @ts-expect-error a word that is not one of those
      new Problem('link_unavailable', { details: { reason: 'sold_out' } }),
      // @ts-expect-error details of another code
      new Problem('link_unavailable', { details }),
      // @ts-expect-error details where the code has none
      new Problem('refund_not_found', { details }),
      // @ts-expect-error fields are missing
      new Problem('validation_failed'),
      // @ts-expect-error fields where the code has none
      new Problem('refund_not_found', { errors }),
      // @ts-expect-error it may be a code that needs details
      new Problem(anyCode('invalid_state')),
      // @ts-expect-error a not-found problem has no details
      () => found(null, 'invalid_state'),
    ]).not.toThrow();
  });
});
