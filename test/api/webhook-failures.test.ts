import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { worldIdOf } from '../../shared/domain/world.ts';
import { clientOf, newMerchant } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import { createLink, createPayment, moveClock, pay } from '../support/world/resources.ts';
import { storedItems } from '../support/world/stored-items.ts';
import {
  createEndpoint,
  deliveriesOf,
  endpointOf,
  OF_MONEY,
  startReceiver,
  updateEndpoint,
} from '../support/world/webhook-endpoints.ts';

const { leaseKey } = await import('../../shared/store/table/keys.ts');
const { Leases } = await import('../../shared/store/scheduler/lease.ts');
const { getWorld } = await import('../../shared/store/worlds/world.ts');

/* The receivers are servers on this machine: a deployed service sends nothing there. */

/** Holds the jobs of a test world, as a move of its clock does, until the release. */
async function holdJobs(merchant: string) {
  const leases = new Leases(60_000);
  onTestFinished(() => leases.close());
  const key = leaseKey(await getWorld(worldIdOf(merchant, 'test')));
  await leases.take(key, { mustExist: false });
  return { release: () => leases.release(key) };
}

const DAY_SECONDS = 24 * 60 * 60;

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

  test('to a ping is disabled too', { tags: 'slow' }, async () => {
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
    await updateEndpoint(api, id, { enabled: false });
    await updateEndpoint(api, id, { enabled: true });
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
    await updateEndpoint(api, id, { enabled: false });
    for (let count = 0; count < 3; count += 1) {
      links.push(await createLink(api));
      await moveClock(api, 60);
    }
    await pay(api, (await createPayment(api)).id);
    await moveClock(api, 1);
    await updateEndpoint(api, id, { enabled: true });
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
    await updateEndpoint(api, id, { enabled: false });
    await createLink(api);
    await moveClock(api, 1);
    await updateEndpoint(api, id, { enabled: true });
    const params = { id };
    await api(operations.recoverEvents, { params, body: { since } });
    await moveClock(api, 6);
    expect(receiver.received).toHaveLength(2);
    await updateEndpoint(api, id, { enabled: false });
    await updateEndpoint(api, id, { enabled: true });
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
    await updateEndpoint(api, id, { enabled: false });
    await moveClock(api, 1);
    await updateEndpoint(api, id, { enabled: true });
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
    await updateEndpoint(api, id, { enabled: false });
    await held.release();
    await moveClock(api, 1);
    await updateEndpoint(api, id, { enabled: true });
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
    await updateEndpoint(api, id, { enabled: false });
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
