import { describe, expect, it } from 'vitest';
import { PERMISSIONS, PRESETS } from '../../shared/contract/permissions.ts';

/** Interface, Authentication 3. */
const OF_THE_INTERFACE = `payment.create payment.cancel refund.request refund.cancel paymentlink.create
  paymentlink.manage simulate seed reset`.split(/\s+/);
/** Contract §1. */
const ADDED = 'payment.read refund.read paymentlink.read event.read webhook.manage webhook.read'.split(' ');
const OF_A_MERCHANT = OF_THE_INTERFACE.filter((name) => name.includes('.')).concat(ADDED);
const OF_A_TESTER = [...OF_A_MERCHANT, 'simulate', 'seed', 'world.create'];

describe('permissions', () => {
  it('are the nine of the interface, the four reads, and those of webhooks and of worlds', () => {
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
