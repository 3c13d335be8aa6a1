import { describe, expect, test } from 'vitest';
import { createClient } from '../../shared/client/client.ts';
import { startEdge } from '../support/faults/flaky-edge.ts';
import { baseUrl, newKey } from '../support/world/merchant.ts';

async function startClient() {
  const { secret: key } = await newKey();
  const edge = await startEdge(baseUrl, []);
  return {
    client: createClient({ key, baseUrl: edge.baseUrl }),
    urls: () => edge.seen.map(({ url }) => url.slice('/api/v1'.length)),
    [Symbol.asyncDispose]: () => edge[Symbol.asyncDispose](),
  };
}

type Client = Awaited<ReturnType<typeof startClient>>['client'];

/** Ids of so many payments, newest first. */
async function makePayments(client: Client, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.unshift((await client.createPayment({ amount: { currency: 'THB', minor: 100 + index } })).id);
  }
  return ids;
}

describe.concurrent('a list', () => {
  test('resolves to its first page if it is awaited', { tags: 'slow' }, async () => {
    await using at = await startClient();
    const ids = await makePayments(at.client, 3);
    const page = await at.client.listPayments({ limit: 2 });
    expect(page).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect((await at.client.listPayments({ limit: 2, after: page.next_cursor ?? '' })).data).toMatchObject([
      { id: ids[2] },
    ]);
  });

  test('gives every item, page after page', { tags: 'slow' }, async () => {
    await using at = await startClient();
    const ids = await makePayments(at.client, 5);
    const seen: string[] = [];
    for await (const payment of at.client.listPayments({ limit: 2 })) {
      seen.push(payment.id);
    }
    expect(seen).toEqual(ids);
    const lists = at.urls().slice(5);
    expect(lists).toHaveLength(3);
    expect(lists[0]).toBe('/payments?limit=2');
    expect(lists[1]).toMatch(/^\/payments\?limit=2&after=./);
  });

  test('sends no request before it is read, and none for a page that is not needed', {
    tags: 'slow',
  }, async () => {
    await using at = await startClient();
    const ids = await makePayments(at.client, 3);
    const list = at.client.listPayments({ limit: 1 });
    expect(at.urls()).toHaveLength(3);
    for await (const payment of list) {
      if (payment.id === ids[1]) {
        break;
      }
    }
    expect(at.urls().slice(3)).toHaveLength(2);
  });

  test('continues after an empty page while more follows', async () => {
    const pages = [
      { data: [], has_more: true, next_cursor: 'a' },
      { data: [], has_more: true, next_cursor: 'b' },
      { data: [{ id: 'pay_1' }], has_more: false, next_cursor: null },
    ];
    const urls: string[] = [];
    const client = createClient({
      key: 'pg_test_x',
      baseUrl,
      fetch: async (url) => {
        urls.push(new URL(String(url)).search);
        return Response.json(pages[urls.length - 1]);
      },
    });
    const found: string[] = [];
    for await (const { id } of client.listPayments({ status: 'failed' })) {
      found.push(id);
    }
    expect(found).toEqual(['pay_1']);
    expect(urls).toEqual(['?status=failed', '?status=failed&after=a', '?status=failed&after=b']);
  });

  test('continues from the last number of a page if it follows numbers', async () => {
    const pages = [
      { data: [], has_more: true, next_cursor: null, next_sequence: 7 },
      { data: [{ id: 'evt_1' }], has_more: false, next_cursor: null, next_sequence: 9 },
    ];
    const urls: string[] = [];
    const client = createClient({
      key: 'pg_test_x',
      baseUrl,
      fetch: async (url) => {
        urls.push(new URL(String(url)).search);
        return Response.json(pages[urls.length - 1]);
      },
    });
    const found: string[] = [];
    for await (const { id } of client.listEvents({ after_sequence: 0, type: 'payment.created' })) {
      found.push(id);
    }
    expect(found).toEqual(['evt_1']);
    expect(urls).toEqual([
      '?after_sequence=0&type=payment.created',
      '?after_sequence=7&type=payment.created',
    ]);
  });

  test('gives its pages, and the page of a list that takes no cursor', { tags: 'slow' }, async () => {
    await using at = await startClient();
    await makePayments(at.client, 3);
    const sizes: number[] = [];
    for await (const page of at.client.listPayments({ limit: 2 }).pages()) {
      sizes.push(page.data.length);
    }
    expect(sizes).toEqual([2, 1]);
    const { name } = await at.client.createWebhookSink();
    const names: string[] = [];
    for await (const sink of at.client.listWebhookSinks()) {
      names.push(sink.name);
    }
    expect(names).toEqual([name]);
  });

  test('ends with the problem of the page that was refused', async () => {
    await using at = await startClient();
    const read = async () => {
      for await (const _ of at.client.listPayments({ after: 'nowhere' })) {
        expect.unreachable();
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'validation_failed', operation: 'listPayments' });
    await expect(at.client.listPayments({ limit: 0 })).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
