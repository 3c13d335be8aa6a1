import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { PAYMENT_METHODS } from '../../shared/domain/payment-method.ts';
import {
  accessibilityViolations,
  describeInBrowser,
  expectOnlyOwn,
  untilQrIsThere,
  watch,
} from '../support/browser/browser.ts';
import { type Client, newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { createLink, createPayment, moveClock, paymentNow } from '../support/world/resources.ts';

const PAGE_MAX_BYTES = 60 * 1_024;
const MINUTE = 60;

function createForCheckout(api: Client, body: Record<string, unknown> = {}) {
  return createPayment(api, { checkout: true, description: 'Two tickets', ...body });
}

describeInBrowser('the checkout page', ({ newPage }) => {
  test('takes a payer from the choice of a method to a paid payment', async () => {
    const { api } = await newMerchant();
    const payment = await createPayment(api, {
      method: undefined,
      amount: { currency: 'THB', minor: 129_950 },
      return_url: 'https://shop.example/thanks',
    });
    const page = await newPage();
    const { requests, complaints } = watch(page);
    await page.goto(String(payment.checkout_url));
    expect(await page.textContent('.amount')).toContain('1,299.50');
    expect(await page.locator('button[name=method]').count()).toBe(PAYMENT_METHODS.length);
    await page.getByRole('button', { name: 'PromptPay' }).click();
    await untilQrIsThere(page);
    expect((await paymentNow(api, payment.id)).status).toBe('requires_action');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.waitForSelector('.state.good');
    expect(await paymentNow(api, payment.id)).toMatchObject({ status: 'succeeded', late: false });
    expect(await page.getByRole('link', { name: 'Back to the shop' }).getAttribute('href')).toBe(
      'https://shop.example/thanks',
    );
    expect(await page.locator('button').count()).toBe(0);
    expectOnlyOwn(requests, baseUrl);
    expect(complaints).toEqual([]);
  });

  test('shows a QR that a camera reads as the payload of the next action', async () => {
    const { api } = await newMerchant();
    const payment = await createForCheckout(api);
    const page = await newPage({ deviceScaleFactor: 2 });
    await page.goto(String(payment.checkout_url));
    const picture = PNG.sync.read(await page.locator('img.qr').screenshot());
    // Its types say `default`, but at run time the module is the function itself.
    const read = (jsqr as unknown as typeof jsqr.default)(
      new Uint8ClampedArray(picture.data),
      picture.width,
      picture.height,
    );
    const action = payment.next_action;
    expect(read?.data).toBe(action?.type === 'display_qr' ? action.qr.payload : null);
  });

  test.each([
    ['Fail', { status: 'failed' }],
    ['Pay the wrong amount', { status: 'processing' }],
  ])('%s says so to the merchant', async (button, expected) => {
    const { api } = await newMerchant();
    const payment = await createForCheckout(api);
    const page = await newPage();
    await page.goto(String(payment.checkout_url));
    await page.getByRole('button', { name: button }).click();
    await page.waitForSelector(`main[data-state^="${expected.status}"]`);
    expect(await paymentNow(api, payment.id)).toMatchObject(expected);
  });

  test('pays late: a second after expiry, or at once if the payment has expired', async () => {
    const { api } = await newMerchant();
    const waiting = await createForCheckout(api, { expires_in_minutes: 5 });
    const page = await newPage();
    await page.goto(String(waiting.checkout_url));
    await page.getByRole('button', { name: 'Pay late' }).click();
    await page.getByText('The payment arrives one second after').waitFor();
    expect((await paymentNow(api, waiting.id)).status).toBe('requires_action');
    await moveClock(api, 6 * MINUTE);
    expect(await paymentNow(api, waiting.id)).toMatchObject({ status: 'succeeded', late: true });

    const over = await createForCheckout(api, { expires_in_minutes: 5 });
    await moveClock(api, 6 * MINUTE);
    // Another page, because the first one still updates itself.
    const other = await newPage();
    await other.goto(String(over.checkout_url));
    await other.getByRole('button', { name: 'Pay late' }).click();
    await other.waitForSelector('.state.good');
    expect(await paymentNow(api, over.id)).toMatchObject({ status: 'succeeded', late: true });
  });

  test.each([
    ['truemoney', 'Continue to TrueMoney Wallet'],
    ['linepay', 'Continue to LINE Pay'],
    ['shopeepay', 'Continue to ShopeePay'],
    ['direct_debit', 'Continue to your bank'],
    ['installment', 'Choose an instalment plan'],
  ])('by %s leads to where the payer confirms, as the next action does', async (method, wayOn) => {
    const { api } = await newMerchant();
    const page = await newPage();
    const payment = await createForCheckout(api, { method });
    await page.goto(String(payment.checkout_url));
    await page.getByRole('link', { name: wayOn }).click();
    await page.getByText('This is a simulation').waitFor();
    expect(payment.next_action).toMatchObject({ type: 'redirect', url: page.url() });
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Back to the payment' }).click();
    await page.getByRole('link', { name: wayOn }).click();
    await page.getByRole('button', { name: 'Confirm the payment' }).click();
    await page.waitForSelector('.state.good');
    expect((await paymentNow(api, payment.id)).status).toBe('succeeded');
    await expect.poll(() => page.url()).toBe(payment.checkout_url);
    // A finished payment needs no step at the provider any more.
    await page.goto(payment.next_action?.type === 'redirect' ? payment.next_action.url : '');
    expect(await page.getByRole('status').textContent()).toBe('Payment successful. Thank you!');
  });

  test('lets a payer change the method until it is paid, if the merchant has named none', async () => {
    const { api } = await newMerchant();
    const payment = await createForCheckout(api, { method: undefined });
    const page = await newPage();
    await page.goto(String(payment.checkout_url));
    await page.getByRole('button', { name: 'LINE Pay' }).click();
    await page.getByRole('link', { name: 'Continue to LINE Pay' }).waitFor();
    await page.getByText('Pay another way').click();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.getByRole('button', { name: 'LINE Pay' }).count()).toBe(0);
    await page.getByRole('button', { name: 'PromptPay' }).click();
    await untilQrIsThere(page);
    expect(await paymentNow(api, payment.id)).toMatchObject({
      status: 'requires_action',
      method: 'promptpay',
      expires_at: payment.expires_at,
    });
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.waitForSelector('.state.good');
    await moveClock(api, 1);
    const { data } = (await api(operations.listEvents, { query: { resource_id: payment.id } })).json;
    expect(data.map(({ type, data: { previous_status } }) => [type, previous_status])).toEqual([
      ['payment.succeeded', 'requires_action'],
      ['payment.requires_action', 'requires_action'],
      ['payment.requires_action', 'created'],
      ['payment.created', null],
    ]);

    const settled = await createForCheckout(api, { method: 'linepay' });
    await page.goto(String(settled.checkout_url));
    expect(await page.getByText('Pay another way').count()).toBe(0);
    await fetch(String(settled.checkout_url), {
      method: 'POST',
      body: new URLSearchParams({ method: 'promptpay' }),
    });
    expect((await paymentNow(api, settled.id)).method).toBe('linepay');
  });

  test('one simulated outcome pressed three times has one effect', async () => {
    const { api } = await newMerchant();
    const payment = await createForCheckout(api);
    const version = 2;
    const press = () =>
      fetch(String(payment.checkout_url), {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ action: 'mismatch', version: String(version) }),
      });
    const pressed = await Promise.all([press(), press(), press()]);
    expect(pressed.map(({ status }) => status)).toEqual([303, 303, 303]);
    await moveClock(api, 1);
    const query = { resource_id: payment.id, type: 'payment.amount_mismatch' };
    expect((await api(operations.listEvents, { query })).json.data).toHaveLength(1);
  });
});

