import jsqr from 'jsqr';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { describe, expect, inject, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { clientOf } from '../support/api.ts';
import { accessibilityViolations, describeInBrowser, untilQrIsThere, watch } from '../support/browser.ts';
import { useLiveService } from '../support/live-service.ts';
import { newLiveWorld } from '../support/live-world.ts';

const AMOUNT = { currency: 'THB', minor: 129_900 } as const;
const PHONE = { viewport: { width: 375, height: 700 } };
const WORDS = {
  en: {
    goOn: 'Continue to payment',
    email: 'E-mail',
    required: 'This is needed.',
    paid: 'If the shop ever pays you back, the payment provider will write to your e-mail address',
    underWay:
      'The shop pays THB 1,299.00 back to you. The payment provider will write to your e-mail address',
    refunded: 'Paid back: THB 1,299.00',
  },
  th: {
    goOn: 'ดำเนินการชำระเงิน',
    email: 'อีเมล',
    required: 'กรุณากรอกข้อมูลนี้',
    paid: 'หากร้านค้าคืนเงินให้คุณ ผู้ให้บริการชำระเงินจะส่งอีเมลถึงคุณ',
    underWay: 'ร้านค้ากำลังคืนเงิน ฿1,299.00 ให้คุณ',
    refunded: 'คืนเงินแล้ว ฿1,299.00',
  },
} as const;

const live = useLiveService();

/** A merchant with a live world, asked over HTTP, so that its pages are where a browser finds them. */
async function newMerchant() {
  const world = await newLiveWorld(live.stripe, live.service);
  const api = clientOf(world.secret, live.service.baseUrl);
  const payments = async () => (await api(operations.listPayments)).json.data;
  return { ...world, api, payments };
}

/** A payment of which the payer chooses the method, and of whom nothing is known. */
async function newPayment() {
  const merchant = await newMerchant();
  const { json: payment } = await merchant.api(operations.createPayment, { body: { amount: AMOUNT } });
  const address = String(payment.checkout_url);
  const choose = (email: string) =>
    fetch(address, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ method: 'promptpay', email }),
    });
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
      'ask for the e-mail that a link has not collected, on a phone without scripts, in %s, and show the real QR',
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
        expect(await page.locator('#email-problem').textContent()).toContain('name@example.com');
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
        // Nothing to simulate with, and no word of a test.
        expect(await page.locator('button, .test').count()).toBe(0);
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
      // A form that is sent back is no mistake of the page, but Chromium says so.
      expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([]);
    });

    test('keep the e-mail where the provider gives no answer, and ask for the same payment again', async () => {
      const { address, payment, intentsOf, now } = await newPayment();
      const page = await newPage(PHONE);
      await page.goto(address);
      await page.getByLabel('E-mail').fill('payer@example.com');
      live.stripe.script('POST /v1/payment_intents', 'cut after', 'cut before');
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'POST'),
        page.getByRole('button', { name: 'PromptPay' }).click(),
      ]);
      expect(answer.status()).toBe(503);
      expect(Number(answer.headers()['retry-after'])).toBeGreaterThan(0);
      expect(await page.getByRole('alert').textContent()).toBe(
        'Wait a few seconds and try again. Nothing is paid twice by that.',
      );
      await expectForEverybody(page);
      expect(await page.getByLabel('E-mail').inputValue()).toBe('payer@example.com');
      expect(await now()).toMatchObject({ status: 'created', customer_email: null });
      await page.getByRole('button', { name: 'PromptPay' }).click();
      await untilQrIsThere(page);
      expect(intentsOf(payment.id)).toHaveLength(1);
      expect(await now()).toMatchObject({ status: 'requires_action', customer_email: 'payer@example.com' });
    });
  });

  test.each([
    ['', 'This is needed.'],
    ['payer', 'Enter an e-mail address'],
    ['"><script>@example.com', 'Enter an e-mail address'],
    [`${'a'.repeat(250)}@example.com`, 'Enter an e-mail address'],
  ])('the e-mail %j is refused on the page, and nothing is asked for', async (email, words) => {
    const { choose, payment, intentsOf, now } = await newPayment();
    const answer = await choose(email);
    expect(answer.status).toBe(422);
    const text = await answer.text();
    expect(text).toContain(words);
    expect(text).not.toContain('<script>@');
    expect(intentsOf(payment.id)).toEqual([]);
    expect(await now()).toMatchObject({ status: 'created', method: null, customer_email: null });
  });

  test('an e-mail that is corrected after the provider gave no answer is the one that is asked with', async () => {
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

  test('an e-mail that the merchant has given is not asked for, nor replaced by a form', async () => {
    const { api } = await newMerchant();
    const body = { amount: AMOUNT, customer: { email: 'known@example.com' } };
    const { json: payment } = await api(operations.createPayment, { body });
    const address = String(payment.checkout_url);
    expect(await (await fetch(address)).text()).not.toContain('name="email"');
    const form = new URLSearchParams({ method: 'promptpay', email: 'other@example.com' });
    expect((await fetch(address, { method: 'POST', redirect: 'manual', body: form })).status).toBe(303);
    const { json } = await api(operations.getPayment, { params: { id: payment.id } });
    expect(json).toMatchObject({ status: 'requires_action', customer_email: 'known@example.com' });
  });
});
