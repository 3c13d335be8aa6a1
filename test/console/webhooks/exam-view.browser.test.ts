import { expect, test } from 'vitest';
import { EXAM_QUESTIONS, guideOf, type QuestionId } from '../../../shared/contract/testkit/exam-questions.ts';
import {
  describeInBrowser,
  expectOnlyOwn,
  violationsInBothSchemes,
  watch,
} from '../../support/browser/browser.ts';
import { turnWorld } from '../../support/browser/dashboard.ts';
import { newMerchant } from '../../support/world/api.ts';
import { baseUrl } from '../../support/world/merchant.ts';

const EXAM = `${baseUrl}/console#/exam`;
const IDS = Object.keys(EXAM_QUESTIONS) as QuestionId[];

describeInBrowser('the exam in the dashboard', ({ newPage }) => {
  async function openExam(options?: Parameters<typeof newPage>[0]) {
    const page = await newPage(options);
    const watched = watch(page);
    await page.goto(EXAM);
    await page.waitForSelector('.questions');
    return { page, ...watched };
  }

  test('shows every question with its words and its guide, also after a reload', async () => {
    const { page, requests, complaints } = await openExam();
    await page.reload();
    await page.waitForSelector('.questions');
    expect(page.url()).toBe(EXAM);
    const shown = await page.locator('.questions li').allTextContents();
    expect(shown).toEqual(
      IDS.map((id) => {
        const { title, must, why } = EXAM_QUESTIONS[id];
        return `${id} ${title}${must}${why}${id} in the guide`;
      }),
    );
    const guides = page.locator('.questions a');
    const addresses = await guides
      .all()
      .then((all) => Promise.all(all.map((link) => link.getAttribute('href'))));
    expect(addresses).toEqual(IDS.map(guideOf));
    // By a request and not by a click: the guide opens beside the dashboard.
    const guide = await page.request.get(`${baseUrl}${guideOf('DUP-01')}`, {
      headers: { accept: 'text/html' },
    });
    expect(await guide.text()).toContain('id="dup-01"');
    expectOnlyOwn(requests, baseUrl);
    expect(complaints).toEqual([]);
  });

  test('is reached from the webhooks and from the test world, and copies a command', async () => {
    const { secret } = await newMerchant();
    const page = await newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${baseUrl}/console#key=${secret}`);
    await page.waitForSelector('#clock-now');
    await page.locator('nav').getByRole('link', { name: 'Webhooks' }).click();
    await page.locator('main').getByRole('link', { name: 'exam', exact: true }).click();
    await page.waitForSelector('.questions');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Exam');
    expect(await page.locator('.rail [aria-current]').textContent()).toBe('Exam');
    await page
      .locator('.text', { hasText: 'Name this service' })
      .getByRole('button', { name: 'Copy' })
      .click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `export PG_BASE_URL='${baseUrl}'\nexport PG_KEY=pg_test_your_key`,
    );
    await page.locator('nav').getByRole('link', { name: 'Home' }).click();
    await page.waitForSelector('.questions', { state: 'detached' });
    await turnWorld(page);
    await page.locator('#world').getByRole('link', { name: 'Exam for your receiver' }).click();
    await page.waitForSelector('.questions');
    expect(page.url()).toBe(`${EXAM}?world=open`);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });

  test.each([1_280, 390, 320])('is for everybody, %i px wide', async (width) => {
    const { secret } = await newMerchant();
    const { page, complaints } = await openExam({ viewport: { width, height: 800 } });
    await page.fill('#key', secret);
    await page.press('#key', 'Enter');
    await page.waitForSelector('#clock-now');
    const violations = await violationsInBothSchemes(page, async () => {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    });
    expect(violations).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
