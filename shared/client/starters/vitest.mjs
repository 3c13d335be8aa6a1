import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { WebhookVerificationError, webhooks } from 'payments-kit';
import { createTestWorld } from 'payments-kit/testing';
import { test as base, expect, onTestFinished } from 'vitest';

const amount = { currency: 'THB', minor: 129_900 };

/** Each test has a world of its own: a clock, payments, numbers and events that no other test sees. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern.
  world: async ({}, use) => {
    const world = await createTestWorld();
    await use(world);
    await world.end();
  },
});

/** A receiver that verifies. Put your own server in its place: it takes the secret, and says where it listens. */
async function startReceiver(secret) {
  const server = createServer(async (request, response) => {
    try {
      webhooks.verify(await buffer(request), request.headers, secret);
      response.statusCode = 204;
    } catch (error) {
      response.statusCode = error instanceof WebhookVerificationError ? 400 : 500;
    }
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${server.address().port}/webhooks`;
}

test('an order is paid', async ({ world }) => {
  const { id } = await world.client.createPayment({ amount, method: 'promptpay' });
  await world.client.simulatePayment(id, { outcome: 'succeeded' });
  const { data } = await world.nextEvent('payment.succeeded');
  expect(data.object).toMatchObject({ id, amount });
});

test('an order that nobody pays expires', async ({ world }) => {
  const { id } = await world.client.createPayment({ amount, method: 'promptpay' });
  await world.client.advanceClock({ seconds: 15 * 60 });
  const { data } = await world.nextEvent('payment.expired');
  expect(data.object.id).toBe(id);
});

test('the receiver takes a webhook, and refuses a forged one', async ({ world }) => {
  const url = await startReceiver(await world.webhookSecret());
  const { id } = await world.client.createPayment({ amount, method: 'promptpay' });
  await world.client.simulatePayment(id, { outcome: 'succeeded' });
  const { body, headers } = await world.nextWebhook('payment.succeeded');
  const post = (sent) => fetch(url, { method: 'POST', headers, body: sent });
  expect((await post(body)).ok).toBe(true);
  expect((await post(body.replace('129900', '1'))).status).toBe(400);
});
