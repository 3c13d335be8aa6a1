import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { mapLimit } from '../../shared/concurrency/map-limit.ts';
import { operations } from '../../shared/contract/operations.ts';
import { describeInBrowser } from '../support/browser/browser.ts';
import { CONSOLE, goTo, heading, idFact, openByLink, rows } from '../support/browser/dashboard.ts';
import { newMerchant } from '../support/world/api.ts';
import { createLink, createPayment, moveClock } from '../support/world/resources.ts';

describeInBrowser('the search of the dashboard', ({ newPage }) => {
  test('finds by id, number and reference, from anywhere with one key', async () => {
    const { secret, api } = await newMerchant();
    const payment = await createPayment(api, { reference: 'order-1042' });
    const link = await createLink(api);
    const { page } = await openByLink(newPage, secret);
    const seek = async (text: string) => {
      await page.keyboard.press('/');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    await seek(payment.id);
    await idFact(page, payment.id).waitFor();
    await seek(link.id);
    await idFact(page, link.id).waitFor();
    await seek(payment.number);
    await expect.poll(() => rows(page).count()).toBe(1);
    await expect.poll(() => page.url()).toContain(`number=${payment.number}`);
    await seek('order-1042');
    await heading(page, 'Search for “order-1042”');
    await page.getByRole('link', { name: 'Payments whose reference begins with order-1042' }).waitFor();
    await expect.poll(() => rows(page).count()).toBe(1);
    await seek('20');
    // What a number may mean: that of a payment, an amount, a reference.
    const meanings = () => page.locator('.view h3').allTextContents();
    await expect
      .poll(meanings)
      .toEqual(['The payment number P-000020', 'Payments of ฿20.00', 'Payments with the reference 20']);
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
    const { page } = await openByLink(newPage, secret);
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
    const { page } = await openByLink(newPage, secret);
    await goTo(page, `requests/${request?.id}`);
    await page.getByRole('region', { name: 'Response' }).getByText(first.id).first().waitFor();
    await goTo(page, 'requests/req_00000000000000000000000000');
    await page.getByText('It is not among the newest 1,000 requests').waitFor();
  });
});

describeInBrowser('a list of the dashboard', ({ newPage }) => {
  test('filters by the fields that the list takes, and pages', async () => {
    const { secret, api } = await newMerchant();
    await Promise.all(
      Array.from({ length: 22 }, (_, place) => createPayment(api, { reference: `order-${place}` })),
    );
    const { page } = await openByLink(newPage, secret);
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

  test('filters payments by a day in Bangkok, from a bar of the chart too, and keeps it', async () => {
    const { secret, api } = await newMerchant();
    const payment = await createPayment(api);
    await api(operations.simulatePayment, { params: { id: payment.id }, body: { outcome: 'succeeded' } });
    const today = (await api(operations.getDailyStatistics)).json.data.at(-1)?.date;
    await moveClock(api, 86_400);
    await createPayment(api);
    const { page } = await openByLink(newPage, secret);
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

  test('exports everything that its filters find, page by page', async () => {
    const { secret, api } = await newMerchant();
    await mapLimit(
      10,
      Array.from({ length: 101 }, (_, place) => place),
      (place) => createPayment(api, { reference: `shop-${place}` }),
    );
    await createPayment(api, { reference: 'other' });
    const { page } = await openByLink(newPage, secret);
    await goTo(page, 'payments?reference_prefix=shop');
    const begun = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export all that match' }).click();
    const file = await (await begun).createReadStream();
    const lines = (await text(file)).trim().split('\r\n');
    expect(lines).toHaveLength(102);
    expect(lines[0]).toMatch(/^Amount,Status,Method,Number,Reference,.*,Id$/);
    expect(lines.some((line) => line.includes('other'))).toBe(false);
  });

  test('shows the times that are asked for most as filters, which can be taken away again', async () => {
    const { secret, api } = await newMerchant();
    await createPayment(api);
    const { page } = await openByLink(newPage, secret);
    await goTo(page, 'payments');
    await page.getByRole('link', { name: 'Yesterday' }).click();
    await page.getByText('Nothing matches these filters.').waitFor();
    for (const name of ['Today', '7 days', 'This month']) {
      await page.getByRole('link', { name, exact: true }).click();
      await expect.poll(() => rows(page).count()).toBe(1);
    }
    await page.getByRole('link', { name: 'This month', exact: true }).click();
    await expect.poll(() => page.url()).toBe(`${CONSOLE}#/payments`);
  });

  test.each([
    [375, 'grid'],
    [1_024, 'table-row'],
  ])('shows a row as two lines where it is narrow: %i px wide', async (width, display) => {
    const { secret, api } = await newMerchant();
    await createPayment(api);
    const { page } = await openByLink(newPage, secret, { viewport: { width, height: 800 } });
    await goTo(page, 'payments');
    await rows(page).first().waitFor();
    const shown = await page.evaluate(`getComputedStyle(document.querySelector('.data tbody tr')).display`);
    expect(shown).toBe(display);
  });
});
