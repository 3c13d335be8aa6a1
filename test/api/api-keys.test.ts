import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { MINUTE_MS, toDay } from '../../shared/domain/clock.ts';
import { clientOf, newMerchant } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import { createPayment } from '../support/world/resources.ts';

const { listApiKeys, rollApiKey } = await import('../../shared/store/worlds/api-key.ts');

const EVERYWHERE = ['0.0.0.0/0', '::/0'];
/** For documentation (RFC 5737, RFC 3849): no caller has them. */
const ELSEWHERE = ['203.0.113.0/24', '2001:db8::/32'];
const { listPayments, createPayment: create } = operations;

describe('a key has one accepted spelling', () => {
  test.each<[string, (secret: string) => string]>([
    ['another case of its scheme', (secret) => `bearer ${secret}`],
    ['mixed case', (secret) => `bEaReR ${secret}`],
    ['two spaces', (secret) => `Bearer  ${secret}`],
    ['500 spaces', (secret) => `Bearer ${' '.repeat(499)}${secret}`],
    ['a tab', (secret) => `Bearer\t${secret}`],
    ['a parameter after it', (secret) => `Bearer ${secret} realm=x`],
    ['no scheme', (secret) => secret],
  ])('so that %s gets 401', async (_, spell) => {
    const { secret, api } = await newMerchant();
    const { status, problem } = await clientOf(null)(listPayments, {
      headers: { Authorization: spell(secret) },
    });
    expect([status, problem.code]).toEqual([401, 'authentication_missing']);
    expect(problem.detail).toBe(
      'Send your key in one header, exactly like this, with one space: "Authorization: Bearer <API_KEY>".',
    );
    expect((await api(listPayments)).status).toBe(200);
  });
});

describe('a key with an end', () => {
  test('works before it, and gets 401 api_key_expired from then on', async () => {
    const { merchant } = await newMerchant();
    const now = Date.now();
    const living = clientOf((await newKey({ merchant, expiresAtMs: now + 60 * MINUTE_MS })).secret);
    expect((await living(listPayments)).status).toBe(200);
    const expired = clientOf((await newKey({ merchant, expiresAtMs: now - 1 })).secret);
    const { status, problem, headers } = await expired(listPayments);
    expect([status, problem.code]).toEqual([401, 'api_key_expired']);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(headers.get('pg-clock')).toBeNull();
  });

  test('gets no saved response after it either', async () => {
    const { merchant, api } = await newMerchant();
    const sent = { idempotencyKey: 'once', body: { amount: { currency: 'THB', minor: 2_000 } } };
    expect((await api(create, sent)).status).toBe(201);
    const { secret } = await newKey({ merchant, expiresAtMs: Date.now() - 1 });
    expect((await clientOf(secret)(create, sent)).problem.code).toBe('api_key_expired');
  });

  test('gets api_key_expired before any permission error', async () => {
    const { secret } = await newKey({ permissions: [], expiresAtMs: Date.now() - 1, networks: ELSEWHERE });
    expect((await clientOf(secret)(listPayments)).problem.code).toBe('api_key_expired');
  });

  test('does not end by a move of the merchant’s clock', async () => {
    const { secret } = await newKey({ expiresAtMs: Date.now() + 60 * MINUTE_MS });
    const api = clientOf(secret);
    expect((await api(operations.advanceClock, { body: { seconds: 86_400 } })).status).toBe(200);
    expect((await api(listPayments)).status).toBe(200);
  });
});

describe('a key with networks', () => {
  test('works from there; from others it gets 403 ip_not_allowed and changes nothing', async () => {
    const { merchant, api } = await newMerchant();
    const inside = clientOf((await newKey({ merchant, networks: EVERYWHERE })).secret);
    expect((await inside(listPayments)).status).toBe(200);
    const outside = clientOf((await newKey({ merchant, networks: ELSEWHERE })).secret);
    const body = { amount: { currency: 'THB', minor: 2_000 } };
    const { status, problem, headers } = await outside(create, { body });
    expect([status, problem.code, problem.details]).toEqual([403, 'ip_not_allowed', undefined]);
    expect(headers.get('pg-clock')).toBeNull();
    expect((await api(listPayments)).json.data).toEqual([]);
  });

  test('gets ip_not_allowed before any permission error', async () => {
    const { secret } = await newKey({ permissions: [], networks: ELSEWHERE });
    expect((await clientOf(secret)(listPayments)).problem.code).toBe('ip_not_allowed');
    const allowed = await newKey({ permissions: [], networks: EVERYWHERE });
    expect((await clientOf(allowed.secret)(listPayments)).problem.code).toBe('permission_denied');
  });
});

describe('a key that is rolled', () => {
  test('works beside its successor until the overlap is over, in the same world', async () => {
    const { merchant, secret, id, api } = await newMerchant();
    const payment = await createPayment(api);
    const { issued } = await rollApiKey(id, 60 * MINUTE_MS, 'a test', Date.now());
    const successor = clientOf(String(issued?.secret));
    for (const client of [api, successor]) {
      expect((await client(listPayments)).json.data.map((one) => one.id)).toEqual([payment.id]);
    }
    const other = await newKey({ merchant });
    await rollApiKey(other.id, 0, 'a test', Date.now());
    expect((await clientOf(other.secret)(listPayments)).problem.code).toBe('api_key_expired');
    expect((await clientOf(secret)(listPayments)).status).toBe(200);
  });
});

test('a key shows the day of its last use, and none before its first use', async () => {
  const { merchant, api } = await newMerchant();
  const refused = await newKey({ merchant, networks: ELSEWHERE });
  const day = async () => (await listApiKeys(merchant)).map(({ lastUsedDay }) => lastUsedDay);
  expect(await day()).toEqual([null, null]);
  const before = toDay(Date.now());
  expect((await api(listPayments)).status).toBe(200);
  expect((await clientOf(refused.secret)(listPayments)).status).toBe(403);
  // The day may end in between.
  expect([before, toDay(Date.now())]).toContain((await day())[0]);
  expect((await day())[1]).toBeNull();
});
