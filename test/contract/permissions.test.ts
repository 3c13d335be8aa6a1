import { describe, expect, it } from 'vitest';
import { PERMISSIONS, PRESETS } from '../../shared/contract/permissions.ts';

const CHANGES = `payment.create payment.cancel refund.request refund.cancel paymentlink.create
  paymentlink.manage simulate seed reset`.split(/\s+/);
const READS_AND_WEBHOOKS =
  'payment.read refund.read paymentlink.read event.read webhook.manage webhook.read'.split(' ');
const OF_A_MERCHANT = CHANGES.filter((name) => name.includes('.')).concat(READS_AND_WEBHOOKS);
const OF_A_TESTER = [...OF_A_MERCHANT, 'simulate', 'seed', 'world.create'];

describe('permissions', () => {
  it('are those of payments, refunds, links, events, webhooks and the test kit, and no others', () => {
    expect([...PERMISSIONS].toSorted()).toEqual([...OF_A_TESTER, 'reset'].toSorted());
  });

  it.each([
    ['merchant', OF_A_MERCHANT],
    ['tester', OF_A_TESTER],
    ['owner', [...OF_A_TESTER, 'reset']],
  ] as const)('of the preset %s are exactly those of the contract', (preset, names) => {
    expect([...PRESETS[preset]].toSorted()).toEqual([...names].toSorted());
  });

  it('let only an owner purge the test data', () => {
    const holders = Object.entries(PRESETS).filter(([, names]) =>
      (names as readonly string[]).includes('reset'),
    );
    expect(holders.map(([name]) => name)).toEqual(['owner']);
  });
});
