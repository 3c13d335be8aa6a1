import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { accessibilityViolations, describeInBrowser } from '../support/browser/browser.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { createLink } from '../support/world/resources.ts';

describeInBrowser('an address of payers', ({ newPage }) => {
  test.each([
    ['en', 'Payment not found'],
    ['th', 'ไม่พบรายการชำระเงินนี้'],
  ])('that is mistyped is a page that says what to do, in %s', async (locale, words) => {
    for (const place of ['/l/aaaaaaaaaa', '/l/x', '/l/', '/l/a/b', '/checkout/nobody', '/checkout/a/b']) {
      const page = await newPage({ locale });
      const response = await page.goto(`${baseUrl}${place}`);
      expect(response?.status(), place).toBe(404);
      expect(response?.headers()['content-type']).toMatch(/^text\/html/);
      expect(response?.headers()['content-security-policy']).toContain("default-src 'none'");
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(words);
      expect(await accessibilityViolations(page)).toEqual([]);
      await page.close();
    }
  });

  test('accepts a form from the open page, and refuses one from another site', async () => {
    const { api } = await newMerchant();
    const link = await createLink(api);
    const page = await newPage();
    await page.goto(link.url);
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByText('Choose how to pay').waitFor();
    const evil = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<form method="post" action="${link.url}"><button>Win</button></form>`);
    }).listen(0, '127.0.0.1');
    await once(evil, 'listening');
    onTestFinished(async () => {
      evil.closeAllConnections();
      await new Promise((resolve) => evil.close(resolve));
    });
    // The same machine by another name is another site.
    await page.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`);
    await page.getByRole('button', { name: 'Win' }).click();
    await page.getByText('This request came from another site').waitFor();
    expect((await api(operations.listPayments)).json.data).toHaveLength(1);
  });
});
