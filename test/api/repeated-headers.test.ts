import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { API_VERSIONS } from '../../shared/contract/versions.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl, newKey } from '../support/world/merchant.ts';
import { sendRaw } from '../support/world/raw-request.ts';

const ORDER = JSON.stringify({ amount: { currency: 'THB', minor: 1_000 }, method: 'promptpay' });
/** The headers that decide the meaning of a request, and the error for each one that is repeated. */
const REFUSALS = {
  Authorization: '401 api_key_invalid',
  'PG-Version': '400 version_invalid',
  'Idempotency-Key': '400 idempotency_key_invalid',
  'Content-Type': '415 unsupported_media_type',
} as const;
type Deciding = keyof typeof REFUSALS;
const NAMES = Object.keys(REFUSALS) as Deciding[];

/** A good request, and for each of its headers another value that would be as good. */
async function meanings(secret: string): Promise<Record<Deciding, readonly [string, string]>> {
  const other = await newKey();
  return {
    Authorization: [`Bearer ${secret}`, `Bearer ${other.secret}`],
    'PG-Version': [API_VERSIONS[0], '2020-01-01'],
    'Idempotency-Key': [randomUUID(), randomUUID()],
    'Content-Type': ['application/json', 'application/json; charset=utf-8'],
  };
}

describe.each([
  ['the same', 0],
  ['two values', 1],
] as const)('a header that decides what a request means, in two lines with %s,', (_with, second) => {
  test.each(NAMES)('is refused, and nothing is created: %s', async (repeated) => {
    const { api, secret } = await newMerchant();
    const values = await meanings(secret);
    const lines = [
      ...NAMES.map((name) => [name, values[name][0]] as const),
      [repeated.toLowerCase(), values[repeated][second]] as const,
    ];
    const { method, path } = operations.createPayment;
    const { status, problem } = await sendRaw(`${baseUrl}${path}`, { method, lines, body: ORDER });
    expect(`${status} ${problem?.code}`).toBe(REFUSALS[repeated]);
    expect((await api(operations.listPayments)).json.data).toEqual([]);
  });
});
