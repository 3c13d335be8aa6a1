import { readFile } from 'node:fs/promises';
import jsqr from 'jsqr';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { describeInBrowser, violationsInBothSchemes } from '../../support/browser/browser.ts';
import { goTo, heading, openByLink, rows } from '../../support/browser/dashboard.ts';
import { newMerchant } from '../../support/world/api.ts';
import { createPaidPayment, createPayment } from '../../support/world/resources.ts';

const SCREENS = [
  ['at a desk', { viewport: { width: 1_440, height: 900 } }],
  ['on a phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
] as const;

async function expectTidy(page: Page, what: string): Promise<void> {
  expect(await violationsInBothSchemes(page), what).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), what).toBe(0);
}

describeInBrowser('money', ({ newPage }) => {
  test.each(SCREENS)('says in words by how much a statement differs, %s', async (_where, options) => {
    const { api, secret } = await newMerchant();
    await createPaidPayment(api, 100_000);
    const settle = (minor: number) =>
      api(operations.simulateSettlement, {
        body: { provider: `other ${minor}`, amount: { currency: 'THB', minor } },
      });
    await settle(98_766);
    await settle(100_050);
    const { page } = await openByLink(newPage, secret, options);
    await goTo(page, 'settlements');
    await rows(page).nth(1).getByRole('link').first().click();
    await page.getByText('Provider states ฿12.34 less.').waitFor();
    // Both are in the details.
    const facts = await page.locator('.facts-list').first().innerText();
    expect([facts.includes('฿1,000.00'), facts.includes('฿987.66')]).toEqual([true, true]);
    await expectTidy(page, 'a settlement');
    await goTo(page, 'settlements');
    await rows(page).first().getByRole('link').first().click();
    await page.getByText('Provider states ฿0.50 more.').waitFor();
  });

  test.each(SCREENS)(
    'is charted by 7, 30 or 90 days, which the address keeps, %s',
    async (_where, options) => {
      const { api, secret } = await newMerchant();
      await api(operations.seedTestData, { body: { profile: 'month' } });
      const { page, complaints } = await openByLink(newPage, secret, options);
      for (const place of ['', 'money']) {
        await goTo(page, place);
        for (const days of [90, 7]) {
          await page.getByRole('link', { name: `${days} days` }).click();
          await expect.poll(() => page.locator('.chart svg a').count()).toBe(days);
          expect(page.url()).toContain(`days=${days}`);
        }
        await page
          .locator('.month')
          .getByText(/^Paid ฿[\d,.]+ of \d+; refunded ฿/)
          .waitFor();
        await expectTidy(page, place);
      }
      await page.reload();
      await expect.poll(() => page.locator('.chart svg a').count()).toBe(7);
      expect(complaints).toEqual([]);
    },
  );

  test.each(SCREENS)(
    'of a seeded week is one payout of settlements that list it all, %s',
    async (_where, options) => {
      const { api, secret } = await newMerchant();
      await api(operations.seedTestData, { body: { profile: 'month' } });
      const { page } = await openByLink(newPage, secret, options);
      await goTo(page, 'payouts');
      await rows(page).nth(1).locator('.row-link').click();
      await page.getByRole('heading', { name: 'The 7 settlements that it pays out' }).waitFor();
      await expect.poll(() => rows(page).count()).toBe(7);
      await expectTidy(page, 'a payout');
      await rows(page).nth(3).locator('.row-link').click();
      await page.getByText(/^It took these, ฿[\d,.]+ in all\.$/).waitFor();
      await rows(page).first().locator('.row-link').click();
      await page.locator('.story').waitFor();
    },
  );
});

