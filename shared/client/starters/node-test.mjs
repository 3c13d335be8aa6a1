import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { WebhookVerificationError, webhooks } from 'payments-kit';
import { createTestWorld } from 'payments-kit/testing';

const amount = { currency: 'THB', minor: 129_900 };

/** A world of its own: a clock, payments, numbers and events that no other test sees. */
async function newWorld(t) {
  const world = await createTestWorld();
  t.after(() => world.end());
  return world;
}

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
  after(() => server.close());
  return `http://127.0.0.1:${server.address().port}/webhooks`;
}

test('an order is paid', async (t) => {
  const world = await newWorld(t);
  const { id } = await world.client.createPayment({ amount, method: 'promptpay' });
  await world.client.simulatePayment(id, { outcome: 'succeeded' });
  const { data } = await world.nextEvent('payment.succeeded');
  assert.equal(data.object.id, id);
});

test('an order that nobody pays expires', async (t) => {
  const world = await newWorld(t);
  const { id } = await world.client.createPayment({ amount, method: 'promptpay' });
  await world.client.advanceClock({ seconds: 15 * 60 });
  const { data } = await world.nextEvent('payment.expired');
  assert.equal(data.object.id, id);
});

test('the receiver takes a webhook, and refuses a forged one', async (t) => {
  const world = await newWorld(t);
  const url = await startReceiver(await world.webhookSecret());
  const { id } = await world.client.createPayment({ amount, method: 'promptpay' });
  await world.client.simulatePayment(id, { outcome: 'succeeded' });
  const { body, headers } = await world.nextWebhook('payment.succeeded');
  const post = (sent) => fetch(url, { method: 'POST', headers, body: sent });
  assert.equal((await post(body)).ok, true);
  assert.equal((await post(body.replace('129900', '1'))).status, 400);
});
