import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { newMerchant } from '../support/world/api.ts';
import { createLink, createPayment, moveClock, pay } from '../support/world/resources.ts';
import {
  createEndpoint,
  deliveriesOf,
  endpointOf,
  OF_MONEY,
  startReceiver,
  updateEndpoint,
} from '../support/world/webhook-endpoints.ts';

describe('an endpoint', () => {
  test("gets events that the signature scheme's own library verifies", async () => {
    const { api } = await newMerchant();
    const receiver = await startReceiver();
    const { secret } = await createEndpoint(api, { url: receiver.url });
    const { id } = await createPayment(api);
    await pay(api, id);
    await moveClock(api, 1);
    expect(receiver.types()).toEqual(['payment.created', 'payment.requires_action', 'payment.succeeded']);
    const { data } = (await api(operations.listEvents)).json;
    const verifier = new Webhook(secret);
    for (const { headers, body } of receiver.received) {
      const event = verifier.verify(body, headers as Record<string, string>);
      expect(data).toContainEqual(event);
      expect(() => verifier.verify(body.replace('THB', 'USD'), headers as Record<string, string>)).toThrow();
    }
  });

  test('is named by the deliveries of each event that it gets', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const receiver = await startReceiver();
    const endpoint = await createEndpoint(api, { url: receiver.url, events: OF_MONEY });
    const link = await createLink(api);
    await moveClock(api, 1);
    const { data } = (await api(operations.listEvents, { query: { resource_id: link.id } })).json;
    const params = { id: String(data[0]?.id) };
    expect((await api(operations.listEventDeliveries, { params })).json.data).toMatchObject([
      { endpoint_id: endpoint.id, sink_id: null, event_id: params.id, attempt: 1, answered_status: 204 },
    ]);
  });

  test.each([
    [['payment.succeeded'], ['payment.succeeded']],
    [
      ['payment_link.*', 'payment.succeeded'],
      ['payment_link.created', 'payment.succeeded'],
    ],
    [['payment.*'], ['payment.created', 'payment.requires_action', 'payment.succeeded']],
    [['refund.*'], []],
  ])('that subscribes to %j gets %j', { tags: 'slow' }, async (events, expected) => {
    const { api } = await newMerchant();
    const [receiver, all] = [await startReceiver(), await startReceiver()];
    await createEndpoint(api, { url: receiver.url, events });
    await createEndpoint(api, { url: all.url, events: OF_MONEY });
    await createLink(api);
    await moveClock(api, 1);
    await pay(api, (await createPayment(api)).id);
    await moveClock(api, 1);
    expect([...new Set(receiver.types())]).toEqual(expected);
    // On a slow machine, an endpoint may get an event twice.
    expect(new Set(all.ids()).size).toBe(4);
  });

  test('gets nothing while it is disabled, and new events once it is enabled', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    let status = 503;
    const receiver = await startReceiver({ answer: () => status });
    const { id } = await createEndpoint(api, { url: receiver.url });
    const refused = await createLink(api);
    await moveClock(api, 1);
    status = 204;
    await updateEndpoint(api, id, { enabled: false });
    const missed = await createLink(api);
    await moveClock(api, 60);
    await updateEndpoint(api, id, { enabled: true });
    const subscribed = await createLink(api);
    // The remaining attempts of the first event are over too.
    await moveClock(api, 3 * 24 * 60 * 60);
    const receivedIds = receiver.events().map(({ data }) => data.object.id);
    expect(receivedIds).toEqual([refused.id, subscribed.id]);
    expect(receivedIds).not.toContain(missed.id);
  });

  test('gets no event it no longer subscribes to, and none once it is deleted', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const [picky, gone] = [
      await startReceiver({ answer: () => 500 }),
      await startReceiver({ answer: () => 500 }),
    ];
    const { id } = await createEndpoint(api, { url: picky.url, events: OF_MONEY });
    const deleted = await createEndpoint(api, { url: gone.url, events: OF_MONEY });
    await createLink(api);
    await moveClock(api, 1);
    const before = [picky.received.length, gone.received.length];
    expect(Math.min(...before)).toBeGreaterThan(0);
    await updateEndpoint(api, id, { events: ['payment.*'] });
    await api(operations.deleteWebhookEndpoint, { params: { id: deleted.id } });
    await moveClock(api, 3 * 24 * 60 * 60);
    expect([picky.received.length, gone.received.length]).toEqual(before);
  });

  test('that moves gets all pending events at its new address', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const [before, after] = [await startReceiver({ answer: () => 503 }), await startReceiver()];
    const { id } = await createEndpoint(api, { url: before.url });
    await createLink(api);
    await moveClock(api, 1);
    await updateEndpoint(api, id, { url: after.url });
    await moveClock(api, 5);
    expect(before.events()).toHaveLength(1);
    expect(after.events()).toEqual(before.events());
  });
});

