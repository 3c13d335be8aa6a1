import { describe, expect, test } from 'vitest';
import { catalogue, type DetailedCode, type DetailsOf } from '../../shared/errors/catalogue.ts';
import { detailOf } from '../../shared/errors/detail.ts';
import { Problem } from '../../shared/errors/problem.ts';

type Wordings = {
  readonly [Code in Exclude<DetailedCode, 'invalid_state'>]: readonly [
    details: DetailsOf<Code>,
    said: string,
  ][];
};

/** Details of each code that has some, and how its detail says their values. */
const WORDINGS: Wordings = {
  permission_denied: [
    [{ required: 'payment.create' }, 'permission payment.create.'],
    [{ required: ['payment.read', 'simulate'] }, 'permissions payment.read, simulate.'],
  ],
  link_unavailable: [
    [{ reason: 'disabled' }, 'is disabled'],
    [{ reason: 'expired' }, 'has expired'],
    [{ reason: 'exhausted' }, 'is exhausted: it has no uses left'],
    [{ reason: 'reserved' }, 'reserved by payers who have not paid yet'],
  ],
  settlement_exists: [[{ settled_minor: 129_900 }, '1,299.00 THB']],
  refund_amount_exceeded: [
    [{ refundable_minor: 30_000 }, 'At most 300.00 THB is left to refund.'],
    [{ refundable_minor: 999_999_999_999 }, 'At most 9,999,999,999.99 THB is left'],
    [{ refundable_minor: 1 }, 'At most 0.01 THB is left'],
    [{ refundable_minor: 0 }, 'Nothing is left to refund: 0.00 THB.'],
  ],
  refund_window_closed: [[{ closed_at: '2026-11-22T10:00:00.000Z' }, 'until 2026-11-22T10:00:00.000Z']],
  amount_mismatch: [[{ expected_minor: 10_050 }, 'The amount of the payment is 100.50 THB.']],
  method_unavailable: [[{ available: ['promptpay', 'wallet'] }, 'promptpay, wallet']],
  provider_refused: [
    [{ provider_code: 'amount_too_small' }, 'The code of the provider is amount_too_small.'],
  ],
};
const ROWS = Object.entries(WORDINGS).flatMap(([code, rows]) => rows.map((row) => [code, ...row] as const));

describe('the detail of a problem', () => {
  test.each(ROWS)('says the values in the details of %s: %j', (code, details, said) => {
    const problem = new Problem(code as 'permission_denied', { details: details as never });
    expect(detailOf(problem)).toContain(said);
  });

  test('is worded for every code with details', () => {
    const codes = Object.entries(catalogue).flatMap(([code, entry]) => ('details' in entry ? [code] : []));
    // The machine of the resource words it, with the name of the operation.
    expect([...Object.keys(WORDINGS), 'invalid_state'].toSorted()).toEqual(codes.toSorted());
  });

  test('of a code without details is its advice', () => {
    expect(detailOf(new Problem('payment_not_found'))).toBeUndefined();
  });
});
