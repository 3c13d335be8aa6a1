/*
 * What a newcomer does first, with the client of a package or of a clone, in one module or more: a server for webhooks, an endpoint, a payment,
 * and the event that it is paid, verified.
 *
 *   node first-webhook.mjs MODULE…   with PG_BASE_URL and PG_KEY in the environment
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const modules = await Promise.all(process.argv.slice(2).map((module) => import(module)));
const { createClient, webhooks } = Object.assign({}, ...modules);
const { PG_BASE_URL: baseUrl, PG_KEY: key } = process.env;
const client = createClient({ baseUrl, key });
const paid = Promise.withResolvers();
const secret = Promise.withResolvers();
const server = createServer(async (request, response) => {
  const event = webhooks.verify(await text(request), request.headers, await secret.promise);
  response.writeHead(204).end();
  if (event.type === 'payment.succeeded') {
    paid.resolve(event.data.object.id);
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${server.address().port}/webhooks`;
secret.resolve((await client.createWebhookEndpoint({ url })).secret);
const { id } = await client.createPayment({
  amount: { currency: 'THB', minor: 129_900 },
  method: 'promptpay',
});
await client.simulatePayment(id, { outcome: 'succeeded' });
if ((await paid.promise) !== id) {
  throw new Error('another payment was paid');
}
server.closeAllConnections();
server.close();