describe('a change of an endpoint', () => {
  test('is sent to the other endpoints, without a secret, and never to itself', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const [receiver, other] = [await startReceiver(), await startReceiver()];
    await createEndpoint(api, { url: other.url, events: ['webhook_endpoint.*'] });
    await moveClock(api, 1);
    const idempotencyKey = `create-${other.port}`;
    const body = { url: receiver.url };
    const { json } = await api(operations.createWebhookEndpoint, { body, idempotencyKey });
    const { secret: _, ...made } = json;
    const params = { id: made.id };
    await updateEndpoint(api, made.id, { url: `${receiver.url}?moved` });
    await updateEndpoint(api, made.id, { enabled: false });
    await updateEndpoint(api, made.id, { enabled: true });
    await api(operations.rotateWebhookSecret, { params });
    await moveClock(api, 1);
    const since = made.created_at;
    const recovered = await api(operations.recoverEvents, { params, body: { since } });
    expect(recovered.json.events_queued).toBe(0);
    const last = await endpointOf(api, made.id);
    await api(operations.deleteWebhookEndpoint, { params });
    await moveClock(api, 1);
    expect(receiver.received).toEqual([]);
    const receivedIds = other.events();
    expect(other.received.map((post) => post.body).join()).not.toContain('whsec_');
    expect(
      receivedIds.map(({ type, data: { previous_status, object } }) => [
        type,
        previous_status,
        object.status,
      ]),
    ).toEqual([
      ['webhook_endpoint.created', null, 'enabled'],
      ['webhook_endpoint.updated', 'enabled', 'enabled'],
      ['webhook_endpoint.updated', 'enabled', 'disabled'],
      ['webhook_endpoint.updated', 'disabled', 'enabled'],
      ['webhook_endpoint.updated', 'enabled', 'enabled'],
      ['webhook_endpoint.deleted', 'enabled', 'enabled'],
    ]);
    const [created, , , , , deleted] = receivedIds;
    expect(created).toMatchObject({ request: { idempotency_key: idempotencyKey }, data: { object: made } });
    expect(deleted.data.object).toEqual({ ...last, secret: undefined, updated_at: expect.any(String) });
    const listed = (await api(operations.listEvents, { query: { resource_id: made.id } })).json.data;
    expect(listed.toReversed()).toEqual(receivedIds);
  });

  test('is sent once for repeated requests, and not at all if it is refused', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const { id } = await createEndpoint(api, { url: (await startReceiver()).url });
    const sent = { params: { id }, body: { description: 'moved' }, idempotencyKey: `update-${id}` };
    await api(operations.updateWebhookEndpoint, sent);
    await api(operations.updateWebhookEndpoint, sent);
    await updateEndpoint(api, id, { url: 'https://10.0.0.1/' });
    await moveClock(api, 1);
    const listed = (await api(operations.listEvents, { query: { resource_id: id } })).json.data;
    expect(listed.map(({ type }) => type)).toEqual(['webhook_endpoint.updated', 'webhook_endpoint.created']);
  });
});

