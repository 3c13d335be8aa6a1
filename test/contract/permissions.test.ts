import { describe, expect, it } from 'vitest';
import { PERMISSIONS, PRESETS } from '../../shared/contract/permissions.ts';

/** Interface, Authentication 3. */
const OF_THE_INTERFACE = `payment.create payment.cancel refund.request refund.cancel paymentlink.create
  paymentlink.manage simulate seed reset`.split(/\s+/);
/** Contract §1. */
const READS = 'payment.read refund.read paymentlink.read event.read'.split(' ');
const OF_A_MERCHANT = OF_THE_INTERFACE.filter((name) => name.includes('.')).concat(READS);

describe('permissions', () => {
  it('are the nine of the interface and the four reads', () => {
    expect([...PERMISSIONS].toSorted()).toEqual([...OF_THE_INTERFACE, ...READS].toSorted());
  });

  it.each([
    ['merchant', OF_A_MERCHANT],
    ['tester', [...OF_A_MERCHANT, 'simulate', 'seed']],
    ['owner', [...OF_THE_INTERFACE, ...READS]],
  ] as const)('of the preset %s are exactly those of the contract', (preset, names) => {
    expect([...PRESETS[preset]].toSorted()).toEqual([...names].toSorted());
  });

  it('let nobody but an owner wipe the test data', () => {
    const holders = Object.entries(PRESETS).filter(([, names]) =>
      (names as readonly string[]).includes('reset'),
    );
    expect(holders.map(([name]) => name)).toEqual(['owner']);
  });
});
