import { createClient, WebhookVerificationError, webhooks } from 'payments-kit';

/* Bundled and run by installed.slow.test.ts, in a page of a browser. */

/** Takes a payment, and verifies the webhook of its success: as it was delivered, and with another amount in it. */
async function buy(baseUrl: string, key: string) {
  const client = createClient({ baseUrl, key });
  const { id } = await client.createWebhookSink();
  const amount = { currency: 'THB', minor: 129_900 } as const;
  const payment = await client.createPayment({ amount, method: 'promptpay' });
  await client.simulatePayment(payment.id, { outcome: 'succeeded' });
  await client.advanceClock({ seconds: 1 });
  const paid: string[] = [];
  for await (const { number, status } of client.listPayments()) {
    paid.push(`${number} ${status}`);
  }
  const { secret } = await client.getWebhookSink(id);
  const [delivery] = (await client.listDeliveries(id, { limit: 1 })).data;
  const { body = '', request_headers = {} } = delivery ?? {};
  return {
    paid,
    event: webhooks.verify(body, request_headers, secret).type,
    isForgeryRefused: isRefused(() => webhooks.verify(body.replace('129900', '1'), request_headers, secret)),
  };
}

function isRefused(verify: () => unknown): boolean {
  try {
    verify();
    return false;
  } catch (error) {
    return error instanceof WebhookVerificationError;
  }
}

Object.assign(globalThis, { buy });
