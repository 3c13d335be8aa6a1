import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { describeInBrowser, violationsInBothSchemes } from '../support/browser/browser.ts';
import {
  CONSOLE,
  forgetKey,
  goTo,
  heading,
  idFact,
  openByLink,
  rows,
  turnWorld,
} from '../support/browser/dashboard.ts';
import { joinedWords } from '../support/browser/joined-words.ts';
import { rawMarkdownIn } from '../support/browser/raw-markdown.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { startMerchantServer } from '../support/world/merchant-server.ts';
import { createPayment, moveClock } from '../support/world/resources.ts';

const SECTIONS = [
  ['Home', ''],
  ['Payments', 'payments'],
  ['Refunds', 'refunds'],
  ['Payment links', 'links'],
  ['Money', 'money'],
  ['Events', 'events'],
  ['Webhook endpoints', 'webhooks'],
  ['Settlements', 'settlements'],
  ['Payouts', 'payouts'],
  ['Requests', 'requests'],
  ['Create a payment', 'api'],
] as const;
/** Whether one of the held requests ends like this. */
const isAsked = (held: readonly string[], end: string) => held.some((path) => path.endsWith(end));

const wider = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth');

describeInBrowser('the navigation of the dashboard', ({ newPage }) => {
  test('closes a dialog by Back, and stays where it is; no dialog outlives its place', async () => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(newPage, secret);
    await goTo(page, 'payments');
    await heading(page, 'Payments');
    await goTo(page, 'webhooks');
    const dialog = page.getByRole('dialog');
    const open = async () => {
      await page.getByRole('button', { name: 'Create an endpoint' }).click();
      await dialog.waitFor();
    };
    for (const end of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
      await open();
      await end();
      await dialog.waitFor({ state: 'detached' });
      expect(page.url()).toBe(`${CONSOLE}#/webhooks`);
      await expect.poll(() => page.evaluate('history.state')).toBe(null);
    }
    await open();
    await goTo(page, 'money');
    await heading(page, 'Money');
    expect(await dialog.count()).toBe(0);
    await goTo(page, 'webhooks');
    await open();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('history.state')).toBe(null);
    await page.goBack();
    await heading(page, 'Money');
  });

  test('keeps a dialog over the page until its step of the history is gone', async () => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(newPage, secret);
    await goTo(page, 'webhooks');
    await page.evaluate(`{
      const back = history.back.bind(history);
      history.back = () => { window.letGo = back; };
    }`);
    const dialog = page.getByRole('dialog');
    const isHeld = () => page.evaluate('window.letGo !== undefined');
    for (const end of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Cancel' }).click(),
    ]) {
      await page.getByRole('button', { name: 'Create an endpoint' }).click();
      await dialog.waitFor();
      await end();
      await expect.poll(isHeld).toBe(true);
      expect(await dialog.isVisible()).toBe(true);
      await page.evaluate('window.letGo(), delete window.letGo');
      await dialog.waitFor({ state: 'detached' });
      await goTo(page, 'money');
      await heading(page, 'Money');
      await goTo(page, 'webhooks');
    }
  });

  test('names the merchant and the mode, and leads to every place by its word', async () => {
    const { secret, merchant } = await newMerchant();
    const { page, complaints } = await openByLink(newPage, secret);
    await page.locator('.identity', { hasText: merchant }).waitFor();
    expect(await page.textContent('.identity')).toContain('test mode');
    const words = await page.locator('.rail .sections a').allTextContents();
    expect(words).toEqual([
      ...['Home', 'Payments', 'Refunds', 'Links', 'Money'],
      ...['Events', 'Webhooks', 'Requests', 'Exam', 'API'],
    ]);
    for (const word of [...words.slice(1), 'Home']) {
      const link = page.locator('.rail').getByRole('link', { name: word, exact: true });
      await link.click();
      await expect.poll(() => link.getAttribute('aria-current')).toBe('page');
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H2');
    }
    expect(complaints).toEqual([]);
  });

  test.each([
    ['gives the focus to the heading of the API once it is there', [], 'H2'],
    ['leaves the focus where the user takes it before the API is there', ['/'], 'INPUT'],
  ])('%s', async (_name, keys, focused) => {
    const { secret } = await newMerchant();
    const page = await newPage();
    const description = Promise.withResolvers<void>();
    await page.route(/openapi\.json$/, async (route) => {
      await description.promise;
      await route.continue();
    });
    await page.goto(`${CONSOLE}#key=${secret}`);
    await page.waitForSelector('#clock-now');
    await page.locator('.rail').getByRole('link', { name: 'API', exact: true }).click();
    await page.getByText('Reading what this service can do …').waitFor();
    for (const key of keys) {
      await page.keyboard.press(key);
    }
    description.resolve();
    await heading(page, 'Create a payment');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe(focused);
  });

  test('shows after a reload what its address names', async () => {
    const { secret, api } = await newMerchant();
    const [canceled, open] = [await createPayment(api), await createPayment(api)];
    await api(operations.cancelPayment, { params: { id: canceled.id } });
    const { page } = await openByLink(newPage, secret);
    await goTo(page, 'payments?status=canceled');
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.reload();
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await rows(page).getAttribute('data-id')).toBe(canceled.id);
    await page.getByRole('link', { name: 'Remove the filter status: Canceled' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    await rows(page).first().getByRole('link').click();
    await idFact(page, open.id).waitFor();
    await page.reload();
    await idFact(page, open.id).waitFor();
    await page.goBack();
    await expect.poll(() => rows(page).count()).toBe(2);
  });

  test('keeps the drawer open after a reload and from place to place, until it is closed', async () => {
    const { secret, api } = await newMerchant();
    await createPayment(api);
    const { page } = await openByLink(newPage, secret);
    await goTo(page, 'payments');
    await page.waitForSelector('#filter-value');
    // A filter and the drawer at once: the page has not followed the first when the second is chosen.
    await page.evaluate(`
      const statuses = document.querySelector('#filter-value');
      statuses.value = 'requires_action';
      statuses.dispatchEvent(new Event('change', { bubbles: true }));
      document.querySelector('.rail .world').click();
    `);
    await page.waitForSelector('#world');
    await expect.poll(() => page.url()).toBe(`${CONSOLE}#/payments?status=requires_action&world=open`);
    await page.reload();
    await page.waitForSelector('#world');
    await rows(page).first().getByRole('link').click();
    await page.waitForSelector('.facts-list');
    expect(await page.locator('#world').count()).toBe(1);
    await expect.poll(() => page.url()).toContain('?world=open');
    await turnWorld(page);
    await expect.poll(() => page.locator('#world').count()).toBe(0);
    await expect.poll(() => page.url()).not.toContain('world');
    await page.goBack();
    await heading(page, 'Payments');
  });
});

