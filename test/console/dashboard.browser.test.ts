import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { mapLimit } from '../../shared/concurrency/map-limit.ts';
import { operations } from '../../shared/contract/operations.ts';
import {
  describeInBrowser,
  expectOnlyOwn,
  violationsInBothSchemes,
  watch,
} from '../support/browser/browser.ts';
import { joinedWords } from '../support/browser/joined-words.ts';
import { rawMarkdownIn } from '../support/browser/raw-markdown.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { startMerchantServer } from '../support/world/merchant-server.ts';
import { createEndpoint, createLink, createPayment, moveClock } from '../support/world/resources.ts';

const CONSOLE = `${baseUrl}/console`;
const LIVE_KEY = `pg_live_${'A1b2C3d4'.repeat(4)}a1b2c3`;
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

describeInBrowser('the frame of the dashboard', ({ newPage }) => {
  /** Opens the dashboard by a link that has the key, as `npm start` prints it. */
  async function openByLink(secret: string, options?: Parameters<typeof newPage>[0]) {
    const page = await newPage(options);
    const watched = watch(page);
    await page.goto(`${CONSOLE}#key=${secret}`);
    await page.waitForSelector('#clock-now');
    return { page, ...watched };
  }

  async function goTo(page: Page, place: string): Promise<void> {
    await page.evaluate(`location.hash = '#/${place}'`);
  }

  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { name, exact: true, level: 2 }).waitFor();
  const rows = (page: Page) => page.locator('.data tbody tr');
  const stored = (page: Page) => page.evaluate('JSON.stringify({ ...sessionStorage })');
  const wider = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth');

  test('takes the key out of a link, and leaves it neither in the address nor in the history', async () => {
    const { secret } = await newMerchant();
    const { page, requests, complaints } = await openByLink(secret);
    await expect.poll(() => page.url()).toBe(CONSOLE);
    expect(await page.evaluate('history.length')).toBe(2);
    expect(await page.content()).not.toContain(secret);
    expect(await stored(page)).toBe('{}');
    expect(requests.filter((request) => request.includes('pg_test_'))).toEqual([]);
    expectOnlyOwn(requests, baseUrl);
    await page.reload();
    await page.waitForSelector('#key');
    expect(complaints).toEqual([]);
  });

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

  const question = (page: Page) => page.getByRole('alertdialog', { name: 'Replace the key?' });

  test('asks before a link in the same tab replaces the key, and takes it out of the address', async () => {
    const [first, second] = [await newMerchant(), await newMerchant()];
    await createPayment(second.api, { reference: 'second merchant' });
    const { page } = await openByLink(first.secret);
    await page.locator('.identity', { hasText: first.merchant }).waitFor();
    await page.check('#keep');
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
    const { page } = await openByLink(first.secret);
    await page.check('#keep');
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
    const { page } = await openByLink(secret);
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
    await page.locator('.facts-list', { hasText: id }).waitFor();
    expect(page.url()).toBe(`${CONSOLE}#/payments/${id}`);
    expect(await page.evaluate('history.length')).toBe(2);
    const second = await createPayment(api, { reference: 'the second' });
    await page.evaluate(`location.hash = '#key=${secret}/payments/${second.id}'`);
    await page.getByText('the second').first().waitFor();
    await expect.poll(() => page.url()).toBe(`${CONSOLE}#/payments/${second.id}`);
  });

  test('closes a dialog by Back, and stays where it is; no dialog outlives its place', async () => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(secret);
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

  test('says as the command line does that the service cannot be reached', async () => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(secret);
    await page.click('#world-button');
    await page.getByText('A sink receives every event').waitFor();
    await page.route(/\/api\/v1\//, (route) => route.abort('connectionrefused'));
    const text = `The service cannot be reached, or the connection broke: ${baseUrl}. Check that it runs ("npm start").`;
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
    const { page } = await openByLink(secret);
    await page.click('#world-button');
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
    const { page } = await openByLink(secret);
    await page.click('#world-button');
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

  test('keeps the key in the tab only if the user says so, and forgets it everywhere', async () => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(secret);
    await page.check('#keep');
    expect(await stored(page)).toContain(secret);
    await page.reload();
    await page.waitForSelector('#clock-now');
    expect(await page.isChecked('#keep')).toBe(true);
    await page.click('#disconnect');
    await page.waitForSelector('#key');
    expect(await stored(page)).toBe('{}');
    await page.reload();
    await page.waitForSelector('#key');
    await page.check('.connect input[type="checkbox"]');
    await page.fill('#key', secret);
    await page.press('#key', 'Enter');
    await page.waitForSelector('#clock-now');
    expect(await stored(page)).toContain(secret);
    await page.uncheck('#keep');
    expect(await stored(page)).toBe('{}');
  });

  test('keeps no key in the tab that it refuses', async () => {
    const page = await newPage();
    await page.goto(CONSOLE);
    await page.check('.connect input[type="checkbox"]');
    await page.fill('#key', LIVE_KEY);
    await page.press('#key', 'Enter');
    await page.locator('#key-message', { hasText: 'Live key refused' }).waitFor();
    expect(await stored(page)).toBe('{}');
  });

  test('names the merchant and the mode, and leads to every place by its word', async () => {
    const { secret, merchant } = await newMerchant();
    const { page, complaints } = await openByLink(secret);
    await page.locator('.identity', { hasText: merchant }).waitFor();
    expect(await page.textContent('.identity')).toContain('test mode');
    const words = await page.locator('.sections a').allTextContents();
    expect(words).toEqual(['Home', 'Payments', 'Refunds', 'Links', 'Money', 'Events', 'Webhooks', 'API']);
    for (const word of [...words.slice(1), 'Home']) {
      const link = page.locator('.sections').getByRole('link', { name: word, exact: true });
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
    await page.locator('.sections').getByRole('link', { name: 'API', exact: true }).click();
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
    const { page } = await openByLink(secret);
    await page.check('#keep');
    await goTo(page, 'payments?status=canceled');
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.reload();
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await rows(page).getAttribute('data-id')).toBe(canceled.id);
    await page.getByRole('link', { name: 'Remove the filter status: canceled' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.getByRole('link', { name: open.id }).click();
    await page.locator('.facts-list', { hasText: open.id }).waitFor();
    await page.reload();
    await page.locator('.facts-list', { hasText: open.id }).waitFor();
    await page.goBack();
    await expect.poll(() => rows(page).count()).toBe(2);
  });

  test('filters by the fields that the list takes, and pages', async () => {
    const { secret, api } = await newMerchant();
    await Promise.all(
      Array.from({ length: 22 }, (_, place) => createPayment(api, { reference: `order-${place}` })),
    );
    const { page } = await openByLink(secret);
    await goTo(page, 'payments');
    await expect.poll(() => rows(page).count()).toBe(20);
    await page.getByRole('link', { name: 'Older' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.getByRole('link', { name: 'Newest' }).click();
    await expect.poll(() => rows(page).count()).toBe(20);
    await page.selectOption('#filter-value', 'canceled');
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.locator('.chip').click();
    await page.selectOption('#filter-name', 'reference');
    await page.fill('#filter-value', 'order-7');
    await page.press('#filter-value', 'Enter');
    await expect.poll(() => rows(page).count()).toBe(1);
    await expect.poll(() => page.url()).toBe(`${CONSOLE}#/payments?reference=order-7`);
    await goTo(page, 'payments?status=nonsense');
    await page.locator('.problem', { hasText: 'validation_failed' }).waitFor();
  });

  test('finds by id, number and reference, from anywhere with one key', async () => {
    const { secret, api } = await newMerchant();
    const payment = await createPayment(api, { reference: 'order-1042' });
    const link = await createLink(api);
    const { page } = await openByLink(secret);
    const seek = async (text: string) => {
      await page.keyboard.press('/');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    await seek(payment.id);
    await page.locator('.facts-list', { hasText: payment.id }).waitFor();
    await seek(link.id);
    await page.locator('.facts-list', { hasText: link.id }).waitFor();
    await seek(payment.number);
    await expect.poll(() => rows(page).count()).toBe(1);
    await expect.poll(() => page.url()).toContain(`number=${payment.number}`);
    await seek('order-1042');
    await expect.poll(() => page.url()).toContain('reference=order-1042');
    await expect.poll(() => rows(page).count()).toBe(1);
    // Where text is typed, the key is a character.
    await goTo(page, 'api/payments.CreatePayment');
    await page.locator('[id="payments.CreatePayment.body.reference"]').fill('');
    await page.keyboard.type('a/b');
    expect(await page.inputValue('[id="payments.CreatePayment.body.reference"]')).toBe('a/b');
  });

  test('finds numbers of every kind, and opens the drawer at a sink', async () => {
    const { secret, api } = await newMerchant();
    await createLink(api);
    const link = await createLink(api);
    await api(operations.createWebhookSink);
    const { json: sink } = await api(operations.createWebhookSink, { body: { name: 'second' } });
    await api(operations.createWebhookSink);
    const { page } = await openByLink(secret);
    const seek = async (text: string) => {
      await page.fill('#search', text);
      await page.press('#search', 'Enter');
    };
    await seek(link.number.toLowerCase());
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await rows(page).getAttribute('data-id')).toBe(link.id);
    await page.getByRole('link', { name: `Remove the filter number: ${link.number}` }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    await seek('L-999999');
    await page.getByText('Nothing matches these filters.').waitFor();
    await seek(sink.id);
    await page.locator('#world .receiver[open]', { hasText: 'second' }).waitFor();
    expect(await page.locator('#world .receiver[open]').count()).toBe(1);
  });

  test('finds a request beyond the newest hundred of the log', async () => {
    const { secret, api } = await newMerchant();
    const first = await createLink(api);
    const found = async () => (await api(operations.listRequests)).json.data;
    await expect.poll(async () => (await found()).length).toBe(1);
    const [request] = await found();
    await mapLimit(10, Array.from({ length: 101 }), () => createLink(api));
    const { page } = await openByLink(secret);
    await goTo(page, `requests/${request?.id}`);
    await page.getByRole('region', { name: 'Response' }).getByText(first.id).first().waitFor();
    await goTo(page, 'requests/req_00000000000000000000000000');
    await page.getByText('It is not among the newest 1,000 requests').waitFor();
  });

  test('filters payments by a day in Bangkok, from a bar of the chart too, and keeps it', async () => {
    const { secret, api } = await newMerchant();
    const payment = await createPayment(api);
    await api(operations.simulatePayment, { params: { id: payment.id }, body: { outcome: 'succeeded' } });
    const today = (await api(operations.getDailyStatistics)).json.data.at(-1)?.date;
    await moveClock(api, 86_400);
    await createPayment(api);
    const { page } = await openByLink(secret);
    await page.check('#keep');
    await page.locator(`.chart a[href="#/payments?day=${today}"]`).click();
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.reload();
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await rows(page).getAttribute('data-id')).toBe(payment.id);
    await page.getByRole('link', { name: `Remove the filter day: ${today}` }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.selectOption('#filter-name', 'day');
    await page.fill('#filter-value', '2020-01-31');
    await page.press('#filter-value', 'Enter');
    await page.getByText('Nothing matches these filters.').waitFor();
    await expect.poll(() => page.url()).toBe(`${CONSOLE}#/payments?day=2020-01-31`);
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

  test('offers the first steps where there is no payment yet, and shows the newest ten after', async () => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(secret);
    const empty = page.getByRole('region', { name: 'No payments yet' });
    expect(await empty.getByRole('link', { name: 'Create a payment' }).getAttribute('href')).toBe(
      '#/api/payments.CreatePayment',
    );
    await empty.getByRole('button', { name: 'Seed a month' }).click();
    await expect.poll(() => rows(page).count()).toBe(10);
    expect(await empty.count()).toBe(0);
    const legend = async () =>
      (await page.locator('.legend li').allTextContents()).map((text) => text.trim());
    await expect.poll(legend).toEqual(expect.arrayContaining(['promptpay', 'bank transfer', 'refunded']));
    await page.getByText('As a table').click();
    const titles = await page.locator('.month thead th').allTextContents();
    expect(titles).toEqual(['Day', 'Paid', ...(await legend()).slice(0, -1), 'Refunded']);
  });

  test('approves the refunds that wait on its first page, by moving the clock', async () => {
    const { secret, api } = await newMerchant();
    const { id } = await createPayment(api);
    await api(operations.simulatePayment, { params: { id }, body: { outcome: 'succeeded' } });
    const { json: refund } = await api(operations.requestRefund, { params: { id } });
    const { page } = await openByLink(secret);
    await page.getByRole('link', { name: '1 refund waits for approval.' }).waitFor();
    await page.getByRole('button', { name: 'Advance the clock and approve it' }).click();
    const status = async () => (await api(operations.getRefund, { params: { id: refund.id } })).json.status;
    await expect.poll(status).not.toBe('requested');
    await page.getByText('1 refund waits').waitFor({ state: 'detached' });
  });

  test('pings an endpoint that fails, and enables one that was disabled, from its first page', async () => {
    const { secret, api } = await newMerchant();
    let answered = 503;
    const receiver = await startMerchantServer({ answer: () => answered });
    onTestFinished(() => receiver.stop());
    const { id } = await createEndpoint(api, { url: receiver.url });
    await createPayment(api);
    await moveClock(api, 1);
    const { page, complaints } = await openByLink(secret);
    const needs = page.getByRole('region', { name: 'Needs attention' });
    const line = (text: string) => needs.getByRole('link', { name: `${receiver.url} ${text}` });
    expect(await line('fails.').getAttribute('href')).toBe(`#/webhooks/${id}`);
    // The attempt that a ping makes: the endpoint is gone.
    answered = 410;
    await needs.getByRole('button', { name: 'Send a test event' }).click();
    await line('is disabled: it failed.').waitFor();
    await needs.getByRole('button', { name: 'Enable it' }).click();
    await needs.waitFor({ state: 'detached' });
    expect((await api(operations.getWebhookEndpoint, { params: { id } })).json.status).toBe('enabled');
    expect(complaints).toEqual([]);
  });

  test('keeps the drawer open after a reload and from place to place, until it is closed', async () => {
    const { secret, api } = await newMerchant();
    await createPayment(api);
    const { page } = await openByLink(secret);
    await page.check('#keep');
    await goTo(page, 'payments');
    await page.waitForSelector('#filter-value');
    // A filter and the drawer at once: the page has not followed the first when the second is chosen.
    await page.evaluate(`
      const statuses = document.querySelector('#filter-value');
      statuses.value = 'requires_action';
      statuses.dispatchEvent(new Event('change', { bubbles: true }));
      document.querySelector('#world-button').click();
    `);
    await page.waitForSelector('#world');
    await expect.poll(() => page.url()).toBe(`${CONSOLE}#/payments?status=requires_action&world=open`);
    await page.reload();
    await page.waitForSelector('#world');
    await rows(page).first().getByRole('link').click();
    await page.waitForSelector('.facts-list');
    expect(await page.locator('#world').count()).toBe(1);
    await expect.poll(() => page.url()).toContain('?world=open');
    await page.click('#world-button');
    await expect.poll(() => page.locator('#world').count()).toBe(0);
    await expect.poll(() => page.url()).not.toContain('world');
    await page.goBack();
    await heading(page, 'Payments');
  });

  test('follows what happens while it is shown', async () => {
    const { secret, api } = await newMerchant();
    const { page } = await openByLink(secret);
    await goTo(page, 'payments');
    await page.getByText('No payments yet.').waitFor();
    await createPayment(api, { reference: 'made elsewhere' });
    await page.getByText('made elsewhere').waitFor();
  });

  test.each([1_280, 320])('moves the clock from the top bar of every place, %i px wide', async (width) => {
    const { secret, api } = await newMerchant();
    const { page } = await openByLink(secret, { viewport: { width, height: 800 } });
    await goTo(page, 'payments');
    await page.getByText('Move the clock').click();
    await page.getByRole('button', { name: '+1h', exact: true }).click();
    await page.locator('.clock-menu .report', { hasText: 'The clock moved +1h.' }).waitFor();
    expect((await api(operations.getClock)).json.offset_seconds).toBe(3_600);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.clock-menu button').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Move the clock');
  });

  test('moves the clock by steps and by a length of its own', async () => {
    const { secret, api } = await newMerchant();
    const { page } = await openByLink(secret);
    const offset = async () => (await api(operations.getClock)).json.offset_seconds;
    await page.click('#world-button');
    let expected = 0;
    for (const [label, seconds] of [
      ['+1m', 60],
      ['+15m', 900],
      ['+1h', 3_600],
      ['+1d', 86_400],
    ] as const) {
      await page.getByRole('button', { name: label, exact: true }).click();
      expected += seconds;
      await page.locator('#world .report', { hasText: `The clock moved ${label}.` }).waitFor();
      expect(await offset()).toBe(expected);
    }
    await page.getByLabel('Move the clock by').fill('soon');
    await page.keyboard.press('Enter');
    await page.locator('#world .report', { hasText: 'Enter a length' }).waitFor();
    await page.getByLabel('Move the clock by').fill('2d');
    await page.keyboard.press('Enter');
    await page.locator('#world .report', { hasText: 'The clock moved +2d.' }).waitFor();
    expect(await offset()).toBe(expected + 172_800);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('#world').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.id')).toBe('world-button');
  });

  test('seeds the test world, and empties it after a question whose counts may come late', async () => {
    const { secret, api } = await newMerchant();
    const { page } = await openByLink(secret, { viewport: { width: 375, height: 800 } });
    await page.click('#world-button');
    await page.locator('#world').getByRole('button', { name: 'Seed a month' }).click();
    await page.locator('#world .report', { hasText: 'A month of test data was created.' }).waitFor();
    const empty = () => page.locator('#world').getByRole('button', { name: 'Empty the test world' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Empty this test world?' });
    let countPayments: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      countPayments = resolve;
    });
    await page.route(/\/payments\?limit=100$/, async (route) => {
      await held;
      await route.continue();
    });
    await empty();
    await dialog.getByText('all payments, with refunds').waitFor();
    countPayments?.();
    await dialog.getByText('100 or more payments').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect((await api(operations.listPayments)).json.data.length).toBe(20);
    await empty();
    await dialog.getByRole('button', { name: 'Empty the test world' }).click();
    await page.locator('#world .report', { hasText: 'The test world is empty.' }).waitFor();
    expect((await api(operations.listPayments)).json.data).toEqual([]);
  });

  test('creates, shows, forks and deletes worlds, and finds back to the first one', async () => {
    const { secret, api } = await newMerchant();
    await createPayment(api, { reference: 'of-the-first' });
    const { page } = await openByLink(secret);
    await page.click('#world-button');
    const world = page.locator('#world');
    const press = (name: string) => world.getByRole('button', { name, exact: true }).click();
    const answerForm = async (name: string, label: string) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('name').fill(name);
      await dialog.getByRole('button', { name: label }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    // A name is optional.
    await press('Create a world');
    await answerForm('', 'Create');
    const [unnamed] = (await api(operations.listTestWorlds)).json.data;
    await press(`Delete ${unnamed?.name}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press('Create a world');
    await answerForm('checkout', 'Create');
    await press('Switch to checkout');
    await page.locator('.identity .pill', { hasText: 'checkout' }).waitFor();
    await goTo(page, 'payments');
    await page.getByText('of-the-first').waitFor({ state: 'detached' });
    await press('Back to the first world');
    await goTo(page, 'payments');
    await page.getByText('of-the-first').first().waitFor();
    await press('Fork this world');
    await answerForm('copy', 'Fork');
    await press('Switch to copy');
    await page.locator('.identity .pill', { hasText: 'copy' }).waitFor();
    await goTo(page, 'payments');
    await page.getByText('of-the-first').first().waitFor();
    await press('Back to the first world');
    await press('Delete checkout');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    const names = async () => (await api(operations.listTestWorlds)).json.data.map(({ name }) => name);
    await expect.poll(names).toEqual(['copy']);
    expect(await stored(page)).toBe('{}');
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.reload();
    await page.waitForSelector('#key');
  });

  test('leads from a response to what comes next, with the id filled in', async () => {
    const { secret, api } = await newMerchant();
    const { page } = await openByLink(secret);
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
    await page.locator('.pill', { hasText: 'succeeded' }).first().waitFor();
    await page.getByRole('button', { name: 'Refund …' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Refund', exact: true }).click();
    const refunded = async () => (await api(operations.listRefunds)).json.data.map((one) => one.payment_id);
    await expect.poll(refunded).toEqual([id]);
  });

  test('shows commands that send the same, none of them with the key', async () => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(secret);
    await goTo(page, 'api/payments.ListPayments');
    await page.selectOption('[id="payments.ListPayments.query.status"]', 'failed');
    await page.click('.bench .send button');
    await page.waitForSelector('.response');
    await page.getByText('As a command').click();
    const shown = async (name: string) => {
      await page.locator('.switch').getByRole('button', { name, exact: true }).click();
      return String(await page.getByRole('region', { name }).textContent());
    };
    expect(await shown('curl')).toContain(`curl -X GET '${baseUrl}/api/v1/payments?status=failed'`);
    expect(await shown('TypeScript')).toContain('client.listPayments({');
    expect(await shown('pg')).toBe(`pg call listPayments --data '{"status":"failed"}'`);
    expect(await page.content()).not.toContain(secret);
  });

  test.each([1_280, 1_024, 375, 320])('shows every place to everybody, %i px wide', async (width) => {
    const { secret, api } = await newMerchant();
    await api(operations.createWebhookEndpoint, { body: { url: 'http://127.0.0.1:1029/hook' } });
    await api(operations.createWebhookSink);
    await api(operations.seedTestData, { body: { profile: 'small' } });
    await createPayment(api, { reference: 'r'.repeat(255), description: 'https://shop.example/'.repeat(20) });
    await moveClock(api, 1);
    const { page, complaints } = await openByLink(secret, { viewport: { width, height: 800 } });
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
    await page.getByText('Move the clock').click();
    await page.click('#world-button');
    await page.locator('#world .deliveries li').first().waitFor();
    await look('the test world');
    await goTo(page, 'nowhere');
    await heading(page, 'There is nothing at this address');
    await look('nothing');
    await page.click('#disconnect');
    await page.waitForSelector('#key');
    await look('not connected');
    expect(complaints).toEqual([]);
  });

  test.each([
    [375, 'block'],
    [1_024, 'table-row'],
  ])('shows rows as cards where it is narrow: %i px wide', async (width, display) => {
    const { secret, api } = await newMerchant();
    await createPayment(api);
    const { page } = await openByLink(secret, { viewport: { width, height: 800 } });
    await goTo(page, 'payments');
    await rows(page).first().waitFor();
    const shown = await page.evaluate(`getComputedStyle(document.querySelector('.data tbody tr')).display`);
    expect(shown).toBe(display);
  });
});
