import type { Page } from 'playwright-core';
import { baseUrl } from '../world/merchant.ts';
import { watch } from './browser.ts';
import type { NewPage } from './dashboard.ts';

/** No server listens there. */
export const NOBODY = 'http://127.0.0.1:1029/hook';

export async function openWebhooks(newPage: NewPage, secret: string, options?: Parameters<NewPage>[0]) {
  const page = await newPage(options);
  const watched = watch(page);
  await connect(page, secret);
  return { page, ...watched };
}

export async function connect(page: Page, secret: string): Promise<void> {
  await page.goto(`${baseUrl}/console#/webhooks`);
  await page.fill('#key', secret);
  await page.press('#key', 'Enter');
  await page.getByRole('button', { name: 'Create an endpoint' }).waitFor();
}

export const press = (page: Page, name: string) =>
  page.locator('main').getByRole('button', { name, exact: true }).first().click();
/** Chooses from the menu of an endpoint. */
export const choose = async (page: Page, name: string) => {
  await page.click('#endpoint-menu');
  await press(page, name);
};
export const openEndpoint = async (page: Page, url: string) => {
  await page.getByRole('link', { name: url, exact: true }).click();
  await page.getByRole('heading', { name: url, level: 2 }).waitFor();
};
export const answer = (page: Page, name: string) =>
  page.locator('dialog').getByRole('button', { name, exact: true }).click();
export const reports = (page: Page, text: string | RegExp) =>
  page.locator('main .report', { hasText: text }).waitFor();

/** Reads the secret that is shown, and closes it. */
export async function takeSecret(page: Page): Promise<string> {
  const secret = await page.textContent('dialog pre');
  await answer(page, 'Done');
  await page.waitForSelector('dialog', { state: 'detached' });
  return String(secret);
}
