import type { WrongShop } from './wrong-shops.ts';

/** A right shop that asks the API whether an order is paid, so that it knows before its event comes. */
export const ASKS_THE_API: Pick<WrongShop, 'of' | 'changes'> = {
  of: 'sqlite-shop.ts',
  changes: [
    [
      'const shop = new Shop(database);',
      'const shop = new Shop(database);\n  const paidAt = new Map<string, () => Promise<boolean>>();',
    ],
    [
      'return [200, { payment_id: await order(api, reference, amount) }];',
      `const payment_id = await order(api, reference, amount);
      paidAt.set(reference, async () => (await createClient(api).getPayment(payment_id)).status === 'succeeded');
      return [200, { payment_id }];`,
    ],
    [
      "[404, { error: 'Order not found' }] : [200, state];",
      `[404, { error: 'Order not found' }]
        : [200, (await paidAt.get(searchParams.get('reference') ?? '')?.()) ? { ...state, paid: true, fulfilled: 1 } : state];`,
    ],
  ],
};
