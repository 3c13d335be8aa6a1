import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { describeInBrowser, violationsInBothSchemes } from '../support/browser/browser.ts';
import { CONSOLE, goTo, heading, openByLink, openMenu, rows } from '../support/browser/dashboard.ts';
import { brokenIds, unmarkedChoices } from '../support/browser/looks.ts';
import { newMerchant } from '../support/world/api.ts';
import { createLink, createPayment, moveClock } from '../support/world/resources.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
/** No server listens there. */
const NOBODY = 'http://127.0.0.1:1029/hook';
const PLACES = [
  '',
  '?days=7',
  'payments',
  'refunds',
  'links',
  'money',
  'events',
  'webhooks',
  'requests',
  'exam',
];
/** What has a page for each, by the address. */
const LISTS = {
  payments: operations.listPayments,
  refunds: operations.listRefunds,
  links: operations.listPaymentLinks,
  settlements: operations.listSettlements,
  payouts: operations.listPayouts,
};
const SIZES = [
  ['at a desk', { viewport: { width: 1_440, height: 900 } }],
  ['on a small screen', { viewport: { width: 1_024, height: 768 } }],
  ['on a phone', PHONE],
] as const;
/** Three words of another language in a row, or one in another script, are a text that was forgotten. */
const LANGUAGES = [
  {
    name: 'Thai',
    lang: 'th',
    locale: 'th-TH',
    reading: 'กำลังโหลด …',
    forgotten: /\b[a-z]{2,} [a-z]{2,} [a-z]{2,}\b/g,
    // Types of events and addresses are names.
    title: /^(?:\S+[._:]\S+|.*\p{Script=Thai}.*) · Payments$/u,
  },
  {
    name: 'English',
    lang: 'en',
    locale: 'en-US',
    reading: 'Reading …',
    forgotten: /\p{Script=Thai}+/gu,
    title: /^\P{Script=Thai}+ · Payments$/u,
  },
] as const;
/** For every change, what most people have; at night, all. */
const WALKS = LANGUAGES.flatMap((language) =>
  SIZES.map(([where, options]) => {
    const isQuick = language.lang === 'th' && where !== 'on a small screen';
    return { language, where, options, isQuick, tags: isQuick ? [] : ['nightly' as const] };
  }),
);

/** What a page says in its language, without what is marked as another one, and what machines read. */
const ownText = (page: Page) =>
  page.evaluate(`(() => {
    const main = document.querySelector('main');
    const { lang } = document.documentElement;
    const others = [...main.querySelectorAll('[lang]:not([lang=' + lang + ']), pre, .headers')];
    for (const one of others) one.hidden = true;
    const text = main.innerText;
    for (const one of others) one.hidden = false;
    return text;
  })()`);

/** The height of what a selector finds, in pixels. */
const heightOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((found) => found.getBoundingClientRect().height);

describeInBrowser('the language of the dashboard', ({ newPage }) => {
  for (const { language, where, options, isQuick, tags } of WALKS) {
    const { name, lang, locale, reading, forgotten, title } = language;
    test(`is that of the browser: whole in ${name}, ${where}`, { tags }, async () => {
      const { secret, api } = await newMerchant();
      await api(operations.seedTestData, { body: { profile: 'e2e' } });
      const { json: endpoint } = await api(operations.createWebhookEndpoint, { body: { url: NOBODY } });
      const link = await createLink(api);
      await moveClock(api, 1);
      const { data } = (await api(operations.listEvents, { query: { resource_id: link.id } })).json;
      const newest = await Promise.all(
        Object.entries(isQuick ? {} : LISTS).map(async ([segment, list]) => {
          const { json } = await api(list, { query: { limit: '1' } });
          return `${segment}/${json.data[0]?.id}`;
        }),
      );
      const places = [...PLACES, ...newest, `events/${data[0]?.id}`, `webhooks/${endpoint.id}`];
      const { page, complaints } = await openByLink(newPage, secret, { ...options, locale });
      expect(await page.getAttribute('html', 'lang')).toBe(lang);
      for (const place of places) {
        await goTo(page, place);
        await page.locator('.view h2').first().waitFor();
        await page.getByText(reading).first().waitFor({ state: 'detached' });
        const text = String(await ownText(page));
        expect(text.match(forgotten) ?? [], place).toEqual([]);
        expect(await page.title(), place).toMatch(title);
        expect(await violationsInBothSchemes(page), place).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), place).toBe(0);
        expect.soft([place, await brokenIds(page), await unmarkedChoices(page)]).toEqual([place, [], []]);
      }
      expect(complaints).toEqual([]);
    });
  }

  test('is kept by a switch, through a reload, with the key', async () => {
    const { secret, api } = await newMerchant();
    await createPayment(api);
    const { page } = await openByLink(newPage, secret);
    await page.locator('.rail').getByRole('button', { name: 'ไทย' }).click();
    await page.getByRole('heading', { name: 'หน้าหลัก' }).waitFor();
    await page.locator('.word', { hasText: 'รอชำระเงิน' }).first().waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'หน้าหลัก' }).waitFor();
    await page.locator('.rail').getByRole('button', { name: 'English' }).click();
    await heading(page, 'Home');
  });
});

