import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { type Client, clientOf, newMerchant } from '../support/world/api.ts';
import { baseUrl, newKey } from '../support/world/merchant.ts';
import { createLink, moveClock, passTime, paymentNow } from '../support/world/resources.ts';
import { untilQuiet } from '../support/world/stored-items.ts';

const thb = (minor: number) => ({ currency: 'THB', minor });

async function linkEvents(api: Client, merchant: string) {
  await untilQuiet(merchant);
  return (await api(operations.listEvents)).json.data.map(({ type }) => type);
}

describe('a payment link', () => {
  test('with a fixed amount shows the amount and the defaults of its collect rules', async () => {
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

  test('in live mode requires an https return URL and text without hidden characters', async () => {
    const { secret } = await newKey({ mode: 'live' });
    const amount = { type: 'fixed', fixed: thb(500) };
    const ask = (body: object) =>
      clientOf(secret)(operations.createPaymentLink, { body: { amount, ...body } });
    const refused = await ask({ return_url: 'http://shop.example/', description: 'a\u202eb' });
    expect(refused.problem.errors).toEqual([
      {
        code: 'format',
        field: 'description',
        message: 'must not contain control, invisible or direction-changing characters',
      },
      { code: 'format', field: 'return_url', message: 'must begin with https:// in live mode' },
    ]);
    const taken = await ask({ return_url: 'https://shop.example/', description: 'กาแฟ' });
    expect([taken.status, taken.json.return_url]).toEqual([201, 'https://shop.example/']);
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

  test('is replayed to its Idempotency-Key after its end, when no new one could end then', async () => {
    const { api, merchant } = await newMerchant();
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const sent = { body: { amount: { type: 'open' }, expires_at }, idempotencyKey: 'link-1' };
    const first = await api(operations.createPaymentLink, sent);
    await passTime(merchant, 2 * 3_600_000);
    const again = await api(operations.createPaymentLink, sent);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await api(operations.createPaymentLink, { ...sent, idempotencyKey: 'link-2' });
    expect([other.status, other.problem.code]).toEqual([422, 'validation_failed']);
  });

  test('is disabled once, and stays so without another event', { tags: 'slow' }, async () => {
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

const MINUTE = 60;

/** Sends the form of a link's page, or of a checkout page, as a browser would. */
function post(address: string, form: Record<string, string> = {}) {
  return fetch(address, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) });
}

async function openedBy(response: Response, api: Client) {
  const checkout = String(response.headers.get('location'));
  expect(response.status, await response.text()).toBe(303);
  const { data } = (await api(operations.listPayments)).json;
  const payment = data.find(({ checkout_url }) => checkout_url === checkout);
  return { checkout, id: String(payment?.id) };
}

describe('the public page of a link', () => {
  test('holds a use for 15 minutes, or for the time of the method that was chosen', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const link = await createLink(api, { max_uses: 2 });
    const left = await openedBy(await post(link.url), api);
    const chosen = await openedBy(await post(link.url), api);
    expect((await post(link.url)).status).toBe(409);
    await moveClock(api, 10 * MINUTE);
    expect((await post(chosen.checkout, { method: 'installment' })).status).toBe(303);
    await moveClock(api, 5 * MINUTE + 1);
    expect((await paymentNow(api, left.id)).status).toBe('expired');
    expect((await post(link.url)).status).toBe(303);
    const held = await paymentNow(api, chosen.id);
    expect(held).toMatchObject({ status: 'requires_action', method: 'installment' });
    expect(held.next_action?.expires_at).toBe(held.expires_at);
    const minutes = (Date.parse(held.expires_at) - Date.parse(held.created_at)) / 60_000;
    expect(Math.round(minutes)).toBe(10 + 60);
    // Its first end has passed; it expires once, with one event, when its own time is over.
    await moveClock(api, 60 * MINUTE);
    expect((await paymentNow(api, chosen.id)).status).toBe('expired');
    const query = { resource_id: chosen.id, type: 'payment.expired' };
    expect((await api(operations.listEvents, { query })).json.data).toHaveLength(1);
    expect((await post(link.url)).status).toBe(303);
  });

  test.each([
    [
      'en-GB',
      'This link is in use by a payment that is not paid yet',
      'please come back after',
      'received all',
    ],
    ['th-TH', 'ลิงก์นี้ถูกใช้อยู่โดยรายการที่ยังไม่ได้ชำระเงิน', 'กรุณากลับมาใหม่หลัง', 'ครบจำนวนแล้ว'],
  ])(
    'whose last use is only reserved says when to come back: %s',
    { tags: 'slow' },
    async (language, state, advice, falsehood) => {
      const { api } = await newMerchant();
      const link = await createLink(api, { max_uses: 1 });
      const holder = await openedBy(await post(link.url), api);
      const headers = { 'Accept-Language': language };
      const shown = async (method: string) => {
        const sent = await fetch(link.url, {
          method,
          headers,
          ...(method === 'POST' && { body: new URLSearchParams() }),
        });
        return {
          status: sent.status,
          wait: Number(sent.headers.get('retry-after')),
          text: await sent.text(),
        };
      };
      const timeOf = (instant: string) =>
        new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'Asia/Bangkok' }).format(
          Date.parse(instant),
        );
      for (const method of ['GET', 'POST']) {
        const { expires_at } = await paymentNow(api, holder.id);
        const { status, wait, text } = await shown(method);
        expect(status).toBe(409);
        expect(text).toContain(state);
        expect(text).toContain(advice);
        expect(text).toContain(timeOf(expires_at));
        expect(text).not.toContain(falsehood);
        expect(wait).toBeGreaterThan(13 * MINUTE);
        expect(wait).toBeLessThanOrEqual(15 * MINUTE);
      }
      // The time follows the method that the holder chooses.
      await post(holder.checkout, { method: 'installment' });
      const { expires_at } = await paymentNow(api, holder.id);
      const later = await shown('GET');
      expect(later.text).toContain(timeOf(expires_at));
      expect(later.wait).toBeGreaterThan(58 * MINUTE);
      await moveClock(api, later.wait + 1);
      expect((await shown('GET')).status).toBe(200);
    },
  );

  test('says that it has all of its payments once they are paid, and not before', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const link = await createLink(api, { max_uses: 2 });
    const payers = [await openedBy(await post(link.url), api), await openedBy(await post(link.url), api)];
    const seen = [];
    for (const { id } of payers) {
      seen.push((await fetch(link.url)).status);
      await api(operations.simulatePayment, { params: { id }, body: { outcome: 'succeeded' } });
    }
    const refused = await post(link.url);
    seen.push((await fetch(link.url)).status, refused.status);
    expect(seen).toEqual([409, 409, 410, 409]);
    expect(refused.headers.get('retry-after')).toBeNull();
    expect(await refused.text()).not.toContain('come back');
  });

  test.each([
    ['application/problem+json', true],
    ['application/json', true],
    ['application/json, text/html;q=0.5', true],
    ['text/html,application/xhtml+xml,*/*;q=0.8', false],
    ['*/*', false],
  ])('tells a program that accepts %s why, as a problem: %s', { tags: 'slow' }, async (Accept, isProblem) => {
    const { api } = await newMerchant();
    const link = await createLink(api, { max_uses: 1 });
    const holder = await openedBy(await post(link.url), api);
    const refuse = () =>
      fetch(link.url, { method: 'POST', headers: { Accept }, body: new URLSearchParams() });
    for (const refused of [await refuse(), await fetch(link.url, { headers: { Accept } })]) {
      expect(refused.status).toBe(409);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(13 * MINUTE);
      const type = String(refused.headers.get('content-type'));
      expect(type).toContain(isProblem ? 'application/problem+json' : 'text/html');
      if (isProblem) {
        expect(await refused.json()).toMatchObject({
          code: 'link_unavailable',
          details: { reason: 'reserved' },
        });
      }
    }
    await api(operations.simulatePayment, { params: { id: holder.id }, body: { outcome: 'succeeded' } });
    const used = await refuse();
    expect(used.status).toBe(409);
    const text = await used.text();
    expect(isProblem ? JSON.parse(text).details : {}).toEqual(isProblem ? { reason: 'exhausted' } : {});
  });

  test('accepts a million baht at most if the merchant has set no maximum', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const link = await createLink(api, { amount: { type: 'open' } });
    for (const amount of ['1,000,000.01', '9999999999']) {
      expect((await post(link.url, { amount })).status).toBe(422);
    }
    expect((await post(link.url, { amount: '1,000,000' })).status).toBe(303);
    const { data } = (await api(operations.listPayments)).json;
    expect(data.map(({ amount }) => amount.minor)).toEqual([100_000_000]);
  });

  test("never collides with the merchant's own Idempotency-Keys", { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const link = await createLink(api);
    const body = { amount: thb(700), method: 'promptpay' };
    const said = JSON.stringify(['mine', link.id, { amount: thb(500), customer: { name: 'Payer 3' } }]);
    for (const [index, key] of ['link mine', 'mine', 'page mine', said].entries()) {
      const own = await api(operations.createPayment, { body, idempotencyKey: key });
      expect(own.status, own.text).toBe(201);
      expect(own.headers.get('idempotent-replayed')).toBeNull();
      expect((await post(link.url, { attempt: 'mine', name: `Payer ${index}` })).status).toBe(303);
    }
    expect((await api(operations.listPayments)).json.data).toHaveLength(8);
  });

  test('makes one payment for a form sent twice, and another for a corrected form', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const link = await createLink(api);
    const sent = [
      await post(link.url, { attempt: 'same', name: 'Somchai' }),
      await post(link.url, { attempt: 'same', name: 'Somchai' }),
      await post(link.url, { attempt: 'same', name: 'Somchai Jaidee' }),
    ].map(({ headers }) => headers.get('location'));
    expect(sent[1]).toBe(sent[0]);
    expect(sent[2]).not.toBe(sent[0]);
    expect((await api(operations.listPayments)).json.data).toHaveLength(2);
  });
});

