import type { Page } from 'playwright-core';
import { watch } from './browser.ts';
import { CONSOLE, type NewPage, turnWorld } from './dashboard.ts';

export const CREATE_PAYMENT = `${CONSOLE}#/api/payments.CreatePayment`;
/** Longer than the pause between two reads of the test world. */
export const POLL_PAUSE_MS = 4_500;
type Hold = PromiseWithResolvers<void>;

export async function openConsole(
  newPage: NewPage,
  options?: Parameters<NewPage>[0],
  prepare: (page: Page) => Promise<unknown> = async () => {},
) {
  const page = await newPage(options);
  const watched = watch(page);
  await prepare(page);
  const response = await page.goto(CREATE_PAYMENT);
  await page.waitForSelector('.bench');
  return { page, response, ...watched };
}

export async function connected(newPage: NewPage, secret: string, options?: Parameters<NewPage>[0]) {
  const opened = await openConsole(newPage, options);
  await connect(opened.page, secret);
  return opened;
}

export async function connect(page: Page, secret: string): Promise<void> {
  await page.fill('#key', secret);
  await page.press('#key', 'Enter');
  await page.waitForSelector('#clock-now');
}

export async function choose(page: Page, id: string): Promise<void> {
  // Choosing a form again renders it again, and no event says when.
  if (!(await page.isVisible(`nav a[href="#/api/${id}"][aria-current]`))) {
    await page.click(`nav a[href="#/api/${id}"]`);
    await page.waitForSelector(`nav a[href="#/api/${id}"][aria-current]`);
  }
}

export async function openWorld(page: Page): Promise<void> {
  await turnWorld(page);
  await page.waitForSelector('#world');
}

export async function send(page: Page): Promise<void> {
  await page.click('.bench .send button');
  await page.waitForSelector('.outcome-area:not([aria-busy]) > *');
}

export const statusOf = (page: Page) => page.textContent('.response .status');
export const keyOf = (page: Page) => page.inputValue('[id="payments.CreatePayment.idempotency-key"]');
export const idOf = (page: Page) => page.inputValue('[id="payments.GetPayment.path.id"]');
export const created = async (page: Page) => {
  await choose(page, 'payments.CreatePayment');
  await send(page);
  await page.waitForSelector('.response .s2');
  return JSON.parse(String(await page.textContent('.response pre'))).id as string;
};

/**
 * Holds back the service's responses to one request of the page until they are released: the first ones by
 * `letGo`, all others by `end`.
 */
export async function holdAnswers(page: Page, question: RegExp, first: number) {
  const [given, letGo, end] = [0, 0, 0].map(() => Promise.withResolvers<void>()) as [Hold, Hold, Hold];
  let count = 0;
  await page.route(question, async (route) => {
    if (route.request().method() !== 'GET') {
      return route.continue();
    }
    const response = await route.fetch();
    count += 1;
    const hold = count <= first ? letGo : end;
    if (count === first) {
      given.resolve();
    }
    await hold.promise;
    await route.fulfill({ response });
  });
  return { areGiven: given.promise, letGo: letGo.resolve, end: end.resolve };
}
