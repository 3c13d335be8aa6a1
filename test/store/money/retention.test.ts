// @module-tag slow
import { expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { newMerchant } from '../../support/world/api.ts';
import { createPayment, moveClock } from '../../support/world/resources.ts';
import { quietItems } from '../../support/world/stored-items.ts';

const { callTable } = await import('../../../shared/store/table/client.ts');

const DAY_SECONDS = 86_400;

/** A merchant with a sink, a payment, and the events of it and their deliveries. */
async function newHistory() {
  const { api, merchant } = await newMerchant();
  const sink = (await api(operations.createWebhookSink)).json;
  // Two commits, of an event each.
  const payment = await createPayment(api, { method: undefined });
  await quietItems(merchant);
  await api(operations.cancelPayment, { params: { id: payment.id } });
  const items = await quietItems(merchant);
  const of = (kind: string) => items.filter(({ pk }) => String(pk).includes(`#${kind}#`));
  return {
    api,
    merchant,
    sink,
    payment,
    events: of('EVENTS'),
    deliveries: of('DELIVERIES'),
    answers: of('CLAIM'),
  };
}

/** Sets the expiry of items: DynamoDB deletes them only some days later, so they are still there. */
async function end(items: readonly Record<string, unknown>[], ttl: number): Promise<void> {
  for (const { pk, sk } of items) {
    await callTable('UpdateItem', {
      Key: { pk, sk },
      UpdateExpression: 'SET #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':ttl': ttl },
    });
  }
}

test('keeps events 13 months, deliveries 90 days, responses a day, all in real time', async () => {
  const { api, merchant } = await newMerchant();
  await api(operations.createWebhookSink);
  await moveClock(api, 300 * DAY_SECONDS);
  const from = Math.floor(Date.now() / 1_000);
  await createPayment(api);
  const items = await quietItems(merchant);
  const to = Math.ceil(Date.now() / 1_000);
  for (const [kind, days, count] of [
    ['EVENTS', 396, 1],
    ['DELIVERIES', 90, 1],
    ['CLAIM', 1, 3],
  ] as const) {
    const ends = items.filter(({ pk }) => String(pk).includes(`#${kind}#`)).map(({ ttl }) => Number(ttl));
    expect(ends, kind).toHaveLength(count);
    for (const at of ends) {
      // The responses before the payment are a little older than it.
      expect(at - days * DAY_SECONDS, kind).toBeGreaterThanOrEqual(from - 60);
      expect(at - days * DAY_SECONDS, kind).toBeLessThanOrEqual(to);
    }
  }
  expect(items.filter(({ pk, ttl }) => /#(PAYMENT|ENDPOINTS)/.test(String(pk)) && ttl !== undefined)).toEqual(
    [],
  );
});

test('an expired event is not retrieved, listed or counted, even before its deletion', async () => {
  const { api, payment, events } = await newHistory();
  const [created, canceled] = events.toSorted((a, b) => Number(a.sequence) - Number(b.sequence));
  const ids = async (query: Record<string, string> = {}) => {
    const { data, has_more } = (await api(operations.listEvents, { query })).json;
    return { ids: data.map(({ id }) => id), has_more };
  };
  expect((await ids()).ids).toEqual([canceled?.id, created?.id]);
  const now = Math.floor(Date.now() / 1_000);
  await end([created ?? {}], now - 1);
  await end([canceled ?? {}], now + 60);
  const left = { ids: [canceled?.id], has_more: false };
  expect(await ids()).toEqual(left);
  expect(await ids({ limit: '1' })).toMatchObject({ ids: left.ids });
  expect(await ids({ resource_id: payment.id })).toEqual(left);
  expect(await ids({ type: 'payment.created' })).toEqual({ ids: [], has_more: false });
  const read = (id: unknown) => api(operations.getEvent, { params: { id: String(id) } });
  expect((await read(created?.id)).problem.code).toBe('event_not_found');
  expect((await read(canceled?.id)).status).toBe(200);
});

test('an expired delivery is not shown and cannot be redelivered', async () => {
  const { api, sink, deliveries } = await newHistory();
  const [first, second] = deliveries.toSorted((a, b) => Number(a.sequence) - Number(b.sequence));
  await end([first ?? {}], Math.floor(Date.now() / 1_000) - 1);
  const params = { id: sink.id };
  expect((await api(operations.listDeliveries, { params })).json).toMatchObject({
    data: [{ id: second?.id }],
    has_more: false,
  });
  const again = (id: unknown) =>
    api(operations.redeliver, { params: { ...params, delivery_id: String(id) } });
  expect((await again(first?.id)).problem.code).toBe('delivery_not_found');
  expect((await again(second?.id)).status).toBe(200);
});
