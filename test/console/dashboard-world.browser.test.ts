import { expect, onTestFinished, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { describeInBrowser, violationsInBothSchemes } from '../support/browser/browser.ts';
import { goTo, openByLink, rows, stored, turnWorld } from '../support/browser/dashboard.ts';
import { newMerchant } from '../support/world/api.ts';
import { startMerchantServer } from '../support/world/merchant-server.ts';
import { createEndpoint, createPayment, moveClock } from '../support/world/resources.ts';

describeInBrowser('the first page of the dashboard', ({ newPage }) => {
  test('offers the first steps where there is no payment yet, and shows the newest ten after', async () => {
    const { secret } = await newMerchant();
    const { page } = await openByLink(newPage, secret);
    const empty = page.getByRole('region', { name: 'No payments yet' });
    expect(await page.getByRole('button', { name: 'Create a payment' }).isVisible()).toBe(true);
    await empty.getByRole('button', { name: 'Seed a month' }).click();
    await expect.poll(() => rows(page).count()).toBe(10);
    expect(await empty.count()).toBe(0);
    const legend = async () =>
      (await page.locator('.legend li').allTextContents()).map((text) => text.trim());
    await expect.poll(legend).toEqual(expect.arrayContaining(['PromptPay', 'Bank transfer', 'refunded']));
    await page.getByText('As a table').click();
    const titles = await page.locator('.month thead th').allTextContents();
    expect(titles).toEqual(['Day', 'Paid', ...(await legend()).slice(0, -1), 'Refunded']);
  });

  test('approves the refunds that wait on its first page, by moving the clock', async () => {
    const { secret, api } = await newMerchant();
    const { id } = await createPayment(api);
    await api(operations.simulatePayment, { params: { id }, body: { outcome: 'succeeded' } });
    const { json: refund } = await api(operations.requestRefund, { params: { id } });
    const { page } = await openByLink(newPage, secret);
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
    const { page, complaints } = await openByLink(newPage, secret);
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
});

describeInBrowser('the dashboard of a test world', ({ newPage }) => {
  test.each([1_280, 320])('moves the clock from the top bar of every place, %i px wide', async (width) => {
    const { secret, api } = await newMerchant();
    const { page } = await openByLink(newPage, secret, { viewport: { width, height: 800 } });
    await goTo(page, 'payments');
    await page.click('#clock-button');
    await page.getByRole('button', { name: '+1 h', exact: true }).click();
    await page.locator('.clock .report', { hasText: 'The clock moved +1 h.' }).waitFor();
    expect((await api(operations.getClock)).json.offset_seconds).toBe(3_600);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.clock button').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.id')).toBe('clock-button');
  });

  test('moves the clock by steps and by a length of its own', async () => {
    const { secret, api } = await newMerchant();
    const { page } = await openByLink(newPage, secret);
    const offset = async () => (await api(operations.getClock)).json.offset_seconds;
    await turnWorld(page);
    let expected = 0;
    for (const [label, seconds] of [
      ['+15 min', 900],
      ['+1 h', 3_600],
      ['+1 day', 86_400],
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
    expect(await page.evaluate('document.activeElement.id')).toBe('clock-button');
  });

  test('seeds the test world, and empties it after a question whose counts may come late', async () => {
    const { secret, api } = await newMerchant();
    const { page } = await openByLink(newPage, secret, { viewport: { width: 375, height: 800 } });
    await turnWorld(page);
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
    const { page } = await openByLink(newPage, secret);
    await turnWorld(page);
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
    expect(Object.values(JSON.parse(String(await stored(page))))).toEqual([secret]);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.reload();
    await page.waitForSelector('#clock-now');
  });
});