describeInBrowser('the page of a payer', ({ newPage }) => {
  test.each(SCREENS)('is opened, copied and saved as a QR, of a new link, %s', async (_where, options) => {
    const { api, secret } = await newMerchant();
    const { page, complaints } = await openByLink(newPage, secret, options);
    await goTo(page, 'links');
    await page.getByRole('button', { name: 'Create a link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a link' });
    await dialog.getByLabel('Amount, in baht', { exact: true }).fill('250');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const address = page.locator('.page-address');
    await address.waitFor();
    const [link] = (await api(operations.listPaymentLinks)).json.data;
    expect(await address.getByRole('link', { name: 'Open' }).getAttribute('href')).toBe(link?.url);
    expect(await address.getByRole('button', { name: 'Copy' }).isVisible()).toBe(true);
    await expectTidy(page, 'a link');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      address.getByRole('button', { name: 'Save QR' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe(`${link?.number}.svg`);
    expect(await readQr(await newPage(), await readFile(await saved.path(), 'utf8'))).toBe(link?.url);
    await api(operations.disablePaymentLink, { params: { id: String(link?.id) } });
    await page.reload();
    await page.getByRole('heading', { name: '฿250.00 Disabled' }).waitFor();
    expect(await address.getByRole('button', { name: 'Save QR' }).count()).toBe(0);
    const payment = await createPayment(api, { checkout: true });
    await goTo(page, `payments/${payment.id}`);
    await address.getByText(String(payment.checkout_url)).waitFor();
    expect(complaints).toEqual([]);
  });
});

/** What a camera reads of a picture. */
async function readQr(page: Page, svg: string): Promise<string | undefined> {
  await page.setContent(svg.replace('<svg', '<svg width="400" height="400"'));
  const pixels = await page.evaluate<number[]>(`(async () => {
    const svg = document.querySelector('svg');
    const image = new Image();
    image.src = 'data:image/svg+xml,' + encodeURIComponent(new XMLSerializer().serializeToString(svg));
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: 400, height: 400 });
    const context = canvas.getContext('2d');
    context.fillStyle = 'white';
    context.fillRect(0, 0, 400, 400);
    context.drawImage(image, 0, 0, 400, 400);
    return [...context.getImageData(0, 0, 400, 400).data];
  })()`);
  const read = jsqr as unknown as typeof jsqr.default;
  return read(Uint8ClampedArray.from(pixels), 400, 400)?.data;
}

const EMPTY_PLACES = [
  ['', 'No payments yet', 'ยังไม่มีรายการชำระเงิน'],
  ['payments', 'No payments yet.', 'ยังไม่มีรายการชำระเงิน'],
  ['refunds', 'No refunds yet.', 'ยังไม่มีการคืนเงิน'],
  ['links', 'No payment links yet.', 'ยังไม่มีลิงก์ชำระเงิน'],
  ['settlements', 'No settlements yet.', 'ยังไม่มีการสรุปยอด'],
  ['payouts', 'No payouts yet.', 'ยังไม่มีการโอนเงินเข้าบัญชี'],
  ['money', 'No money has come in yet.', 'ยังไม่มีเงินเข้า'],
  ['events', 'No events yet.', 'ยังไม่มีเหตุการณ์'],
  ['requests', 'No requests in the last seven days.', 'ไม่มีคำขอใน 7 วันที่ผ่านมา'],
] as const;

describeInBrowser('a merchant without anything', ({ newPage }) => {
  test.each(
    SCREENS.flatMap(([where, options]) =>
      (['en-US', 'th-TH'] as const).map((locale) => [where, locale, { ...options, locale }] as const),
    ),
  )('sees one sentence and one action on each page, %s in %s', async (_where, locale, options) => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(newPage, secret, options);
    for (const [place, english, thai] of EMPTY_PLACES) {
      await goTo(page, place);
      const empty = page.locator('.view .empty');
      await empty.getByText(locale === 'en-US' ? english : thai, { exact: true }).waitFor();
      expect(await empty.locator('button, a').count(), place).toBe(1);
      expect(await page.locator('.view .chart, .view .sums, .view .data').count(), place).toBe(0);
      await expectTidy(page, place);
    }
  });

  test('is led from a list without what it filters to all of it', async () => {
    const { api, secret } = await newMerchant();
    await createPayment(api);
    const { page } = await openByLink(newPage, secret);
    await goTo(page, 'payments?status=failed');
    await page.getByRole('link', { name: 'Show all' }).click();
    await expect.poll(() => rows(page).count()).toBe(1);
    await heading(page, 'Payments');
  });
});
