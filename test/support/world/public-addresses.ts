import { operations } from '../../../shared/contract/operations.ts';
import type { Client } from './api.ts';
import { createLink, createPayment } from './resources.ts';

/** Addresses that lead into a world without a key: of a payer's page, a link and a sink. */
export async function createPublicAddresses(api: Client) {
  const { json: sink } = await api(operations.createWebhookSink);
  const payment = await createPayment(api, { checkout: true, method: 'promptpay' });
  const link = await createLink(api);
  return [
    [String(payment.checkout_url), 'GET'],
    [link.url, 'GET'],
    [sink.url, 'POST'],
  ] as const;
}

/** The statuses of requests to these addresses. */
export function statusesOf(ways: Awaited<ReturnType<typeof createPublicAddresses>>): Promise<number[]> {
  return Promise.all(
    ways.map(async ([url, method]) => {
      const response = await fetch(url, method === 'POST' ? { method, body: '{}' } : {});
      return response.status;
    }),
  );
}
