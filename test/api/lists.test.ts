import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { worldIdOf } from '../../shared/domain/world.ts';
import { QUERY_FIELDS } from '../support/tools/query-fields.ts';
import { type Client, newMerchant, type ProblemBody, type Received } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { createLink, createPaidPayment, createPayment } from '../support/world/resources.ts';

const { callTable } = await import('../../shared/store/table/client.ts');
const { worldKey } = await import('../../shared/store/table/keys.ts');

async function createPayments(api: Client, count: number) {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.unshift((await createPayment(api, { method: index % 2 === 0 ? 'promptpay' : 'truemoney' })).id);
  }
  return ids;
}

/** Every page of a list, with how long each was. */
async function walk(api: Client, query: Record<string, string>) {
  const ids: string[] = [];
  const lengths: number[] = [];
  let after: string | null = null;
  do {
    const page: Record<string, string> = after === null ? query : { ...query, after };
    const { json }: Received<typeof operations.listPayments> = await api(operations.listPayments, {
      query: page,
    });
    expect(json.has_more).toBe(json.next_cursor !== null);
    ids.push(...json.data.map(({ id }) => id));
    lengths.push(json.data.length);
    after = json.next_cursor;
  } while (after !== null);
  return { ids, lengths };
}

describe('a list', () => {
  test('without items is an empty page', async () => {
    const { api } = await newMerchant();
    for (const row of [operations.listPayments, operations.listRefunds, operations.listPaymentLinks]) {
      expect((await api(row)).json).toEqual({ data: [], has_more: false, next_cursor: null });
    }
  });

  test('is newest first, page by page, with nothing twice and nothing missing', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const ids = await createPayments(api, 25);
    expect(await walk(api, { limit: '10' })).toEqual({ ids, lengths: [10, 10, 5] });
    expect(await walk(api, { limit: '25' })).toEqual({ ids, lengths: [25] });
    expect(await walk(api, {})).toEqual({ ids, lengths: [20, 5] });
    expect((await walk(api, { limit: '1' })).ids).toEqual(ids);
  });

  test('continues across storage blocks and across gaps in the numbers', { tags: 'slow' }, async () => {
    const { api, merchant } = await newMerchant();
    const early = await createPayments(api, 3);
    for (const count of [996, 3_498]) {
      await callTable('UpdateItem', {
        Key: worldKey(worldIdOf(merchant, 'test')),
        UpdateExpression: 'SET paymentCount = :count',
        ExpressionAttributeValues: { ':count': count },
      });
      early.unshift(...(await createPayments(api, 6)));
    }
    for (const limit of ['1', '2', '3', '4', '5', '6', '7', '100']) {
      expect((await walk(api, { limit })).ids).toEqual(early);
    }
  });

  test('is bounded by the time of creation: from inclusive, to exclusive', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const ids = await createPayments(api, 5);
    const times = new Map<string, string>();
    for (const { id, created_at } of (await api(operations.listPayments)).json.data) {
      times.set(id, created_at);
    }
    const at = (index: number) => String(times.get(String(ids[index])));
    const within = (query: Record<string, string>) => walk(api, { limit: '2', ...query });
    const later = (bound: string) => ids.filter((id) => String(times.get(id)) >= bound);
    expect((await within({ created_from: at(2) })).ids).toEqual(later(at(2)));
    const earlier = ids.filter((id) => !later(at(2)).includes(id));
    expect((await within({ created_to: at(2) })).ids).toEqual(earlier);
    expect((await within({ created_from: at(3), created_to: at(1), status: 'requires_action' })).ids).toEqual(
      later(at(3)).filter((id) => !later(at(1)).includes(id)),
    );
    expect((await within({ created_from: at(1), created_to: at(3) })).ids).toEqual([]);
    expect((await within({ created_from: '1969-12-31T00:00:00Z' })).ids).toEqual(ids);
  });

  test.each([
    operations.listRefunds,
    operations.listPaymentLinks,
    operations.listPayouts,
    operations.listSettlements,
  ])('of every kind accepts these bounds: $id', { tags: 'slow' }, async (row) => {
    const { api } = await newMerchant();
    await api(operations.seedTestData, { body: { profile: 'e2e' } });
    const { data } = (await api(row, { query: { limit: '100' } })).json as {
      data: { id: string; created_at: string }[];
    };
    const bound = String(data.at(Math.floor(data.length / 2))?.created_at);
    const [from, to] = await Promise.all(
      ['created_from', 'created_to'].map(async (name) => {
        const query = { limit: '100', [name]: bound };
        return ((await api(row, { query })).json as { data: { id: string }[] }).data.map(({ id }) => id);
      }),
    );
    expect(data.length).toBeGreaterThan(0);
    expect(from).toEqual(data.filter(({ created_at }) => created_at >= bound).map(({ id }) => id));
    expect(to).toEqual(data.filter(({ created_at }) => created_at < bound).map(({ id }) => id));
  });

  test('goes on only from its own cursor, with the same filters and unchanged', {
    tags: 'slow',
  }, async () => {
    const [{ api }, other] = await Promise.all([newMerchant(), newMerchant()]);
    await createPayments(api, 3);
    const first = await api(operations.listPayments, { query: { limit: '1' } });
    const after = String(first.json.next_cursor);
    const next = await api(operations.listPayments, { query: { limit: '2', after } });
    expect(next.json.data).toHaveLength(2);
    const swapped = `${after.slice(0, -1)}${after.endsWith('A') ? 'B' : 'A'}`;
    const refused = await Promise.all([
      other.api(operations.listPayments, { query: { after } }),
      api(operations.listRefunds, { query: { after } }),
      api(operations.listEvents, { query: { after } }),
      api(operations.listRequests, { query: { after } }),
      api(operations.listPayments, { query: { after, status: 'requires_action' } }),
      api(operations.listPayments, { query: { after: swapped } }),
      api(operations.listPayments, { query: { after: `${after}=` } }),
    ]);
    for (const { status, problem } of refused) {
      expect([status, problem?.errors?.map(({ code, field }) => `${field}: ${code}`)]).toEqual([
        422,
        ['after: format'],
      ]);
    }
  });

  test.each([
    [{ from: '2570-12-01', to: '2570-12-31' }, operations.getDailyStatistics, /Buddhist era/],
    [{ to: '2099-12-31' }, operations.getDailyStatistics, /tomorrow/],
    [{ value_date: '2570-12-31' }, operations.listSettlements, /Buddhist era/],
    [{ created_from: '2099-01-01T00:00:00Z' }, operations.listPayments, /tomorrow/],
    [{ created_to: '2570-01-01T00:00:00Z' }, operations.listPayments, /Buddhist era/],
    [{ created_from: '2026-11-01T00:00:00 07:00' }, operations.listPayments, /%2B/],
  ])('of times that cannot be meant is refused and says why: %j', async (query, row, why) => {
    const { api } = await newMerchant();
    const { status, problem } = await api(row, { query: query as Record<string, string> });
    expect([status, problem.code]).toEqual([422, 'validation_failed']);
    expect(problem.errors?.[0]?.message).toMatch(why);
  });

  test('finds a payment by its number, however many came after it', { tags: 'slow' }, async () => {
    const { api, merchant } = await newMerchant();
    const [early] = await createPayments(api, 1);
    await callTable('UpdateItem', {
      Key: worldKey(worldIdOf(merchant, 'test')),
      UpdateExpression: 'SET paymentCount = :count',
      ExpressionAttributeValues: { ':count': 2_345 },
    });
    const [late] = await createPayments(api, 1);
    const numbered = (number: string) => walk(api, { number });
    expect((await numbered('P-000001')).ids).toEqual([early]);
    expect((await numbered('P-002346')).ids).toEqual([late]);
    for (const number of ['P-000002', 'P-002347', 'P-9999999', 'P-', 'R-000001', '']) {
      expect((await numbered(number)).ids, number).toEqual([]);
    }
    expect((await walk(api, { number: 'P-000001', status: 'succeeded' })).ids).toEqual([]);
  });

  test('of payments is filtered by method, status and reference', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const ids = await createPayments(api, 6);
    const paid = await createPaidPayment(api);
    const named = await createPayment(api, { reference: 'order 7/ก' });
    const list = async (query: Record<string, string>) =>
      (await api(operations.listPayments, { query })).json.data.map(({ id }) => id);
    expect(await list({ method: 'truemoney' })).toEqual(ids.filter((_, index) => index % 2 === 0));
    expect(await list({ status: 'succeeded' })).toEqual([paid.id]);
    expect(await list({ reference: 'order 7/ก' })).toEqual([named.id]);
    expect(await list({ reference: 'order 7/ก', status: 'succeeded' })).toEqual([]);
    expect(await list({ reference: 'order' })).toEqual([]);
    const filtered = await walk(api, { method: 'truemoney', limit: '2' });
    expect(filtered.ids).toHaveLength(3);
  });

  test("of refunds is filtered by payment, also by another merchant's", { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const [one, two] = [await createPaidPayment(api), await createPaidPayment(api)];
    const refunds: string[] = [];
    for (const { id } of [one, two, one]) {
      const body = { amount: { currency: 'THB', minor: 10 } };
      refunds.unshift((await api(operations.requestRefund, { params: { id }, body })).json.id);
    }
    const list = async (query: Record<string, string>) =>
      (await api(operations.listRefunds, { query })).json.data.map(({ id }) => id);
    expect(await list({})).toEqual(refunds);
    expect(await list({ payment_id: one.id })).toEqual([refunds[0], refunds[2]]);
    const stranger = await newMerchant();
    const foreign = await stranger.api(operations.listRefunds, { query: { payment_id: one.id } });
    expect(foreign.json.data).toEqual([]);
  });

  test('of payment links is filtered by status', async () => {
    const { api } = await newMerchant();
    const [one, two] = [await createLink(api), await createLink(api)];
    await api(operations.disablePaymentLink, { params: { id: one.id } });
    const { json } = await api(operations.listPaymentLinks, { query: { status: 'active' } });
    expect(json.data.map(({ id }) => id)).toEqual([two.id]);
  });

  test.each([
    [{ limit: '0' }, 'limit min'],
    [{ limit: '101' }, 'limit max'],
    [{ limit: 'ten' }, 'limit format'],
    [{ status: 'paid' }, 'status enum'],
    [{ after: 'made up' }, 'after format'],
    [{ after: Buffer.from('9:pay_1').toString('base64url') }, 'after format'],
    [{ page: '2' }, 'page unknown'],
  ])('refuses the query %j', async (query, error) => {
    const { api } = await newMerchant();
    const { status, problem } = await api(operations.listPayments, {
      query: query as Record<string, string>,
    });
    expect(status).toBe(422);
    expect(problem.errors?.map(({ code, field }) => `${field} ${code}`)).toEqual([error]);
  });
});

test.each(QUERY_FIELDS)('%s with %s sent twice is refused, not guessed', async (_id, filter, { path }) => {
  const { secret } = await newMerchant();
  const headers = { Authorization: `Bearer ${secret}` };
  const answer = await fetch(`${baseUrl}${path}?${filter}=1&${filter}=1`, { headers });
  const { errors } = (await answer.json()) as ProblemBody;
  expect(answer.status).toBe(422);
  expect(errors).toContainEqual({ code: 'conflict', field: filter, message: 'was sent more than once' });
});
