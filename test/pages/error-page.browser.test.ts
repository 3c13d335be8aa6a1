import { expect, test } from 'vitest';
import { entryOf } from '../../shared/errors/catalogue.ts';
import { accessibilityViolations, describeInBrowser, expectOnlyOwn, watch } from '../support/browser.ts';
import { baseUrl } from '../support/merchant.ts';

describeInBrowser('the page that explains an error code', ({ newPage }) => {
  test('is self-contained and accessible', async () => {
    const page = await newPage();
    const { requests, complaints } = watch(page);
    await page.goto(`${baseUrl}/errors/invalid_state`);
    expect(await page.textContent('h1')).toBe(entryOf('invalid_state').title);
    expect(await accessibilityViolations(page)).toEqual([]);
    expectOnlyOwn(requests, baseUrl);
    expect(complaints).toEqual([]);
  });
});
