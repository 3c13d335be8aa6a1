import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { DeliveryTarget, Reach } from '../../shared/domain/delivery.ts';
import type { PublishedEvent } from '../../shared/domain/published-event.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import { Poster } from '../../shared/webhooks/poster.ts';
import { VERDICT_HEADER, verdictOf } from '../../shared/webhooks/sign.ts';
import { anEndpoint, CREATED_AT_MS } from '../support/world/entities.ts';
import { listenHttp, unusedPort } from '../support/world/receivers.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const EVENT: PublishedEvent = {
  id: 'evt_01h455vb4pex5vsknk084sn02q',
  type: 'payment.created',
  resourceId: 'pay_01h455vb4pex5vsknk084sn02q',
  sequence: 7,
  firstSequence: 6,
  body: '{"type":"payment.created","name":"สมชาย"}',
};

async function deliverTo(port: number, reach: Reach = 'loopback too', attempt = 1, isRedelivery = false) {
  const poster = new Poster();
  onTestFinished(() => poster.close());
  const url = `http://127.0.0.1:${port}/`;
  const endpoint = anEndpoint({ secret: SECRET });
  const target: DeliveryTarget = { id: endpoint.id, endpoint, url, reach };
  return deliver({ poster, target, event: EVENT, attempt, isRedelivery, nowMs: CREATED_AT_MS });
}

/** A receiver that responds with a status and a few words. */
async function receiverOf(status: number) {
  const received: { headers: object; body: string }[] = [];
  const { port } = await listenHttp(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(status, { [VERDICT_HEADER]: 'valid' }).end('said so');
  });
  return { port, received };
}

test('a delivery is signed, names its attempt, and is logged as it was sent', async () => {
  const { port, received } = await receiverOf(200);
  const delivery = await deliverTo(port, 'loopback too', 3);
  expect(received).toEqual([{ headers: expect.objectContaining(delivery.requestHeaders), body: EVENT.body }]);
  expect(delivery.requestHeaders).toEqual({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^Payments-Webhooks\/\d/),
    'webhook-attempt': '3',
    'webhook-id': EVENT.id,
    'webhook-signature': expect.stringMatching(/^v1,/),
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
  });
  expect(verdictOf(SECRET, EVENT.body, delivery.requestHeaders)).toBe('valid');
});

test('keeps the start of an outside response, and ignores its signature verdict', async () => {
  const [taken, refused] = [await receiverOf(200), await receiverOf(500)];
  expect(await deliverTo(taken.port)).toMatchObject({
    status: 'delivered',
    responseStatus: 200,
    responseStart: 'said so',
    signatureVerdict: 'unknown',
    durationMs: expect.any(Number),
    nextAttemptAtMs: null,
  });
  expect(await deliverTo(refused.port)).toMatchObject({
    status: 'failed',
    responseStatus: 500,
    responseStart: 'said so',
    nextAttemptAtMs: CREATED_AT_MS + 5_000,
  });
});

test("keeps the start of a sink's response only if it did not accept the event", async () => {
  const [taken, refused] = [await receiverOf(200), await receiverOf(500)];
  const delivered = await deliverTo(taken.port, 'own');
  expect(delivered).toMatchObject({ status: 'delivered', signatureVerdict: 'valid' });
  expect(delivered).not.toHaveProperty('responseStart');
  expect(delivered).not.toHaveProperty('failure');
  expect(await deliverTo(refused.port, 'own')).toMatchObject({ status: 'failed', responseStart: 'said so' });
});

test('a response of 200 that breaks off is a failure, and is retried', async () => {
  const { port } = await listenHttp((_, response) => {
    response.writeHead(200, { 'Content-Length': '100' });
    response.write('half', () => setTimeout(() => response.destroy(), 50));
  });
  expect(await deliverTo(port)).toMatchObject({
    status: 'failed',
    responseStatus: 200,
    responseStart: 'half',
    failure: 'connection_lost',
    nextAttemptAtMs: CREATED_AT_MS + 5_000,
  });
});

test('an unanswered attempt says why; the last is exhausted; a redelivery is not retried', async () => {
  const port = await unusedPort();
  const unanswered = { responseStatus: null, failure: 'unreachable' };
  expect(await deliverTo(port, 'own')).toMatchObject({ ...unanswered, status: 'failed' });
  expect(await deliverTo(port, 'own', 8)).toMatchObject({
    ...unanswered,
    status: 'exhausted',
    nextAttemptAtMs: null,
  });
  expect(await deliverTo(port, 'own', 2, true)).toMatchObject({
    ...unanswered,
    status: 'failed',
    nextAttemptAtMs: null,
  });
});

test('an address that was allowed once is refused when it is no longer allowed', async () => {
  const { port, received } = await receiverOf(200);
  expect(await deliverTo(port, 'public')).toMatchObject({
    status: 'failed',
    responseStatus: null,
    failure: 'address_forbidden',
  });
  expect(received).toEqual([]);
});

test('while a secret is rotated, a delivery is signed with both, the newest first', async () => {
  const { port } = await receiverOf(200);
  const previous = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  const endpoint = anEndpoint({
    secret: SECRET,
    previousSecret: { secret: previous, endsAtMs: Date.now() + 60_000 },
  });
  const poster = new Poster();
  onTestFinished(() => poster.close());
  const target: DeliveryTarget = {
    id: endpoint.id,
    endpoint,
    url: `http://127.0.0.1:${port}/`,
    reach: 'loopback too',
  };
  const delivery = { poster, target, event: EVENT, attempt: 1, isRedelivery: false, nowMs: CREATED_AT_MS };
  const { requestHeaders } = await deliver(delivery);
  const signatures = String(requestHeaders['webhook-signature']).split(' ');
  const verdicts = [SECRET, previous].map((secret) =>
    signatures.map((signature) =>
      verdictOf(secret, EVENT.body, { ...requestHeaders, 'webhook-signature': signature }),
    ),
  );
  expect(verdicts).toEqual([
    ['valid', 'invalid'],
    ['invalid', 'valid'],
  ]);
});