describeInBrowser('the dashboard at its start', ({ newPage }) => {
  test.each([
    [412, 823],
    [1_280, 900],
  ])('moves nothing that one reads already while it loads, on a screen %d wide', async (width, height) => {
    const { secret, api } = await newMerchant();
    await createPayment(api);
    const page = await newPage({ viewport: { width, height } });
    // Cumulative layout shift: Lighthouse finds up to 0.1 good.
    await page.addInitScript(`
      window.shifted = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shifted += value;
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    await page.goto(`${CONSOLE}#key=${secret}`);
    await page.locator('.data tbody tr').first().waitFor();
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    );
    expect(await page.evaluate('window.shifted')).toBeLessThan(0.1);
  });

  test('reads what it shows in one round of requests, and the document for the API alone', async () => {
    const { secret, api } = await newMerchant();
    await createPayment(api);
    const page = await newPage();
    const held: string[] = [];
    const free = Promise.withResolvers<void>();
    const description = Promise.withResolvers<void>();
    await page.route(/\/api\/v1\//, async (route) => {
      const path = new URL(route.request().url()).pathname;
      held.push(path);
      await (path.endsWith('openapi.json') ? description.promise : free.promise);
      await route.continue();
    });
    await page.goto(`${CONSOLE}#key=${secret}`);
    const needed = ['/key', '/test/clock', '/payments', '/balance', '/statistics/daily'];
    await expect.poll(() => needed.filter((end) => !isAsked(held, end))).toEqual([]);
    expect(await rows(page).count()).toBe(0);
    expect(isAsked(held, '/openapi.json')).toBe(false);
    free.resolve();
    await rows(page).first().waitFor();
    await goTo(page, 'payments?status=requires_action');
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(isAsked(held, '/openapi.json')).toBe(false);
    await goTo(page, 'api');
    await page.getByText('Reading what this service can do …').waitFor();
    description.resolve();
    await heading(page, 'Create a payment');
  });
});

