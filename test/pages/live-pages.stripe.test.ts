import jsqr from 'jsqr';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { describe, expect, inject, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import {
  accessibilityViolations,
  describeInBrowser,
  untilQrIsThere,
  watch,
} from '../support/browser/browser.ts';
import { useLiveService } from '../support/stripe/live-service.ts';
import { clientOf } from '../support/world/api.ts';
import { newLiveWorld } from '../support/world/live-world.ts';

const AMOUNT = { currency: 'THB', minor: 129_900 } as const;
const PHONE = { viewport: { width: 375, height: 700 } };
const WORDS = {
  en: {
    goOn: 'Continue to payment',
    email: 'Email',
    required: 'Email is required.',
    paid: 'If the shop refunds you, the payment provider will email you',
    underWay: 'The shop is refunding ฿1,299.00 to you. The payment provider will email you',
    refunded: 'Refunded: ฿1,299.00',
    correct: 'Correct your email address',
    rehearsal: 'Rehearsal. The payment provider is in test mode. No money moves.',
  },
  th: {
    goOn: 'ดำเนินการชำระเงิน',
    email: 'อีเมล',
    required: 'กรุณากรอกอีเมล',
    paid: 'หากร้าน\u2060ค้าคืนเงินให้คุณ ผู้ให้บริการชำระเงินจะส่งอีเมลถึงคุณ',
    underWay: 'ร้าน\u2060ค้ากำลังคืนเงิน ฿1,299.00 ให้คุณ',
    refunded: 'คืนเงินแล้ว ฿1,299.00',
    correct: 'แก้ไขอีเมล',
    rehearsal: 'การซ้อมชำระเงิน ผู้ให้บริการชำระเงินอยู่ในโหมดทดสอบ ไม่มีการตัดเงินจริง',
  },
} as const;

const live = useLiveService();
const { connectWorld } = await import('../../shared/store/worlds/connection.ts');
const { insert } = await import('../../shared/store/table/item.ts');

/** A merchant with a live world, used over HTTP, so that a browser can open its pages. */
async function newMerchant() {
  const world = await newLiveWorld(live.stripe, live.service);
  const api = clientOf(world.secret, live.service.baseUrl);
  const payments = async () => (await api(operations.listPayments)).json.data;
  return { ...world, api, payments };
}

/** Sends a form of a page. */
function post(address: string, form: Record<string, string>): Promise<Response> {
  return fetch(address, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) });
}

/** A payment whose method the payer chooses, with no customer data. */
async function newPayment() {
  const merchant = await newMerchant();
  const { json: payment } = await merchant.api(operations.createPayment, { body: { amount: AMOUNT } });
  const address = String(payment.checkout_url);
  const choose = (email: string) => post(address, { method: 'promptpay', email });
  const now = async () => (await merchant.api(operations.getPayment, { params: { id: payment.id } })).json;
  return { ...merchant, payment, address, choose, now };
}

async function expectForEverybody(page: Page): Promise<void> {
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
}

