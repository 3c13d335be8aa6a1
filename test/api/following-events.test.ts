import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { type Client, clientOf, newMerchant } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import { createLink, createPayment } from '../support/world/resources.ts';

async function follow(api: Client, after: number, query: Record<string, string> = {}) {
  const wanted = { ...query, after_sequence: String(after) };
  const { status, text, json } = await api(operations.listEvents, { query: wanted });
  expect(status, text).toBe(200);
  return { ...json, next_sequence: Number(json.next_sequence) };
}

/** Follows from a number on until so many events have come. */
async function followUntil(api: Client, howMany: number, limit: string) {
  const events: Awaited<ReturnType<typeof follow>>['data'][number][] = [];
  let next = 0;
  await expect
    .poll(async () => {
      const page = await follow(api, next, { limit });
      expect(page.data.length).toBeLessThanOrEqual(Number(limit));
      events.push(...page.data);
      next = page.next_sequence;
      return events.length;
    })
    .toBe(howMany);
  return { events, next };
}

const numbers = (howMany: number) => Array.from({ length: howMany }, (_, index) => index + 1);

describe('events that are followed by their numbers', () => {
  test('come oldest first, as the list and the event itself have them, page by page', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    for (let count = 0; count < 3; count += 1) {
      await createPayment(api);
    }
    for (const limit of ['1', '4', '100']) {
      const { events, next } = await followUntil(api, 6, limit);
      expect(events).toEqual((await api(operations.listEvents)).json.data.toReversed());
      expect(next).toBe(6);
    }
    const { data, has_more, next_sequence } = await follow(api, 2, { limit: '2' });
    expect({ has_more, next_sequence }).toEqual({ has_more: true, next_sequence: 4 });
    expect(data.map(({ sequence }) => sequence)).toEqual([3, 4]);
    const [first] = data;
    const alone = await api(operations.getEvent, { params: { id: String(first?.id) } });
    expect(alone.json).toEqual(first);
  });

  test('each reach a follower once and in order during concurrent requests', async () => {
    const { api } = await newMerchant();
    const making = Promise.all(Array.from({ length: 30 }, () => createPayment(api)));
    const { events, next } = await followUntil(api, 60, '7');
    await making;
    expect(events.map(({ sequence }) => sequence)).toEqual(numbers(60));
    expect(await follow(api, next)).toMatchObject({ data: [], next_sequence: 60 });
  });

  test('are an empty list if nothing follows, and the number is returned as sent', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const nothing = (next_sequence: number) => ({
      data: [],
      has_more: false,
      next_cursor: null,
      next_sequence,
    });
    expect(await follow(api, 0)).toMatchObject(nothing(0));
    await createLink(api);
    const { next } = await followUntil(api, 1, '20');
    for (const number of [next, 2, 1_000, 1_001, 4_294_967_296, Number.MAX_SAFE_INTEGER]) {
      expect(await follow(api, number)).toMatchObject(nothing(number));
    }
  });

  test('can be filtered by type or resource, and the numbers go on', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const payment = await createPayment(api);
    await createLink(api);
    const { events } = await followUntil(api, 3, '20');
    const ofType = await follow(api, 0, { type: 'payment_link.created' });
    expect(ofType).toMatchObject({ data: [{ type: 'payment_link.created' }], next_sequence: 3 });
    const ofOne = await follow(api, 0, { resource_id: payment.id });
    expect(ofOne.data).toEqual(events.filter(({ type }) => type.startsWith('payment.')));
    expect(ofOne.next_sequence).toBe(3);
    expect(await follow(api, 0, { type: 'refund.failed' })).toMatchObject({ data: [], next_sequence: 3 });
  });

  test('name their world: the same for each of its keys, and another one for another merchant', async () => {
    const { api, merchant } = await newMerchant();
    const other = clientOf((await newKey({ merchant })).secret);
    const stranger = await newMerchant();
    const { world } = await follow(api, 0);
    expect(world).toMatch(/^[0-9a-f]+$/);
    expect((await follow(other, 0)).world).toBe(world);
    expect((await follow(stranger.api, 0)).world).not.toBe(world);
  });

  test('begin with 1 again after a purge', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    await createPayment(api);
    const before = await followUntil(api, 2, '20');
    expect((await api(operations.purgeTestData)).status).toBe(200);
    expect(await follow(api, 0)).toMatchObject({ data: [], next_sequence: 0 });
    expect(await follow(api, before.next)).toMatchObject({ data: [], next_sequence: before.next });
    await createLink(api);
    const { events } = await followUntil(api, 1, '20');
    expect(events).toMatchObject([{ sequence: 1, type: 'payment_link.created' }]);
    // From one number before, the list shows that the last event is no longer there.
    expect((await follow(api, before.next - 1)).data).toEqual([]);
  });

  test.each<[Record<string, string>, string[]]>([
    [{ after_sequence: '' }, ['after_sequence format']],
    [{ after_sequence: '1.5' }, ['after_sequence format']],
    [{ after_sequence: '1e3' }, ['after_sequence format']],
    [{ after_sequence: ' 1' }, ['after_sequence format']],
    [{ after_sequence: 'evt_1' }, ['after_sequence format']],
    [{ after_sequence: '9'.repeat(17) }, ['after_sequence format']],
    [{ after_sequence: '9'.repeat(16) }, ['after_sequence max']],
    [{ after_sequence: '-1' }, ['after_sequence min']],
    [{ after_sequence: '1', limit: '0' }, ['limit min']],
    [{ after_sequence: '1', type: 'payment.lost' }, ['type enum']],
    [{ after_sequence: '1', after: 'MQ' }, ['after conflict']],
    [{ after_sequence: 'x', after: '' }, ['after too_short', 'after_sequence format']],
    [{ after_sequence: '1', status: 'created' }, ['status unknown']],
  ])('are refused for %j, and each field says why', async (query, fields) => {
    const { api } = await newMerchant();
    const { status, problem } = await api(operations.listEvents, { query });
    expect(status).toBe(422);
    const errors = problem.errors?.map(({ code, field }) => `${field} ${code}`) ?? [];
    expect(errors.toSorted()).toEqual(fields);
  });
});
