import { readFile } from 'node:fs/promises';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { describeInBrowser } from '../support/browser/browser.ts';
import { type Client, newMerchant } from '../support/world/api.ts';
import { createPayment } from '../support/world/resources.ts';

function createForCheckout(api: Client, body: Record<string, unknown> = {}) {
  return createPayment(api, { checkout: true, description: 'Two tickets', ...body });
}

const newHold = () => Promise.withResolvers<void>();

/* What a payer's own browser does with a page: it saves, copies, and asks again. The pages are those of any service. */
describeInBrowser("a payer's browser", ({ newPage }) => {
  test('gives a payer the QR as a file that a bank app reads, on the same phone', async () => {
    const { api } = await newMerchant();
    const payment = await createForCheckout(api);
    const page = await newPage({ viewport: { width: 375, height: 700 }, isMobile: true, hasTouch: true });
    await page.goto(String(payment.checkout_url));
    expect(await page.locator('ol li').count()).toBe(3);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save the QR picture' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`promptpay-${payment.number}.png`);
    const { data, width, height } = PNG.sync.read(await readFile(await download.path()));
    const read = jsqr as unknown as typeof jsqr.default;
    const { next_action: action } = payment;
    expect(read(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' })?.data).toBe(
      action?.type === 'display_qr' ? action.qr.payload : null,
    );
    expect(await page.getByText('You are in LINE').count()).toBe(0);
  });

  test('copies the account, the amount and the payment code of a transfer', async () => {
    const { api } = await newMerchant();
    const payment = await createForCheckout(api, { method: 'bank_transfer', reference: 'order-1042' });
    const page = await newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(String(payment.checkout_url));
    for (const [what, copied] of [
      ['Account number', '0000000000'],
      ['Amount', '10.00'],
      ['Payment code', payment.number],
    ] as const) {
      await page.getByRole('button', { name: `Copy: ${what}` }).click();
      await page.getByText(`Copied: ${copied}`).waitFor();
      const held = await page.evaluate(() => {
        const { navigator } = globalThis as unknown as { navigator: { clipboard: { readText(): unknown } } };
        return navigator.clipboard.readText();
      });
      expect(held).toBe(copied);
    }
    expect(await page.getByText('Test bank').count()).toBe(1);
    const plain = await newPage({ javaScriptEnabled: false });
    await plain.goto(String(payment.checkout_url));
    expect(await plain.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    await plain.getByText('0000000000').waitFor();
  });

  test('asks ever less often whether the payment has changed, and not while it is hidden', async () => {
    const { api } = await newMerchant();
    const { checkout_url } = await createForCheckout(api);
    const page = await newPage();
    await page.clock.install();
    // From a response that the page has read to its next request, by its own clock: however slow the machine is.
    await page.addInitScript(() => {
      const { fetch } = globalThis;
      const waits: number[] = [];
      let readAtMs = Date.now();
      Object.assign(globalThis, {
        waits,
        fetch: async (...args: Parameters<typeof fetch>) => {
          waits.push(Date.now() - readAtMs);
          const response = await fetch(...args);
          const text = await response.text();
          readAtMs = Date.now();
          return new Response(text, response);
        },
      });
    });
    await page.goto(String(checkout_url));
    const waits = () => page.evaluate<number[]>('waits');
    for (let nth = 1; nth <= 8; nth += 1) {
      await expect
        .poll(async () => {
          await page.clock.runFor(500);
          return (await waits()).length;
        })
        .toBeGreaterThanOrEqual(nth);
    }
    const [first = 0, ...others] = await waits();
    expect(others.at(-1)).toBeGreaterThan(2 * first);

    const show = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        const { document, Event } = globalThis as unknown as {
          document: { dispatchEvent(event: object): void };
          Event: new (type: string) => object;
        };
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await show(true);
    const before = (await waits()).length;
    await page.clock.runFor(60_000);
    await page.clock.runFor(60_000);
    expect(await waits()).toHaveLength(before);
    await show(false);
    await expect.poll(async () => (await waits()).length).toBe(before + 1);
  });

  test('leaves a payer where a form leads, however late its response comes', async () => {
    const { api } = await newMerchant();
    const { checkout_url, next_action: action } = await createForCheckout(api, { method: 'truemoney' });
    const page = await newPage();
    const [asked, paid, told, go] = [newHold(), newHold(), newHold(), newHold()];
    await page.route('**', async (route) => {
      const request = route.request();
      if (request.method() === 'POST') {
        const response = await route.fetch({ maxRedirects: 0 });
        paid.resolve();
        await go.promise;
        return route.fulfill({ response });
      }
      // The page asks whether the payment has changed, and is told when it has.
      if (request.resourceType() === 'fetch') {
        asked.resolve();
        await paid.promise;
        await route.fulfill({ response: await route.fetch() });
        return told.resolve();
      }
      return route.continue();
    });
    await page.goto(action?.type === 'redirect' ? action.url : '');
    await asked.promise;
    await page.getByRole('button', { name: 'Confirm the payment' }).click({ noWaitAfter: true });
    await told.promise;
    go.resolve();
    await page.waitForURL(String(checkout_url));
    await page.waitForSelector('.state.good');
  });
});
