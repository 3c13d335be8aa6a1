// @module-tag nightly
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { describeInBrowser, expectOnlyOwn, violationsInBothSchemes } from '../../support/browser/browser.ts';
import {
  answer,
  choose,
  connect,
  NOBODY,
  openEndpoint,
  openWebhooks,
  press,
  reports,
  takeSecret,
} from '../../support/browser/webhook-pages.ts';
import { newMerchant } from '../../support/world/api.ts';
import { baseUrl, newKey } from '../../support/world/merchant.ts';
import { createLink, moveClock } from '../../support/world/resources.ts';
import { createEndpoint, startReceiver } from '../../support/world/webhook-endpoints.ts';

const HOSTILE = `</pre><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;

const dialogText = (page: Page) => page.textContent('dialog');
const rows = (page: Page) => page.locator('main .deliveries li');
const focused = (page: Page) => page.evaluate('document.activeElement.textContent');

describeInBrowser('the webhooks of the dashboard', ({ newPage }) => {
  test('creates, pings, shows, resends, rotates, disables, enables and recovers an endpoint', async () => {
    const { secret: key, api } = await newMerchant();
    // Not by count: a client that waits too long for a response sends the request again.
    let answered = 204;
    const receiver = await startReceiver({ answer: () => answered });
    const { page, requests, complaints } = await openWebhooks(newPage, key);
    // The service is on the same machine as the server.
    expect(await page.textContent('main .empty')).toContain('reaches a server there: http://127.0.0.1:3000');

    await press(page, 'Create an endpoint');
    await page.fill('[id="dialog.url"]', receiver.url);
    const dialog = page.getByRole('dialog', { name: 'Create an endpoint' });
    await dialog.getByLabel('Only these').check();
    await dialog.getByLabel('All of: Payment links').check();
    await answer(page, 'Create');
    const secret = await takeSecret(page);
    await page.getByRole('heading', { name: receiver.url, level: 2 }).waitFor();
    const { data } = (await api(operations.listWebhookEndpoints)).json;
    const params = { id: String(data[0]?.id) };
    const stored = async () => (await api(operations.getWebhookEndpoint, { params })).json;
    expect(await stored()).toMatchObject({ url: receiver.url, events: ['payment_link.*'], secret });
    await page.getByText('Receives: Payment links: all.').waitFor();
    // Nothing was sent: there is no rate.
    expect(await page.locator('.rate').count()).toBe(0);

    await press(page, 'Send test event');
    await reports(page, /The test event was accepted · response 204 · \d+ ms/);
    await rows(page).filter({ hasText: 'webhook.ping' }).waitFor();
    expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    expect(JSON.parse(String(receiver.received[0]?.body)).type).toBe('webhook.ping');

    answered = 503;
    const link = await createLink(api);
    await moveClock(api, 1);
    const failed = rows(page).filter({ hasText: 'Attempt 1: failed' });
    await failed.waitFor();
    expect(await failed.textContent()).toMatch(
      /payment_link\.created.*Failed: the response was 503, and only 2xx accepts an event\..*\d+ ms.*again at/,
    );
    await page.locator('main .word', { hasText: 'Failing since' }).waitFor();
    await page
      .getByRole('region', { name: 'Last 24 hours' })
      .getByText(/^[1-9] failed$/)
      .waitFor();
    await failed.getByRole('button', { name: 'payment_link.created' }).click();
    expect(await page.evaluate('document.activeElement.scrollTop')).toBe(0);
    const shown = await dialogText(page);
    expect(shown).toContain(link.id);
    expect(shown).toContain(`webhook-id${receiver.ids()[1]}`);
    expect(await page.getByRole('region', { name: 'Body' }).textContent()).toBe(
      JSON.stringify(JSON.parse(String(receiver.received[1]?.body)), null, 2),
    );
    await answer(page, 'Close');

    answered = 204;
    const before = receiver.ids().length;
    await failed.getByRole('button', { name: 'Send again' }).click();
    await reports(page, 'The event was delivered again.');
    await expect.poll(() => receiver.ids().length).toBeGreaterThan(before);
    expect(receiver.ids().at(-1)).toBe(receiver.ids()[1]);
    await page.locator('main .word', { hasText: 'Accepts deliveries' }).waitFor();

    await choose(page, 'Rotate secret');
    await answer(page, 'Rotate secret');
    await page.waitForSelector('dialog pre');
    expect(await dialogText(page)).toMatch(/The previous secret also signs until .* in Bangkok/);
    const rotated = await takeSecret(page);
    expect(rotated).not.toBe(secret);
    expect(await stored()).toMatchObject({ secret: rotated });

    await choose(page, 'Disable');
    await page.locator('main .word', { hasText: 'Disabled: you disabled it' }).waitFor();
    expect(await page.getByRole('button', { name: 'Send test event' }).count()).toBe(0);
    const missed = await createLink(api);
    await moveClock(api, 1);
    await choose(page, 'Enable');
    await reports(page, '"Send missed events" sends what it missed.');
    await choose(page, 'Send missed events');
    await answer(page, 'Send missed events');
    await reports(page, '1 event is being sent again.');
    await expect
      .poll(() => receiver.received.map(({ body }) => JSON.parse(body).data.object.id))
      .toContain(missed.id);
    // The test event, the resent event, and the missed one.
    const delivered = rows(page).filter({ hasText: /Attempt \d: delivered/ });
    await expect.poll(() => delivered.count()).toBeGreaterThanOrEqual(3);

    await choose(page, 'Delete');
    expect(await focused(page)).toBe('Cancel');
    await answer(page, 'Delete');
    await page.waitForSelector('main .empty');
    expect((await api(operations.listWebhookEndpoints)).json.data).toEqual([]);
    // The list may be read before the dialog has its response.
    await expect.poll(() => focused(page)).toBe('Webhook endpoints');
    expectOnlyOwn(requests, baseUrl);
    expect(complaints).toEqual([]);
  });

  test('shows the refusal if an endpoint was disabled after it was listed', async () => {
    const { secret, api } = await newMerchant();
    const { id } = await createEndpoint(api, { url: NOBODY });
    const { text: listed } = await api(operations.listWebhookEndpoints);
    await api(operations.updateWebhookEndpoint, { params: { id }, body: { enabled: false } });
    const page = await newPage();
    await page.route(/\/webhook-endpoints$/, (route) =>
      route.fulfill({ contentType: 'application/json', body: listed }),
    );
    await connect(page, secret);
    await openEndpoint(page, NOBODY);
    await press(page, 'Send test event');
    await page.locator('main .report .problem', { hasText: 'invalid_state' }).waitFor();
  });

  test.each([1_280, 1_024, 375, 320])('are for everybody, %i px wide', async (width) => {
    const { secret, api } = await newMerchant();
    const { url } = await startReceiver({
      answer: (nth) => (nth === 1 ? 204 : { status: 500, body: HOSTILE }),
    });
    const { page, complaints } = await openWebhooks(newPage, secret, { viewport: { width, height: 800 } });
    const look = async (name: string) => {
      const wider = await page.evaluate(
        `Math.max(...[document.documentElement, ...document.querySelectorAll('dialog')].map((e) => e.scrollWidth - e.clientWidth))`,
      );
      expect([await violationsInBothSchemes(page), wider], name).toEqual([[], 0]);
    };
    await page.waitForSelector('main .empty');
    await look('empty');
    await createEndpoint(api, { url, events: ['payment_link.*'], description: 'orders '.repeat(20) });
    await createEndpoint(api, { url: `https://shop.example.com/${'webhooks'.repeat(40)}` });
    const other = `${url}/other`;
    const { id } = await createEndpoint(api, { url: other, events: ['payment_link.*', 'refund.succeeded'] });
    await createLink(api);
    await moveClock(api, 1);
    await moveClock(api, 5);
    await page.locator('.endpoints .c-number', { hasText: 'in 24 h' }).first().waitFor();
    await look('list');
    await openEndpoint(page, other);
    await rows(page).nth(1).waitFor();
    await page.getByRole('region', { name: 'Last 24 hours' }).waitFor();
    await page.click('#endpoint-menu');
    await look('menu');
    await page.keyboard.press('Escape');
    await api(operations.updateWebhookEndpoint, { params: { id }, body: { enabled: false } });
    await page.getByText('Disabled: you disabled it').waitFor();
    // A press may have scrolled the page, so that a link lies half beneath the bar, close to what is in the bar.
    await page.evaluate('scrollTo(0, 44)');
    await look('log');
    await rows(page).filter({ hasText: 'Failed' }).first().locator('.link').click();
    await page.locator('dialog').getByRole('button', { name: 'Close' }).waitFor();
    await look('delivery');
    await answer(page, 'Close');
    await choose(page, 'Secret');
    await page.waitForSelector('dialog pre');
    await look('secret');
    await answer(page, 'Done');
    await choose(page, 'Delete');
    await page.locator('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
    await look('delete');
    await answer(page, 'Cancel');
    expect(complaints).toEqual([]);
    await choose(page, 'Edit');
    await page.fill('[id="dialog.url"]', 'http://10.0.0.1');
    await answer(page, 'Save');
    await page.locator('dialog .error', { hasText: /./ }).first().waitFor();
    await look('problem');
  });
});

