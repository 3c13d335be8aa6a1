import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { describeInBrowser, violationsInBothSchemes } from '../../support/browser/browser.ts';
import { goTo, type NewPage, openByLink, turnWorld } from '../../support/browser/dashboard.ts';
import { newMerchant } from '../../support/world/api.ts';
import { createLink, createPaidPayment, createPayment, moveClock } from '../../support/world/resources.ts';

const DESK = { viewport: { width: 1_440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const SCREENS = [
  ['at a desk', DESK],
  ['on a phone', PHONE],
] as const;
const FORGOTTEN = /\b[a-z]{2,} [a-z]{2,} [a-z]{2,}\b/g;

async function openAt(newPage: NewPage, secret: string, place: string, options: Parameters<NewPage>[0]) {
  const opened = await openByLink(newPage, secret, options);
  await goTo(opened.page, place);
  return opened;
}

/** What a dialog says beside code, and beside what is marked as English. */
async function wordsOf(page: Page): Promise<string> {
  const [whole, ...foreign] = await Promise.all([
    page.getByRole('dialog').innerText(),
    ...(await page.getByRole('dialog').locator('code, [lang="en"]').all()).map((part) => part.innerText()),
  ]);
  return foreign.reduce((text, part) => text.replace(part, ''), whole);
}

describeInBrowser('a refund', ({ newPage }) => {
  test.each(SCREENS)('is of all that is left, or of a part that is typed, %s', async (_where, options) => {
    const { api, secret } = await newMerchant();
    const payment = await createPaidPayment(api, 129_900);
    const { page, complaints } = await openAt(newPage, secret, `payments/${payment.id}`, options);
    await page.getByRole('button', { name: 'Refund …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Refund' });
    await dialog.getByText(/^Can be canceled until \d\d:\d\d\.$/).waitFor();
    const amount = dialog.getByLabel('Amount of the part, in baht');
    expect(await dialog.getByLabel('All ฿1,299.00').isChecked()).toBe(true);
    expect(await amount.isDisabled()).toBe(true);
    expect(await dialog.locator('[type=submit]').textContent()).toBe('Refund ฿1,299.00');
    await dialog.getByLabel('Part', { exact: true }).click();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('dialog.amount');
    // A part that is not said is no refund of all.
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a value.').waitFor();
    await amount.fill('1300');
    await page.keyboard.press('Enter');
    await dialog.getByText('At most ฿1,299.00.').waitFor();
    expect(await amount.getAttribute('aria-invalid')).toBe('true');
    expect((await api(operations.listRefunds)).json.data).toEqual([]);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await amount.fill('๒๕๐');
    expect(await dialog.locator('[type=submit]').textContent()).toBe('Refund ฿250.00');
    await dialog.getByLabel('reason').fill('One ticket was not used');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const [refund] = (await api(operations.listRefunds)).json.data;
    expect(refund).toMatchObject({ amount: { minor: 25_000 }, reason: 'One ticket was not used' });
    await page.getByText('฿250.00, R-000001').waitFor();
    await page.getByRole('button', { name: 'Refund …' }).click();
    await dialog.getByRole('button', { name: 'Refund ฿1,049.00' }).click();
    await expect
      .poll(async () => (await api(operations.listRefunds)).json.data[0]?.amount.minor)
      .toBe(104_900);
    expect(complaints).toEqual([]);
  });
});

describeInBrowser('a link', ({ newPage }) => {
  test.each(SCREENS)('asks everybody for one amount, or lets each payer enter it, %s', async (_, options) => {
    const { api, secret } = await newMerchant();
    const { page } = await openAt(newPage, secret, 'links', options);
    await page.getByRole('button', { name: 'Create a link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a link' });
    expect(await dialog.getByLabel('The same for everybody').isChecked()).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a value.').waitFor();
    await dialog.getByLabel('Amount, in baht', { exact: true }).fill('250');
    await dialog.getByLabel('Each payer enters it').check();
    await dialog.getByLabel('Least amount, in baht').fill('๕๐');
    await dialog.getByLabel('Greatest amount, in baht').fill('20');
    await page.keyboard.press('Enter');
    await dialog.getByText('At most as much as the greatest amount.').waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await dialog.getByLabel('Greatest amount, in baht').fill('2,000');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const [link] = (await api(operations.listPaymentLinks)).json.data;
    expect(link).toMatchObject({
      amount: null,
      min_amount: { minor: 5_000 },
      max_amount: { minor: 200_000 },
    });
  });
});

describeInBrowser('a world', ({ newPage }) => {
  test.each(SCREENS)('is created by its name, its length and its content, %s', async (_where, options) => {
    const { api, secret } = await newMerchant();
    await createPayment(api, { reference: 'of-the-first' });
    const { page, complaints } = await openByLink(newPage, secret, options);
    await turnWorld(page);
    const world = page.locator('#world');
    const dialog = page.getByRole('dialog', { name: 'Create a world' });
    const begin = () => world.getByRole('button', { name: 'Create a world' }).click();
    await begin();
    expect(await dialog.getByLabel('name').inputValue()).toBe('world-1');
    const lengths = await dialog.getByLabel('how long').locator('option').allTextContents();
    expect(lengths).toEqual(['1 hour', '4 hours', '12 hours', '1 day']);
    await dialog.getByLabel('how long').selectOption('1 day');
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await world.getByRole('button', { name: 'Switch to world-1' }).waitFor();
    const worlds = async () => (await api(operations.listTestWorlds)).json.data;
    const [made] = await worlds();
    expect(Date.parse(String(made?.expires_at)) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    await begin();
    expect(await dialog.getByLabel('name').inputValue()).toBe('world-2');
    await dialog.getByLabel('what is in it').selectOption('A copy of this world');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await world.getByRole('button', { name: 'Switch to world-2' }).click();
    await page.locator('.identity .pill', { hasText: 'world-2' }).first().waitFor({ state: 'attached' });
    await goTo(page, 'payments');
    await page.getByText('of-the-first').first().waitFor();
    expect(complaints).toEqual([]);
  });
});

describeInBrowser('the dialogs of the dashboard in Thai', ({ newPage }) => {
  test.each(SCREENS)('are whole in Thai, with what is wrong at their fields, %s', async (_where, options) => {
    const { api, secret } = await newMerchant();
    const paid = await createPaidPayment(api);
    const open = await createPayment(api);
    const late = await createPayment(api, { expires_in_minutes: 1 });
    await moveClock(api, 62);
    await api(operations.simulatePayment, { params: { id: late.id }, body: { outcome: 'succeeded' } });
    await createLink(api);
    const { page } = await openByLink(newPage, secret, { ...options, locale: 'th-TH' });
    const dialog = page.getByRole('dialog');
    const check = async (name: string) => {
      await dialog.waitFor();
      expect((await wordsOf(page)).match(FORGOTTEN) ?? [], name).toEqual([]);
      expect(await violationsInBothSchemes(page), name).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    };
    for (const [place, button] of [
      [`payments/${paid.id}`, 'คืนเงิน …'],
      [`payments/${open.id}`, 'ไม่สำเร็จ …'],
      [`payments/${late.id}`, 'บันทึกว่าจัดการแล้ว …'],
      ['payments', 'สร้างรายการชำระเงิน'],
      ['links', 'สร้างลิงก์ชำระเงิน'],
    ] as const) {
      await goTo(page, place);
      await page.getByRole('button', { name: button, exact: true }).click();
      await check(button);
    }
    await goTo(page, 'payments');
    await page.getByRole('button', { name: 'สร้างรายการชำระเงิน' }).click();
    await dialog.locator('[id="dialog.amount"]').fill('0');
    await dialog.locator('[id="dialog.expires_in_minutes"]').fill('soon');
    await page.keyboard.press('Enter');
    await dialog.getByText('กรุณากรอกเป็นจำนวนเต็ม').waitFor();
    await dialog.getByText(/^ต้องไม่น้อยกว่า ฿/).waitFor();
    await check('what is wrong');
    await turnWorld(page);
    for (const button of ['สร้างโลกทดสอบ', 'ทำสำเนาโลกนี้']) {
      await page.locator('#world').getByRole('button', { name: button }).click();
      await check(button);
    }
    await page.locator('#world').getByRole('button', { name: 'ล้างโลกทดสอบ' }).click();
    const asked = page.getByRole('alertdialog');
    expect((await asked.innerText()).match(FORGOTTEN) ?? []).toEqual([]);
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
  });

  test('ask in Thai whether another key takes the place of the present one', async () => {
    const [{ secret }, { secret: other }] = [await newMerchant(), await newMerchant()];
    const { page } = await openByLink(newPage, secret, { ...PHONE, locale: 'th-TH' });
    await page.evaluate(`location.hash = '#key=${other}'`);
    const asked = page.getByRole('alertdialog');
    await asked.waitFor();
    expect((await asked.innerText()).match(FORGOTTEN) ?? []).toEqual([]);
    expect(await violationsInBothSchemes(page)).toEqual([]);
  });
});
