import { operations } from '../../../shared/contract/operations.ts';
import type { Received } from '../../support/world/api.ts';
import { ORDER, type Shop } from './shop.ts';
import { tryCases } from './try-cases.ts';

const KEY = { idempotencyKey: 'k' };
/** The payer has paid before. */
const PAID = '409 invalid_state succeeded';
const UNCHOSEN = { method: undefined };

function resultOf({ status, problem }: Pick<Received<typeof operations.getPayment>, 'status' | 'problem'>) {
  return status < 400
    ? String(status)
    : [status, problem.code, ...Object.values(problem.details ?? {}).slice(0, 1)].join(' ');
}

/** A payment that is paid, as reported by Stripe. */
async function paid(shop: Shop) {
  const { json } = await shop.create();
  await shop.pay();
  await shop.deliverNotifications();
  return json;
}

tryCases([
  {
    name: 'create a payment',
    expected: '201',
    ready:
      async ({ create }) =>
      async () =>
        resultOf(await create({}, 'k')),
  },
  {
    // A process that was asked for a number a moment ago takes several at once.
    name: 'create a payment in a rush, which takes numbers for others',
    expected: '201',
    ready: async ({ create }) => {
      await create(UNCHOSEN);
      return async () => resultOf(await create({}, 'k'));
    },
  },
  {
    name: 'create a payment in a rush, by a number that is there',
    expected: '201',
    ready: async ({ create }) => {
      await create(UNCHOSEN);
      await create(UNCHOSEN);
      return async () => resultOf(await create({}, 'k'));
    },
  },
  {
    name: 'pay by a link',
    expected: '303',
    ready: async ({ api, press }) => {
      const amount = { type: 'fixed', fixed: ORDER.amount };
      const body = { amount, collect: { email: 'required' }, max_uses: 2 };
      const { json: link } = await api(operations.createPaymentLink, { body });
      const form = { attempt: 'a', email: ORDER.customer.email };
      return async () => String((await press(String(link.url), form)).status);
    },
  },
  {
    name: 'choose a method on the page',
    expected: '303',
    ready: async ({ create, press }) => {
      const { json: payment } = await create(UNCHOSEN);
      return async () => String((await press(String(payment.checkout_url), { method: 'promptpay' })).status);
    },
  },
  {
    name: 'cancel a payment',
    expected: '200',
    orExpected: [PAID],
    ready: async ({ create, api }) => {
      const { json: payment } = await create();
      const params = { id: payment.id };
      return async () => resultOf(await api(operations.cancelPayment, { ...KEY, params, body: {} }));
    },
  },
  {
    name: 'cancel a payment that was paid',
    expected: PAID,
    ready: async ({ create, api, pay }) => {
      const { json: payment } = await create();
      await pay();
      const params = { id: payment.id };
      return async () => resultOf(await api(operations.cancelPayment, { ...KEY, params, body: {} }));
    },
  },
  {
    name: 'request a refund',
    expected: '200',
    ready: async (shop) => {
      const params = { id: (await paid(shop)).id };
      return async () => resultOf(await shop.api(operations.requestRefund, { ...KEY, params, body: {} }));
    },
  },
  {
    name: 'cancel a refund',
    expected: '200',
    ready: async (shop) => {
      const params = { id: (await paid(shop)).id };
      const { json: refund } = await shop.api(operations.requestRefund, { params, body: {} });
      return async () =>
        resultOf(await shop.api(operations.cancelRefund, { ...KEY, params: { id: refund.id }, body: {} }));
    },
  },
]);
