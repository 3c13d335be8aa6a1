import { describe, expect, test } from 'vitest';
import { callTool } from '../../../infra/mcp/call-tool.ts';
import { toolsOf } from '../../../infra/mcp/tools.ts';
import { createClient } from '../../../shared/client/client.ts';
import { documentAt } from '../../../shared/docs/service-document.ts';

const BASE = 'https://api.example.com';
const tools = toolsOf(documentAt(BASE));

/** The tools of a service that gives these responses, and the requests that it gets. */
function serviceOf(respond: () => Response) {
  const requests: { line: string; body: unknown; key: string | null }[] = [];
  const client = createClient({
    baseUrl: BASE,
    key: 'pg_test_1',
    maxRetries: 0,
    fetch: async (url, { method, body, headers } = {}) => {
      const sent = typeof body === 'string' ? JSON.parse(body) : undefined;
      const key = new Headers(headers).get('idempotency-key');
      requests.push({ line: `${method} ${String(url).slice(BASE.length)}`, body: sent, key });
      return respond();
    },
  });
  const call = async (name: string, given: object, signal = new AbortController().signal) => {
    const called = tools.get(name);
    if (called === undefined) {
      throw new Error(`no tool ${name}`);
    }
    const result = await callTool(client, called, { ...given }, signal);
    const [content] = result.content;
    return { ...result, read: JSON.parse(content?.type === 'text' ? content.text : '') };
  };
  return { call, requests };
}

describe('a call of a tool', () => {
  test('sends ids in the path, fields in the body, and the given idempotency key', async () => {
    const { call, requests } = serviceOf(() => Response.json({ id: 'ref_1' }));
    const result = await call('requestRefund', { id: 'pay/1', reason: 'late', idempotency_key: 'k-1' });
    expect(requests).toEqual([
      { line: 'POST /api/v1/payments/pay%2F1/refunds', body: { reason: 'late' }, key: 'k-1' },
    ]);
    expect(result).toMatchObject({ structuredContent: { id: 'ref_1' }, read: { id: 'ref_1' } });
    expect(result.isError).toBeUndefined();
  });

  test('sends filters in the query, and a key for each change where none is given', async () => {
    const { call, requests } = serviceOf(() =>
      Response.json({ data: [], has_more: false, next_cursor: null }),
    );
    await call('listPayments', { status: 'succeeded', limit: 5 });
    await call('listEventDeliveries', { id: 'evt_1' });
    await call('deleteWebhookEndpoint', { id: 'wep_1' });
    await call('purgeTestData', {});
    await call('purgeTestData', {});
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /api/v1/payments?status=succeeded&limit=5',
      'GET /api/v1/events/evt_1/deliveries',
      'DELETE /api/v1/webhook-endpoints/wep_1',
      'POST /api/v1/test/data',
      'POST /api/v1/test/data',
    ]);
    const keys = requests.map(({ key }) => key);
    expect(keys.slice(0, 2)).toEqual([null, null]);
    expect(new Set(keys.slice(2)).size).toBe(3);
  });

  test('returns the whole problem of a refused call', async () => {
    const problem = {
      type: `${BASE}/errors/validation_failed`,
      code: 'validation_failed',
      status: 422,
      title: 'Validation failed',
      detail: 'Correct the fields.',
      errors: [{ field: 'amount.minor', code: 'out_of_range', message: 'Must be at least 1' }],
    };
    const headers = { 'x-request-id': 'req_1' };
    const { call } = serviceOf(() => Response.json(problem, { status: 422, headers }));
    const { isError, structuredContent, read } = await call('createPayment', { idempotency_key: 'k-1' });
    expect({ isError, structuredContent }).toEqual({ isError: true, structuredContent: undefined });
    expect(read).toEqual({ ...problem, details: {}, request_id: 'req_1', idempotency_key: 'k-1' });
  });

  test('tells how to repeat a change without a response, and repeats it with the same key', async () => {
    const { call, requests } = serviceOf(() => {
      throw new TypeError('fetch failed');
    });
    const { isError, read } = await call('createPayment', { method: 'promptpay' });
    expect(isError).toBe(true);
    expect(read).toMatchObject({ code: 'unreachable', idempotency_key: requests[0]?.key });
    expect(read.detail).toContain('call createPayment with the same arguments and this idempotency_key.');
    await call('createPayment', { method: 'promptpay', idempotency_key: read.idempotency_key });
    expect(requests[1]).toEqual(requests[0]);
  });

  test('says nothing of repeating where it only reads', async () => {
    const { call } = serviceOf(() => new Response('a proxy', { status: 403 }));
    const { isError, read } = await call('getBalance', {});
    expect({ isError, read }).toMatchObject({
      isError: true,
      read: { code: 'not_the_service', status: 403 },
    });
    expect(read.detail).not.toContain('repeat');
  });

  test.each([
    ['createPayment', { amonut: 1 }, /^createPayment does not take amonut\. Its arguments: amount, method, /],
    ['getKey', { id: 'x' }, /^getKey does not take id\. Its arguments: none\.$/],
    ['redeliver', { id: 'snk_1' }, /^redeliver takes delivery_id: a text that is not empty\.$/],
    ['getPayment', { id: '' }, /^getPayment takes an id: a text that is not empty\.$/],
    ['purgeTestData', { idempotency_key: 'a\nb' }, /^idempotency_key takes printable ASCII characters\.$/],
    ['purgeTestData', { idempotency_key: 1 }, /^idempotency_key takes printable ASCII characters\.$/],
  ])('of %s with %j says what is wrong, and sends nothing', async (name, given, detail) => {
    const { call, requests } = serviceOf(() => Response.json({}));
    const { isError, read } = await call(name, given);
    expect({ isError, read }).toEqual({ isError: true, read: { detail: expect.stringMatching(detail) } });
    expect(requests).toEqual([]);
  });

  test('sends nothing once the host has canceled it', async () => {
    const { call, requests } = serviceOf(() => Response.json({}));
    await expect(call('getKey', {}, AbortSignal.abort(new Error('canceled')))).rejects.toThrow('canceled');
    expect(requests).toEqual([]);
  });
});
