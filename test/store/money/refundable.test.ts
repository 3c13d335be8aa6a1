import { expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { changeRefundable } from '../../../shared/store/money/refundable.ts';
import { commit } from '../../../shared/store/table/commit.ts';
import { find } from '../../../shared/store/table/entity.ts';
import { newMerchant } from '../../support/world/api.ts';
import { worldOf } from '../../support/world/resources.ts';

async function newPayment(isPaid: boolean) {
  const { api, merchant } = await newMerchant();
  const body = { amount: { currency: 'THB', minor: 100 }, method: 'promptpay' };
  const { id } = (await api(operations.createPayment, { body })).json;
  if (isPaid) {
    await api(operations.simulatePayment, { params: { id }, body: { outcome: 'succeeded' } });
  }
  const world = await worldOf(merchant);
  const change = (kind: 'hold' | 'release' | 'paid-back', minor: number, isAll?: true) => {
    const amount = { currency: 'THB', minor } as const;
    return commit([changeRefundable(world, { kind, paymentId: id, amount, ...(isAll && { isAll }) })]);
  };
  return { change, read: () => find('payment', world, id) };
}

test('a refund holds no more than is left, whatever was decided before', async () => {
  const { change, read } = await newPayment(true);
  expect((await change('hold', 60)).kind).toBe('committed');
  expect((await change('hold', 41)).kind).toBe('conflict');
  expect((await change('hold', 40)).kind).toBe('committed');
  expect((await change('hold', 1)).kind).toBe('conflict');
  expect(await read()).toMatchObject({ refundableMinor: 0, refundedMinor: 0 });
});

test('a refund of all that is left holds exactly what was read', async () => {
  const { change } = await newPayment(true);
  expect((await change('hold', 99, true)).kind).toBe('conflict');
  expect((await change('hold', 100, true)).kind).toBe('committed');
});

test('a released amount can be held again, and one that was paid back stays gone', async () => {
  const { change, read } = await newPayment(true);
  await change('hold', 100);
  await change('release', 30);
  await change('paid-back', 70);
  expect(await read()).toMatchObject({ refundableMinor: 30, refundedMinor: 70 });
});

test('nothing is held of a payment that is not paid', async () => {
  const { change } = await newPayment(false);
  expect((await change('hold', 1)).kind).toBe('conflict');
});
