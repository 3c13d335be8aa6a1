import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { type Client, newMerchant } from '../support/api.ts';
import { type MerchantServerOptions, startMerchantServer } from '../support/merchant-server.ts';
import { advance, createLink, createPayment, pay } from '../support/resources.ts';

/* What the merchant's own servers get, on this machine: a deployed service sends nothing there. */

async function startReceiver(options?: MerchantServerOptions) {
  const server = await startMerchantServer(options);
  onTestFinished(() => server.stop());
  return {
    ...server,
    types: () => server.received.map(({ body }) => String(JSON.parse(body).type)),
  };
}

async function createEndpoint(api: Client, body: Record<string, unknown>) {
  const { status, text, json } = await api(operations.createWebhookEndpoint, { body });
  expect(status, text).toBe(201);
  return json;
}

function update(api: Client, id: string, body: Record<string, unknown>) {
  return api(operations.updateWebhookEndpoint, { params: { id }, body });
}

describe('an endpoint', () => {
  test("gets what happens, signed so that the scheme's own library takes it", async () => {
    const { api } = await newMerchant();
    const receiver = await startReceiver();
    const { secret } = await createEndpoint(api, { url: receiver.url });
    const { id } = await createPayment(api);
    await pay(api, id);
    await advance(api, 1);
    expect(receiver.types()).toEqual(['payment.created', 'payment.requires_action', 'payment.succeeded']);
    const { data } = (await api(operations.listEvents)).json;
    const verifier = new Webhook(secret);
    for (const { headers, body } of receiver.received) {
      const event = verifier.verify(body, headers as Record<string, string>);
      expect(data).toContainEqual(event);
      expect(() => verifier.verify(body.replace('THB', 'USD'), headers as Record<string, string>)).toThrow();
    }
  });

  test.each([
    [['payment.succeeded'], ['payment.succeeded']],
    [
      ['payment_link.*', 'payment.succeeded'],
      ['payment_link.created', 'payment.succeeded'],
    ],
    [['payment.*'], ['payment.created', 'payment.requires_action', 'payment.succeeded']],
    [['refund.*'], []],
  ])('that asks for %j gets %j', async (events, expected) => {
    const { api } = await newMerchant();
    const [receiver, all] = [await startReceiver(), await startReceiver()];
    await createEndpoint(api, { url: receiver.url, events });
    await createEndpoint(api, { url: all.url });
    await createLink(api);
    await advance(api, 1);
    await pay(api, (await createPayment(api)).id);
    await advance(api, 1);
    expect(receiver.types()).toEqual(expected);
    expect(all.types()).toHaveLength(4);
  });

  test('that is disabled gets nothing, and enabled again what happens from then on', async () => {
    const { api } = await newMerchant();
    const receiver = await startReceiver({ answer: (nth) => (nth === 1 ? 503 : 204) });
    const { id } = await createEndpoint(api, { url: receiver.url });
    const refused = await createLink(api);
    await advance(api, 1);
    expect(receiver.received).toHaveLength(1);
    await update(api, id, { enabled: false });
    const missed = await createLink(api);
    await advance(api, 60);
    await update(api, id, { enabled: true });
    const heard = await createLink(api);
    // The attempts that the first event had still before it are over too.
    await advance(api, 3 * 24 * 60 * 60);
    const told = receiver.received.map(({ body }) => JSON.parse(body).data.object.id);
    expect(told).toEqual([refused.id, heard.id]);
    expect(told).not.toContain(missed.id);
  });

  test('gets nothing more of what it no longer asks for, and nothing more once it is deleted', async () => {
    const { api } = await newMerchant();
    const [picky, gone] = [
      await startReceiver({ answer: () => 500 }),
      await startReceiver({ answer: () => 500 }),
    ];
    const { id } = await createEndpoint(api, { url: picky.url });
    const deleted = await createEndpoint(api, { url: gone.url });
    await createLink(api);
    await advance(api, 1);
    expect([picky.received, gone.received].map(({ length }) => length)).toEqual([1, 1]);
    await update(api, id, { events: ['payment.*'] });
    await api(operations.deleteWebhookEndpoint, { params: { id: deleted.id } });
    await advance(api, 3 * 24 * 60 * 60);
    expect([picky.received, gone.received].map(({ length }) => length)).toEqual([1, 1]);
  });

  test('that moves gets what is still to come at its new address', async () => {
    const { api } = await newMerchant();
    const [before, after] = [await startReceiver({ answer: () => 503 }), await startReceiver()];
    const { id } = await createEndpoint(api, { url: before.url });
    await createLink(api);
    await advance(api, 1);
    await update(api, id, { url: after.url });
    await advance(api, 5);
    expect(before.received).toHaveLength(1);
    expect(after.ids()).toEqual(before.ids());
  });
});
