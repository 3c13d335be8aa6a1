// @module-tag nightly
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { RESULT_CODES } from '../../../shared/story/story.ts';
import {
  accessibilityViolations,
  describeInBrowser,
  untilQrIsThere,
  violationsInBothSchemes,
} from '../../support/browser/browser.ts';
import { goTo, type NewPage, openByLink } from '../../support/browser/dashboard.ts';
import { newMerchant } from '../../support/world/api.ts';
import { baseUrl } from '../../support/world/merchant.ts';
import {
  createEndpoint,
  createLink,
  createPayment,
  createRefund,
  moveClock,
  pay,
} from '../../support/world/resources.ts';

/** How often what is shown is read again. */
const POLL_MS = 4_000;

/** Runs in the page: records what is requested at the moment when it is. */
const RECORD_REQUESTS = `
  globalThis.asked = [];
  const send = fetch;
  globalThis.fetch = (url, ...rest) => {
    asked.push(String(url).replace(/^.*api\\/v1/, ''));
    return send(url, ...rest);
  };
`;

async function open(newPage: NewPage, secret: string, place: string, options?: Parameters<NewPage>[0]) {
  const opened = await openByLink(newPage, secret, options);
  await goTo(opened.page, place);
  return opened;
}

describeInBrowser('the dashboard shows', ({ newPage }) => {
  test("one payment's story, with each attempt, what lies ahead, and what is possible now", async () => {
    const { api, secret } = await newMerchant();
    const sink = (await api(operations.createWebhookSink, { body: {} })).json;
    const payment = await createPayment(api);
    await moveClock(api, 1);
    const body = { fail_count: 2, respond_status: 503 };
    await api(operations.updateWebhookSink, { params: { id: sink.id }, body });
    const { page, complaints } = await open(newPage, secret, `payments/${payment.id}`);
    const titles = () => page.locator('.story > .happened b').allTextContents();
    await expect.poll(titles).toEqual(['Payment created', 'Waiting for the payer']);
    expect(await page.locator('.ahead').allTextContents()).toEqual([
      expect.stringMatching(/^Payment expires .* in 14 min/),
    ]);
    await page.getByRole('button', { name: 'Succeed', exact: true }).click();
    await expect.poll(titles).toEqual(['Payment created', 'Waiting for the payer', 'Paid']);
    // The second attempt comes five seconds after the first, the third one five minutes later.
    await moveClock(api, 6);
    await expect
      .poll(() => page.locator('.ahead b').allTextContents())
      .toEqual(['Attempt 3 to deliver payment.succeeded']);
    await expect.poll(() => page.locator('.attempts').last().textContent()).toContain('response 503');
    await page.getByRole('button', { name: 'Advance to here' }).click();
    await expect.poll(() => page.locator('.attempts').last().locator('li').count()).toBe(3);
    expect(await page.locator('.attempts').last().textContent()).toContain('attempt 3 · response 200');
    expect(await page.locator('.happened').last().textContent()).toMatch(
      /POST \/api\/v1\/test\/payments\/.* 200/,
    );
    expect(complaints).toEqual([]);
  });

  test('a refund of an amount of one’s own, and a failure with a result code of one’s own', async () => {
    const { api, secret } = await newMerchant();
    const payment = await createPayment(api);
    await pay(api, payment.id);
    const { page, complaints } = await open(newPage, secret, `payments/${payment.id}`);
    await page.getByRole('button', { name: 'Refund …' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('payment').count()).toBe(0);
    await dialog.getByLabel('Part', { exact: true }).click();
    await dialog.getByLabel('Amount of the part, in baht').fill('๓');
    await dialog.getByRole('button', { name: 'Refund ฿3.00', exact: true }).click();
    await page.getByText('฿3.00, R-000001').waitFor();
    expect(await page.locator('.ahead b').allTextContents()).toEqual(['Refund R-000001 is approved']);
    await page.getByRole('button', { name: 'Refund …' }).click();
    await dialog.getByLabel('All ฿7.00').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);

    const open2 = await createPayment(api);
    await page.evaluate(`location.hash = '#/payments/${open2.id}'`);
    await page.getByRole('button', { name: 'Fail …' }).click();
    const code = dialog.getByLabel('result code');
    expect(await code.inputValue()).toBe('insufficient_funds');
    const offered = await dialog
      .locator('datalist option')
      .evaluateAll((options) => options.map((option) => option.getAttribute('value')));
    expect(offered).toEqual(RESULT_CODES);
    await code.fill('wallet_locked');
    await dialog.getByRole('button', { name: 'Fail', exact: true }).click();
    await page.getByText('Result code wallet_locked').waitFor();
    expect((await api(operations.getPayment, { params: { id: open2.id } })).json).toMatchObject({
      status: 'failed',
      failure_code: 'wallet_locked',
    });
    expect(complaints).toEqual([]);
  });

  test('a payment with amount, status, number and reference at its head, no action twice', async () => {
    const { api, secret } = await newMerchant();
    const payment = await createPayment(api, { checkout: true, reference: 'order-7' });
    const { page } = await open(newPage, secret, `payments/${payment.id}`);
    const head = page.locator('main .view-head');
    await head.getByText('P-000001 · order-7').waitFor();
    expect(await head.getByRole('heading').textContent()).toBe('฿10.00 Waiting for the payer');
    expect(await head.getByRole('link').allTextContents()).toEqual(['Open its checkout']);
    const actions = await page.locator('.possible button').allTextContents();
    expect(actions).toEqual(['Cancel', 'Succeed', 'Fail …', 'Pending', 'Pay another amount', 'Pay late']);
  });

  test('the QR of a payment that waits for a scan, its fields and its metadata beside the story', async () => {
    const { api, secret } = await newMerchant();
    const payment = await createPayment(api, { metadata: { cart: 'c_77' }, checkout: true });
    const { page } = await open(newPage, secret, `payments/${payment.id}`, {
      viewport: { width: 1280, height: 900 },
    });
    const qr = page.getByRole('img', { name: 'The PromptPay QR of this payment' });
    await untilQrIsThere(page);
    expect(await page.locator('dl', { hasText: 'c_77' }).last().textContent()).toBe('cartc_77');
    const left = async (selector: string) => (await page.locator(selector).first().boundingBox())?.x ?? 0;
    expect(await left('.story-columns .facts-list')).toBeGreaterThan((await left('.story')) + 300);
    await page.setViewportSize({ width: 375, height: 700 });
    expect(await left('.story-columns .facts-list')).toBe(await left('.story'));
    await pay(api, payment.id);
    await expect.poll(() => qr.count()).toBe(0);
  });

  test('the settlement that took a payment, and its payout, each one press away', async () => {
    const { api, secret } = await newMerchant();
    const payment = await createPayment(api);
    await pay(api, payment.id);
    const settle = (body: object) => api(operations.simulateSettlement, { body });
    // It does not match, so it takes nothing.
    await settle({ provider: 'other', amount: { currency: 'THB', minor: 1 } });
    const { page, complaints } = await open(newPage, secret, `payments/${payment.id}`);
    const titles = () => page.locator('.story > .happened b').allTextContents();
    await expect.poll(async () => (await titles()).at(-1)).toBe('Paid');
    // On the next day, and not on that of the payment.
    await moveClock(api, 86_400);
    const { payout_id: payoutId } = (await settle({})).json;
    await api(operations.simulatePayout, { params: { id: String(payoutId) }, body: { outcome: 'paid' } });
    await expect
      .poll(async () => (await titles()).slice(-3))
      .toEqual(['Settlement matched', 'On its way to your bank', 'Paid out']);
    const entry = page.locator('.happened', { hasText: 'Settlement matched' });
    expect(await entry.textContent()).toContain('P-000001 in it, ฿10.00 in all');
    await entry.getByRole('link').click();
    await page.getByText('It took these, ฿10.00 in all.').waitFor();
    await page.locator(`tr[data-id="${payment.id}"]`).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.locator('.facts-list').locator(`[title="${payoutId}"] a`).click();
    await page.getByRole('heading', { name: 'The settlement that it pays out' }).waitFor();
    expect(await page.locator('.data tbody tr').textContent()).toContain('Matched');
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('the story of a refund, from its request to its end', async () => {
    const { api, secret } = await newMerchant();
    const refund = await createRefund(api);
    const { page, complaints } = await open(newPage, secret, `refunds/${refund.id}`);
    const titles = () => page.locator('.story > .happened b').allTextContents();
    await expect.poll(titles).toEqual(['Refund requested']);
    await page.getByRole('heading', { name: '฿10.00 Requested' }).waitFor();
    await page.locator(`.facts-list [title="${refund.payment_id}"] a`).waitFor();
    expect(await page.locator('.possible button').allTextContents()).toEqual(['Cancel', 'Succeed', 'Fail …']);
    await page.getByRole('button', { name: 'Advance to here' }).click();
    await expect
      .poll(async () => (await titles()).slice(0, 2))
      .toEqual(['Refund requested', 'Refund approved']);
    await page.getByRole('button', { name: 'Succeed' }).click();
    await expect.poll(async () => (await titles()).at(-1)).toBe('Refunded');
    expect(complaints).toEqual([]);
  });

  test('the story of a payment link, to the event that disables it', async () => {
    const { api, secret } = await newMerchant();
    const link = await createLink(api);
    const { page, complaints } = await open(newPage, secret, `links/${link.id}`);
    const titles = () => page.locator('.story > .happened b').allTextContents();
    await expect.poll(titles).toEqual(['Payment link created']);
    await page.getByRole('heading', { name: '฿5.00 Active' }).waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await expect.poll(titles).toEqual(['Payment link created', 'Payment link disabled']);
    await expect.poll(() => page.getByRole('button', { name: 'Disable' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describeInBrowser('the dashboard shows, as things go on,', ({ newPage }) => {
  test('a story that goes on by one request every few seconds, and none while it is hidden', async () => {
    const { api, secret } = await newMerchant();
    const payment = await createPayment(api);
    const other = await createPayment(api);
    // The first attempts to deliver an event are looked for only while it is new.
    await moveClock(api, 120);
    const page = await newPage();
    await page.clock.install();
    await page.addInitScript(RECORD_REQUESTS);
    await page.goto(`${baseUrl}/console#key=${secret}`);
    await page.evaluate(`location.hash = '#/payments/${payment.id}'`);
    const titles = () => page.locator('.story > .happened b').allTextContents();
    await expect.poll(async () => (await titles()).length).toBe(2);
    const asked = async (): Promise<string[]> => JSON.parse(await page.evaluate('JSON.stringify(asked)'));
    const forget = () => page.evaluate('void asked.splice(0)');
    const count = async (text: string) => (await asked()).filter((path) => path.includes(text)).length;
    /** Lets time pass until something was requested so often. */
    const until = (text: string, times: number) =>
      expect
        .poll(async () => {
          await page.clock.runFor(POLL_MS);
          return count(text);
        })
        .toBeGreaterThanOrEqual(times);
    const kinds = async () =>
      [...new Set((await asked()).map((path) => path.replace(/=\d+.*$/, '')))].toSorted();
    const FOLLOWING = ['/events?after_sequence', '/key', '/test/clock'];
    // Past the round of calm reads that began before the merchant's clock was known.
    await until('/events?after_sequence', 4);

    await forget();
    await until('/events?after_sequence', 5);
    expect(await kinds()).toEqual(FOLLOWING);
    const rounds = (await asked()).filter((path) => path !== '/key');
    expect(rounds.filter((path) => path === '/test/clock')).toHaveLength(rounds.length / 2);

    // An event of another payment is seen, and nothing is read for it.
    await forget();
    await pay(api, other.id);
    await until('/events?after_sequence=4', 3);
    expect(await kinds()).toEqual(FOLLOWING);

    await forget();
    await pay(api, payment.id);
    await until(`/payments/${payment.id}`, 1);
    await expect.poll(async () => (await titles()).at(-1)).toBe('Paid');
    expect(await kinds()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\/refunds/), expect.stringMatching(/deliveries/)]),
    );

    const show = (state: 'hidden' | 'visible') =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await show('hidden');
    await page.clock.runFor(POLL_MS);
    await forget();
    await page.clock.runFor(600_000);
    expect(await asked()).toEqual([]);
    await show('visible');
    await until('/events?after_sequence', 1);

    // After a purge, the page begins again: this payment is gone.
    expect((await api(operations.purgeTestData)).status).toBe(200);
    await expect
      .poll(async () => {
        await page.clock.runFor(POLL_MS);
        return page
          .locator('.problem')
          .textContent({ timeout: 1 })
          .catch(() => '');
      })
      .toContain('payment_not_found');
    await forget();
    await until('/events?after_sequence=0', 1);
  });

  test('opens no form without the description of the service, and opens it once that can be read', async () => {
    const { api, secret } = await newMerchant();
    const payment = await createPayment(api);
    await pay(api, payment.id);
    const { page } = await open(newPage, secret, `payments/${payment.id}`);
    await page.route(/openapi\.json$/, (route) => route.fulfill({ status: 503, json: {} }));
    const refund = page.getByRole('button', { name: 'Refund …' });
    await refund.click();
    await page.getByText('The description of the service could not be read. Try it again.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.unroute(/openapi\.json$/);
    await refund.click();
    await page.getByRole('dialog').getByLabel('amount').waitFor();
    expect(await page.getByText('The description of the service could not be read.').count()).toBe(0);
  });

  test('an event that is sent again, and no way to send it to an endpoint that is disabled', async () => {
    const { api, secret } = await newMerchant();
    const { id: endpoint } = await createEndpoint(api);
    const payment = await createPayment(api);
    await moveClock(api, 120);
    const { page, complaints } = await open(newPage, secret, `payments/${payment.id}`);
    const ofEndpoint = page
      .locator('.happened')
      .first()
      .locator('.attempts li', { hasText: /^Endpoint/ });
    await expect.poll(() => ofEndpoint.count()).toBe(1);
    await ofEndpoint.getByRole('button', { name: 'Send again' }).click();
    await page.locator('.report', { hasText: 'The event is sent again.' }).waitFor();
    await expect.poll(() => ofEndpoint.count()).toBe(2);
    const turn = { params: { id: endpoint }, body: { enabled: false } };
    expect((await api(operations.updateWebhookEndpoint, turn)).status).toBe(200);
    // That it was disabled by hand is no event: the page shows it when it is opened again.
    await page.evaluate(`location.hash = '#/payments'`);
    await page.locator(`tr[data-id="${payment.id}"]`).waitFor();
    await page.evaluate(`location.hash = '#/payments/${payment.id}'`);
    await expect.poll(() => ofEndpoint.count()).toBe(2);
    await expect.poll(() => ofEndpoint.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    // The sink beside it still takes events.
    const ofSink = page.locator('.attempts li', { hasText: /^Sink/ });
    expect(await ofSink.first().getByRole('button', { name: 'Send again' }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});

describeInBrowser('the dashboard shows at a glance', ({ newPage }) => {
  test.each([1_280, 1_024, 375, 320])('resources that axe finds nothing in, %i px wide', async (width) => {
    const { api, secret } = await newMerchant();
    const metadata = { 'a-long-name-of-a-field-of-ones-own': 'x'.repeat(120) };
    const payment = await createPayment(api, { metadata, checkout: true, reference: 'y'.repeat(120) });
    await createEndpoint(api);
    await pay(api, payment.id);
    const refund = { params: { id: payment.id }, body: {} };
    const { id: refundId } = (await api(operations.requestRefund, refund)).json;
    const link = await createLink(api);
    await moveClock(api, 1);
    const [event] = (await api(operations.listEvents)).json.data;
    const { page } = await open(newPage, secret, '', { viewport: { width, height: 800 } });
    const stories = [`payments/${payment.id}`, `refunds/${refundId}`, `links/${link.id}`];
    for (const place of [...stories, `events/${event?.id}`]) {
      await page.evaluate(`location.hash = '#/${place}'`);
      await page
        .locator(stories.includes(place) ? '.attempts' : '.facts-list')
        .first()
        .waitFor();
      expect(await violationsInBothSchemes(page), place).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), place).toBe(width);
    }
  });

  test('a resource as JSON and as the commands that retrieve it, by keys too', async () => {
    const { api, secret } = await newMerchant();
    const { id } = await createPayment(api);
    const { page, complaints } = await open(newPage, secret, `payments/${id}`);
    const panel = page.getByRole('tabpanel');
    await page.getByRole('tab', { name: 'JSON', selected: true }).press('ArrowRight');
    await page.getByRole('tab', { name: 'curl', selected: true }).waitFor();
    expect(await panel.locator('pre').textContent()).toContain(`${baseUrl}/api/v1/payments/${id}`);
    await page.getByRole('tab', { name: 'TypeScript' }).click();
    expect(await panel.locator('pre').textContent()).toContain(`client.getPayment("${id}")`);
    await page.keyboard.press('ArrowRight');
    expect(await panel.locator('pre').textContent()).toBe(`pg call getPayment ${id}`);
    await page.keyboard.press('ArrowRight');
    expect(JSON.parse(String(await panel.locator('pre').textContent()))).toMatchObject({ id });
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('what each sum of the balance is made of, and where that is listed', async () => {
    const { api, secret } = await newMerchant();
    await pay(api, (await createPayment(api)).id);
    const { page } = await open(newPage, secret, 'money');
    await page.getByRole('link', { name: 'Paid payouts' }).waitFor();
    await api(operations.simulateSettlement, { body: {} });
    const later = await createPayment(api);
    await pay(api, later.id);
    await page.getByRole('link', { name: 'Succeeded payments created since settlement S-000001' }).click();
    await expect.poll(() => page.locator('.data tbody tr').count()).toBe(1);
    await page.locator(`tr[data-id="${later.id}"]`).waitFor();
  });

  test('what needs somebody first, and thirty days as bars with a table behind them', async () => {
    const { api, secret } = await newMerchant();
    const paid = await createPayment(api);
    await pay(api, paid.id);
    const mismatched = await createPayment(api);
    await api(operations.simulatePayment, { params: { id: mismatched.id }, body: { outcome: 'mismatch' } });
    const { page, complaints } = await open(newPage, secret, '');
    await expect
      .poll(() => page.locator('.needs li').allTextContents())
      .toEqual([
        expect.stringMatching(
          /^P-000002 · ฿\S+ · ฿\S+ came instead of ฿\S+: ask the payer\.Mark as handled$/,
        ),
      ]);
    await page.getByText('As a table').click();
    await expect.poll(() => page.locator('.month tbody tr').count()).toBe(30);
    expect(await page.locator('.month tbody tr').first().textContent()).toContain('฿10.00');
    expect(await page.locator('.month svg title').last().textContent()).toContain(
      '1 paid, ฿10.00; 1 PromptPay',
    );
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('an empty world a way to begin: a seeded month has its stories too', async () => {
    const { secret } = await newMerchant();
    const { page } = await open(newPage, secret, '');
    await page.getByRole('button', { name: 'Seed a month' }).click();
    await page.locator('.data tbody .row-link').first().click();
    await expect.poll(() => page.locator('.story > .happened').count()).toBeGreaterThan(1);
  });

  test('the log of requests, each with its bodies and the page of its problem', async () => {
    const { api, secret } = await newMerchant();
    await api(operations.createPaymentLink, { body: { amount: { type: 'fixed' } } });
    const { page, complaints } = await open(newPage, secret, 'webhooks');
    await page.getByRole('link', { name: 'log of requests' }).click();
    await page.locator('.data tbody .row-link').click();
    await page.getByRole('heading', { name: 'POST /api/v1/payment-links' }).waitFor();
    expect(await page.locator('.outcome').textContent()).toContain('422');
    expect(await page.getByRole('region', { name: 'Request' }).textContent()).toContain('"fixed"');
    expect(await page.getByRole('region', { name: 'Response' }).textContent()).toContain('validation_failed');
    const problem = page.getByRole('link', { name: 'What validation_failed means' });
    expect(await problem.getAttribute('href')).toMatch(/\/errors\/validation_failed$/);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a list by the keys j, k and Enter, and as CSV of what is loaded', async () => {
    const { api, secret } = await newMerchant();
    await createPayment(api, { reference: 'order-1' });
    const second = await createPayment(api, { reference: 'order-2' });
    const { page, complaints } = await open(newPage, secret, 'payments');
    await expect.poll(() => page.locator('.data tbody tr').count()).toBe(2);
    const href = String(await page.getByRole('link', { name: 'CSV of these 2' }).getAttribute('href'));
    const csv = decodeURIComponent(href.slice(href.indexOf(',') + 1));
    expect(csv).toMatch(/^\ufeffAmount,Status.*\r\n10\.00,.*order-2.*\r\n10\.00,.*order-1/);
    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV of these 2' }).click();
    expect((await saving).suggestedFilename()).toBe('payments.csv');
    expect(await readFile(await (await saving).path(), 'utf8')).toBe(csv);
    for (const key of ['j', 'j', 'j', 'k', 'Enter']) {
      await page.keyboard.press(key);
    }
    await expect.poll(() => page.url()).toContain(second.id);
    expect(complaints).toEqual([]);
  });

  test.each([
    ['refunds', operations.listRefunds],
    ['events', operations.listEvents],
  ] as const)('each row of %s as one stop of the keys: what Enter opens is its own', async (place, list) => {
    const { api, secret } = await newMerchant();
    await createRefund(api);
    await createRefund(api);
    await moveClock(api, 1);
    const [first, second] = (await api(list as typeof operations.listRefunds)).json.data;
    const { page } = await open(newPage, secret, place);
    await page.waitForSelector(`tr[data-id="${second?.id}"]`);
    const focused = () => page.locator(':focus').getAttribute('href');
    await page.keyboard.press('j');
    expect(await focused()).toBe(`#/${place}/${first?.id}`);
    await page.keyboard.press('j');
    expect(await focused()).toBe(`#/${place}/${second?.id}`);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain(`#/${place}/${second?.id}`);
  });

  test.each(['light', 'dark'] as const)(
    'both on a phone without scrolling sideways, %s',
    async (colorScheme) => {
      const { api, secret } = await newMerchant();
      const payment = await createPayment(api);
      await api(operations.createWebhookSink, { body: {} });
      await pay(api, payment.id);
      await moveClock(api, 1);
      const { page } = await open(newPage, secret, '', {
        viewport: { width: 320, height: 700 },
        colorScheme,
      });
      await page.waitForSelector('.month');
      const width = () => page.evaluate('document.documentElement.scrollWidth');
      expect(await width()).toBe(320);
      expect(await accessibilityViolations(page)).toEqual([]);
      await page.evaluate(`location.hash = '#/payments/${payment.id}'`);
      await page.waitForSelector('.attempts');
      expect(await width()).toBe(320);
      expect(await accessibilityViolations(page)).toEqual([]);
    },
  );
});
