import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { sendRaw } from '../support/world/raw-request.ts';
import { createLink } from '../support/world/resources.ts';

const ORDER = { amount: { currency: 'THB', minor: 1_000 }, method: 'promptpay' };
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** A payment whose description is these bytes. */
function orderOf(description: Uint8Array): Buffer {
  const [before, after] = JSON.stringify({ ...ORDER, description: '|' }).split('|');
  return Buffer.concat([Buffer.from(String(before)), description, Buffer.from(String(after))]);
}

function creator(secret: string) {
  const { method, path } = operations.createPayment;
  return (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) => {
    const all = {
      Authorization: `Bearer ${secret}`,
      'Idempotency-Key': randomUUID(),
      'Content-Type': JSON_TYPE,
      ...headers,
    };
    return sendRaw(`${baseUrl}${path}`, { method, lines: Object.entries(all), body });
  };
}

/** Posts a body to an address, as a form or as another media type. */
function post(url: string, body: string | Uint8Array, type: string = FORM_TYPE) {
  return sendRaw(url, { method: 'POST', lines: [['Content-Type', type]], body });
}

describe('a JSON body', () => {
  test('that is not UTF-8 is refused, and its key stays free for a valid body', async () => {
    const { api, secret } = await newMerchant();
    const create = creator(secret);
    const key = { 'Idempotency-Key': randomUUID() };
    // Two bytes that UTF-8 never has, a lone surrogate, a slash in two bytes, and a character cut off.
    for (const bytes of [[0xff], [0xfe], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xe0, 0xb8]]) {
      const { status, problem } = await create(orderOf(Uint8Array.from(bytes)), key);
      expect([status, problem?.code]).toEqual([400, 'malformed_json']);
    }
    expect((await api(operations.listPayments)).json.data).toEqual([]);
    const thai = await create(orderOf(Buffer.from('กาแฟ ☕')), key);
    expect([thai.status, JSON.parse(thai.text).description]).toEqual([201, 'กาแฟ ☕']);
  });

  test.each(['', '; charset=utf-8', ';charset=UTF-8', '; charset="utf-8"', '; charset=utf8', '; x=y'])(
    'is accepted as "application/json%s"',
    async (parameter) => {
      const { secret } = await newMerchant();
      const type = `${JSON_TYPE}${parameter}`;
      expect((await creator(secret)(JSON.stringify(ORDER), { 'Content-Type': type })).status).toBe(201);
    },
  );

  test.each([
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json; charset="UTF-16LE"',
    'application/jsonp',
    'text/json',
  ])('declared as "%s" is refused, with the supported media type', async (type) => {
    const { secret } = await newMerchant();
    const { status, problem } = await creator(secret)(JSON.stringify(ORDER), { 'Content-Type': type });
    expect([status, problem?.code]).toEqual([415, 'unsupported_media_type']);
    expect(problem.detail).toMatch(/application\/json.*UTF-8.*without a Content-Encoding/);
  });

  test('may declare that it is not encoded', async () => {
    const { secret } = await newMerchant();
    const headers = { 'Content-Encoding': 'identity' };
    expect((await creator(secret)(JSON.stringify(ORDER), headers)).status).toBe(201);
  });

  test('of null equals an empty object, for the same key too', async () => {
    const { api } = await newMerchant();
    const first = await api(operations.createWebhookSink, { body: 'null', idempotencyKey: 'k' });
    expect(first.status).toBe(201);
    for (const body of ['{}', 'null', undefined]) {
      const again = await api(operations.createWebhookSink, { body, idempotencyKey: 'k' });
      expect([again.status, again.text]).toEqual([201, first.text]);
    }
    const [nothing, empty] = await Promise.all(
      ['null', '{}'].map((body) => api(operations.createPayment, { body })),
    );
    expect([nothing?.status, nothing?.problem.errors]).toEqual([422, empty?.problem.errors]);
  });
});

test('an optional field that is null counts as left out, for the same key too', async () => {
  const { api } = await newMerchant();
  const own = { method: 'promptpay', reference: 'R-1', amount: { currency: 'THB', minor: 1_000 } };
  const nulls = { description: null, metadata: null, return_url: null, client_ip: null, checkout: null };
  const customer = { email: null, name: 'Somchai', phone: null };
  const first = await api(operations.createPayment, {
    body: { ...own, ...nulls, customer },
    idempotencyKey: 'k',
  });
  expect([first.status, first.json.metadata]).toEqual([201, {}]);
  const again = await api(operations.createPayment, {
    body: { ...own, customer: { name: 'Somchai' } },
    idempotencyKey: 'k',
  });
  expect([again.status, again.text]).toEqual([201, first.text]);

  const link = await createLink(api, { description: 'Tea', return_url: null, max_uses: null });
  const without = await createLink(api, { description: 'Tea' });
  const differing = ['id', 'number', 'code', 'url', 'created_at'];
  const others = new Map(Object.entries(without).map(([name, value]) => [name, String(value)]));
  const changed = Object.entries(link).filter(([name, value]) => others.get(name) !== String(value));
  expect(changed.map(([name]) => name)).toEqual(differing);
});