describeInBrowser('a checkout page', ({ newPage }) => {
  test.each([
    ['insufficient_funds', 'Your account has insufficient funds.'],
    ['declined', 'Your bank or wallet declined the payment.'],
    ['X-42', 'did not approve the payment (code X-42). Please try another way.'],
  ])('of a payment that failed with %s says so in words, and what to do next', async (result_code, words) => {
    const { api } = await newMerchant();
    const page = await newPage();
    for (const [return_url, next] of [
      ['https://shop.example/cart', 'To try again, please return to the shop.'],
      [undefined, 'To try again, please ask the shop for a new payment.'],
    ]) {
      const payment = await createForCheckout(api, { return_url });
      const body = { outcome: 'failed', result_code };
      await api(operations.simulatePayment, { params: { id: payment.id }, body });
      await page.goto(String(payment.checkout_url));
      await page.getByText(words).waitFor();
      await page.getByText(String(next)).waitFor();
      const back = page.getByRole('link', { name: 'Back to the shop' });
      expect(await back.count()).toBe(return_url === undefined ? 0 : 1);
      expect(await accessibilityViolations(page)).toEqual([]);
    }
  });

  test('counts down, and shows without a reload that the time is over', async () => {
    const { api } = await newMerchant();
    const payment = await createForCheckout(api, { expires_in_minutes: 5 });
    const page = await newPage();
    await page.goto(String(payment.checkout_url));
    await expect.poll(() => page.textContent('[data-until]')).toMatch(/^0[45]:\d\d$/);
    await moveClock(api, 6 * MINUTE);
    await page.waitForSelector('main[data-state^=expired]');
    expect(await page.getByRole('status').textContent()).toBe('This payment has expired');
  });

  test('keeps the language that the payer chose, over forms, redirects and updates', async () => {
    const { api } = await newMerchant();
    const link = await createLink(api);
    const page = await newPage({ locale: 'en-US' });
    await page.goto(link.url);
    await page.getByRole('link', { name: 'ไทย' }).click();
    await page.getByRole('button', { name: 'ดำเนินการชำระเงิน' }).click();
    await page.getByRole('button', { name: 'LINE Pay' }).click();
    await page.getByRole('link', { name: 'ไปที่ LINE Pay' }).click();
    await page.getByText('หน้าจำลองสำหรับทดสอบ').waitFor();
    await page.getByRole('link', { name: 'กลับไปหน้าชำระเงิน' }).click();
    await page.getByRole('link', { name: 'ไปที่ LINE Pay' }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?lang=th');
    const [payment] = (await api(operations.listPayments)).json.data;
    const params = { id: String(payment?.id) };
    await api(operations.simulatePayment, { params, body: { outcome: 'failed' } });
    await page.getByText('ชำระเงินไม่สำเร็จ').first().waitFor();
    await page.getByRole('link', { name: 'ลองชำระเงินอีกครั้ง' }).click();
    await expect.poll(() => page.url()).toBe(`${link.url}?lang=th`);
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByRole('button', { name: 'Continue to payment' }).waitFor();
    // Anybody can put anything into an address.
    await page.goto(`${link.url}?lang=%22%3E%3Cscript%3E`);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  test("leads out of LINE's own browser, which cannot save the QR", async () => {
    const { api } = await newMerchant();
    const { checkout_url } = await createForCheckout(api);
    const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1 Line/15.3.0';
    const page = await newPage({ userAgent, isMobile: true, hasTouch: true });
    await page.goto(`${checkout_url}?lang=th`);
    const out = page.getByRole('link', { name: 'เปิดในเบราว์เซอร์' });
    expect(await out.getAttribute('href')).toBe('?lang=th&openExternalBrowser=1');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('has the buttons of test mode on a phone in a bar at its foot, folded, which covers nothing', async () => {
    const { api } = await newMerchant();
    const { checkout_url } = await createForCheckout(api);
    const page = await newPage({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    await page.goto(String(checkout_url));
    const pay = page.getByRole('button', { name: 'Pay', exact: true });
    const bar = page.getByText('Simulate an outcome');
    expect(await pay.isVisible()).toBe(false);
    const edges = async () => {
      const [above, own] = await Promise.all([
        page.locator('main').boundingBox(),
        page.locator('aside').boundingBox(),
      ]);
      return {
        above: Number(above?.y) + Number(above?.height),
        top: Number(own?.y),
        end: Number(own?.y) + Number(own?.height),
      };
    };
    const folded = await edges();
    expect(folded.above).toBeLessThanOrEqual(folded.top);
    expect(folded.end).toBe(844);
    expect(folded.end - folded.top).toBeLessThanOrEqual(60);
    await bar.tap();
    const opened = await edges();
    expect(opened.above).toBeLessThanOrEqual(opened.top);
    expect(await accessibilityViolations(page)).toEqual([]);
    await pay.tap();
    await page.waitForSelector('.state.good');
  });

  test('works without a script, in Thai and on a phone, and is accessible', async () => {
    const { api } = await newMerchant();
    const payment = await createForCheckout(api);
    const phone = { locale: 'th-TH', viewport: { width: 375, height: 700 } };
    const plain = await newPage({ ...phone, javaScriptEnabled: false });
    await plain.goto(String(payment.checkout_url));
    expect(await plain.locator('html').getAttribute('lang')).toBe('th');
    await plain.getByRole('button', { name: 'ชำระเงิน', exact: true }).click();
    await plain.waitForSelector('.state.good');

    for (const options of [phone, { colorScheme: 'dark' as const }]) {
      for (const body of [{}, { method: undefined }, { method: 'bank_transfer' }, { method: 'truemoney' }]) {
        const page = await newPage(options);
        const { checkout_url } = await createForCheckout(api, body);
        await page.goto(String(checkout_url));
        expect(await accessibilityViolations(page)).toEqual([]);
        const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        expect(isTooWide).toBe(false);
        await page.close();
      }
    }
  });

  test('is small, has a strict policy, and does not open with a wrong token', async () => {
    const { api } = await newMerchant();
    const { checkout_url: address } = await createForCheckout(api, { description: '<b>"&amp;' });
    const response = await fetch(String(address));
    const text = await response.text();
    expect(Buffer.byteLength(text)).toBeLessThan(PAGE_MAX_BYTES);
    expect(text).toContain('&lt;b&gt;&quot;&amp;amp;');
    expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe|\*/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const token = String(address).slice(-64);
    for (const guess of [
      token.slice(0, -1),
      `${token.slice(0, -1)}!`,
      token.replace(/.$/, (c) => (c === 'a' ? 'b' : 'a')),
    ]) {
      expect((await fetch(`${baseUrl}/checkout/${guess}`)).status).toBe(404);
      expect((await fetch(`${baseUrl}/checkout/${guess}`, { method: 'POST' })).status).toBe(404);
    }
  });
});
