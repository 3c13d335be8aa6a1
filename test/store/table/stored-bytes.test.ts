import { expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { worldIdOf } from '../../../shared/domain/world.ts';
import { newMerchant } from '../../support/world/api.ts';
import { storedBytes } from '../../support/world/stored-bytes.ts';
import { rawItems } from '../../support/world/stored-table.ts';

/** DynamoDB counts one write unit per started 1,024 bytes. */
const ONE_UNIT_BYTES = 1_000;

test('a payment and each of its saved responses fit one write unit, through its refund', async () => {
  const { api, merchant } = await newMerchant();
  const bytesOf = async (sk: string) => {
    const items = await rawItems({ pkBegins: `${worldIdOf(merchant, 'test')}.` });
    return items.filter((item) => item.sk === sk).map(storedBytes);
  };
  const { json } = await api(operations.createPayment, {
    body: {
      amount: { currency: 'THB', minor: 129_900 },
      method: 'promptpay',
      reference: 'order-1042',
      checkout: true,
      customer: { email: 'somchai@example.com' },
      metadata: { cart: 'c-77120', channel: 'line-oa' },
    },
  });
  const params = { id: json.id };
  const steps = [
    async () => undefined,
    () => api(operations.simulatePayment, { params, body: { outcome: 'succeeded' } }),
    () => api(operations.requestRefund, { params, body: {} }),
  ];
  for (const [index, step] of steps.entries()) {
    await step();
    const [payments, claims] = [await bytesOf('PAYMENT'), await bytesOf('CLAIM')];
    expect([payments.length, claims.length]).toEqual([1, index + 1]);
    for (const bytes of [...payments, ...claims]) {
      expect(bytes).toBeGreaterThan(200);
      expect(bytes).toBeLessThanOrEqual(ONE_UNIT_BYTES);
    }
  }
});

test('bytes are counted as DynamoDB does', () => {
  const item = {
    pk: 'กข',
    n: 12_345,
    minus: -1.5,
    none: null,
    is: true,
    b: new Uint8Array(9),
    gone: undefined,
  };
  expect(storedBytes(item)).toBe(2 + 6 + 1 + 4 + 5 + 3 + 4 + 1 + 2 + 1 + 1 + 9);
  expect(storedBytes({ map: { a: 'b' }, list: ['c', 'de'] })).toBe(3 + 3 + 1 + 2 + 4 + 3 + 2 + 3);
});
