import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { type RawResponse, sendRaw } from '../support/world/raw-request.ts';
import { createLink, createPayment } from '../support/world/resources.ts';

const DOCUMENT = operations.getOpenApi.path;
const LONG_BYTES = 8 * 1_024;
const MUCH = 'much '.repeat(90);

function get(path: string, headers: Readonly<Record<string, string>>): Promise<RawResponse> {
  const address = path.startsWith('http') ? path : `${baseUrl}${path}`;
  return sendRaw(address, { lines: Object.entries({ Accept: '*/*', ...headers }) });
}

function encodingOf({ headers }: RawResponse): string | null {
  return headers.get('content-encoding');
}

async function merchantOfGzip() {
  const { api, secret } = await newMerchant();
  return { api, accepting: { Authorization: `Bearer ${secret}`, 'Accept-Encoding': 'gzip' } };
}

describe('a long response', () => {
  test.each([
    'gzip',
    'GZIP',
    'gzip, deflate, br',
    'br;q=1.0, gzip;q=0.5',
    'br, *',
    'identity;q=0, gzip ; q=0.001',
  ])('is compressed for Accept-Encoding "%s", and is the same', async (accepted) => {
    const [plain, packed] = await Promise.all([
      get(DOCUMENT, {}),
      get(DOCUMENT, { 'Accept-Encoding': accepted }),
    ]);
    expect([plain.status, packed.status]).toEqual([200, 200]);
    expect([encodingOf(plain), encodingOf(packed)]).toEqual([null, 'gzip']);
    expect(gunzipSync(packed.bytes).toString()).toBe(plain.text);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3);
    expect([plain, packed].map(({ headers }) => headers.get('vary'))).toEqual(
      Array(2).fill('Accept-Encoding'),
    );
  });

  test.each(['', 'identity', 'br', 'gzip;q=0', 'gzip;q=0, *', '*;q=0', 'gzipped', 'x-gzip;q=1'])(
    'is not compressed for Accept-Encoding "%s"',
    async (accepted) => {
      const answer = await get(DOCUMENT, { 'Accept-Encoding': accepted });
      expect([answer.status, encodingOf(answer)]).toEqual([200, null]);
      expect(JSON.parse(answer.text).openapi).toMatch(/^3\.1/);
    },
  );
});

describe('among the responses that require a key', () => {
  test('a long list is compressed', { tags: 'slow' }, async () => {
    const { api, accepting } = await merchantOfGzip();
    for (let made = 0; made < 12; made += 1) {
      await createPayment(api, { description: MUCH });
    }
    const packed = await get(operations.listPayments.path, accepting);
    expect(encodingOf(packed)).toBe('gzip');
    expect(JSON.parse(gunzipSync(packed.bytes).toString()).data).toHaveLength(12);
  });

  test('a single resource is not compressed', async () => {
    const { api, accepting } = await merchantOfGzip();
    const { id } = await createPayment(api, { description: MUCH });
    const answer = await get(`/api/v1/payments/${id}`, accepting);
    expect([answer.status, encodingOf(answer), answer.headers.get('vary')]).toEqual([200, null, null]);
  });
});

test("a payer's page is never compressed: its length would reveal the address in it", async () => {
  const { api } = await newMerchant();
  // Each becomes six characters in a page.
  const description = '"'.repeat(500);
  const { checkout_url } = await createPayment(api, { description, checkout: true });
  const { url } = await createLink(api, { description });
  for (const page of [String(checkout_url), url]) {
    const answer = await get(page, { 'Accept-Encoding': 'gzip' });
    expect([answer.status, encodingOf(answer)]).toEqual([200, null]);
    expect(answer.bytes.length).toBeGreaterThan(LONG_BYTES);
  }
});
