import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, expectOnlyOwn, watch } from '../support/browser/browser.ts';
import { CONSOLE, forgetKey, idFact, LIVE_KEY, openByLink, stored } from '../support/browser/dashboard.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { createPayment } from '../support/world/resources.ts';

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Replace the key?' });

describeInBrowser('the dashboard with a key', ({ newPage }) => {
  test('takes the key out of a link, and leaves it neither in the address nor in the history', async () => {
    const { secret } = await newMerchant();
    const { page, requests, complaints } = await openByLink(newPage, secret);
    await expect.poll(() => page.url()).toBe(CONSOLE);
    expect(await page.evaluate('history.length')).toBe(2);
    expect(await page.content()).not.toContain(secret);
    expect(requests.filter((request) => request.includes('pg_test_'))).toEqual([]);
    expectOnlyOwn(requests, baseUrl);
    expect(complaints).toEqual([]);
  });

  test('asks before a link in the same tab replaces the key, and takes it out of the address', async () => {
    const [first, second] = [await newMerchant(), await newMerchant()];
    await createPayment(second.api, { reference: 'second merchant' });
    const { page } = await openByLink(newPage, first.secret);
    await page.locator('.identity', { hasText: first.merchant }).waitFor();
    await page.evaluate(`location.hash = '#key=${second.secret}'`);
    await question(page).waitFor();
    await expect.poll(() => page.url()).toBe(CONSOLE);
    const asked = String(await question(page).textContent());
    for (const { secret } of [first, second]) {
      expect(asked).toContain(`${secret.slice(0, 'pg_test_'.length + 4)}… (test mode)`);
      expect(await page.content()).not.toContain(secret);
    }
    await page.keyboard.press('Enter');
    await question(page).waitFor({ state: 'detached' });
    await page.locator('.identity', { hasText: first.merchant }).waitFor();
    expect(await stored(page)).toContain(first.secret);

    await page.evaluate(`location.hash = '#key=${second.secret}'`);
    await question(page).getByRole('button', { name: 'Replace it' }).click();
    await page.getByText('second merchant').waitFor();
    expect(await stored(page)).toContain(second.secret);
    expect(await page.content()).not.toContain(second.secret);
  });

  test('asks before a link replaces the key that the tab keeps, and not for that key itself', async () => {
    const [first, second] = [await newMerchant(), await newMerchant()];
    const { page } = await openByLink(newPage, first.secret);
    await page.goto('about:blank');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.headers().authorization ?? ''));
    await page.goto(`${CONSOLE}#key=${second.secret}`);
    await question(page).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.identity', { hasText: first.merchant }).waitFor();
    expect(asked.filter((header) => header.includes(second.secret))).toEqual([]);
    await page.goto('about:blank');
    await page.goto(`${CONSOLE}#key=${first.secret}`);
    await page.locator('.identity', { hasText: first.merchant }).waitFor();
    await page.waitForSelector('#clock-now');
    expect(await question(page).count()).toBe(0);
  });

  test.each([
    ['a live key', LIVE_KEY, 'Live key refused'],
    ['what is no key', 'sk_prod_0123456789', 'Refused'],
  ])('stays connected when a link has %s, and says why it is not used', async (_name, key, refusal) => {
    const { secret, merchant } = await newMerchant();
    const { page } = await openByLink(newPage, secret);
    await page.evaluate(`location.hash = '#key=${key}'`);
    await page.getByRole('alertdialog', { name: 'The key of this address is not used' }).waitFor();
    expect(await page.textContent('dialog')).toContain(refusal);
    await expect.poll(() => page.url()).toBe(CONSOLE);
    await page.keyboard.press('Escape');
    await page.locator('.identity', { hasText: merchant }).waitFor();
    expect(await page.content()).not.toContain(key);
  });

  test('opens connected at the place that follows the key in a link', async () => {
    const { secret, api } = await newMerchant();
    const { id } = await createPayment(api);
    const page = await newPage();
    await page.goto(`${CONSOLE}#key=${secret}/payments/${id}`);
    await idFact(page, id).waitFor();
    expect(page.url()).toBe(`${CONSOLE}#/payments/${id}`);
    expect(await page.evaluate('history.length')).toBe(2);
    const second = await createPayment(api, { reference: 'the second' });
    await page.evaluate(`location.hash = '#key=${secret}/payments/${second.id}'`);
    await page.getByText('the second').first().waitFor();
    await expect.poll(() => page.url()).toBe(`${CONSOLE}#/payments/${second.id}`);
  });

  test.each([
    ['a live key', LIVE_KEY, 'Live key refused'],
    ['what is no key', 'sk_prod_0123456789', 'Refused'],
  ])('refuses %s in a link, and takes it out of the address', async (_name, key, refusal) => {
    const page = await newPage();
    const { requests } = watch(page);
    await page.goto(`${CONSOLE}#key=${key}`);
    await page.locator('#key-message', { hasText: refusal }).waitFor();
    await expect.poll(() => page.url()).toBe(CONSOLE);
    expect(await page.content()).not.toContain(key);
    expect(requests.filter((request) => request.includes('/api/v1/'))).toEqual([]);
  });

  test('keeps the key in the tab through a reload, until the user forgets it everywhere', async () => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(newPage, secret);
    expect(await stored(page)).toContain(secret);
    await page.reload();
    await page.waitForSelector('#clock-now');
    await forgetKey(page);
    await page.waitForSelector('#key');
    expect(await stored(page)).toBe('{}');
    await page.reload();
    await page.waitForSelector('#key');
    await page.fill('#key', secret);
    await page.press('#key', 'Enter');
    await page.waitForSelector('#clock-now');
    expect(await stored(page)).toContain(secret);
  });

  test('keeps no key in the tab that it refuses', async () => {
    const page = await newPage();
    await page.goto(CONSOLE);
    await page.fill('#key', LIVE_KEY);
    await page.press('#key', 'Enter');
    await page.locator('#key-message', { hasText: 'Live key refused' }).waitFor();
    expect(await stored(page)).toBe('{}');
  });
});
