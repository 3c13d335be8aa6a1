import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { worldIdOf } from '../../shared/domain/world.ts';
import { type Client, clientOf, newMerchant } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import { type MerchantServerOptions, startMerchantServer } from '../support/world/merchant-server.ts';
import { createLink, createPayment, moveClock, pay } from '../support/world/resources.ts';
import { storedItems } from '../support/world/stored-items.ts';

const { leaseKey } = await import('../../shared/store/table/keys.ts');
const { Leases } = await import('../../shared/store/scheduler/lease.ts');
const { getWorld } = await import('../../shared/store/worlds/world.ts');

/* The receivers are servers on this machine: a deployed service sends nothing there. */

/** All events of these tests except those about endpoints. */
const OF_MONEY = ['payment.*', 'payment_link.*'];

async function startReceiver(options?: MerchantServerOptions) {
  const server = await startMerchantServer(options);
  onTestFinished(() => server.stop());
  /** What came, each event once: a first attempt that a busy machine cuts off is made again. */
  const events = () => [
    ...new Map(
      server.received.map(({ body }) => JSON.parse(body)).map((event) => [event.id as string, event]),
    ).values(),
  ];
  return { ...server, events, types: () => events().map(({ type }) => String(type)) };
}

async function createEndpoint(api: Client, body: Record<string, unknown>) {
  const { status, text, json } = await api(operations.createWebhookEndpoint, { body });
  expect(status, text).toBe(201);
  return json;
}

/** Holds the jobs of a test world, as a move of its clock does, until the release. */
async function holdJobs(merchant: string) {
  const leases = new Leases(60_000);
  onTestFinished(() => leases.close());
  const key = leaseKey(await getWorld(worldIdOf(merchant, 'test')));
  await leases.take(key, { mustExist: false });
  return { release: () => leases.release(key) };
}

function update(api: Client, id: string, body: Record<string, unknown>) {
  return api(operations.updateWebhookEndpoint, { params: { id }, body });
}

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
    await update(api, id, { enabled: false });
    const missed = await createLink(api);
    await moveClock(api, 60);
    await update(api, id, { enabled: true });
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
    await update(api, id, { events: ['payment.*'] });
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
    await update(api, id, { url: after.url });
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
    await update(api, made.id, { url: `${receiver.url}?moved` });
    await update(api, made.id, { enabled: false });
    await update(api, made.id, { enabled: true });
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

  test('is sent once for repeated requests, and not at all if it is refused', async () => {
    const { api } = await newMerchant();
    const { id } = await createEndpoint(api, { url: (await startReceiver()).url });
    const sent = { params: { id }, body: { description: 'moved' }, idempotencyKey: `update-${id}` };
    await api(operations.updateWebhookEndpoint, sent);
    await api(operations.updateWebhookEndpoint, sent);
    await update(api, id, { url: 'https://10.0.0.1/' });
    await moveClock(api, 1);
    const listed = (await api(operations.listEvents, { query: { resource_id: id } })).json.data;
    expect(listed.map(({ type }) => type)).toEqual(['webhook_endpoint.updated', 'webhook_endpoint.created']);
  });
});

function deliveriesOf(api: Client, id: string) {
  return api(operations.listEndpointDeliveries, { params: { id } });
}

