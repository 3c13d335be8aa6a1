import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import type { Permission } from '../../shared/contract/permissions.ts';
import { type Client, clientOf, newMerchant } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import { createLink, moveClock } from '../support/world/resources.ts';

/** A merchant with a sink that accepts and one that fails once, and the event of a new link. */
async function deliveredEvent() {
  const { api, merchant } = await newMerchant();
  const { json: accepting } = await api(operations.createWebhookSink, { body: {} });
  const { json: failing } = await api(operations.createWebhookSink, { body: {} });
  await api(operations.updateWebhookSink, {
    params: { id: failing.id },
    body: { fail_count: 1, respond_status: 503 },
  });
  const link = await createLink(api);
  await moveClock(api, 60);
  const { json: events } = await api(operations.listEvents, { query: { resource_id: link.id } });
  const [event] = events.data;
  if (event === undefined) {
    throw new Error('the link has no event');
  }
  return { api, merchant, accepting, failing, event };
}

function deliveriesOf(api: Client, id: string, query = {}) {
  return api(operations.listEventDeliveries, { params: { id }, query });
}

describe('the deliveries of an event', () => {
  test('are every attempt to every receiver, newest first, page by page', { tags: 'slow' }, async () => {
    const { api, accepting, failing, event } = await deliveredEvent();
    await createLink(api);
    await moveClock(api, 60);
    const { status, json } = await deliveriesOf(api, event.id);
    expect([status, json.has_more]).toEqual([200, false]);
    const shown = json.data.map((one) => [one.endpoint_id, one.sink_id, one.attempt, one.answered_status]);
    expect(shown[0]).toEqual([null, failing.id, 2, 200]);
    expect(shown.slice(1).toSorted()).toEqual(
      [
        [null, accepting.id, 1, 200],
        [null, failing.id, 1, 503],
      ].toSorted(),
    );
    expect(json.data.map(({ event_id: id, body }) => [id, JSON.parse(body)])).toEqual(
      json.data.map(() => [event.id, event]),
    );
    const first = (await deliveriesOf(api, event.id, { limit: '2' })).json;
    const second = (await deliveriesOf(api, event.id, { limit: '2', after: first.next_cursor })).json;
    expect([...first.data, ...second.data]).toEqual(json.data);
  });

  test.each<[Permission, number]>([
    ['webhook.read', 200],
    ['simulate', 200],
    ['event.read', 403],
  ])(
    'in test mode give a key with %s alone the status %i',
    { tags: 'slow' },
    async (permission, expected) => {
      const { merchant, event } = await deliveredEvent();
      const { secret } = await newKey({ merchant, permissions: [permission] });
      expect((await deliveriesOf(clientOf(secret), event.id)).status).toBe(expected);
    },
  );

  test('in live mode require webhook.read, because simulate belongs to the test kit', {
    tags: 'slow',
  }, async () => {
    const { merchant, event } = await deliveredEvent();
    const simulating = await newKey({ merchant, mode: 'live', permissions: ['simulate'] });
    const { problem } = await deliveriesOf(clientOf(simulating.secret), event.id);
    expect([problem.code, problem.details]).toEqual(['permission_denied', { required: 'webhook.read' }]);
    const reading = await newKey({ merchant, mode: 'live', permissions: ['webhook.read'] });
    expect((await deliveriesOf(clientOf(reading.secret), event.id)).problem.code).toBe('event_not_found');
  });
});