/** A body in which each of these fields is written so, in this order: also twice, as no object can have it. */
function written(fields: readonly (readonly [name: string, json: string])[]): string {
  return `{${fields.map(([name, json]) => `"${name}":${json}`).join(',')}}`;
}

describe('a name in a JSON body', () => {
  const amount = ['amount', '{"currency":"THB","minor":1000}'] as const;
  test.each([
    ['with two values', written([amount, ['reference', '"a"'], ['reference', '"b"']])],
    ['with the same value', written([amount, ['reference', '"a"'], ['reference', '"a"']])],
    ['spelled with an escape', written([amount, ['reference', '"a"'], ['r\\u0065ference', '"b"']])],
    ['first in an object', written([['amount', '{"currency":"THB","minor":1,"minor":1000}']])],
    ['around an object', written([amount, ['amount', '{"currency":"THB","minor":1}']])],
    ['in metadata', written([amount, ['metadata', '{"cart":1,"cart":1}']])],
    ['that JavaScript reserves', written([amount, ['__proto__', '{}'], ['__proto__', '{}']])],
    ['that nobody knows', written([amount, ['x', '[{"a":1},{"b":1,"b":2}]']])],
    ['with nothing', written([amount, ['', '1'], ['', '1']])],
  ])('that comes twice is refused, and its key stays free: %s', async (_what, body) => {
    const { api, secret } = await newMerchant();
    const key = { 'Idempotency-Key': randomUUID() };
    const { status, problem } = await creator(secret)(body, key);
    expect([status, problem?.code]).toEqual([400, 'malformed_json']);
    expect((await api(operations.listPayments)).json.data).toEqual([]);
    expect((await creator(secret)(JSON.stringify(ORDER), key)).status).toBe(201);
  });

  test('may come again in another object, and in a text', async () => {
    const { secret } = await newMerchant();
    const metadata = '{"amount":"\\"minor\\":1,\\"minor\\":2","currency":"{\\"a\\":1,\\"a\\":1}"}';
    const { status, text } = await creator(secret)(written([amount, ['metadata', metadata]]));
    expect([status, JSON.parse(text).metadata]).toEqual([201, JSON.parse(metadata)]);
  });
});

describe("a payer's form", () => {
  test.each([
    ['bytes that are no UTF-8', 'attempt=\xff', FORM_TYPE, '400 malformed_request'],
    ['escapes that are no UTF-8', 'attempt=%ff', FORM_TYPE, '400 malformed_request'],
    ['an escape that is none', 'attempt=%zz', FORM_TYPE, '400 malformed_request'],
    ['a field twice', 'attempt=a&attempt=b', FORM_TYPE, '400 malformed_request'],
    ['another charset', 'attempt=a', `${FORM_TYPE}; charset=tis-620`, '415 unsupported_media_type'],
    ['another media type', 'attempt=a', 'text/plain', '415 unsupported_media_type'],
    ['more than 8 KB', `attempt=${'a'.repeat(8 * 1_024)}`, FORM_TYPE, '413 body_too_large'],
  ])('with %s is refused and makes nothing', async (_what, body, type, refusal) => {
    const { api } = await newMerchant();
    const { url } = await createLink(api);
    const { status, text } = await post(url, Buffer.from(body, 'latin1'), type);
    // A payer gets a page.
    expect(`${status} ${/<main data-code="(\w+)">/.exec(text)?.[1]}`).toBe(refusal);
    expect((await api(operations.listPayments)).json.data).toEqual([]);
  });

  test('is parsed as browsers write it', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const { url } = await createLink(api, { collect: { name: 'required' } });
    const form = new URLSearchParams({ attempt: 'a b+c&=%', name: 'สมชาย ใจดี', email: '' });
    expect((await post(url, form.toString(), `${FORM_TYPE};charset=UTF-8`)).status).toBe(303);
    const { json } = await api(operations.listPayments);
    expect(json.data.map(({ customer_name }) => customer_name)).toEqual(['สมชาย ใจดี']);
  });
});

describe('a sink', () => {
  test.each([
    ['900 KB', Buffer.alloc(900 * 1_024, 'a'), 'text/plain', '413 body_too_large'],
    ['a byte above 64 KB', Buffer.alloc(64 * 1_024 + 1, 'a'), 'text/plain', '413 body_too_large'],
    ['bytes that are no UTF-8', Buffer.from([0xff]), JSON_TYPE, '400 malformed_request'],
    ['another charset', Buffer.from('{}'), `${JSON_TYPE}; charset=utf-16`, '415 unsupported_media_type'],
  ])('takes no body of %s, and does not count it', async (_what, body, type, refusal) => {
    const { api } = await newMerchant();
    const { json: sink } = await api(operations.createWebhookSink);
    const { status, problem } = await post(sink.url, body, type);
    expect(`${status} ${problem?.code}`).toBe(refusal);
    const { json } = await api(operations.getWebhookSink, { params: { id: sink.id } });
    expect(json.received_count).toBe(0);
  });

  test('takes 64 KB', async () => {
    const { api } = await newMerchant();
    const { json: sink } = await api(operations.createWebhookSink);
    expect((await post(sink.url, Buffer.alloc(64 * 1_024, 'a'), 'text/plain')).status).toBe(200);
  });
});
