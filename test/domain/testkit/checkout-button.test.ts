import { describe, expect, it } from 'vitest';
import { outcomeOfButton } from '../../../shared/domain/testkit/checkout-button.ts';
import { aPayment, CREATED_AT_MS } from '../../support/world/entities.ts';

const MINUTE_MS = 60_000;

describe('a button of the checkout page', () => {
  it.each([
    ['pay', 'succeeded'],
    ['fail', 'failed'],
    ['mismatch', 'mismatch'],
  ] as const)('%s takes effect at once: %s', (action, outcome) => {
    expect(outcomeOfButton(action, aPayment(), CREATED_AT_MS)).toEqual({ outcome, delaySeconds: 0 });
  });

  it('late takes effect a second after the time of an open payment is over', () => {
    const payment = aPayment({ expiresAtMs: CREATED_AT_MS + 15 * MINUTE_MS + 300 });
    expect(outcomeOfButton('late', payment, CREATED_AT_MS)).toEqual({
      outcome: 'succeeded',
      delaySeconds: 902,
    });
  });

  it.each(['expired', 'canceled'] as const)('late takes effect at once on a payment that is %s', (status) => {
    expect(outcomeOfButton('late', aPayment({ status }), CREATED_AT_MS).delaySeconds).toBe(0);
  });

  it('late takes effect at once if the time is over, even before a job has recorded it', () => {
    expect(outcomeOfButton('late', aPayment(), CREATED_AT_MS + 15 * MINUTE_MS).delaySeconds).toBe(0);
  });
});
