import { expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import {
  accessibilityViolations,
  describeInBrowser,
  expectOnlyOwn,
  untilQrIsThere,
  watch,
} from '../support/browser/browser.ts';
import { type Client, newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { createLink, moveClock } from '../support/world/resources.ts';

const thb = (minor: number) => ({ currency: 'THB', minor });
const FIXED = { amount: { type: 'fixed', fixed: thb(35_000) } };

async function linkNow(api: Client, id: string) {
  return (await api(operations.getPaymentLink, { params: { id } })).json;
}

async function payments(api: Client) {
  return (await api(operations.listPayments)).json.data;
}

describeInBrowser('the page of a payment link', ({ newPage }) => {
  test('takes an open amount within its bounds, and the collected data, to a paid payment', async () => {
    const { api } = await newMerchant();
    const link = await createLink(api, {
      amount: { type: 'open', min: thb(2_000), max: thb(500_000) },
      collect: { email: 'required', name: 'optional', phone: 'optional' },
      description: 'Tip jar',
      metadata: { campaign: 'songkran' },
      return_url: 'https://shop.example/',
    });
    const page = await newPage();
    const { requests, complaints } = watch(page);
    await page.goto(link.url);
    await page.getByLabel('Amount in baht').fill('19.99');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await expect
      .poll(() => page.locator('.bad').allTextContents())
      .toEqual([
        'Enter an amount of at least ฿20.00, at most ฿5,000.00, with digits as in 250.50.',
        'Email is required.',
      ]);
    expect(await page.getByLabel('Amount in baht').inputValue()).toBe('19.99');
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await payments(api)).toEqual([]);
    await page.getByLabel('Amount in baht').fill('1,250.50');
    await page.getByLabel('Email').fill('somchai@example.com');
    await page.getByLabel('Phone').fill('0812345678');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('button', { name: 'PromptPay' }).click();
    await untilQrIsThere(page);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.waitForSelector('.state.good');
    expect(await payments(api)).toMatchObject([
      {
        status: 'succeeded',
        payment_link_id: link.id,
        amount: thb(125_050),
        description: 'Tip jar',
        customer_email: 'somchai@example.com',
        customer_name: null,
        customer_phone: '+66812345678',
        metadata: { campaign: 'songkran' },
        return_url: 'https://shop.example/',
      },
    ]);
    expect((await linkNow(api, link.id)).uses).toBe(1);
    expectOnlyOwn(requests, baseUrl);
    // Chromium logs an error for a refused form, which is no fault of the page.
    expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([]);
  });

  test('lets a payer start again after a payment that failed or expired', async () => {
    const { api } = await newMerchant();
    const link = await createLink(api, FIXED);
    const page = await newPage();
    for (const end of [
      () => page.getByRole('button', { name: 'Fail', exact: true }).click(),
      () => moveClock(api, 16 * 60),
    ]) {
      await page.goto(link.url);
      await page.getByRole('button', { name: 'Continue to payment' }).click();
      await page.getByText('Choose how to pay').waitFor();
      await end();
      await page.getByRole('link', { name: 'Try again' }).click();
      await page.getByRole('button', { name: 'Continue to payment' }).waitFor();
      await expect.poll(() => page.url()).toBe(link.url);
    }
  });

  test('with one use, opened twice at the same time, makes one payment', async () => {
    const { api } = await newMerchant();
    const link = await createLink(api, { ...FIXED, max_uses: 1 });
    const pages = await Promise.all([newPage(), newPage()]);
    await Promise.all(pages.map((page) => page.goto(link.url)));
    await Promise.all(pages.map((page) => page.getByRole('button', { name: 'Continue to payment' }).click()));
    await Promise.all(pages.map((page) => page.waitForSelector('[role=status]')));
    const states = await Promise.all(pages.map((page) => page.getByRole('status').textContent()));
    expect(states.toSorted()).toEqual([
      'Choose how to pay',
      'This link is in use by a payment that is not paid yet',
    ]);
    expect(await payments(api)).toHaveLength(1);
  });

  test('never exceeds its uses at concurrent forms; a canceled payment frees its use', async () => {
    const { api } = await newMerchant();
    const link = await createLink(api, { ...FIXED, max_uses: 3 });
    const ask = (attempt: string) =>
      fetch(link.url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ attempt }) });
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, place) => (await ask(`a${place}`)).status),
    );
    expect(statuses.toSorted()).toEqual([303, 303, 303, ...Array(9).fill(409)]);
    const open = await payments(api);
    expect(open).toHaveLength(3);
    expect((await fetch(link.url)).status).toBe(409);
    await api(operations.cancelPayment, { params: { id: String(open[0]?.id) } });
    expect((await ask('next')).status).toBe(303);
    expect((await ask('one more')).status).toBe(409);
    // An unpaid payment frees its use when it expires.
    await moveClock(api, 2 * 24 * 3_600);
    expect((await fetch(link.url)).status).toBe(200);
    expect(await linkNow(api, link.id)).toMatchObject({ uses: 0, status: 'active' });
  });

  test('creates one payment for a repeated form, and redirects to it each time', async () => {
    const { api } = await newMerchant();
    const link = await createLink(api, FIXED);
    const ask = () =>
      fetch(link.url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ attempt: 'same' }) });
    const answers = await Promise.all([ask(), ask(), ask()]);
    const places = answers.map(({ headers }) => headers.get('location'));
    expect(new Set(places).size).toBe(1);
    expect(places[0]).toContain(`${baseUrl}/checkout/`);
    expect(await payments(api)).toHaveLength(1);
  });

  test('says why it takes no payment, and shows no form then', async () => {
    const { api } = await newMerchant();
    const disabled = await createLink(api, FIXED);
    await api(operations.disablePaymentLink, { params: { id: disabled.id } });
    const ended = await createLink(api, {
      ...FIXED,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await moveClock(api, 7_200);
    const page = await newPage({ colorScheme: 'dark' });
    for (const [link, words] of [
      [disabled, 'This link is no longer active'],
      [ended, 'This link has expired'],
    ] as const) {
      expect((await page.goto(link.url))?.status()).toBe(410);
      expect(await page.getByRole('status').textContent()).toBe(words);
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await page.locator('form').count()).toBe(0);
    }
    expect((await fetch(`${baseUrl}/l/aaaaaaaaaa`)).status).toBe(404);
    await api(operations.purgeTestData);
    expect((await fetch(disabled.url)).status).toBe(404);
  });
});