describe.skipIf(inject('stripeMock') === null)('in live mode', () => {
  describeInBrowser('the pages of payers', ({ newPage }) => {
    test.each(['en', 'th'] as const)(
      'ask for an email that a link lacks, and show the real QR without scripts: %s',
      async (locale) => {
        const { api, payments, intentsOf } = await newMerchant();
        const { json: link } = await api(operations.createPaymentLink, {
          body: { amount: { type: 'fixed', fixed: AMOUNT }, collect: { email: 'off' } },
        });
        const words = WORDS[locale];
        const page = await newPage({ ...PHONE, locale, javaScriptEnabled: false, deviceScaleFactor: 2 });
        await page.goto(link.url);
        await page.getByRole('button', { name: words.goOn }).click();
        const field = page.getByLabel(words.email);
        const promptPay = page.locator('button[name=method]');
        await promptPay.click();
        expect(await page.locator('#email-problem').textContent()).toBe(words.required);
        await field.fill('somchai at example');
        await promptPay.click();
        await page.locator('#email-problem', { hasText: 'name@example.com' }).waitFor();
        expect(await field.inputValue()).toBe('somchai at example');
        expect(await field.getAttribute('aria-invalid')).toBe('true');
        expect(await payments()).toMatchObject([{ status: 'created', customer_email: null }]);
        await field.fill(' somchai@example.com ');
        await promptPay.click();
        await untilQrIsThere(page);
        const picture = PNG.sync.read(await page.locator('img.qr').screenshot());
        const [payment] = await payments();
        expect(payment).toMatchObject({ status: 'requires_action', customer_email: 'somchai@example.com' });
        const [intent, ...others] = intentsOf(String(payment?.id));
        expect(others).toEqual([]);
        const read = jsqr as unknown as typeof jsqr.default;
        const seen = read(new Uint8ClampedArray(picture.data), picture.width, picture.height)?.data;
        expect(seen).toBe(
          (intent?.next_action as { promptpay_display_qr_code?: { data: string } } | null)
            ?.promptpay_display_qr_code?.data,
        );
        expect(await page.locator('.test').textContent()).toBe(words.rehearsal);
        // Nothing to simulate with.
        expect(await page.locator('button[name=action]').count()).toBe(0);
        live.stripe.account.pay(String(intent?.id));
      },
    );

    test.each([
      ['en', 'light'],
      ['en', 'dark'],
      ['th', 'light'],
      ['th', 'dark'],
    ] as const)('are for everybody, in %s and %s, up to the refund', async (locale, colorScheme) => {
      const { api, address, payment, intentsOf, notify, run } = await newPayment();
      const words = WORDS[locale];
      const page = await newPage({ ...PHONE, locale, colorScheme });
      const { complaints } = watch(page);
      await page.goto(address);
      await expectForEverybody(page);
      const promptPay = page.locator('button[name=method]');
      await promptPay.click();
      await page.getByText(words.required).waitFor();
      await expectForEverybody(page);
      await page.getByLabel(words.email).fill('payer@example.com');
      await promptPay.click();
      await untilQrIsThere(page);
      await page.getByText(words.paid).waitFor();
      await expectForEverybody(page);
      live.stripe.account.pay(String(intentsOf(payment.id)[0]?.id));
      await notify();
      await page.waitForSelector('.state.good');
      await page.getByText(words.paid).waitFor();
      await expectForEverybody(page);

      await api(operations.requestRefund, { params: { id: payment.id }, body: {} });
      await page.reload();
      await page.getByText(words.underWay).waitFor();
      expect(await page.getByText(words.paid).count()).toBe(0);
      await expectForEverybody(page);
      await run('approve-refund');
      await run('send-refund');
      const refund = [...live.stripe.account.refunds.values()].at(-1);
      expect(refund).toMatchObject({ instructions_email: 'payer@example.com' });
      live.stripe.account.payBack(String(refund?.id));
      await notify();
      await page.reload();
      await page.getByText(words.refunded).waitFor();
      expect(await page.getByText(words.underWay).count()).toBe(0);
      await expectForEverybody(page);
      // Chromium logs an error for a refused form, which is no fault of the page.
      expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([]);
    });

    test('keep the email if the provider gives no response, and retry the same payment', async () => {
      const { address, payment, intentsOf, now } = await newPayment();
      const page = await newPage(PHONE);
      await page.goto(address);
      await page.getByLabel('Email').fill('payer@example.com');
      live.stripe.script('POST /v1/payment_intents', 'cut after', 'cut before');
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'POST'),
        page.getByRole('button', { name: 'PromptPay' }).click(),
      ]);
      expect(answer.status()).toBe(503);
      expect(Number(answer.headers()['retry-after'])).toBeGreaterThan(0);
      expect(await page.getByRole('alert').textContent()).toBe(
        'Please wait a few seconds and try again. You will not be charged twice.',
      );
      await expectForEverybody(page);
      expect(await page.getByLabel('Email').inputValue()).toBe('payer@example.com');
      expect(await now()).toMatchObject({ status: 'created', customer_email: null });
      await page.getByRole('button', { name: 'PromptPay' }).click();
      await untilQrIsThere(page);
      expect(intentsOf(payment.id)).toHaveLength(1);
      expect(await now()).toMatchObject({ status: 'requires_action', customer_email: 'payer@example.com' });
    });

    test.each(['en', 'th'] as const)('let a payer correct the email on a phone, in %s', async (locale) => {
      const { address, choose, payment, intentsOf, now } = await newPayment();
      await choose('typo@example.com');
      const words = WORDS[locale];
      const page = await newPage({ ...PHONE, locale });
      await page.goto(address);
      await page.getByText('t***@e***.com').waitFor();
      await page.locator('summary', { hasText: words.correct }).click();
      await expectForEverybody(page);
      await page.getByLabel(words.email).fill('payer at example');
      await page.getByRole('button', { name: words.correct }).click();
      expect(await page.locator('#email-problem').textContent()).toContain('name@example.com');
      await expectForEverybody(page);
      await page.getByLabel(words.email).fill('payer@example.com');
      await page.getByRole('button', { name: words.correct }).click();
      await page.getByText('p***@e***.com').waitFor();
      await expectForEverybody(page);
      expect(await now()).toMatchObject({ status: 'requires_action', customer_email: 'payer@example.com' });
      expect(intentsOf(payment.id)).toHaveLength(2);
    });
  });

  test('a rehearsal is marked on its pages and in responses, and stays one after going live', async () => {
    const { api, world, connection, types } = await newMerchant();
    const shown = async (address: unknown) =>
      Promise.all(
        ['en', 'th'].map(async (language) =>
          (await fetch(String(address), { headers: { 'Accept-Language': language } })).text(),
        ),
      );
    const saysSo = async (address: unknown) =>
      (await shown(address)).map(
        (text) => text.includes(WORDS.en.rehearsal) || text.includes(WORDS.th.rehearsal),
      );
    const create = async () => (await api(operations.createPayment, { body: { amount: AMOUNT } })).json;
    const body = { amount: { type: 'fixed', fixed: AMOUNT } };
    const { json: link } = await api(operations.createPaymentLink, { body });
    const rehearsed = await create();
    expect(rehearsed).toMatchObject({ mode: 'live', rehearsal: true });
    expect(await saysSo(rehearsed.checkout_url)).toEqual([true, true]);
    expect(await saysSo(link.url)).toEqual([true, true]);

    const audited = insert({ pk: `AUDIT#${world.merchant}`, sk: 'a second test' });
    expect(await connectWorld(world, { ...connection, isTest: false }, audited)).toBe(true);
    const real = await create();
    expect(real).not.toHaveProperty('rehearsal');
    expect(await saysSo(real.checkout_url)).toEqual([false, false]);
    expect(await saysSo(link.url)).toEqual([false, false]);
    const { json: canceled } = await api(operations.cancelPayment, {
      params: { id: rehearsed.id },
      body: {},
    });
    expect(canceled).toMatchObject({ status: 'canceled', rehearsal: true });
    expect(await saysSo(rehearsed.checkout_url)).toEqual([true, true]);
    await api(operations.disablePaymentLink, { params: { id: link.id }, body: {} });
    expect(await saysSo(link.url)).toEqual([false, false]);
    await expect.poll(types).toContain('payment.canceled');
    // Events of two payments follow one another in either order.
    const saidOf = async (id: string) => {
      const { data } = (await api(operations.listEvents)).json;
      const objects = data.map((event) => event.data.object as { id: string; rehearsal?: boolean });
      return new Set(objects.filter((it) => it.id === id).map((it) => it.rehearsal));
    };
    await expect.poll(() => saidOf(real.id)).toEqual(new Set([undefined]));
    expect(await saidOf(rehearsed.id)).toEqual(new Set([true]));
  });
});

