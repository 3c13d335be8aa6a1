import { describe, expect, it } from 'vitest';
import { PAYMENT_STATUSES } from '../../shared/domain/payment.ts';
import { LINK_STATUSES } from '../../shared/domain/payment-link.ts';
import { PAYOUT_STATUSES } from '../../shared/domain/payout.ts';
import { REFUND_STATUSES } from '../../shared/domain/refund.ts';
import { EVENT_TYPES } from '../../shared/domain/resource.ts';

/** The table of contract §10. */
const CONTRACT: Readonly<Record<string, string>> = {
  payment: 'created requires_action processing amount_mismatch succeeded failed expired canceled',
  refund: 'requested approved rejected processing succeeded failed canceled',
  payment_link: 'created disabled overpaid',
  payout: 'created paid returned failed',
  settlement: 'matched mismatched',
  webhook_endpoint: 'created updated deleted disabled',
};

describe('an event', () => {
  it('of a resource of the contract has one of its types', () => {
    const types = Object.entries(CONTRACT).flatMap(([resource, happenings]) =>
      happenings.split(' ').map((happening) => `${resource}.${happening}`),
    );
    const listed = EVENT_TYPES.filter((type) => type.replace(/\..*/, '') in CONTRACT);
    expect(listed.toSorted()).toEqual(types.toSorted());
  });

  it.each([
    ['payment', PAYMENT_STATUSES, []],
    ['refund', REFUND_STATUSES, []],
    // Their initial statuses, which the created event reports.
    ['payment_link', LINK_STATUSES, ['active']],
    ['payout', PAYOUT_STATUSES, ['pending']],
  ] as const)('exists for every status that a %s can have', (resource, statuses, beginnings) => {
    const own = EVENT_TYPES.filter((type) => type.startsWith(`${resource}.`));
    const without = statuses.filter((status) => !own.some((type) => type === `${resource}.${status}`));
    expect(without).toEqual(beginnings);
  });
});