describe('the log of an endpoint', () => {
  test('shows each attempt as it was sent, and its response', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const answers = [
      { status: 503, body: 'try later' },
      { status: 201, body: 'x'.repeat(3_000) },
    ];
    // By the log, which has no attempt that was cut off.
    const attempted = async () => (await deliveriesOf(api, id)).json.data.length;
    const receiver = await startReceiver({ answer: async () => answers[await attempted()] ?? 204 });
    const { id } = await createEndpoint(api, { url: receiver.url });
    await createLink(api);
    await moveClock(api, 6);
    const { data } = (await deliveriesOf(api, id)).json;
    const [second, first] = data;
    expect(data).toHaveLength(2);
    expect(first).toMatchObject({
      endpoint_id: id,
      attempt: 1,
      status: 'failed',
      answered_status: 503,
      answered_body: 'try later',
      failure: null,
      next_attempt_at: second?.attempted_at,
    });
    expect(second).toMatchObject({
      event_id: first?.event_id,
      attempt: 2,
      status: 'delivered',
      answered_status: 201,
      answered_body: 'x'.repeat(1_024),
      next_attempt_at: null,
    });
    for (const attempt of [first, second]) {
      const headers = expect.objectContaining(attempt?.request_headers ?? {});
      expect(receiver.received).toContainEqual({ headers, body: attempt?.body });
      expect(attempt?.duration_ms).toBeGreaterThanOrEqual(0);
    }
  });

  test('says why there was no response', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const receiver = await startReceiver();
    const { id } = await createEndpoint(api, { url: receiver.url });
    await receiver.stop();
    await createLink(api);
    await moveClock(api, 1);
    const { data } = (await deliveriesOf(api, id)).json;
    expect(data).toMatchObject([
      { status: 'failed', answered_status: null, answered_body: null, failure: 'unreachable' },
    ]);
  });

  test('redelivers an event with the same webhook-id, whatever the endpoint subscribes to now', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const receiver = await startReceiver();
    const { id } = await createEndpoint(api, { url: receiver.url });
    await createLink(api);
    await moveClock(api, 1);
    const [delivery] = (await deliveriesOf(api, id)).json.data;
    await updateEndpoint(api, id, { events: ['payment.*'] });
    const params = { id, delivery_id: String(delivery?.id) };
    const before = receiver.received.length;
    const { json } = await api(operations.redeliverEvent, { params });
    expect(json).toMatchObject({ endpoint_id: id, event_id: delivery?.event_id });
    await expect.poll(() => receiver.received.length).toBe(before + 1);
    expect(new Set(receiver.ids())).toEqual(new Set([delivery?.event_id]));
    expect(receiver.received.at(-1)?.body).toBe(receiver.received[0]?.body);
    await updateEndpoint(api, id, { enabled: false });
    const { status, problem } = await api(operations.redeliverEvent, { params });
    expect([status, problem.code]).toEqual([409, 'invalid_state']);
    expect(problem.details).toEqual({ current_status: 'disabled', allowed_from: ['enabled'] });
  });
});

describe('a rotated secret', { tags: 'slow' }, () => {
  const verifies = (secret: string, { headers, body }: { headers: object; body: string }) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };

  test('signs first, with the previous secret beside it until the overlap ends', async () => {
    const { api } = await newMerchant();
    const receiver = await startReceiver();
    const { id, secret: before } = await createEndpoint(api, { url: receiver.url });
    const requestedAt = Date.now();
    const { json } = await api(operations.rotateWebhookSecret, { params: { id } });
    const after = json.secret;
    expect(after).not.toBe(before);
    const hours = (Date.parse(String(json.previous_secret_expires_at)) - requestedAt) / (60 * 60 * 1_000);
    expect(hours).toBeCloseTo(24, 1);
    // In real time, however far the merchant's clock is moved.
    await moveClock(api, 3 * 24 * 60 * 60);
    await createLink(api);
    await moveClock(api, 1);
    const [both] = receiver.received;
    expect([before, after].map((secret) => both && verifies(secret, both))).toEqual([true, true]);
    const [newest = ''] = String(both?.headers['webhook-signature']).split(' ');
    const alone = { ...both?.headers, 'webhook-signature': newest };
    expect(verifies(after, { headers: alone, body: String(both?.body) })).toBe(true);
    expect(verifies(before, { headers: alone, body: String(both?.body) })).toBe(false);

    const { json: last } = await api(operations.rotateWebhookSecret, {
      params: { id },
      body: { overlap_hours: 0 },
    });
    expect(last.previous_secret_expires_at).toBeNull();
    await createLink(api);
    await moveClock(api, 1);
    const only = receiver.received.at(-1);
    expect([before, after, last.secret].map((secret) => only && verifies(secret, only))).toEqual([
      false,
      false,
      true,
    ]);
    expect((await api(operations.getWebhookEndpoint, { params: { id } })).json.secret).toBe(last.secret);
  });
});

