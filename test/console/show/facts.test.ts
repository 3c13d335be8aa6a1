import { describe, expect, it } from 'vitest';
import { titleOf } from '../../../shared/console/show/facts.ts';
import type { EventView } from '../../../shared/contract/events.ts';
import { VIEW } from '../../../shared/contract/views.ts';
import { aWorld, ENTITIES } from '../../support/world/entities.ts';

const THB = (minor: number) => ({ currency: 'THB', minor }) as const;
const WORLD = aWorld();
const LINK = VIEW.paymentLink(WORLD, ENTITIES.paymentLink);

describe('the title of a resource', () => {
  it('is its amount, or what is expected', () => {
    expect([
      titleOf('payments.GetPayment', VIEW.payment(WORLD, ENTITIES.payment)),
      titleOf('payments.GetRefund', VIEW.refund(WORLD, ENTITIES.refund)),
      titleOf('checkout.GetPaymentLink', LINK),
      titleOf('payouts.GetPayout', VIEW.payout(WORLD, ENTITIES.payout)),
      titleOf('settlements.GetSettlement', VIEW.settlement(WORLD, ENTITIES.settlement)),
    ]).toEqual(['฿100.00', '฿25.00', '฿350.00', '฿100.00', '฿100.00']);
  });

  it('is the type of an event', () => {
    const event = { type: 'payment.created' } as EventView;
    expect(titleOf('events.GetEvent', event)).toBe('payment.created');
  });

  it('is the bounds of an open amount', () => {
    const title = (min: number | null, max: number | null) =>
      titleOf('checkout.GetPaymentLink', {
        ...{ ...LINK, amount: null, amount_type: 'open' },
        min_amount: min === null ? null : THB(min),
        max_amount: max === null ? null : THB(max),
      });
    expect(title(100, 500)).toBe('฿1.00 to ฿5.00');
    expect(title(100, null)).toBe('฿1.00 or more');
    expect(title(null, 500)).toBe('Up to ฿5.00');
    expect(title(null, null)).toBe('Any amount');
  });
});