describe.skipIf(inject('stripeMock') === null)('on a live page', () => {
  test.each([
    ['', 'Email is required.'],
    ['payer', 'Enter an email address'],
    ['"><script>@example.com', 'Enter an email address'],
    [`${'a'.repeat(250)}@example.com`, 'Enter an email address'],
  ])('the email %j is refused on the page, and no request reaches the provider', async (email, words) => {
    const { choose, payment, intentsOf, now } = await newPayment();
    const answer = await choose(email);
    expect(answer.status).toBe(422);
    const text = await answer.text();
    expect(text).toContain(words);
    expect(text).not.toContain('<script>@');
    expect(intentsOf(payment.id)).toEqual([]);
    expect(await now()).toMatchObject({ status: 'created', method: null, customer_email: null });
  });

  test('an email corrected after the provider gave no response is the one that is sent', async () => {
    const { choose, payment, intentsOf, now } = await newPayment();
    live.stripe.script('POST /v1/payment_intents', 'cut after', 'cut before');
    expect((await choose('typo@example.com')).status).toBe(503);
    expect((await choose('payer@example.com')).status).toBe(303);
    expect(await now()).toMatchObject({ status: 'requires_action', customer_email: 'payer@example.com' });
    const stored = (await now()).next_action;
    const shown = intentsOf(payment.id).at(-1)?.next_action as never;
    expect(JSON.stringify(shown)).toContain(
      JSON.stringify(stored?.type === 'display_qr' && stored.qr.payload),
    );
  });

  test('an entered email is shown masked; the last one before payment gets the refund', async () => {
    const { api, address, choose, payment, intentsOf, now, run, jobs, notify } = await newPayment();
    await choose('stranger@example.net');
    const shown = await (await fetch(address)).text();
    expect(shown).toContain('s***@e***.net');
    expect(shown).not.toContain('stranger');
    expect((await choose('payer@example.com')).status).toBe(303);
    expect(await (await fetch(address)).text()).toContain('p***@e***.com');
    expect(await now()).toMatchObject({ status: 'requires_action', customer_email: 'payer@example.com' });
    // The repeated form makes no further request.
    await choose('payer@example.com');
    const [first, second, ...more] = intentsOf(payment.id);
    expect(more).toEqual([]);
    expect(await jobs('stop-attempt')).toHaveLength(2);
    live.stripe.account.pay(String(second?.id));
    await notify();
    expect(await now()).toMatchObject({ status: 'succeeded' });
    await choose('stranger@example.net');
    expect(await now()).toMatchObject({ status: 'succeeded', customer_email: 'payer@example.com' });
    expect(first?.id).not.toBe(second?.id);
    await api(operations.requestRefund, { params: { id: payment.id }, body: {} });
    await run('approve-refund');
    await run('send-refund');
    const refund = [...live.stripe.account.refunds.values()].at(-1);
    expect(refund).toMatchObject({ instructions_email: 'payer@example.com' });
  });

  test('an attempt with a corrected email is canceled, as one with a replaced method is', async () => {
    const { choose, payment, intentsOf, runAll } = await newPayment();
    await choose('stranger@example.net');
    await choose('payer@example.com');
    await runAll('stop-attempt');
    expect(intentsOf(payment.id).map(({ status }) => status)).toEqual(['canceled', 'requires_action']);
  });

  test('an email can be corrected as often as a method can be chosen, and no more', async () => {
    const { address, choose, payment, intentsOf, now } = await newPayment();
    for (let nth = 1; nth <= 12; nth += 1) {
      await choose(`payer-${nth}@example.com`);
    }
    expect(intentsOf(payment.id)).toHaveLength(10);
    expect(await now()).toMatchObject({ customer_email: 'payer-10@example.com' });
    const shown = await (await fetch(address)).text();
    expect(shown).toContain('p***@e***.com');
    expect(shown).not.toContain('name="email"');
  });

  test.each([
    ['', 'Email is required.'],
    ['payer', 'Enter an email address'],
  ])('a correction to %j is refused on the page, and starts no attempt', async (email, words) => {
    const { choose, payment, intentsOf, now } = await newPayment();
    await choose('payer@example.com');
    const answer = await choose(email);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain(words);
    expect(intentsOf(payment.id)).toHaveLength(1);
    expect(await now()).toMatchObject({ customer_email: 'payer@example.com' });
  });

  test("an email from a link's form is shown masked and can be corrected with the method", async () => {
    const { api, payments, intentsOf } = await newMerchant();
    const { json: link } = await api(operations.createPaymentLink, {
      body: { amount: { type: 'fixed', fixed: AMOUNT } },
    });
    const opened = await post(link.url, { email: 'typo@example.com', attempt: crypto.randomUUID() });
    const address = String(opened.headers.get('location'));
    expect(await (await fetch(address)).text()).toContain('t***@e***.com');
    expect((await post(address, { method: 'promptpay', email: 'payer@example.com' })).status).toBe(303);
    const [payment] = await payments();
    expect(payment).toMatchObject({ status: 'requires_action', customer_email: 'payer@example.com' });
    expect(intentsOf(String(payment?.id))).toHaveLength(1);
  });

  test("an email from a link's form is kept if the payer corrects nothing", async () => {
    const { api, payments } = await newMerchant();
    const { json: link } = await api(operations.createPaymentLink, {
      body: { amount: { type: 'fixed', fixed: AMOUNT } },
    });
    const opened = await post(link.url, { email: 'payer@example.com', attempt: crypto.randomUUID() });
    const address = String(opened.headers.get('location'));
    expect((await post(address, { method: 'promptpay', email: '' })).status).toBe(303);
    expect(await payments()).toMatchObject([
      { status: 'requires_action', customer_email: 'payer@example.com' },
    ]);
  });

  test('an email given by the merchant is shown masked, and a form cannot replace it', async () => {
    const { api, intentsOf } = await newMerchant();
    const body = { amount: AMOUNT, customer: { email: 'known@example.com' } };
    const { json: payment } = await api(operations.createPayment, { body });
    const address = String(payment.checkout_url);
    const shown = await (await fetch(address)).text();
    expect(shown).not.toContain('name="email"');
    expect(shown).toContain('k***@e***.com');
    expect(shown).not.toContain('known@');
    // For the first choice, and for a correction after it.
    for (let time = 1; time <= 2; time += 1) {
      expect((await post(address, { method: 'promptpay', email: 'other@example.com' })).status).toBe(303);
      const { json } = await api(operations.getPayment, { params: { id: payment.id } });
      expect(json).toMatchObject({ status: 'requires_action', customer_email: 'known@example.com' });
      expect(intentsOf(payment.id)).toHaveLength(1);
    }
  });
});
