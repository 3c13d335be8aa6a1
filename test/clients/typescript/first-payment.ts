import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { components, paths } from './payments.ts';

/* The README's first payment by what openapi-typescript makes of the document. Prints what it has read. */

const { BASE_URL = '', KEY = '' } = process.env;
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { Authorization: `Bearer ${KEY}` } });

async function create(body: components['schemas']['CreatePaymentRequest']) {
  const { data, error } = await client.POST('/api/v1/payments', { ...once(), body });
  return data ?? fail(error);
}

async function read(id: string) {
  const { data, error } = await client.GET('/api/v1/payments/{id}', { params: { path: { id } } });
  return data ?? fail(error);
}

function cancel(id: string) {
  const { header } = once().params;
  return client.POST('/api/v1/payments/{id}/cancel', { params: { path: { id }, header }, body: {} });
}

function once() {
  return { params: { header: { 'Idempotency-Key': randomUUID() } } };
}

function fail(problem: components['schemas']['Problem'] | undefined): never {
  throw new Error(`${problem?.status} ${problem?.code}: ${problem?.detail}`);
}

const created = await create({
  amount: { currency: 'THB', minor: 129_900 },
  method: 'promptpay',
  reference: 'order-1042',
  metadata: { cart: 'c-7', items: 3, gift: true },
});
const payment = await read(created.id);
const qr = payment.next_action?.type === 'display_qr' ? payment.next_action.qr.payload : null;
const canceled = await cancel(created.id);
const again = await cancel(created.id);

const { data: link, error: linkProblem } = await client.POST('/api/v1/payment-links', {
  ...once(),
  body: { amount: { type: 'open', min: { currency: 'THB', minor: 2_000 } }, description: 'Tip jar' },
});
const large = await create({ amount: { currency: 'THB', minor: 3_000_000_000 }, method: 'bank_transfer' });
const { data: list, error: listProblem } = await client.GET('/api/v1/payments', {
  params: { query: { limit: 100 } },
});

const { id, status, amount, reference, metadata } = payment;
console.log(
  JSON.stringify({
    payment: { id, status, minor: amount.minor, currency: amount.currency, reference, metadata, qr },
    canceled: (canceled.data ?? fail(canceled.error)).status,
    refusal: {
      status: again.error?.status,
      code: again.error?.code,
      current_status: again.error?.details?.current_status,
    },
    link: {
      id: (link ?? fail(linkProblem)).id,
      amount_type: link?.amount_type,
      min_minor: link?.min_amount?.minor,
      description: link?.description,
    },
    large: {
      id: large.id,
      created: large.amount.minor,
      read: (await read(large.id)).amount.minor,
      listed: (list ?? fail(listProblem)).data.find((one) => one.id === large.id)?.amount.minor,
    },
  }),
);