describe('late money', () => {
  test('is kept when all uses of its link are taken, and the link has an event', {
    tags: 'slow',
  }, async () => {
    const { api, merchant } = await newMerchant();
    const link = await createLink(api, { max_uses: 1 });
    const late = await openedBy(await post(link.url), api);
    await moveClock(api, 16 * MINUTE);
    const other = await openedBy(await post(link.url), api);
    const succeed = { outcome: 'succeeded' };
    await api(operations.simulatePayment, { params: { id: other.id }, body: succeed });
    const paid = await api(operations.simulatePayment, { params: { id: late.id }, body: succeed });
    expect(paid.status, paid.text).toBe(200);
    expect((await api(operations.getPayment, { params: { id: late.id } })).json).toMatchObject({
      status: 'succeeded',
      late: true,
    });
    await untilQuiet(merchant);
    const events = (await api(operations.listEvents, { query: { resource_id: link.id } })).json.data;
    expect(events.map(({ type }) => type)).toEqual(['payment_link.overpaid', 'payment_link.created']);
    expect(events[0]?.data).toMatchObject({
      object: { id: link.id, uses: 2, max_uses: 1, status: 'active' },
      previous_status: 'active',
    });
    expect((await api(operations.getPaymentLink, { params: { id: link.id } })).json.uses).toBe(2);
  });

  test('is kept when the provider reports it later, and the link has an event', {
    tags: 'slow',
  }, async () => {
    const { api, merchant } = await newMerchant();
    const link = await createLink(api, { max_uses: 1 });
    const late = await openedBy(await post(link.url), api);
    const later = { outcome: 'succeeded', delay_seconds: 20 * MINUTE };
    await api(operations.simulatePayment, { params: { id: late.id }, body: later });
    await moveClock(api, 16 * MINUTE);
    await openedBy(await post(link.url), api);
    await moveClock(api, 5 * MINUTE);
    expect(await paymentNow(api, late.id)).toMatchObject({ status: 'succeeded', late: true });
    await untilQuiet(merchant);
    const query = { resource_id: link.id, type: 'payment_link.overpaid' };
    expect((await api(operations.listEvents, { query })).json.data).toHaveLength(1);
  });

  test('takes a free use without an event', { tags: 'slow' }, async () => {
    const { api, merchant } = await newMerchant();
    const link = await createLink(api, { max_uses: 1 });
    const late = await openedBy(await post(link.url), api);
    await moveClock(api, 16 * MINUTE);
    await api(operations.simulatePayment, { params: { id: late.id }, body: { outcome: 'succeeded' } });
    await untilQuiet(merchant);
    const events = (await api(operations.listEvents, { query: { resource_id: link.id } })).json.data;
    expect(events.map(({ type }) => type)).toEqual(['payment_link.created']);
    expect((await post(link.url)).status).toBe(409);
  });
});
