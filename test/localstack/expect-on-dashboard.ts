import { chromium } from 'playwright-core';
import type { Stage } from '../deployed/stage.ts';
import { CHROMIUM_ARGS, requireChromium } from '../support/browser/chromium.ts';

const SHOWN_WITHIN_MS = 120_000;

/**
 * Opens the home page of the dashboard in Chromium.
 * @throws Error where it does not list the payment with this reference
 */
export async function expectOnDashboard({ baseUrl, key }: Stage, reference: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: requireChromium(), args: [...CHROMIUM_ARGS] });
  try {
    const page = await browser.newPage();
    await page.goto(`${baseUrl}/console#key=${key}`);
    const row = page.locator('.data tbody tr', { hasText: reference });
    await row
      .first()
      .waitFor({ timeout: SHOWN_WITHIN_MS })
      .catch(async (error: Error) => {
        throw new Error(
          `the dashboard does not show ${reference}: ${error.message}\n${await page.content()}`,
        );
      });
  } finally {
    await browser.close();
  }
}
