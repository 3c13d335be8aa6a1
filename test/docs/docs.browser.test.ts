import { expect, test } from 'vitest';
import {
  accessibilityViolations,
  describeInBrowser,
  expectOnlyOwn,
  watch,
} from '../support/browser/browser.ts';
import { baseUrl } from '../support/world/merchant.ts';

const PATHS = [
  '/',
  '/docs',
  '/docs?q=webhook',
  '/docs?q=nothingness',
  '/docs/first-payment',
  '/docs/webhooks',
  '/docs/testing',
  '/docs/exam',
  '/docs/api/payments.CreatePayment',
  '/docs/api/events.ListEvents',
  '/docs/objects/Payment',
  '/docs/objects/NextAction',
  '/docs/events/payment.succeeded',
  '/errors',
  '/errors/invalid_state',
  '/nothing',
];
const SCREENS = [
  ['desktop', { width: 1_280, height: 900 }, 'light'],
  ['laptop', { width: 1_024, height: 768 }, 'dark'],
  ['phone', { width: 320, height: 640 }, 'light'],
] as const;

describeInBrowser('the documentation', ({ newPage }) => {
  test.each(SCREENS)('is accessible and scrolls one way, on a %s', async (_name, viewport, colorScheme) => {
    const page = await newPage({ viewport, colorScheme, javaScriptEnabled: true });
    const { requests, complaints } = watch(page);
    for (const path of PATHS) {
      await page.goto(baseUrl + path);
      expect(await accessibilityViolations(page), path).toEqual([]);
      const wider = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = (globalThis as unknown as { document: Document }).document
          .documentElement;
        return scrollWidth - clientWidth;
      });
      expect(wider, path).toBe(0);
    }
    expectOnlyOwn(requests, baseUrl);
    // The last page is one that is not there, which a browser notes.
    expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([]);
  });

  test('is searched and read without a script', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(`${baseUrl}/`);
    await page.getByRole('searchbox').fill('invalid_state');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'invalid_state', exact: true }).first().click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Not allowed in the current status',
    );
    await page.getByRole('link', { name: 'POST /api/v1/payments/{id}/cancel' }).click();
    await expect.poll(() => page.url()).toBe(`${baseUrl}/docs/api/payments.CancelPayment`);
    await page.getByRole('link', { name: 'Try it' }).click();
    await expect.poll(() => page.url()).toBe(`${baseUrl}/console#/api/payments.CancelPayment`);
  });
});
