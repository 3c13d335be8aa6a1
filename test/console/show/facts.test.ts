import { describe, expect, it } from 'vitest';
import { factsOf, titleOf } from '../../../shared/console/show/facts.ts';
import { factName, showTexts } from '../../../shared/console/show/show-texts.ts';
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

describe('the facts of a resource', () => {
  it('are in words: statuses, methods, money, flags', () => {
    const payment = VIEW.payment(WORLD, ENTITIES.payment);
    const facts = factsOf({
      ...payment,
      ...{ status: 'requires_action', method: 'truemoney', refunded_minor: 2_500, late: true },
    });
    const shown = Object.fromEntries(facts.map(({ name, value }) => [name, value]));
    expect(shown).toMatchObject({
      status: 'Waiting for the payer',
      method: 'TrueMoney',
      refunded_minor: THB(2_500),
      late: 'yes',
    });
  });

  it('keep the method of a request as it is', () => {
    const facts = factsOf({ id: 'req_01h455vb4pex5vsknk084sn02q', method: 'POST' });
    expect(facts.map(({ value }) => value)).toContain('POST');
  });

  it('have a name for each field of a view', () => {
    const views: readonly object[] = [
      VIEW.payment(WORLD, ENTITIES.payment),
      VIEW.refund(WORLD, ENTITIES.refund),
      LINK,
      VIEW.payout(WORLD, ENTITIES.payout),
      VIEW.settlement(WORLD, ENTITIES.settlement),
    ];
    const noLine = ['metadata', 'next_action', 'status_history'];
    const fields = views.flatMap((view) => Object.keys(view)).filter((field) => !noLine.includes(field));
    expect(fields.length).toBeGreaterThan(50);
    expect(fields.filter((field) => !Object.hasOwn(showTexts.fields, field))).toEqual([]);
    expect([factName('refunded_minor'), factName('a_new_field')]).toEqual(['refunded', 'a new field']);
  });
});