describe('a ping', () => {
  test('is sent at once, returns its result, and is in the log but in no list', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const receiver = await startReceiver({ answer: () => ({ status: 202, body: 'hello' }) });
    const { id, secret } = await createEndpoint(api, { url: receiver.url, events: ['refund.*'] });
    const { json } = await api(operations.sendTestEvent, { params: { id } });
    expect(json).toMatchObject({
      endpoint_id: id,
      status: 'delivered',
      answered_status: 202,
      answered_body: 'hello',
      attempt: 1,
      next_attempt_at: null,
    });
    const [received] = receiver.received;
    const event = new Webhook(secret).verify(
      String(received?.body),
      received?.headers as Record<string, string>,
    );
    expect(event).toMatchObject({ id: json.event_id, type: 'webhook.ping', data: { object: { id } } });
    expect(event).not.toHaveProperty('sequence');
    expect((await deliveriesOf(api, id)).json.data).toEqual([json]);
    await moveClock(api, 1);
    const { data } = (await api(operations.listEvents)).json;
    expect(data.map(({ type }) => type)).toEqual(['webhook_endpoint.created']);
    const params = { id, delivery_id: json.id };
    expect((await api(operations.redeliverEvent, { params })).problem.code).toBe('delivery_not_found');
  });

  test('that fails is reported as failed, and is not retried', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const receiver = await startReceiver({ answer: () => 500 });
    const { id } = await createEndpoint(api, { url: receiver.url });
    const { status, json } = await api(operations.sendTestEvent, { params: { id } });
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: 'failed', answered_status: 500, next_attempt_at: null });
    await moveClock(api, 24 * 60 * 60);
    expect(receiver.received).toHaveLength(1);
  });

  test('runs once per endpoint at a time: a second is refused, other endpoints get theirs', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const [silent, other] = [
      await startReceiver({ answer: (nth) => (nth === 1 ? null : 204) }),
      await startReceiver(),
    ];
    const { id } = await createEndpoint(api, { url: silent.url, events: OF_MONEY });
    const { id: otherId } = await createEndpoint(api, { url: other.url, events: OF_MONEY });
    const first = api(operations.sendTestEvent, { params: { id } });
    await expect.poll(() => silent.received.length).toBe(1);
    const second = await api(operations.sendTestEvent, { params: { id } });
    expect([second.status, second.problem.code]).toEqual([409, 'endpoint_busy']);
    expect(second.headers.get('retry-after')).toBe('5');
    expect((await api(operations.sendTestEvent, { params: { id: otherId } })).status).toBe(200);
    const { json } = await first;
    expect(json).toMatchObject({ status: 'failed', failure: 'timeout' });
    expect((await api(operations.sendTestEvent, { params: { id } })).json.status).toBe('delivered');
    expect(silent.received).toHaveLength(2);
  });

  test.each([{ description: 'moved' }, { enabled: false }])(
    'is posted once and returns its result, though the endpoint changes meanwhile: %j',
    { tags: 'slow' },
    async (change) => {
      const { api } = await newMerchant();
      const answer = Promise.withResolvers<number>();
      const receiver = await startReceiver({ answer: () => answer.promise });
      const { id } = await createEndpoint(api, { url: receiver.url });
      const ping = api(operations.sendTestEvent, { params: { id } });
      await expect.poll(() => receiver.received.length).toBe(1);
      expect((await updateEndpoint(api, id, change)).status).toBe(200);
      answer.resolve(204);
      const { status, json } = await ping;
      expect([status, json.status]).toEqual([200, 'delivered']);
      expect(receiver.received).toHaveLength(1);
      expect((await deliveriesOf(api, id)).json.data).toEqual([json]);
      const after =
        'enabled' in change ? { status: 'disabled' } : { ...change, last_success_at: json.attempted_at };
      expect(await endpointOf(api, id)).toMatchObject(after);
    },
  );

  test('is refused for a disabled endpoint', async () => {
    const { api } = await newMerchant();
    const receiver = await startReceiver();
    const { id } = await createEndpoint(api, { url: receiver.url });
    await updateEndpoint(api, id, { enabled: false });
    const { status, problem } = await api(operations.sendTestEvent, { params: { id } });
    expect([status, problem.code]).toEqual([409, 'invalid_state']);
    expect(receiver.received).toEqual([]);
  });
});
