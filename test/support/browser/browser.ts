import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { CHROMIUM_ARGS, chromiumPath, requireChromium } from './chromium.ts';

/** Nearly as long as a test may take: a busy machine is slow, and an error is still an error at the end. */
const TIMEOUT_MS = 500_000;

export interface BrowserTests {
  /** A page of a browser that knows nothing of any other test. It is closed with its test. */
  newPage(options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
}

/**
 * Tests in a real Chromium. Where none is installed they are skipped, and say so; where CI is set, they fail instead,
 * for there the skip would go unseen.
 * @param args further ones of its command line
 */
export function describeInBrowser(
  name: string,
  tests: (browser: BrowserTests) => void,
  args: () => Promise<readonly string[]> = async () => [],
): void {
  const isSkipped = chromiumPath === undefined && process.env.CI === undefined;
  if (isSkipped) {
    console.warn(
      `Skipped: ${name}. No Chromium is installed (Debian: apt install chromium), nor named by CHROMIUM.`,
    );
  }
  describe.skipIf(isSkipped)(name, () => {
    let browser: Browser;
    beforeAll(async () => {
      const launch = {
        executablePath: requireChromium(),
        args: [...CHROMIUM_ARGS, ...(await args())],
        timeout: TIMEOUT_MS,
      };
      browser = await chromium.launch(launch);
    });
    afterAll(() => browser?.close());
    tests({
      newPage: async (options) => {
        const context = await browser.newContext(options);
        context.setDefaultTimeout(TIMEOUT_MS);
        const page = await context.newPage();
        onTestFinished(async () => {
          // What a test holds for the page ends with it.
          if (!page.isClosed()) {
            await page.unrouteAll({ behavior: 'ignoreErrors' });
          }
          // A page that stays open goes on sending requests.
          await context.close();
        });
        return page;
      },
    });
  });
}

/** The module itself has the unminified source, which takes a page twice as long to parse. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** WCAG 2.2 A and AA, and best practices. */
const RULES: axe.RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const CONTRAST: axe.RunOnly = { type: 'rule', values: ['color-contrast'] };
/** The scheme changes the contrast alone. */
const RULES_BY_SCHEME = { light: RULES, dark: CONTRAST } as const;

/** Everything that axe finds in the page as it is, as `rule: element`. */
export function accessibilityViolations(page: Page): Promise<string[]> {
  return runAxe(page, RULES);
}

/**
 * Everything that axe finds in light and in dark.
 * @param look called with the page in each scheme
 */
export async function violationsInBothSchemes(
  page: Page,
  look: (scheme: 'light' | 'dark') => Promise<unknown> = async () => {},
): Promise<string[]> {
  const found: string[] = [];
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    const violations = await runAxe(page, RULES_BY_SCHEME[scheme]);
    found.push(...violations.map((violation) => `in ${scheme}, ${violation}`));
    await look(scheme);
  }
  return found;
}

/** The window of a page with axe in it. */
interface ScrolledView {
  readonly axe: typeof import('axe-core');
  readonly scrollX: number;
  readonly scrollY: number;
  scrollTo(x: number, y: number): void;
}

async function runAxe(page: Page, runOnly: axe.RunOnly): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) {
    await page.evaluate(AXE);
  }
  return page.evaluate(async (rules) => {
    const view = globalThis as unknown as ScrolledView;
    const { axe, scrollX, scrollY } = view;
    // Where a page is scrolled to depends on what was there when something was pressed, and half of a link may lie
    // beneath a bar that stays: axe would find it too small.
    view.scrollTo(0, 0);
    // What passes does not leave the page.
    const { violations } = await axe.run({ runOnly: rules, resultTypes: ['violations'] });
    view.scrollTo(scrollX, scrollY);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  }, runOnly);
}

/** Records the requests of a page, and the errors and warnings of its console. */
export function watch(page: Page): { requests: string[]; complaints: string[] } {
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { requests, complaints };
}

/** Until the QR of a checkout page is loaded: once its payment is paid, it is no longer served. */
export async function untilQrIsThere(page: Page): Promise<void> {
  const qr = page.locator('img.qr');
  // Not waitForFunction, which evaluates a text in the page: its policy forbids that.
  await expect
    .poll(() => qr.evaluate((image) => (image as unknown as { complete: boolean }).complete))
    .toBe(true);
}

/** Every request goes to the service itself, or is a data URL. */
export function expectOnlyOwn(requests: readonly string[], baseUrl: string): void {
  const foreign = requests.filter((request) => {
    const url = request.slice(request.indexOf(' ') + 1);
    return !url.startsWith(`${baseUrl}/`) && !url.startsWith('data:');
  });
  expect(foreign).toEqual([]);
}
