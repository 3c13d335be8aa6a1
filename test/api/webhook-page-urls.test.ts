import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { clientOf, newMerchant } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import type { MerchantServerOptions } from '../support/world/merchant-server.ts';
import { createPayment, moveClock, pay } from '../support/world/resources.ts';
import { createEndpoint, startReceiver, updateEndpoint } from '../support/world/webhook-endpoints.ts';

describe('an endpoint made with a key that may not read payments', { tags: 'slow' }, () => {
  const NOT_READING = ['webhook.manage', 'webhook.read', 'paymentlink.read'] as const;

  /** An endpoint of such a key, which another key has subscribed to payments. */
  async function newUnseeing(options?: MerchantServerOptions) {
    const { api, merchant } = await newMerchant();
    const { secret } = await newKey({ merchant, permissions: NOT_READING });
    const blind = clientOf(secret);
    const receiver = await startReceiver(options);
    const endpoint = await createEndpoint(blind, { url: receiver.url, events: ['payment_link.*'] });
    await updateEndpoint(api, endpoint.id, { events: ['payment.*'] });
    return { api, blind, receiver, endpoint };
  }

  const objectOf = ({ body }: { readonly body: string }) => JSON.parse(body).data.object;
  const NO_PAGES = { checkout_url: null, next_action: null };

  test('gets no page URL at any attempt, and a signature of the text that is sent', async () => {
    const since = new Date().toISOString();
    const { api, receiver, endpoint } = await newUnseeing({ answer: (nth) => (nth <= 2 ? 503 : 204) });
    const seeing = await startReceiver();
    await createEndpoint(api, { url: seeing.url });
    const sink = (await api(operations.createWebhookSink, { body: {} })).json;
    const payment = await createPayment(api, { checkout: true });
    await moveClock(api, 10);
    const params = { id: endpoint.id };
    const { data } = (await api(operations.listEndpointDeliveries, { params })).json;
    await api(operations.redeliverEvent, { params: { ...params, delivery_id: String(data[0]?.id) } });
    await moveClock(api, 1);
    // Both events were refused once, and one was sent again by hand; on a slow machine, one may come twice.
    expect(receiver.received.length).toBeGreaterThanOrEqual(5);
    await updateEndpoint(api, endpoint.id, { enabled: false });
    await pay(api, payment.id);
    await moveClock(api, 1);
    await updateEndpoint(api, endpoint.id, { enabled: true });
    await api(operations.recoverEvents, { params, body: { since } });
    await moveClock(api, 1);
    expect(receiver.types().at(-1)).toBe('payment.succeeded');
    const verifier = new Webhook(endpoint.secret);
    for (const { headers, body } of receiver.received) {
      expect(objectOf({ body })).toMatchObject({ id: payment.id, ...NO_PAGES });
      expect(body).not.toContain('/checkout/');
      expect(() => verifier.verify(body, headers as Record<string, string>)).not.toThrow();
    }
    // The log shows what was sent, to any key that may read it.
    const logged = (await api(operations.listEndpointDeliveries, { params })).json.data;
    expect(new Set(logged.map(({ body }) => body))).toEqual(
      new Set(receiver.received.map(({ body }) => body)),
    );
    const isPayment = ({ id }: { readonly id: string }) => id === payment.id;
    const seen = seeing.received.map(objectOf).filter(isPayment);
    expect(new Set(seen.map(({ checkout_url }) => checkout_url))).toEqual(new Set([payment.checkout_url]));
    expect(seen.map(({ next_action }) => next_action)).toContainEqual(payment.next_action);
    const ofSink = (await api(operations.listDeliveries, { params: { id: sink.id } })).json.data;
    const shown = ofSink.map(objectOf).filter(isPayment);
    expect(shown.length).toBeGreaterThan(0);
    expect(new Set(shown.map(({ checkout_url }) => checkout_url))).toEqual(new Set([payment.checkout_url]));
  });

  test('gets page URLs once a key that may read payments changes its URL, and the reverse', async () => {
    const { api, blind, endpoint } = await newUnseeing();
    const [own, others] = [await startReceiver(), await startReceiver()];
    await updateEndpoint(api, endpoint.id, { url: own.url });
    const { id } = await createEndpoint(api, { url: own.url, events: ['payment_link.*'] });
    // An update with the same URL, or of the description, changes nothing about that.
    await updateEndpoint(blind, id, { description: 'orders', url: own.url });
    await updateEndpoint(api, id, { events: ['payment.created'] });
    const payment = await createPayment(api, { checkout: true });
    await moveClock(api, 1);
    // Two events to the one, and one to the other.
    expect(own.received.length).toBeGreaterThanOrEqual(3);
    const addresses = own.received.map(objectOf).map(({ checkout_url }) => checkout_url);
    expect(new Set(addresses)).toEqual(new Set([payment.checkout_url]));
    await updateEndpoint(api, id, { events: ['payment_link.*'] });
    await updateEndpoint(blind, id, { url: others.url });
    await updateEndpoint(api, id, { events: ['payment.*'] });
    await createPayment(api, { checkout: true });
    await moveClock(api, 1);
    expect(new Set(others.ids()).size).toBe(2);
    for (const sent of others.received.map(objectOf)) {
      expect(sent).toMatchObject(NO_PAGES);
    }
  });
});
