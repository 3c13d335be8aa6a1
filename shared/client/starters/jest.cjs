const { once } = require('node:events');
const { createServer } = require('node:http');
const { buffer } = require('node:stream/consumers');
const { WebhookVerificationError, webhooks } = require('payments-kit');
const { createTestWorld } = require('payments-kit/testing');

const amount = { currency: 'THB', minor: 129_900 };

/** Each test has a world of its own: a clock, payments, numbers and events that no other test sees. */
let world;
beforeEach(async () => {
  world = await createTestWorld();
});
afterEach(() => world.end());

let server;
afterEach(() => server?.close());

/** A receiver that verifies. Put your own server in its place: it takes the secret, and says where it listens. */
async function startReceiver(secret) {
  server = createServer(async (request, response) => {
    try {
      webhooks.verify(await buffer(request), request.headers, secret);
      response.statusCode = 204;
    } catch (error) {
      response.statusCode = error instanceof WebhookVerificationError ? 400 : 500;
    }
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}/webhooks`;
}

test('an order is paid', async () => {
  const { id } = await world.client.createPayment({ amount, method: 'promptpay' });
  await world.client.simulatePayment(id, { outcome: 'succeeded' });
  const { data } = await world.nextEvent('payment.succeeded');
  expect(data.object.id).toBe(id);
});

test('an order that nobody pays expires', async () => {
  const { id } = await world.client.createPayment({ amount, method: 'promptpay' });
  await world.client.advanceClock({ seconds: 15 * 60 });
  const { data } = await world.nextEvent('payment.expired');
  expect(data.object.id).toBe(id);
});

test('the receiver takes a webhook, and refuses a forged one', async () => {
  const url = await startReceiver(await world.webhookSecret());
  const { id } = await world.client.createPayment({ amount, method: 'promptpay' });
  await world.client.simulatePayment(id, { outcome: 'succeeded' });
  const { body, headers } = await world.nextWebhook('payment.succeeded');
  const post = (sent) => fetch(url, { method: 'POST', headers, body: sent });
  expect((await post(body)).ok).toBe(true);
  expect((await post(body.replace('129900', '1'))).status).toBe(400);
});