describeInBrowser('the frame of the dashboard on a phone', ({ newPage }) => {
  test('leaves the screen to what is shown: 104 px for its bars, two lines for a row', async () => {
    const { secret, api } = await newMerchant();
    await createPayment(api, { reference: 'order-1042' });
    const { page } = await openByLink(newPage, secret, PHONE);
    await goTo(page, 'payments');
    await rows(page).first().waitFor();
    expect((await heightOf(page, '.top')) + (await heightOf(page, '.foot'))).toBeLessThanOrEqual(104);
    expect(await heightOf(page, '.data tbody tr')).toBeLessThanOrEqual(68);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });

  test('has every section, the language and the key at its foot, and a sheet that closes', async () => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(newPage, secret, PHONE);
    await openMenu(page);
    const sheet = page.locator('.sheet .floating');
    await sheet.getByRole('link', { name: 'Requests' }).click();
    await heading(page, 'Requests');
    expect(await sheet.count()).toBe(0);
    await openMenu(page);
    await sheet.locator('.world').click();
    await page.locator('#world').waitFor();
    await page.locator('.foot').getByRole('link', { name: 'Money' }).click();
    await heading(page, 'Money');
    await page.locator('#world').waitFor({ state: 'detached' });
  });
});

describeInBrowser('the keys of the dashboard', ({ newPage }) => {
  test('lead to every section, to the search, and to a list of themselves', async () => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(newPage, secret);
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await heading(page, 'Payments');
    await expect.poll(() => page.title()).toBe('Payments · Payments');
    // A letter alone leads nowhere.
    await page.keyboard.press('m');
    expect(page.url()).toBe(`${CONSOLE}#/payments`);
    await page.keyboard.press('Control+k');
    expect(await page.evaluate('document.activeElement.id')).toBe('search');
    await page.locator('h2').first().click();
    await page.keyboard.press('Shift+?');
    await page.getByRole('dialog', { name: 'Keyboard' }).getByText('Go to Money').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describeInBrowser('what needs somebody', ({ newPage }) => {
  test('is marked as handled with a note, and asks no more', async () => {
    const { secret, api } = await newMerchant();
    const { id } = await createPayment(api, { expires_in_minutes: 1 });
    await moveClock(api, 62);
    await api(operations.simulatePayment, { params: { id }, body: { outcome: 'succeeded' } });
    const { page, complaints } = await openByLink(newPage, secret);
    await page.getByRole('link', { name: /Paid \d+ s after it expired: check the order\./ }).click();
    await page.getByRole('button', { name: 'Mark as handled …' }).click();
    await page.getByRole('dialog').getByLabel('note').fill('ส่งของแล้ว');
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as handled' }).click();
    await page.locator('.facts-list', { hasText: 'ส่งของแล้ว' }).waitFor();
    expect(await page.locator('.note').count()).toBe(0);
    await goTo(page, '');
    await heading(page, 'Home');
    await expect.poll(() => page.getByRole('region', { name: 'Needs attention' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('is begun in baht, in any way to write it, and shown once it is there', async () => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(newPage, secret);
    await goTo(page, 'payments');
    await page.getByRole('button', { name: 'Create a payment' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a payment' });
    await dialog.getByLabel('amount').fill('๑,๒๙๙.๕๐ บาท');
    await dialog.getByRole('button', { name: 'Create ฿1,299.50' }).click();
    await page.getByRole('heading', { name: /^฿1,299\.50/ }).waitFor();
  });
});
