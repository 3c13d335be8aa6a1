import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { newMerchant } from '../support/world/api.ts';
import { BUSY, resend } from '../support/world/resend.ts';
import { createLink, createPayment, moveClock, simulate } from '../support/world/resources.ts';

const MINUTE = 60;
const YEAR = 31_622_400;

describe('a webhook sink', () => {
  async function withSink(instruction: Record<string, number> | null = null) {
    const merchant = await newMerchant();
    const { api } = merchant;
    const created = (await api(operations.createWebhookSink, { body: { name: 'orders' } })).json;
    const params = { id: created.id };
    if (instruction !== null) {
      await api(operations.updateWebhookSink, { params, body: instruction });
    }
    const { json: sink } = await api(operations.getWebhookSink, { params });
    const deliveries = async () =>
      (await api(operations.listDeliveries, { params, query: { limit: '100' } })).json.data.toReversed();
    return { ...merchant, sink, params, deliveries };
  }

  test('that is set to fail twice gets three attempts of one event, each signed', {
    tags: 'slow',
  }, async () => {
    const { api, sink, params, deliveries } = await withSink({ fail_count: 2, respond_status: 503 });
    await createLink(api);
    await moveClock(api, 6 * MINUTE);
    const attempts = await deliveries();
    expect(attempts.map(({ answered_status }) => answered_status)).toEqual([503, 503, 200]);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(attempts.map(({ status }) => status)).toEqual(['failed', 'failed', 'delivered']);
    expect(new Set(attempts.map(({ request_headers: headers }) => headers['webhook-id'])).size).toBe(1);
    const pauses = attempts.map(({ attempted_at }) => Date.parse(attempted_at));
    expect([Number(pauses[1]) - Number(pauses[0]), Number(pauses[2]) - Number(pauses[1])]).toEqual([
      5_000, 300_000,
    ]);
    for (const { body, request_headers: headers, signature_verdict: verdict } of attempts) {
      expect(verdict).toBe('valid');
      expect(new Webhook(sink.secret).verify(body, headers)).toMatchObject({ type: 'payment_link.created' });
    }
    const { json } = await api(operations.getWebhookSink, { params });
    expect(json).toMatchObject({ received_count: 3, fail_count: 0, respond_status: 200 });
  });

  test('shows its deliveries newest first, page by page, none missing and none twice', {
    tags: 'slow',
  }, async () => {
    const { api, params, deliveries } = await withSink();
    for (let made = 0; made < 7; made += 1) {
      await createLink(api);
    }
    await moveClock(api, 1);
    const pages: string[][] = [];
    let after: string | null = '';
    while (after !== null) {
      const query: Record<string, string> = { limit: '3', ...(after !== '' && { after }) };
      const { json } = await api(operations.listDeliveries, { params, query });
      pages.push(json.data.map(({ id }) => id));
      after = json.next_cursor;
    }
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    const all = await deliveries();
    expect(pages.flat()).toEqual(all.map(({ id }) => id).toReversed());
    expect(pages.flat()).toEqual(pages.flat().toSorted().toReversed());
  });

  test('signs so that any verifier accepts it, however far the clock was moved', {
    tags: 'slow',
  }, async () => {
    const { api, sink, deliveries } = await withSink();
    await moveClock(api, YEAR);
    const { id } = await createPayment(api);
    await moveClock(api, 1);
    const [first] = await deliveries();
    const event = new Webhook(sink.secret).verify(String(first?.body), first?.request_headers ?? {});
    expect(event).toMatchObject({ data: { object: { id } }, type: 'payment.created' });
    expect(Date.parse((event as { timestamp: string }).timestamp) - Date.now()).toBeGreaterThan(
      364 * 86_400_000,
    );
    const forged = String(first?.body).replace('payment.created', 'payment.succeeded');
    expect(() => new Webhook(sink.secret).verify(forged, first?.request_headers ?? {})).toThrow();
  });

  test('gets the events of one payment in order, and gives up after eight attempts', {
    tags: 'slow',
  }, async () => {
    const { api, deliveries } = await withSink({ respond_status: 500 });
    const { id } = await createPayment(api);
    await simulate(api, id, { outcome: 'pending' });
    await simulate(api, id, { outcome: 'succeeded' });
    await moveClock(api, 3 * 86_400);
    const attempts = await deliveries();
    const firsts = attempts.filter(({ attempt }) => attempt === 1).map(({ body }) => JSON.parse(body));
    expect(firsts.map(({ type }) => type)).toEqual([
      'payment.created',
      'payment.requires_action',
      'payment.processing',
      'payment.succeeded',
    ]);
    expect(firsts.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    const last = attempts.filter(({ attempt }) => attempt === 8);
    expect(last.map(({ status, next_attempt_at }) => [status, next_attempt_at])).toEqual(
      Array(4).fill(['exhausted', null]),
    );
    expect(attempts).toHaveLength(32);
  });

  test('gets an event again by redelivery', { tags: 'slow' }, async () => {
    const { api, params, deliveries } = await withSink();
    await createLink(api);
    await moveClock(api, 1);
    const [first] = await deliveries();
    const redelivery = await api(operations.redeliver, {
      params: { ...params, delivery_id: String(first?.id) },
      body: {},
    });
    expect(redelivery.json).toMatchObject({ event_id: first?.event_id, sink_id: params.id });
    await moveClock(api, 1);
    const all = await deliveries();
    expect(new Set(all.map(({ request_headers: headers }) => headers['webhook-id'])).size).toBe(1);
    expect(all).toHaveLength(2);
  });

  test('is named and numbered, and there are at most twenty', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    // So many at once conflict: a slow target responds to some with busy.
    const creations = Array.from({ length: 22 }, (_, index) =>
      resend(BUSY, () => api(operations.createWebhookSink, { idempotencyKey: `sink ${index}` })),
    );
    const answers = await Promise.all(creations);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const { json } = await api(operations.listWebhookSinks);
    expect(json.data.map(({ name }) => name)).toEqual(
      Array.from({ length: 20 }, (_, index) => `sink-${20 - index}`),
    );
    expect(JSON.stringify(json)).not.toContain('whsec_');
  });

  test('is found by its token alone', async () => {
    const { sink } = await withSink();
    const wrong = `${sink.url.slice(0, -1)}${sink.url.endsWith('a') ? 'b' : 'a'}`;
    expect((await fetch(wrong, { method: 'POST', body: '{}' })).status).toBe(404);
    const unsigned = await fetch(sink.url, { method: 'POST', body: '{}' });
    expect([unsigned.status, unsigned.headers.get('sink-signature')]).toEqual([200, 'invalid']);
  });
});