describeInBrowser('the attempts of an endpoint', ({ newPage }) => {
  test('says how many attempts succeeded, and shows those that failed or one type alone', async () => {
    const { secret: key, api } = await newMerchant();
    let answered = 500;
    const receiver = await startReceiver({ answer: () => answered });
    const { id } = await createEndpoint(api, { url: receiver.url, events: ['payment_link.*'] });
    const link = await createLink(api);
    await moveClock(api, 1);
    answered = 204;
    await moveClock(api, 10);
    await api(operations.disablePaymentLink, { params: { id: link.id }, body: {} });
    await moveClock(api, 1);
    const { page, complaints } = await openWebhooks(newPage, key);
    await page.locator('.endpoints', { hasText: '2 of 3 in 24 h (66 %)' }).waitFor();
    await openEndpoint(page, receiver.url);
    await expect.poll(() => rows(page).count()).toBe(3);
    const rate = page.getByRole('region', { name: 'Last 24 hours' });
    await rate.getByText('2 accepted').waitFor();
    await rate.getByText(/^[1-9] failed$/).waitFor();
    await page.getByLabel('Failed only').check();
    await expect.poll(() => rows(page).count()).toBe(1);
    await expect.poll(() => page.url()).toContain('failed=true');
    // Both at once: the second change keeps the first, which the page has not followed yet.
    await page.evaluate(`
      document.querySelector('main .filters input').click();
      const types = document.querySelector('main .filters select');
      types.value = 'payment_link.disabled';
      types.dispatchEvent(new Event('change', { bubbles: true }));
    `);
    await expect.poll(() => rows(page).count()).toBe(1);
    await expect
      .poll(() => page.url())
      .toContain(`#/webhooks/${id}?receiver=${id}&event_type=payment_link.disabled`);
    expect(await violationsInBothSchemes(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect((await api(operations.getWebhookEndpoint, { params: { id } })).json.status).toBe('enabled');
  });

  test("shows a server's response and an endpoint's name as plain text", async () => {
    const { secret, api } = await newMerchant();
    const hostile = { status: 500, headers: { 'content-type': 'text/html' }, body: HOSTILE };
    const { url } = await startReceiver({ answer: () => hostile });
    await createEndpoint(api, { url, description: HOSTILE });
    await createLink(api, { description: HOSTILE });
    await moveClock(api, 1);
    const { page, complaints } = await openWebhooks(newPage, secret);
    await openEndpoint(page, url);
    await rows(page).getByRole('button', { name: 'payment_link.created' }).first().click();
    const region = page.getByRole('region', { name: 'Start of the response' });
    expect(await region.textContent()).toBe(HOSTILE);
    expect(await page.getByRole('region', { name: 'Body' }).textContent()).toContain('onerror=');
    expect(await page.locator('.about-endpoint > p').first().textContent()).toBe(HOSTILE);
    expect(await page.locator('main, dialog').locator('img, script').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
    expect(complaints).toEqual([]);
  });

  test('says in words why an attempt failed, and why nothing is sent any more', async () => {
    const { secret, api } = await newMerchant();
    const wantsNoMore = await startReceiver({ answer: () => 410 });
    const redirects = await startReceiver({ answer: () => 302 });
    const events = ['payment_link.*', 'webhook_endpoint.disabled'];
    const nobody = await createEndpoint(api, { url: NOBODY, description: 'nobody', events });
    await createEndpoint(api, { url: redirects.url, description: 'redirects', events });
    await createEndpoint(api, { url: wantsNoMore.url, description: 'gone', events });
    await createLink(api);
    await moveClock(api, 1);
    const { page } = await openWebhooks(newPage, secret);
    const row = (url: string) => page.locator('.endpoints tr', { hasText: url });
    await row(wantsNoMore.url).getByText('Disabled: its server responded with 410').waitFor();
    for (const [url, reason] of [
      [redirects.url, 'Failed: the response was 302, and redirects are not followed.'],
      [NOBODY, 'Failed: its server does not respond.'],
    ] as const) {
      await page.evaluate(`location.hash = '#/webhooks'`);
      await openEndpoint(page, url);
      await page.locator('.deliveries .bad', { hasText: reason }).first().waitFor();
    }
    await press(page, 'Send test event');
    await page.locator('main .report .bad', { hasText: 'its server does not respond' }).waitFor();
    // Missed: the link, although created before the failed attempt, and the event of the other disabled endpoint.
    const query = { type: 'webhook_endpoint.disabled' };
    await expect.poll(async () => (await api(operations.listEvents, { query })).json.data.length).toBe(1);
    // Disabling drops the deliveries that waited for it.
    for (const enabled of [false, true]) {
      await api(operations.updateWebhookEndpoint, { params: { id: nobody.id }, body: { enabled } });
    }
    await choose(page, 'Send missed events');
    await answer(page, 'Send missed events');
    await reports(page, '2 events are being sent again.');
  });

  test('pages through older attempts in place, and offers each of them with its endpoint', async () => {
    const { secret, api } = await newMerchant();
    const { url } = await startReceiver();
    const { json: sink } = await api(operations.createWebhookSink);
    const { id } = await createEndpoint(api, { url });
    await Promise.all(Array.from({ length: 21 }, () => createLink(api)));
    await moveClock(api, 1);
    const deliveries = async () =>
      (await api(operations.listEndpointDeliveries, { params: { id }, query: { limit: '100' } })).json.data;
    // On a slow machine an attempt may fail, and is followed by another one.
    await expect.poll(async () => (await deliveries()).length).toBeGreaterThan(20);
    const { page } = await openWebhooks(newPage, secret);
    await openEndpoint(page, url);
    await expect.poll(() => rows(page).count()).toBe(20);
    await page.locator('main').getByRole('link', { name: 'Older', exact: true }).click();
    const isRest = (count: number) => count > 0 && count < 20;
    await expect.poll(async () => isRest(await rows(page).count())).toBe(true);
    await expect.poll(() => page.url()).toContain(`#/webhooks/${id}?receiver=${id}&older=`);
    await page.locator('main').getByRole('link', { name: 'Newest', exact: true }).click();
    await expect.poll(() => rows(page).count()).toBe(20);
    await page.locator('.rail').getByRole('link', { name: 'API' }).click();
    for (const [operation, receiver] of [
      ['testkit.Redeliver', sink.id],
      ['webhooks.RedeliverEvent', id],
    ]) {
      await page.click(`nav a[href="#/api/${operation}"]`);
      await expect.poll(() => page.inputValue(`[id="${operation}.path.id"]`)).toBe(receiver);
    }
    const known = (await deliveries()).map((delivery) => delivery.id);
    await expect.poll(() => page.inputValue('[id="webhooks.RedeliverEvent.path.delivery_id"]')).not.toBe('');
    expect(known).toContain(await page.inputValue('[id="webhooks.RedeliverEvent.path.delivery_id"]'));
    await page.locator('.rail').getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhook endpoints' }).waitFor();
    // The address names the view, and skipping the menu does not change it.
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('stage');
    expect(await page.isVisible('main .endpoints')).toBe(true);
  });

  test('names the open attempt in the address, which shows it again after a reload', async () => {
    const { secret, api } = await newMerchant();
    const { url } = await startReceiver();
    const events = ['payment_link.*'];
    const { id } = await createEndpoint(api, { url: `${url}/second`, events });
    await createLink(api);
    await moveClock(api, 1);
    const { page, complaints } = await openWebhooks(newPage, secret);
    await openEndpoint(page, `${url}/second`);
    await rows(page).getByRole('button', { name: 'payment_link.created' }).click();
    const dialog = page.getByRole('dialog', { name: 'payment_link.created, attempt 1' });
    await dialog.waitFor();
    await expect.poll(() => page.url()).toContain(`#/webhooks/${id}?receiver=${id}&delivery=dlv_`);
    await page.reload();
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.url()).not.toContain('delivery=');
    await page.goBack();
    await dialog.waitFor();
    await page.evaluate(`location.hash = '#/payments'`);
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Payments', level: 2 }).waitFor();
    await expect.poll(() => page.url()).toMatch(/#\/payments$/);
    expect(complaints).toEqual([]);
  });
});

describeInBrowser('the page of webhooks', ({ newPage }) => {
  test('has a secret in the page only while it is shown', async () => {
    const { secret: key, api } = await newMerchant();
    const { secret } = await createEndpoint(api, { url: NOBODY });
    const { page } = await openWebhooks(newPage, key, { permissions: ['clipboard-read', 'clipboard-write'] });
    await openEndpoint(page, NOBODY);
    await choose(page, 'Secret');
    expect(await page.textContent('dialog pre')).toBe(secret);
    await answer(page, 'Copy');
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    // The focus is back at the menu.
    expect(await page.evaluate('document.activeElement.id')).toBe('endpoint-menu');
    expect(await page.content()).not.toContain('whsec_');
    await choose(page, 'Secret');
    await page.waitForSelector('dialog pre');
    // The state in which the browser keeps the page for the Back button.
    await page.evaluate(`dispatchEvent(new Event('pagehide'))`);
    await page.waitForSelector('dialog', { state: 'detached' });
    expect(await page.content()).not.toContain('whsec_');
    expect(await page.content()).not.toContain(NOBODY);
  });

  test('says that a read-only key gets no secret and changes nothing', async () => {
    const { merchant, api } = await newMerchant();
    const { id } = await createEndpoint(api, { url: NOBODY });
    const { secret } = await newKey({ merchant, permissions: ['webhook.read'] });
    const { page } = await openWebhooks(newPage, secret);
    await openEndpoint(page, NOBODY);
    await choose(page, 'Secret');
    await reports(page, 'This key lacks webhook.manage');
    await choose(page, 'Disable');
    await page.locator('main .report .problem', { hasText: 'webhook.manage' }).waitFor();
    const { json } = await api(operations.getWebhookEndpoint, { params: { id } });
    expect(json.status).toBe('enabled');
  });

  test('keeps typed text and the keyboard focus when something happens meanwhile', async () => {
    const { secret, api } = await newMerchant();
    const { url } = await startReceiver();
    const { id } = await createEndpoint(api, { url });
    const { page } = await openWebhooks(newPage, secret);
    await openEndpoint(page, url);
    await page.locator('#endpoint-menu').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit' }).focus();
    await page.keyboard.press('Enter');
    await page.fill('[id="dialog.description"]', 'orders');
    await createLink(api);
    await moveClock(api, 1);
    await rows(page).first().waitFor();
    expect(await page.inputValue('[id="dialog.description"]')).toBe('orders');
    await page.keyboard.press('Enter');
    await reports(page, 'The endpoint was updated.');
    expect(await page.evaluate('document.activeElement.id')).toBe('endpoint-menu');
    const { json } = await api(operations.getWebhookEndpoint, { params: { id } });
    expect(json).toMatchObject({ url, description: 'orders', events: ['*'] });
  });
});
