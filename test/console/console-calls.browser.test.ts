// @module-tag nightly
import { expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { describeInBrowser, expectOnlyOwn } from '../support/browser/browser.ts';
import {
  choose,
  connected,
  created,
  holdAnswers,
  idOf,
  keyOf,
  openConsole,
  openWorld,
  send,
  statusOf,
} from '../support/browser/console-form.ts';
import { goTo } from '../support/browser/dashboard.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { createPayment, moveClock } from '../support/world/resources.ts';

describeInBrowser('a form of the console', ({ newPage }) => {
  test('creates a payment from the example, shows the response, and replays it by its key', async () => {
    const { secret, api } = await newMerchant();
    const { page, requests, complaints } = await connected(newPage, secret);
    const key = await keyOf(page);
    // A group of fields is described, as a field is.
    const group = page.locator('[id="payments.CreatePayment.body.amount"]');
    await group.getByText('The amount to pay.').waitFor();
    await send(page);
    expect(await statusOf(page)).toBe('201 Created');
    expect(await page.textContent('.duration')).toMatch(/^\d+ ms$/);
    const shown = JSON.parse(String(await page.textContent('.response pre')));
    expect((await api(operations.getPayment, { params: { id: shown.id } })).json).toMatchObject({
      reference: operations.createPayment.example.reference,
    });
    expect(await page.textContent('.headers')).toContain('x-request-id');
    expect(await page.isVisible('.badge')).toBe(false);
    const next = await keyOf(page);
    expect(next).not.toBe(key);

    await page.getByRole('button', { name: 'Same key again' }).click();
    await page.waitForSelector('.badge');
    expect(await page.textContent('.badge')).toContain('Idempotent-Replayed');
    expect(JSON.parse(String(await page.textContent('.response pre')))).toEqual(shown);

    await page.getByRole('button', { name: 'Last key' }).click();
    expect(await keyOf(page)).toBe(key);
    await page.fill('[id="payments.CreatePayment.body.description"]', 'changed');
    await send(page);
    await page.waitForSelector('.response .problem');
    expect(await page.textContent('.response .problem')).toContain('idempotency_key_reused');
    expect((await api(operations.listPayments)).json.data.length).toBe(1);
    expectOnlyOwn(requests, baseUrl);
    // Chromium logs an error for every status from 400 on, and the test provokes that one.
    expect(complaints).toEqual([expect.stringContaining('422')]);
  });

  test('shows a validation problem at its fields, with a way to the page that explains it', async () => {
    const { secret } = await newMerchant();
    const { page } = await connected(newPage, secret);
    await page.fill('[id="payments.CreatePayment.body.amount.minor"]', '-5');
    await page.fill('[id="payments.CreatePayment.body.customer.email"]', 'nobody');
    await send(page);
    expect(await statusOf(page)).toContain('422');
    for (const [field, message] of [
      ['amount.minor', 'must be at least 1'],
      ['customer.email', 'has an invalid format'],
    ] as const) {
      const id = `payments.CreatePayment.body.${field}`;
      expect(await page.getAttribute(`[id="${id}"]`, 'aria-invalid')).toBe('true');
      expect(await page.textContent(`[id="${id}.error"]`)).toContain(message);
    }
    await page.locator('.problem').getByRole('button', { name: 'customer.email' }).click();
    expect(await page.evaluate('document.activeElement.id')).toBe(
      'payments.CreatePayment.body.customer.email',
    );
    const link = page.getByRole('link', { name: 'What validation_failed means' });
    expect(await link.getAttribute('href')).toBe('/errors/validation_failed');
    await page.fill('[id="payments.CreatePayment.body.amount.minor"]', '500');
    await page.fill('[id="payments.CreatePayment.body.customer.email"]', 'somebody@example.com');
    await send(page);
    await page.waitForSelector('.s2');
    expect(await page.locator('.error:visible').count()).toBe(0);
  });

  test('sends a body as text too, even if it is invalid', async () => {
    const { secret } = await newMerchant();
    const { page } = await connected(newPage, secret);
    await page.getByRole('button', { name: 'JSON' }).click();
    await page.fill('textarea', '{"amount":');
    await send(page);
    expect(await page.textContent('.response .problem')).toContain('malformed_json');
  });

  test('makes a call of every kind: read by id, list with a query, and change', async () => {
    const { secret, api } = await newMerchant();
    const payment = await createPayment(api);
    const { page } = await connected(newPage, secret);
    await choose(page, 'payments.ListPayments');
    await page.selectOption('[id="payments.ListPayments.query.status"]', 'requires_action');
    await send(page);
    expect(JSON.parse(String(await page.textContent('.response pre'))).data).toMatchObject([
      { id: payment.id },
    ]);
    await choose(page, 'payments.GetPayment');
    expect(await page.inputValue('[id="payments.GetPayment.path.id"]')).toBe(payment.id);
    await send(page);
    expect(await statusOf(page)).toBe('200 OK');
    await page.fill('[id="payments.GetPayment.path.id"]', '');
    await page.click('.bench .send button');
    expect(await page.textContent('[id="payments.GetPayment.path.id.error"]')).toContain('is required');
    await choose(page, 'testkit.SimulatePayment');
    await send(page);
    expect(await statusOf(page)).toBe('200 OK');
    await choose(page, 'testkit.CreateWebhookSink');
    await send(page);
    expect(await statusOf(page)).toBe('201 Created');
    await choose(page, 'testkit.UpdateWebhookSink');
    await send(page);
    expect(JSON.parse(String(await page.textContent('.response pre')))).toMatchObject({ fail_count: 2 });
    await choose(page, 'service.GetErrorPage');
    await page.fill('[id="service.GetErrorPage.path.code"]', 'invalid_state');
    await send(page);
    expect(JSON.parse(String(await page.textContent('.response pre')))).toMatchObject({
      code: 'invalid_state',
    });
  });
});

describeInBrowser('what the console knows', ({ newPage }) => {
  test('fills in the id that was just created, although an older list arrives after it', async () => {
    const { secret, api } = await newMerchant();
    await createPayment(api);
    await moveClock(api, 1);
    const { page } = await openConsole(newPage);
    const lists = await holdAnswers(page, /\/api\/v1\/payments\?limit=/, 1);
    await goTo(page, 'payments');
    await page.fill('#key', secret);
    await page.press('#key', 'Enter');
    await lists.areGiven;
    await goTo(page, 'api');
    const id = await created(page);
    const nextRequest = page.waitForRequest(/\/test\/clock$/);
    lists.letGo();
    await nextRequest;
    await choose(page, 'payments.GetPayment');
    expect(await idOf(page)).toBe(id);
    lists.end();
  });

  test('fills in the id that was just created, although the reader requested a list before', async () => {
    const { secret, api } = await newMerchant();
    await createPayment(api);
    const { page } = await connected(newPage, secret);
    await openWorld(page);
    await page.click('#live-pause');
    await choose(page, 'payments.ListPayments');
    const list = await holdAnswers(page, /\/api\/v1\/payments$/, 1);
    await page.click('.bench .send button');
    await list.areGiven;
    const id = await created(page);
    list.letGo();
    await choose(page, 'payments.ListPayments');
    await page.waitForSelector('.outcome-area:not([aria-busy]) > *');
    await choose(page, 'payments.GetPayment');
    expect(await idOf(page)).toBe(id);
  });

  test('fills in the id that was just created, although something newer happened elsewhere', async () => {
    const { secret, api } = await newMerchant();
    const other = await createPayment(api);
    const { page } = await connected(newPage, secret);
    const id = await created(page);
    await api(operations.cancelPayment, { params: { id: other.id } });
    await moveClock(api, 1);
    await goTo(page, 'events');
    await page.locator('.data', { hasText: 'payment.canceled' }).waitFor();
    await goTo(page, 'api');
    await choose(page, 'payments.GetPayment');
    expect(await idOf(page)).toBe(id);
  });

  test('updates fields that nothing was typed into, and leaves typed ones alone', async () => {
    const { secret } = await newMerchant();
    const { page } = await connected(newPage, secret);
    const first = await created(page);
    await choose(page, 'payments.GetPayment');
    expect(await idOf(page)).toBe(first);
    const second = await created(page);
    await choose(page, 'payments.GetPayment');
    expect(await idOf(page)).toBe(second);
    await page.fill('[id="payments.GetPayment.path.id"]', first);
    await created(page);
    await choose(page, 'payments.GetPayment');
    expect(await idOf(page)).toBe(first);
    await send(page);
    const third = await created(page);
    await choose(page, 'payments.GetPayment');
    expect(await idOf(page)).toBe(third);
  });
});
