import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { clientOf } from '../support/world/api.ts';
import { startInProcess } from '../support/world/in-process.ts';
import { newKey } from '../support/world/merchant.ts';
import { worldOf } from '../support/world/resources.ts';

const { commit } = await import('../../shared/store/table/commit.ts');
const { get } = await import('../../shared/store/table/entity.ts');
const { erasureWrite } = await import('../../shared/store/writes.ts');

const CHOICES_MAX = 10;
const [FIRST, OTHER] = ['truemoney', 'linepay'];

let service: Awaited<ReturnType<typeof startInProcess>>;
beforeAll(async () => {
  service = await startInProcess();
});
afterAll(() => service.stop());

/** A payer's page of a new payment, and how the payer uses it. */
async function newPage(order: object = {}) {
  const { secret, merchant } = await newKey();
  const api = clientOf(secret, service.baseUrl, service.send);
  const body = { amount: { currency: 'THB', minor: 5_000 }, checkout: true, ...order };
  const { json: payment } = await api(operations.createPayment, { body });
  const open = async (query = '', language = 'en') => {
    const headers = { 'accept-language': language };
    return (await service.send(`${payment.checkout_url}${query}`, { headers })).text();
  };
  const post = async (form: Record<string, string>, language = 'en') => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'accept-language': language,
    };
    const body = new URLSearchParams(form).toString();
    const sent = await service.send(String(payment.checkout_url), { method: 'POST', headers, body });
    return { status: sent.status, text: await sent.text() };
  };
  return {
    api,
    open,
    post,
    read: async () => (await api(operations.getPayment, { params: { id: payment.id } })).json,
    /** Changes the payment for a reason that is not the payer's. */
    changeOtherwise: async () => {
      const world = await worldOf(merchant);
      const before = await get('payment', world, payment.id);
      const after = { ...before, version: before.version + 1, metadata: { note: `${before.version}` } };
      expect((await commit(erasureWrite(world, before, after))).kind).toBe('committed');
    },
  };
}

/** The hidden field that binds the buttons of a page to what it shows. */
function shownBy(page: string): string {
  return /name="version" value="([^"]*)"/.exec(page)?.[1] ?? 'no buttons';
}

async function chooseTenTimes({ post }: Awaited<ReturnType<typeof newPage>>) {
  for (let nth = 1; nth <= CHOICES_MAX; nth += 1) {
    expect((await post({ method: nth % 2 === 0 ? OTHER : FIRST })).status).toBe(303);
  }
}

describe("a change that is not the payer's", () => {
  test('costs the payer no choice of a method', { tags: 'slow' }, async () => {
    const page = await newPage();
    for (let nth = 1; nth <= CHOICES_MAX; nth += 1) {
      const method = nth % 2 === 0 ? OTHER : FIRST;
      await page.changeOtherwise();
      await page.post({ method });
      expect(await page.read()).toMatchObject({ status: 'requires_action', method });
    }
    expect((await page.post({ method: FIRST })).status).toBe(409);
  });

  test.each([
    ['before a method is chosen', {}, ''],
    ['while it waits for the money', { method: 'promptpay' }, ''],
    ["at the provider's step", { method: 'truemoney' }, '?step=provider'],
  ])('leaves the buttons of an open page working: %s', async (_, order, query) => {
    const page = await newPage(order);
    const version = shownBy(await page.open(query));
    await page.changeOtherwise();
    expect((await page.post({ action: 'pay', version })).status).toBe(303);
    expect((await page.read()).status).toBe('succeeded');
  });

  test('does not reload an open page', async () => {
    const page = await newPage({ method: 'promptpay' });
    const state = async () => /data-state="([^"]*)"/.exec(await page.open())?.[1];
    const before = await state();
    await page.changeOtherwise();
    expect(await state()).toBe(before);
    await page.post({ action: 'mismatch', version: shownBy(await page.open()) });
    expect(await state()).not.toBe(before);
  });
});

describe('a button of a page in test mode', () => {
  test('works once for each state that the page shows', async () => {
    const page = await newPage({ method: 'promptpay' });
    const mismatches = async () => {
      const query = { type: 'payment.amount_mismatch' };
      return (await page.api(operations.listEvents, { query })).json.data.length;
    };
    const seen = [];
    for (const round of [1, 2, 3]) {
      const version = shownBy(await page.open());
      seen.push(version);
      await page.post({ action: 'mismatch', version });
      await page.post({ action: 'mismatch', version });
      await expect.poll(mismatches).toBe(round);
    }
    expect(new Set(seen).size).toBe(3);
  });

  test('is dead once the payer has chosen another method', async () => {
    const page = await newPage();
    await page.post({ method: FIRST });
    const version = shownBy(await page.open());
    await page.post({ method: OTHER });
    await page.post({ action: 'pay', version });
    expect((await page.read()).status).toBe('requires_action');
  });
});

describe('a choice after the tenth', () => {
  test.each([
    ['en', 'You can choose how to pay at most 10 times for one payment.', 'You can still pay in the way'],
    ['th', 'เลือกวิธีชำระเงินได้ไม่เกิน 10 ครั้งต่อหนึ่งรายการ', 'คุณยังชำระเงินด้วยวิธีที่แสดงอยู่นี้ได้'],
  ])(
    'is refused with 409 and changes nothing, and the page says so in %s',
    { tags: 'slow' },
    async (language, ...said) => {
      const page = await newPage();
      await chooseTenTimes(page);
      const before = await page.read();
      const refused = await page.post({ method: FIRST }, language);
      expect(refused.status).toBe(409);
      for (const text of said) {
        expect(refused.text).toContain(text);
        expect(await page.open('', language)).toContain(text);
      }
      expect(refused.text).not.toContain('name="method"');
      expect(await page.read()).toEqual(before);
    },
  );

  test('is no choice where the tenth was sent twice', async () => {
    const page = await newPage();
    await chooseTenTimes(page);
    expect((await page.post({ method: OTHER })).status).toBe(303);
  });
});
