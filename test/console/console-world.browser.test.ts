// @module-tag nightly
import { expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { describeInBrowser } from '../support/browser/browser.ts';
import { connect, connected, openConsole, openWorld } from '../support/browser/console-form.ts';
import { goTo } from '../support/browser/dashboard.ts';
import { newMerchant } from '../support/world/api.ts';
import { createPayment, moveClock } from '../support/world/resources.ts';

describeInBrowser('the view of the test world', ({ newPage }) => {
  test('shows the test world, moves its clock, and delivers again', async () => {
    const { secret, api } = await newMerchant();
    const { page } = await connected(newPage, secret);
    await openWorld(page);
    await page.getByRole('button', { name: 'Create a sink' }).click();
    await page.waitForSelector('.receiver');
    await page.getByRole('button', { name: 'Fail twice' }).click();
    await page.getByText('fails 2 more, with 503').waitFor();
    await createPayment(api);
    await moveClock(api, 1);
    await page.locator('.deliveries li', { hasText: 'Attempt 1: failed' }).first().waitFor();
    const before = (await api(operations.getClock)).json;
    await page.getByRole('button', { name: '+1 h' }).click();
    await page.locator('#world .report', { hasText: 'The clock moved +1 h.' }).waitFor();
    const after = (await api(operations.getClock)).json;
    expect(after.offset_seconds - before.offset_seconds).toBe(3_600);
    const delivered = page.locator('.deliveries li', { hasText: 'Attempt 2: delivered' }).first();
    await delivered.waitFor();
    expect(await delivered.textContent()).toMatch(/response 200 · signature valid/);
    await goTo(page, 'payments');
    await page.locator('.data', { hasText: 'expired' }).waitFor();
    await goTo(page, 'events');
    await page.locator('.data', { hasText: 'payment.expired' }).waitFor();
    const count = async () => (await api(operations.listWebhookSinks)).json.data[0]?.received_count ?? 0;
    const received = await count();
    await delivered.getByRole('button', { name: 'Send again' }).click();
    await page.locator('#world .report', { hasText: 'The event was delivered again.' }).waitFor();
    await expect.poll(count).toBe(received + 1);
  });

  test('queues a press while a response is pending, and runs the same press only once', async () => {
    const { secret, api } = await newMerchant();
    const { page, requests } = await connected(newPage, secret);
    await openWorld(page);
    const [sent, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(/\/webhooks\/sinks$/, async (route) => {
      if (route.request().method() === 'POST') {
        sent.resolve();
        await letGo.promise;
      }
      await route.continue();
    });
    const press = (name: string) => page.getByRole('button', { name }).click();
    await press('Create a sink');
    await sent.promise;
    await press('Create a sink');
    await press('+1 day');
    expect(requests.filter((request) => request.endsWith('/clock/advance'))).toEqual([]);
    letGo.resolve();
    await page.locator('#world .report', { hasText: 'The clock moved +1 day.' }).waitFor();
    expect((await api(operations.getClock)).json.offset_seconds).toBe(86_400);
    expect((await api(operations.listWebhookSinks)).json.data).toHaveLength(1);
  });

  test('loses no press of a button that is rendered again during the press', async () => {
    const { secret, api } = await newMerchant();
    const { page, requests } = await connected(newPage, secret);
    await openWorld(page);
    const looks = () => requests.filter((request) => request.endsWith('/test/clock')).length;
    await page.getByRole('button', { name: 'Create a sink' }).hover();
    await page.mouse.down();
    await api(operations.createWebhookSink, { body: { name: 'by somebody else' } });
    const before = looks();
    // When the second of two reads begins, the first one is over and has seen the other sink.
    await expect.poll(looks).toBeGreaterThan(before + 1);
    await page.mouse.up();
    await page.locator('#world .report', { hasText: 'A sink was created.' }).waitFor();
    await page.getByText('by somebody else').waitFor();
    expect((await api(operations.listWebhookSinks)).json.data).toHaveLength(2);
  });

  test('reads the test world only while the page is visible, and can be paused', async () => {
    const { secret } = await newMerchant();
    const { page, requests } = await openConsole(newPage, {}, (opened) => opened.clock.install());
    const looks = () => requests.filter((request) => request.endsWith('/test/clock')).length;
    const untilNext = async () => expect.poll(looks).toBeGreaterThan(looks());
    const inTwoMinutes = async () => {
      const before = looks();
      // The second minute belongs to a read that was in progress.
      for (const _minute of [1, 2]) {
        await page.clock.runFor(60_000);
      }
      return looks() - before;
    };
    await connect(page, secret);
    await untilNext();
    await page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });`,
    );
    expect(await inTwoMinutes()).toBe(0);
    await page.evaluate(
      `delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'));`,
    );
    await untilNext();
    await untilNext();
    await openWorld(page);
    await page.click('#live-pause');
    expect(await inTwoMinutes()).toBe(0);
  });
});
