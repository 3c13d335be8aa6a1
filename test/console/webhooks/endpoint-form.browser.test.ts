// @module-tag nightly
import { expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { ENDPOINTS_MAX } from '../../../shared/domain/endpoint-limits.ts';
import { describeInBrowser, violationsInBothSchemes } from '../../support/browser/browser.ts';
import {
  answer,
  choose,
  NOBODY,
  openWebhooks,
  press,
  reports,
  takeSecret,
} from '../../support/browser/webhook-pages.ts';
import { newMerchant } from '../../support/world/api.ts';
import { baseUrl } from '../../support/world/merchant.ts';
import { createEndpoint, startReceiver } from '../../support/world/webhook-endpoints.ts';

describeInBrowser('the form of an endpoint', ({ newPage }) => {
  test('lets the events of an endpoint be ticked by their words, and shows them when it is edited', async () => {
    const { secret: key, api } = await newMerchant();
    const { page } = await openWebhooks(newPage, key);
    await press(page, 'Create an endpoint');
    await page.fill('[id="dialog.url"]', NOBODY);
    const dialog = page.locator('dialog');
    await dialog.getByLabel('Only these').check();
    await dialog.getByRole('group', { name: 'Payments' }).getByLabel('Paid', { exact: true }).check();
    await dialog.getByLabel('All of: Refunds').check();
    await dialog.getByRole('group', { name: 'Refunds' }).getByLabel('Requested').uncheck();
    await dialog.getByRole('group', { name: 'Refunds' }).getByLabel('Requested').check();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await answer(page, 'Create');
    await takeSecret(page);
    const stored = async () => (await api(operations.listWebhookEndpoints)).json.data[0]?.events;
    expect(await stored()).toEqual(['payment.succeeded', 'refund.*']);
    await page.getByText('Receives: Payments: Paid · Refunds: all.').waitFor();
    await choose(page, 'Edit');
    expect(await dialog.getByLabel('All of: Refunds').isChecked()).toBe(true);
    await dialog.getByLabel('Paid', { exact: true }).uncheck();
    await dialog.getByLabel('All of: Refunds').uncheck();
    await answer(page, 'Save');
    await dialog.getByText('Choose at least one event.').waitFor();
    await dialog.getByLabel('All events').check();
    await answer(page, 'Save');
    await reports(page, 'The endpoint was updated.');
    expect(await stored()).toEqual(['*']);
  });

  test('shows what is refused at its field', async () => {
    const { secret, api } = await newMerchant();
    const { url } = await startReceiver();
    const { page } = await openWebhooks(newPage, secret);
    await press(page, 'Create an endpoint');
    await answer(page, 'Create');
    await page.locator('dialog').getByText('Enter the address of your server.').waitFor();
    await page.fill('[id="dialog.url"]', 'https://169.254.169.254/latest');
    await answer(page, 'Create');
    const fault = page.locator('[id="dialog.url.error"]');
    await expect.poll(() => fault.textContent()).toMatch(/public/);
    expect(await page.getAttribute('[id="dialog.url"]', 'aria-invalid')).toBe('true');
    for (let count = 0; count < ENDPOINTS_MAX; count += 1) {
      await createEndpoint(api, { url: 'https://shop.example.com' });
    }
    await page.fill('[id="dialog.url"]', url);
    await answer(page, 'Create');
    await page.locator('dialog .problem', { hasText: 'endpoint_limit_reached' }).waitFor();
    expect(await page.getAttribute('[id="dialog.url"]', 'aria-invalid')).toBe('false');
  });

  test('says in Thai what is wrong with an address', async () => {
    const { secret } = await newMerchant();
    const page = await newPage({ locale: 'th-TH' });
    await page.goto(`${baseUrl}/console#/webhooks`);
    await page.fill('#key', secret);
    await page.press('#key', 'Enter');
    await press(page, 'สร้างปลายทาง');
    const fault = page.locator('[id="dialog.url.error"]');
    const thaiFor = async (url: string) => {
      await page.fill('[id="dialog.url"]', url);
      await answer(page, 'สร้าง');
      await expect.poll(() => fault.textContent()).toMatch(/[ก-ฮ]/);
      return fault.textContent();
    };
    expect(await thaiFor('')).toBe('กรุณากรอกที่อยู่ของเซิร์ฟเวอร์');
    expect(await thaiFor('https://169.254.169.254/latest')).toBe('กรุณากรอกที่อยู่ของเซิร์ฟเวอร์บนอินเทอร์เน็ตสาธารณะ');
  });
});