describe('the log of an endpoint', () => {
  test('shows each attempt as it was sent, and its response', async () => {
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

  test('says why there was no response', async () => {
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
    await update(api, id, { events: ['payment.*'] });
    const params = { id, delivery_id: String(delivery?.id) };
    const before = receiver.received.length;
    const { json } = await api(operations.redeliverEvent, { params });
    expect(json).toMatchObject({ endpoint_id: id, event_id: delivery?.event_id });
    await expect.poll(() => receiver.received.length).toBe(before + 1);
    expect(new Set(receiver.ids())).toEqual(new Set([delivery?.event_id]));
    expect(receiver.received.at(-1)?.body).toBe(receiver.received[0]?.body);
    await update(api, id, { enabled: false });
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
  test('is sent at once, returns its result, and is in the log but in no list', async () => {
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

  test('that fails is reported as failed, and is not retried', async () => {
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
    async (change) => {
      const { api } = await newMerchant();
      const answer = Promise.withResolvers<number>();
      const receiver = await startReceiver({ answer: () => answer.promise });
      const { id } = await createEndpoint(api, { url: receiver.url });
      const ping = api(operations.sendTestEvent, { params: { id } });
      await expect.poll(() => receiver.received.length).toBe(1);
      expect((await update(api, id, change)).status).toBe(200);
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
    await update(api, id, { enabled: false });
    const { status, problem } = await api(operations.sendTestEvent, { params: { id } });
    expect([status, problem.code]).toEqual([409, 'invalid_state']);
    expect(receiver.received).toEqual([]);
  });
});

const DAY_SECONDS = 24 * 60 * 60;

async function endpointOf(api: Client, id: string) {
  return (await api(operations.getWebhookEndpoint, { params: { id } })).json;
}

describe('an endpoint that requests a delay', { tags: 'slow' }, () => {
  test.each([
    ['for less than the schedule does', 429, '1', 5],
    ['in seconds', 429, '100', 100],
    ['while it is not available', 503, '100', 100],
    ['for longer than the step after', 503, '86400', 300],
    ['with a status for which that means nothing', 500, '100', 5],
    ['in no form that is known', 503, 'soon', 5],
  ])('%s gets the next attempt when that is over: %i, %s', async (_how, status, retryAfter, waitSeconds) => {
    const { api } = await newMerchant();
    const receiver = await startReceiver({
      answer: () => ({ status, headers: { 'Retry-After': retryAfter } }),
    });
    const { id } = await createEndpoint(api, { url: receiver.url });
    await createLink(api);
    await moveClock(api, 1);
    const attempts = async () => (await deliveriesOf(api, id)).json.data.toReversed();
    const [first] = await attempts();
    const at = (time: string | null | undefined) => Date.parse(String(time));
    expect(at(first?.next_attempt_at) - at(first?.attempted_at)).toBe(waitSeconds * 1_000);
    await moveClock(api, waitSeconds);
    const [, second] = await attempts();
    expect(second).toMatchObject({ attempt: 2, attempted_at: first?.next_attempt_at });
  });
});

describe('an endpoint that responds with 410', () => {
  test('is disabled at once, gets nothing more, and the others get the event', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const [receiver, other] = [await startReceiver({ answer: () => 410 }), await startReceiver()];
    const { secret: _, ...made } = await createEndpoint(api, { url: receiver.url, events: OF_MONEY });
    const { secret } = await createEndpoint(api, { url: other.url, events: ['webhook_endpoint.disabled'] });
    // Two events of one commit.
    await createPayment(api);
    // Another runner may make the attempt, and what follows from it, while the clock is moved.
    await expect
      .poll(() => endpointOf(api, made.id))
      .toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    const disabled = await endpointOf(api, made.id);
    expect(disabled.failing_since).toBe(disabled.last_failure_at);
    await createLink(api);
    await moveClock(api, 3 * DAY_SECONDS);
    expect(receiver.types()).toEqual(['payment.created']);
    expect((await deliveriesOf(api, made.id)).json.data).toMatchObject([
      { status: 'failed', answered_status: 410, next_attempt_at: null },
    ]);
    const [receivedIds] = other.received;
    expect(other.types()).toEqual(['webhook_endpoint.disabled']);
    expect(receivedIds?.body).not.toContain('whsec_');
    const event = new Webhook(secret).verify(
      String(receivedIds?.body),
      receivedIds?.headers as Record<string, string>,
    );
    const { secret: _secret, ...shown } = disabled;
    expect(event).toMatchObject({
      type: 'webhook_endpoint.disabled',
      data: { object: shown, previous_status: 'enabled' },
    });
    const { data } = (await api(operations.listEvents, { query: { type: 'webhook_endpoint.disabled' } }))
      .json;
    expect(data).toEqual([event]);
  });

  test('to a ping is disabled too', async () => {
    const { api } = await newMerchant();
    const receiver = await startReceiver({ answer: () => 410 });
    const { id } = await createEndpoint(api, { url: receiver.url });
    await api(operations.sendTestEvent, { params: { id } });
    expect(await endpointOf(api, id)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
  });

  test('and is a sink goes on as configured', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const { json: sink } = await api(operations.createWebhookSink);
    const body = { respond_status: 410, fail_count: 1 };
    await api(operations.updateWebhookSink, { params: { id: sink.id }, body });
    await createLink(api);
    await moveClock(api, 10);
    const { json } = await api(operations.getWebhookSink, { params: { id: sink.id } });
    expect(json.received_count).toBe(2);
  });
});

describe('an endpoint that fails', { tags: 'slow' }, () => {
  test('is disabled by the first failure five days after the first one, and not before', async () => {
    const { api } = await newMerchant();
    const receiver = await startReceiver({ answer: () => 500 });
    const { id } = await createEndpoint(api, { url: receiver.url });
    const first = await createLink(api);
    await moveClock(api, 1);
    const { failing_since: since } = await endpointOf(api, id);
    expect(since).toBe(first.created_at);
    await moveClock(api, 5 * DAY_SECONDS - 60);
    await createLink(api);
    await moveClock(api, 1);
    expect(await endpointOf(api, id)).toMatchObject({ status: 'enabled', failing_since: since });
    // The second attempts of that event are the first ones afterwards.
    await moveClock(api, 60);
    await createLink(api);
    await moveClock(api, 600);
    const disabled = await endpointOf(api, id);
    expect(disabled).toMatchObject({ status: 'disabled', disabled_reason: 'failing', failing_since: since });
    const { length } = receiver.received;
    await createLink(api);
    await moveClock(api, 2 * DAY_SECONDS);
    expect(receiver.received).toHaveLength(length);
    const types = (await api(operations.listEvents)).json.data.map(({ type }) => type);
    expect(types.filter((type) => type === 'webhook_endpoint.disabled')).toHaveLength(1);
  });

  test('no longer counts as failing after a delivered event, or once it is enabled again', async () => {
    const { api } = await newMerchant();
    let status = 500;
    const receiver = await startReceiver({ answer: () => status });
    const { id, last_success_at } = await createEndpoint(api, { url: receiver.url });
    expect(last_success_at).toBeNull();
    await createLink(api);
    await moveClock(api, 1);
    status = 204;
    await moveClock(api, 5);
    const healthy = await endpointOf(api, id);
    expect(healthy.failing_since).toBeNull();
    expect(Date.parse(String(healthy.last_success_at))).toBeGreaterThan(
      Date.parse(String(healthy.last_failure_at)),
    );
    status = 500;
    await createLink(api);
    await moveClock(api, 1);
    expect((await endpointOf(api, id)).failing_since).not.toBeNull();
    await update(api, id, { enabled: false });
    await update(api, id, { enabled: true });
    expect((await endpointOf(api, id)).failing_since).toBeNull();
  });
});

describe('a recovery of missed events', { tags: 'slow' }, () => {
  /** An endpoint that accepted one link, was then disabled while three were made, and the instant before them all. */
  async function newAbsence(events: readonly string[] = ['*']) {
    const { api, merchant } = await newMerchant();
    const receiver = await startReceiver();
    const { id, created_at: since } = await createEndpoint(api, { url: receiver.url, events });
    const links = [await createLink(api)];
    await moveClock(api, 1);
    await update(api, id, { enabled: false });
    for (let count = 0; count < 3; count += 1) {
      links.push(await createLink(api));
      await moveClock(api, 60);
    }
    await pay(api, (await createPayment(api)).id);
    await moveClock(api, 1);
    await update(api, id, { enabled: true });
    const recover = (from: string) =>
      api(operations.recoverEvents, { params: { id }, body: { since: from } });
    const receivedIds = () => receiver.events().map(({ data }) => data.object.id as string);
    return { api, merchant, receiver, id, since, links: links.map((link) => link.id), recover, receivedIds };
  }

  test('sends them oldest first, without any event that the endpoint accepted', async () => {
    const { api, receiver, since, links, recover, receivedIds } = await newAbsence();
    const { json } = await recover(since);
    expect(json).toEqual({ events_queued: 6, has_more: false, next_since: null });
    await moveClock(api, 1);
    expect(receivedIds().slice(0, 4)).toEqual(links);
    expect(receiver.types().slice(4)).toEqual([
      'payment.created',
      'payment.requires_action',
      'payment.succeeded',
    ]);
    expect(new Set(receiver.ids()).size).toBe(7);
    const { data } = (await api(operations.listEvents)).json;
    expect(data.map((event) => event.id)).toEqual(expect.arrayContaining(receiver.ids()));
    expect((await recover(since)).json.events_queued).toBe(0);
  });

  test('includes the subscribed events since the given instant', async () => {
    const { api, since, links, recover, receivedIds } = await newAbsence(['payment_link.*']);
    const [, , second] = (await api(operations.listEvents, { query: { type: 'payment_link.created' } })).json
      .data;
    expect((await recover(String(second?.timestamp))).json.events_queued).toBe(3);
    await moveClock(api, 1);
    expect(receivedIds()).toEqual(links);
    expect((await recover(since)).json.events_queued).toBe(0);
  });

  test('retries by the schedule if refused again, unless the endpoint is disabled again', async () => {
    const { api } = await newMerchant();
    let status = 503;
    const receiver = await startReceiver({ answer: () => status });
    const { id, created_at: since } = await createEndpoint(api, { url: receiver.url });
    await update(api, id, { enabled: false });
    await createLink(api);
    await moveClock(api, 1);
    await update(api, id, { enabled: true });
    const params = { id };
    await api(operations.recoverEvents, { params, body: { since } });
    await moveClock(api, 6);
    expect(receiver.received).toHaveLength(2);
    await update(api, id, { enabled: false });
    await update(api, id, { enabled: true });
    status = 204;
    await moveClock(api, DAY_SECONDS);
    expect(receiver.received).toHaveLength(2);
    expect((await api(operations.recoverEvents, { params, body: { since } })).json.events_queued).toBe(1);
    await moveClock(api, 1);
    expect(receiver.received).toHaveLength(3);
  });

  test('queues an event once for repeated requests', async () => {
    const { api } = await newMerchant();
    let status = 503;
    const receiver = await startReceiver({ answer: () => status });
    const { id, created_at: since } = await createEndpoint(api, { url: receiver.url });
    const recover = async () =>
      (await api(operations.recoverEvents, { params: { id }, body: { since } })).json.events_queued;
    const links = [await createLink(api), await createLink(api)];
    await moveClock(api, 1);
    // Both wait for their second attempts.
    expect([await recover(), await recover()]).toEqual([0, 0]);
    await update(api, id, { enabled: false });
    await moveClock(api, 1);
    await update(api, id, { enabled: true });
    // The waiting attempts are dropped, so their events are missed.
    expect(await recover()).toBe(2);
    await moveClock(api, 1);
    expect(await recover()).toBe(0);
    status = 204;
    await moveClock(api, DAY_SECONDS);
    const { data } = (await deliveriesOf(api, id)).json;
    const attemptedIds = data.map(({ body }) => JSON.parse(body).data.object.id as string);
    const ids = links.map((link) => link.id);
    expect(attemptedIds.toSorted()).toEqual([...ids, ...ids, ...ids].toSorted());
  });

  test('runs once per endpoint at a time, for any caller, until the last event is queued', async () => {
    const { api, merchant, id, since, recover, links, receivedIds } = await newAbsence(['payment_link.*']);
    const other = clientOf((await newKey({ merchant })).secret);
    const again = () => other(operations.recoverEvents, { params: { id }, body: { since } });
    const next = await createEndpoint(api, { url: (await startReceiver()).url, events: ['payment_link.*'] });
    const held = await holdJobs(merchant);
    expect((await recover(since)).json.events_queued).toBe(3);
    const refused = await again();
    expect([refused.status, refused.problem.code]).toEqual([409, 'endpoint_busy']);
    const ofNext = await other(operations.recoverEvents, { params: { id: next.id }, body: { since } });
    expect(ofNext.json.events_queued).toBe(4);
    await held.release();
    await moveClock(api, 1);
    expect(receivedIds()).toEqual(links);
    expect((await again()).json.events_queued).toBe(0);
  });

  test('stops if the endpoint is disabled meanwhile, and can be requested again', async () => {
    const { api, merchant, id, since, recover } = await newAbsence(['payment_link.*']);
    const held = await holdJobs(merchant);
    await recover(since);
    await update(api, id, { enabled: false });
    await held.release();
    await moveClock(api, 1);
    await update(api, id, { enabled: true });
    expect((await recover(since)).json.events_queued).toBe(3);
  });

  test('can be requested for the last 30 days, for an enabled endpoint', async () => {
    const { api, id, recover } = await newAbsence();
    for (const [days, code] of [
      [-31, 'min'],
      [1, 'max'],
    ] as const) {
      const { problem } = await recover(new Date(Date.now() + days * DAY_SECONDS * 1_000).toISOString());
      // The bound is a time of the merchant's clock.
      expect(problem.errors).toEqual([
        { field: 'since', code, message: expect.stringMatching(/\d{4}-\d\d-\d\dT[\d:.]+Z/) },
      ]);
    }
    expect((await recover('yesterday')).problem.errors).toMatchObject([{ field: 'since', code: 'format' }]);
    await update(api, id, { enabled: false });
    expect((await recover(new Date().toISOString())).problem.code).toBe('invalid_state');
  });
});

test('a deleted endpoint leaves nothing: neither its log nor its queue', { tags: 'slow' }, async () => {
  const { api, merchant } = await newMerchant();
  const receiver = await startReceiver({ answer: () => 503 });
  const { id } = await createEndpoint(api, { url: receiver.url });
  await createLink(api);
  await moveClock(api, 1);
  const left = async () => (await storedItems(merchant)).filter(({ pk }) => String(pk).includes(id));
  expect(await left()).not.toEqual([]);
  await api(operations.deleteWebhookEndpoint, { params: { id } });
  await expect.poll(left).toEqual([]);
});

describe('an endpoint made with a key that may not read payments', { tags: 'slow' }, () => {
  const NOT_READING = ['webhook.manage', 'webhook.read', 'paymentlink.read'] as const;

  /** An endpoint of such a key, which another key has subscribed to payments. */
  async function newUnseeing(options?: MerchantServerOptions) {
    const { api, merchant } = await newMerchant();
    const { secret } = await newKey({ merchant, permissions: NOT_READING });
    const blind = clientOf(secret);
    const receiver = await startReceiver(options);
    const endpoint = await createEndpoint(blind, { url: receiver.url, events: ['payment_link.*'] });
    await update(api, endpoint.id, { events: ['payment.*'] });
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
    await update(api, endpoint.id, { enabled: false });
    await pay(api, payment.id);
    await moveClock(api, 1);
    await update(api, endpoint.id, { enabled: true });
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
    await update(api, endpoint.id, { url: own.url });
    const { id } = await createEndpoint(api, { url: own.url, events: ['payment_link.*'] });
    // An update with the same URL, or of the description, changes nothing about that.
    await update(blind, id, { description: 'orders', url: own.url });
    await update(api, id, { events: ['payment.created'] });
    const payment = await createPayment(api, { checkout: true });
    await moveClock(api, 1);
    // Two events to the one, and one to the other.
    expect(own.received.length).toBeGreaterThanOrEqual(3);
    const addresses = own.received.map(objectOf).map(({ checkout_url }) => checkout_url);
    expect(new Set(addresses)).toEqual(new Set([payment.checkout_url]));
    await update(api, id, { events: ['payment_link.*'] });
    await update(blind, id, { url: others.url });
    await update(api, id, { events: ['payment.*'] });
    await createPayment(api, { checkout: true });
    await moveClock(api, 1);
    expect(new Set(others.ids()).size).toBe(2);
    for (const sent of others.received.map(objectOf)) {
      expect(sent).toMatchObject(NO_PAGES);
    }
  });
});
