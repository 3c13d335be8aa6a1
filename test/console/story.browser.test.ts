import { expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { newMerchant } from '../support/api.ts';
import { accessibilityViolations, describeInBrowser, watch } from '../support/browser.ts';
import { baseUrl } from '../support/merchant.ts';
import { advance, createPayment, createRefund, pay } from '../support/resources.ts';

describeInBrowser('the dashboard shows', ({ newPage }) => {
  async function open(secret: string, place: string, options?: Parameters<typeof newPage>[0]) {
    const page = await newPage(options);
    const watched = watch(page);
    await page.goto(`${baseUrl}/console#key=${secret}`);
    await page.waitForSelector('#clock-now');
    await page.evaluate(`location.hash = '#/${place}'`);
    return { page, ...watched };
  }

  test("one payment's story, with each attempt, what lies ahead, and what is possible now", async () => {
    const { api, secret } = await newMerchant();
    const sink = (await api(operations.createWebhookSink, { body: {} })).json;
    const payment = await createPayment(api);
    await advance(api, 1);
    const body = { fail_count: 2, respond_status: 503 };
    await api(operations.updateWebhookSink, { params: { id: sink.id }, body });
    const { page, complaints } = await open(secret, `payments/${payment.id}`);
    const titles = () => page.locator('.story > .happened b').allTextContents();
    await expect.poll(titles).toEqual(['Payment created', 'Payment requires action']);
    expect(await page.locator('.ahead').allTextContents()).toEqual([
      expect.stringMatching(/^Payment expires .* in 14 min/),
    ]);
    await page.getByRole('button', { name: 'Succeed', exact: true }).click();
    await expect.poll(titles).toEqual(['Payment created', 'Payment requires action', 'Payment succeeded']);
    // The second attempt comes five seconds after the first, the third one five minutes later.
    await advance(api, 6);
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
    await page.getByRole('button', { name: 'Refund in full' }).click();
    await expect.poll(async () => (await titles()).at(-1)).toBe('Refund requested');
    expect(await page.locator('.ahead b').allTextContents()).toEqual([
      expect.stringMatching(/^Refund R-000001 is approved/),
    ]);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a resource as JSON and as the commands that retrieve it, by keys too', async () => {
    const { api, secret } = await newMerchant();
    const { id } = await createPayment(api);
    const { page, complaints } = await open(secret, `payments/${id}`);
    const panel = page.getByRole('tabpanel');
    await page.getByRole('tab', { name: 'JSON', selected: true }).press('ArrowRight');
    await page.getByRole('tab', { name: 'curl', selected: true }).waitFor();
    expect(await panel.locator('pre').textContent()).toContain(`${baseUrl}/api/v1/payments/${id}`);
    await page.getByRole('tab', { name: 'TypeScript' }).click();
    expect(await panel.locator('pre').textContent()).toContain(`client.getPayment("${id}")`);
    await page.keyboard.press('ArrowRight');
    expect(await panel.locator('pre').textContent()).toBe(`./pg call getPayment ${id}`);
    await page.keyboard.press('ArrowRight');
    expect(JSON.parse(String(await panel.locator('pre').textContent()))).toMatchObject({ id });
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('what each sum of the balance is made of, and where that is listed', async () => {
    const { api, secret } = await newMerchant();
    await pay(api, (await createPayment(api)).id);
    const { page } = await open(secret, 'money');
    await page.getByRole('link', { name: 'Payouts that the bank has accepted' }).waitFor();
    await page.getByRole('link', { name: 'Payments less refunds that no settlement has yet' }).click();
    await expect.poll(() => page.locator('.data tbody tr').count()).toBe(1);
    expect(page.url()).toContain('#/payments?status=succeeded');
  });

  test('what needs somebody first, and thirty days as bars with a table behind them', async () => {
    const { api, secret } = await newMerchant();
    const paid = await createPayment(api);
    await pay(api, paid.id);
    const mismatched = await createPayment(api);
    await api(operations.simulatePayment, { params: { id: mismatched.id }, body: { outcome: 'mismatch' } });
    const { page, complaints } = await open(secret, '');
    await expect
      .poll(() => page.locator('.needs li').allTextContents())
      .toEqual([expect.stringMatching(/^P-000002: ฿\S+ came instead of ฿\S+\.Open the payment$/)]);
    await page.getByText('As a table').click();
    expect(await page.locator('.month tbody tr').count()).toBe(30);
    expect(await page.locator('.month tbody tr').first().textContent()).toContain('฿10.00');
    expect(await page.locator('.month svg title').last().textContent()).toContain(
      '1 paid, ฿10.00; 1 promptpay',
    );
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('an empty world a way to begin: a seeded month has its stories too', async () => {
    const { secret } = await newMerchant();
    const { page } = await open(secret, '');
    await page.getByRole('button', { name: 'Seed a month' }).click();
    await page.waitForSelector('.data tbody tr .c-id a');
    await page.locator('.data tbody tr .c-id a').first().click();
    await expect.poll(() => page.locator('.story > .happened').count()).toBeGreaterThan(1);
  });

  test('the log of requests, each with its bodies and the page of its problem', async () => {
    const { api, secret } = await newMerchant();
    await api(operations.createPaymentLink, { body: { amount: { type: 'fixed' } } });
    const { page, complaints } = await open(secret, 'webhooks');
    await page.getByRole('link', { name: 'log of requests' }).click();
    await page.locator('.data tbody tr .c-id a').click();
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
    const { page, complaints } = await open(secret, 'payments');
    await expect.poll(() => page.locator('.data tbody tr').count()).toBe(2);
    const href = String(await page.getByRole('link', { name: 'CSV of these 2' }).getAttribute('href'));
    const csv = decodeURIComponent(href.slice(href.indexOf(',') + 1));
    expect(csv).toMatch(/^Amount,Status.*\r\n10\.00,.*order-2.*\r\n10\.00,.*order-1/);
    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV of these 2' }).click();
    expect((await saving).suggestedFilename()).toBe('payments.csv');
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
    await advance(api, 1);
    const [first, second] = (await api(list as typeof operations.listRefunds)).json.data;
    const { page } = await open(secret, place);
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
      await advance(api, 1);
      const { page } = await open(secret, '', { viewport: { width: 320, height: 700 }, colorScheme });
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