describeInBrowser('the frame of the dashboard', ({ newPage }) => {
  test('says as the command line does that the service cannot be reached', async () => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(newPage, secret);
    await turnWorld(page);
    await page.getByText('A sink receives every event').waitFor();
    await page.route(/\/api\/v1\//, (route) => route.abort('connectionrefused'));
    const text = `The service cannot be reached, or the connection broke: ${baseUrl}. Check that it runs.`;
    await page.locator('#world').getByRole('button', { name: 'Create a sink' }).click();
    await page.locator('#world .report', { hasText: `${text} The request may have taken effect` }).waitFor();
    for (const place of ['payments', 'webhooks', 'money', 'requests']) {
      await goTo(page, place);
      await page.locator('main', { hasText: text }).waitFor();
    }
    await expect.poll(() => page.getByText('Reading …').count()).toBe(0);
    expect(await page.textContent('body')).not.toMatch(/Failed to fetch/i);
  });

  test('says that a response cannot be read, and whether a change may have taken effect', async () => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(newPage, secret);
    await turnWorld(page);
    await page.getByText('A sink receives every event').waitFor();
    await page.route(/\/api\/v1\//, (route) => route.fulfill({ contentType: 'application/json', body: '{' }));
    const text = `A response of ${baseUrl} cannot be read. The connection broke, or a proxy changes what it passes on.`;
    await page.locator('#world').getByRole('button', { name: 'Create a sink' }).click();
    await page.locator('#world .report', { hasText: `${text} The request may have taken effect` }).waitFor();
    await goTo(page, 'payments');
    await page.locator('main', { hasText: text }).waitFor();
    expect(await page.textContent('body')).not.toMatch(/JSON at position/i);
  });

  test('shows no raw Markdown, and no words that run together', async () => {
    const { secret, api } = await newMerchant();
    const { url, stop } = await startMerchantServer();
    onTestFinished(() => stop());
    await api(operations.createWebhookEndpoint, { body: { url } });
    await api(operations.createWebhookSink);
    await api(operations.seedTestData, { body: { profile: 'small' } });
    const { id } = await createPayment(api, { reference: 'order-1' });
    await moveClock(api, 1);
    const { page } = await openByLink(newPage, secret);
    await turnWorld(page);
    await page.locator('#world').getByText('attempts succeeded').first().waitFor();
    const look = async (name: string) =>
      expect([rawMarkdownIn(await page.content()), await joinedWords(page)], name).toEqual([[], []]);
    const places = [...SECTIONS, ['', `payments/${id}`], ['Exam', 'exam']] as const;
    for (const [title, place] of places) {
      await goTo(page, place);
      await (title === '' ? page.waitForSelector('.facts-list') : heading(page, title));
      await page.getByText('Reading …').first().waitFor({ state: 'detached' });
      await look(place);
    }
    await page.locator('#world').getByRole('button', { name: 'Close' }).click();
    for (const operation of Object.values(operations)) {
      await goTo(page, `api/${operation.id}`);
      await page.locator('.bench .address', { hasText: operation.path }).waitFor();
      await look(operation.id);
    }
  });

  test('follows what happens while it is shown', async () => {
    const { secret, api } = await newMerchant();
    const { page } = await openByLink(newPage, secret);
    await goTo(page, 'payments');
    await page.getByText('No payments yet.').waitFor();
    await createPayment(api, { reference: 'made elsewhere' });
    await page.getByText('made elsewhere').waitFor();
  });

  test.each([1_280, 1_024, 375, 320])('shows every place to everybody, %i px wide', async (width) => {
    const { secret, api } = await newMerchant();
    await api(operations.createWebhookEndpoint, { body: { url: 'http://127.0.0.1:1029/hook' } });
    await api(operations.createWebhookSink);
    await api(operations.seedTestData, { body: { profile: 'small' } });
    await createPayment(api, { reference: 'r'.repeat(255), description: 'https://shop.example/'.repeat(20) });
    await moveClock(api, 1);
    const { page, complaints } = await openByLink(newPage, secret, { viewport: { width, height: 800 } });
    const look = async (name: string) =>
      expect([await violationsInBothSchemes(page), await wider(page)], name).toEqual([[], 0]);
    for (const [title, place] of SECTIONS) {
      await goTo(page, place);
      await heading(page, title);
      await page.getByText('Reading …').first().waitFor({ state: 'detached' });
      await look(title);
    }
    await goTo(page, '');
    await page.getByText('As a table').click();
    await look('the month as a table');
    await goTo(page, 'requests');
    await rows(page).first().getByRole('link').last().click();
    await page.waitForSelector('.facts-list');
    await look('a request');
    await goTo(page, 'payments');
    await rows(page).first().getByRole('link').click();
    await page.waitForSelector('.facts-list');
    await look('a payment');
    await turnWorld(page);
    await page.locator('#world .deliveries li').first().waitFor();
    await look('the test world');
    await goTo(page, 'nowhere');
    await heading(page, 'There is nothing at this address');
    await look('nothing');
    await forgetKey(page);
    await page.waitForSelector('#key');
    await look('not connected');
    expect(complaints).toEqual([]);
  });
});

