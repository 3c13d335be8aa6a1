import type { Page } from 'playwright-core';
import { baseUrl } from '../world/merchant.ts';
import { type BrowserTests, watch } from './browser.ts';

export const CONSOLE = `${baseUrl}/console`;
export const LIVE_KEY = `pg_live_${'A1b2C3d4'.repeat(4)}a1b2c3`;

export type NewPage = BrowserTests['newPage'];

/** Opens the dashboard by a link that has the key, as `npm start` prints it. */
export async function openByLink(newPage: NewPage, secret: string, options?: Parameters<NewPage>[0]) {
  const page = await newPage(options);
  const watched = watch(page);
  await page.goto(`${CONSOLE}#key=${secret}`);
  await page.waitForSelector('#clock-now');
  return { page, ...watched };
}

export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate(`location.hash = '#/${place}'`);
}

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true, level: 2 }).waitFor();
export const rows = (page: Page) => page.locator('.data tbody tr');
export const stored = (page: Page) => page.evaluate('JSON.stringify({ ...sessionStorage })');
export const idFact = (page: Page, id: string) => page.locator(`.facts-list [title="${id}"]`);

/** Opens or closes the drawer of the test world. */
export async function turnWorld(page: Page): Promise<void> {
  await page.click('#clock-button');
  await page.click('#world-button');
}

/** Opens the menu of the merchant, which is always seen on wide screens. */
export async function openMenu(page: Page): Promise<void> {
  if (await page.locator('#more').isVisible()) {
    await page.click('#more');
  }
}

export async function forgetKey(page: Page): Promise<void> {
  await openMenu(page);
  await page.locator('.forget:visible').click();
}
