import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, violationsInBothSchemes } from '../support/browser/browser.ts';
import { baseUrl } from '../support/world/merchant.ts';

const PATHS = ['/docs', '/docs/first-payment', '/docs/api/payments.CreatePayment', '/docs/objects/Payment'];
const DESK = { viewport: { width: 1_440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 } };
const LINE_MAX_CHARS = 68;

/** The characters of the longest line of each paragraph of the page. */
function longestLines(page: Page): Promise<number[]> {
  return page.locator('main > p').evaluateAll((paragraphs) =>
    (paragraphs as unknown as Node[]).map((paragraph) => {
      const { document } = globalThis as unknown as { document: Document };
      const range = document.createRange();
      range.selectNodeContents(paragraph);
      const { top } = range.getBoundingClientRect();
      const lineHeight = Number.parseFloat(getComputedStyle(paragraph as Element).lineHeight);
      const lines = new Map<number, number>();
      const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
      for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
        for (let index = 0; index < (text.textContent ?? '').length; index += 1) {
          range.setStart(text, index);
          range.setEnd(text, index + 1);
          const { y, height } = range.getBoundingClientRect();
          const line = Math.floor((y + height / 2 - top) / lineHeight);
          lines.set(line, (lines.get(line) ?? 0) + 1);
        }
      }
      return Math.max(...lines.values());
    }),
  );
}

/** The names of the samples that can be read. */
function shownSamples(page: Page): Promise<string[]> {
  return page
    .locator('.samples pre:visible')
    .evaluateAll((texts) =>
      texts.map((text) => (text as unknown as HTMLElement).parentElement?.dataset.sample ?? ''),
    );
}

describeInBrowser('the frame of the documentation', ({ newPage }) => {
  test.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])('is accessible on %s, in light and in dark, in both languages', async (_name, options) => {
    const page = await newPage(options);
    for (const path of PATHS) {
      for (const language of ['en', 'th']) {
        await page.goto(`${baseUrl}${path}?lang=${language}`);
        expect(await violationsInBothSchemes(page), `${path} ${language}`).toEqual([]);
      }
    }
  });

  test('keeps the language of samples on every page', async () => {
    const page = await newPage(DESK);
    await page.goto(`${baseUrl}/docs/first-payment`);
    expect(await shownSamples(page)).toEqual(['curl']);
    await page.getByRole('tab', { name: 'Python' }).click();
    expect(await shownSamples(page)).toEqual(['Python']);
    await page.goto(`${baseUrl}/docs/api/payments.CreatePayment`);
    expect(await shownSamples(page)).toEqual(['Python']);
    await page.getByRole('tab', { name: 'Python' }).press('ArrowRight');
    expect(await shownSamples(page)).toEqual(['Go']);
    await page.goto(`${baseUrl}/docs/webhooks`);
    expect(await shownSamples(page)).toEqual(['Go']);
    // The first guide has none in Go.
    await page.goto(`${baseUrl}/docs/first-payment`);
    expect(await shownSamples(page)).toEqual(['curl']);
  });

  test('shows all samples without a script', async () => {
    const page = await newPage({ ...DESK, javaScriptEnabled: false });
    await page.goto(`${baseUrl}/docs/api/payments.CreatePayment`);
    expect(await page.locator('.samples .of').allTextContents()).toEqual([
      'curl',
      'TypeScript',
      'Python',
      'Go',
      'PHP',
      'pg',
    ]);
    expect(await page.locator('.samples pre:visible').count()).toBe(6);
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  });

  test('copies the sample that is shown', async () => {
    const page = await newPage({ ...DESK, permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${baseUrl}/docs/api/payments.CreatePayment`);
    await page.getByRole('tab', { name: 'PHP' }).click();
    await page.locator('.samples').getByRole('button', { name: 'Copy' }).click();
    await page.locator('.samples').getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^<\?php\n\$request = stream_context_create/);
    expect(await page.getByRole('status').textContent()).toBe('Copied');
  });

  test('has behind the menu of a phone the contents and the search, without a script', async () => {
    const page = await newPage({ ...PHONE, javaScriptEnabled: false });
    await page.goto(`${baseUrl}/docs/first-payment`);
    expect((await page.locator('.bar').boundingBox())?.height).toBe(48);
    expect(await page.getByRole('navigation', { name: 'Contents' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Menu' }).click();
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.getByRole('link', { name: 'Refunds' }).click();
    await expect.poll(() => page.url()).toBe(`${baseUrl}/docs/refunds`);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('searchbox').fill('invalid_state');
    await page.getByRole('searchbox').press('Enter');
    await expect.poll(() => page.url()).toBe(`${baseUrl}/docs?q=invalid_state`);
  });

  test('says what is on the page: beside it on a desk, folded above it on a phone', async () => {
    const page = await newPage(DESK);
    await page.goto(`${baseUrl}/docs/exam`);
    const beside = page.getByRole('navigation', { name: 'On this page' });
    await beside.getByRole('link', { name: 'DUP-02', exact: false }).click();
    await expect.poll(() => page.url()).toBe(`${baseUrl}/docs/exam#dup-02`);
    const main = await page.locator('main').boundingBox();
    expect((await beside.boundingBox())?.x).toBeGreaterThan((main?.x ?? 0) + 500);
    await page.setViewportSize(PHONE.viewport);
    await page.goto(`${baseUrl}/docs/exam`);
    expect(await beside.count()).toBe(0);
    const link = page.locator('details.here').getByRole('link', { name: 'How to run it' });
    expect(await link.isVisible()).toBe(false);
    await page.getByText('On this page').filter({ visible: true }).click();
    await link.click();
    await expect.poll(() => page.url()).toBe(`${baseUrl}/docs/exam#how-to-run-it`);
  });

  test('is Thai for who reads Thai, says that guides are English, and keeps the choice', async () => {
    const page = await newPage({ ...DESK, locale: 'th-TH' });
    await page.goto(`${baseUrl}/docs/first-payment`);
    expect(await page.locator('html').getAttribute('lang')).toBe('th');
    expect(await page.locator('main').getAttribute('lang')).toBe('en');
    await page.getByText('คู่มือเป็นภาษาอังกฤษ').waitFor();
    await page.getByRole('button', { name: 'ค้นหา' }).waitFor();
    await page.getByRole('navigation', { name: 'ในหน้านี้' }).waitFor();
    await page.getByRole('button', { name: 'คัดลอก' }).first().waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    await expect.poll(() => page.url()).toBe(`${baseUrl}/docs/first-payment?lang=en`);
    await page
      .getByRole('navigation', { name: 'Contents' })
      .getByRole('link', { name: 'Webhooks', exact: true })
      .click();
    await expect.poll(() => page.url()).toBe(`${baseUrl}/docs/webhooks?lang=en`);
    await page.getByRole('searchbox').fill('refund');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect.poll(() => page.url()).toBe(`${baseUrl}/docs?q=refund&lang=en`);
    await page.getByRole('link', { name: 'ไทย' }).click();
    await expect.poll(() => page.url()).toBe(`${baseUrl}/docs?q=refund&lang=th`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('ค้นหา');
  });

  test('has at most 68 characters in a line of text on a desk', async () => {
    const page = await newPage(DESK);
    for (const path of ['/docs/first-payment', '/docs/exam', '/docs/going-live']) {
      await page.goto(baseUrl + path);
      expect(Math.max(...(await longestLines(page))), path).toBeLessThanOrEqual(LINE_MAX_CHARS);
    }
  });
});