describeInBrowser('a form of the dashboard', ({ newPage }) => {
  test('leads from a response to what comes next, with the id filled in', async () => {
    const { secret, api } = await newMerchant();
    const { page } = await openByLink(newPage, secret);
    await goTo(page, 'api/payments.CreatePayment');
    await page.selectOption('[id="payments.CreatePayment.body.checkout"]', 'true');
    await page.click('.bench .send button');
    await page.waitForSelector('.response');
    const { id, checkout_url: checkout } = JSON.parse(String(await page.textContent('.response pre')));
    const next = (name: string) => page.locator('.next').getByRole('link', { name });
    expect(await next('Open its checkout').getAttribute('href')).toBe(checkout);
    await next('Simulate its outcome').click();
    await heading(page, 'Simulate the outcome of a payment');
    expect(await page.inputValue('[id="testkit.SimulatePayment.path.id"]')).toBe(id);
    await page.click('.bench .send button');
    await page.waitForSelector('.response .s2');
    await page.locator('.response pre').getByRole('link', { name: id }).click();
    await page.locator('.word', { hasText: 'Paid' }).first().waitFor();
    await page.getByRole('button', { name: 'Refund …' }).click();
    await page
      .locator('dialog')
      .getByRole('button', { name: /^Refund ฿/ })
      .click();
    const refunded = async () => (await api(operations.listRefunds)).json.data.map((one) => one.payment_id);
    await expect.poll(refunded).toEqual([id]);
  });

  test('shows commands that send the same, none of them with the key', async () => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(newPage, secret);
    await goTo(page, 'api/payments.ListPayments');
    await page.selectOption('[id="payments.ListPayments.query.status"]', 'failed');
    await page.click('.bench .send button');
    await page.waitForSelector('.response');
    await page.getByText('As a command').click();
    const shown = async (name: string) => {
      await page.locator('.response .switch').getByRole('button', { name, exact: true }).click();
      return String(await page.getByRole('region', { name }).textContent());
    };
    expect(await shown('curl')).toContain(`curl -X GET '${baseUrl}/api/v1/payments?status=failed'`);
    expect(await shown('TypeScript')).toContain('client.listPayments({');
    expect(await shown('pg')).toBe(`pg call listPayments --data '{"status":"failed"}'`);
    expect(await page.content()).not.toContain(secret);
  });
});
