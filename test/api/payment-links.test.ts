import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { type Client, newMerchant } from '../support/api.ts';
import { baseUrl } from '../support/merchant.ts';
import { createLink, passTime } from '../support/resources.ts';
import { quietItems } from '../support/stored-items.ts';

const thb = (minor: number) => ({ currency: 'THB', minor });

async function linkEvents(api: Client, merchant: string) {
  await quietItems(merchant);
  return (await api(operations.listEvents)).json.data.map(({ type }) => type);
}

describe('a payment link', () => {
  test('with a fixed amount shows it flat, with the defaults of what it collects', async () => {
    const { api } = await newMerchant();
    const link = await createLink(api, { metadata: { a: 1 } });
    expect(link).toMatchObject({
      number: 'L-000001',
      amount_type: 'fixed',
      amount: thb(500),
      min_amount: null,
      max_amount: null,
      currency: 'THB',
      collect_email: 'optional',
      collect_name: 'optional',
      collect_phone: 'off',
      max_uses: null,
      uses: 0,
      metadata: { a: 1 },
      status: 'active',
    });
    expect(link.code).toMatch(/^[0-9a-hjkmnp-tv-z]{10}$/);
    expect(link.url).toBe(`${baseUrl}/l/${link.code}`);
    expect((await api(operations.getPaymentLink, { params: { id: link.id } })).json).toEqual(link);
  });

  test('with an open amount has bounds', async () => {
    const { api } = await newMerchant();
    const collect = { email: 'required', name: 'off', phone: 'required' };
    const link = await createLink(api, { amount: { type: 'open', min: thb(100), max: thb(900) }, collect });
    expect(link).toMatchObject({
      amount_type: 'open',
      amount: null,
      min_amount: thb(100),
      max_amount: thb(900),
    });
    expect(link).toMatchObject({ collect_email: 'required', collect_name: 'off', collect_phone: 'required' });
  });

  test("ends in the future of the merchant's own clock", async () => {
    const { api, merchant } = await newMerchant();
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    expect((await createLink(api, { expires_at })).expires_at).toBe(expires_at);
    await passTime(merchant, 2 * 3_600_000);
    const late = await api(operations.createPaymentLink, {
      body: { amount: { type: 'open' }, expires_at, max_uses: 0 },
    });
    expect(late.problem.errors?.map(({ code, field }) => `${field} ${code}`)).toEqual([
      'max_uses min',
      'expires_at min',
    ]);
  });

  test('is disabled once, and stays so without another event', async () => {
    const { api, merchant } = await newMerchant();
    const { id } = await createLink(api);
    const first = await api(operations.disablePaymentLink, { params: { id }, body: { link_id: id } });
    const again = await api(operations.disablePaymentLink, { params: { id } });
    expect(first.json.status).toBe('disabled');
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    expect(await linkEvents(api, merchant)).toEqual(['payment_link.disabled', 'payment_link.created']);
  });
});
