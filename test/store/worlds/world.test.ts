import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { interceptCalls } from '../../../shared/store/table/aws-client.ts';
import { newMerchant } from '../../support/world/api.ts';
import { moveClock, worldOf } from '../../support/world/resources.ts';

const { dynamodb } = await import('../../../shared/store/table/client.ts');
const { takeNumber } = await import('../../../shared/store/worlds/world.ts');

/** As DynamoDB refuses a write of an item that a transaction holds. */
class TransactionConflict extends Error {
  override readonly name = 'TransactionConflictException';
}

/** Lets the taking of a number run into a transaction so many times. */
function holdItems(times: number): void {
  let left = times;
  const stop = interceptCalls(dynamodb, async (call, next) => {
    if (call.step === 'take number' && left > 0) {
      left -= 1;
      throw new TransactionConflict();
    }
    return next();
  });
  onTestFinished(stop);
}

describe('a number', () => {
  it('is given out though events are being counted on the same item', async () => {
    const world = await worldOf((await newMerchant()).merchant);
    holdItems(3);
    expect([await takeNumber(world, 'payment'), await takeNumber(world, 'payment')]).toEqual([
      'P-000001',
      'P-000002',
    ]);
  });

  it('is refused where the item is held on and on', { tags: 'slow' }, async () => {
    const world = await worldOf((await newMerchant()).merchant);
    holdItems(Number.POSITIVE_INFINITY);
    await expect(takeNumber(world, 'payment')).rejects.toThrow(TransactionConflict);
  });

  it('is refused where the clock was moved, or the world purged, since the world was read', async () => {
    const { api, merchant } = await newMerchant();
    const before = await worldOf(merchant);
    await moveClock(api, 60);
    await expect(takeNumber(before, 'payment')).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    const moved = await worldOf(merchant);
    expect(await takeNumber(moved, 'payment')).toBe('P-000001');
    await api(operations.purgeTestData);
    await expect(takeNumber(moved, 'payment')).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  });

  it.each([
    ['live', 2],
    ['test', 5],
  ] as const)('of a %s world, taken five times in a rush, costs %i writes', async (mode, expected) => {
    const world = await worldOf((await newMerchant()).merchant);
    let writes = 0;
    const stop = interceptCalls(dynamodb, (call, next) => {
      writes += call.step === 'take number' ? 1 : 0;
      return next();
    });
    onTestFinished(stop);
    // No second goes by.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    for (const number of ['P-000001', 'P-000002', 'P-000003', 'P-000004', 'P-000005']) {
      expect(await takeNumber({ ...world, mode }, 'payment')).toBe(number);
    }
    expect(writes).toBe(expected);
  });
});
