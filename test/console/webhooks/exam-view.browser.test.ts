import { expect, test } from 'vitest';
import { EXAM_QUESTIONS, guideOf, type QuestionId } from '../../../shared/contract/testkit/exam-questions.ts';
import { FAILED, PASSED, sampleReport } from '../../infra/exam/sample-report.ts';
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
const fileOf = (name: string, text: string) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(text),
});
/** What the page has to drop a file on itself. */
interface DropView {
  readonly DataTransfer: new () => { readonly items: { add(file: object): void } };
  readonly File: new (parts: string[], name: string) => object;
  readonly DragEvent: new (type: string, options: object) => Event;
}
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
    // The copy has the whole key, and the page does not.
    const command = page.locator('.text', { hasText: 'Command' });
    expect(await command.locator('pre').textContent()).toContain(
      `PG_BASE_URL=${baseUrl} PG_KEY=${secret.slice(0, 12)}… pg exam`,
    );
    await command.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied.split(' \\\n')[0]).toBe(`PG_BASE_URL=${baseUrl} PG_KEY=${secret} pg exam`);
    expect(await page.content()).not.toContain(secret);
    expect(page.url()).toBe(EXAM);
    await page.locator('nav').getByRole('link', { name: 'Home' }).click();
    await page.waitForSelector('.questions', { state: 'detached' });
    await turnWorld(page);
    await page.locator('#world').getByRole('link', { name: 'Exam for your receiver' }).click();
    await page.waitForSelector('.questions');
    expect(page.url()).toBe(`${EXAM}?world=open`);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });

  test('writes one command as boxes are ticked', async () => {
    const { page, complaints } = await openExam();
    const command = page.getByRole('region', { name: 'Command' });
    const run = page.getByRole('region', { name: 'Run it' });
    expect(await command.textContent()).toContain('PG_KEY=pg_test_your_key');
    const box = await run.getByLabel('Duplicates').boundingBox();
    expect([box?.width, box?.height]).toEqual([16, 16]);
    await run.getByLabel('Duplicates').check();
    await run.getByLabel('Refunds').check();
    await run.getByLabel(/^For people/).check();
    await run.getByLabel('Receiver of your webhooks').fill('https://shop.example.com/hooks?a=1');
    await run.getByLabel('Test address that tells of an order').fill('');
    expect(await command.textContent()).toBe(
      [
        `PG_BASE_URL=${baseUrl} PG_KEY=pg_test_your_key pg exam`,
        "--receiver 'https://shop.example.com/hooks?a=1'",
        '--order http://127.0.0.1:3000/orders',
        '--only DUP,REF',
        '--report exam.json',
        '--html exam.html',
      ].join(' \\\n  '),
    );
    await run.getByLabel('All questions').check();
    expect(await command.textContent()).not.toContain('--only');
    expect(complaints).toEqual([]);
  });

  test('opens the report of an exam from a file, and sends it nowhere', async () => {
    const { page, requests, complaints } = await openExam();
    const section = page.getByRole('region', { name: 'Open a report' });
    await section.locator('input').setInputFiles(fileOf('notes.json', '{"hello":1}'));
    await section.getByText('notes.json is no report of an exam').waitFor();
    const before = requests.length;
    await section.locator('input').setInputFiles(fileOf('exam.json', JSON.stringify(sampleReport())));
    await section.getByText('1 of 3 questions passed').waitFor();
    await section.getByText('The shop is not ready.').waitFor();
    const open = section.locator('details[open]');
    expect(await open.count()).toBe(1);
    expect(await open.textContent()).toContain(`failed ${FAILED.id} ${FAILED.title}`);
    expect(await open.textContent()).toContain('Wasthey went out twice');
    expect(await open.getByRole('link').getAttribute('href')).toBe(guideOf('DUP-02'));
    expect(await section.locator('details').allTextContents()).toHaveLength(3);
    expect(requests.length).toBe(before);
    await section.getByRole('button', { name: 'Close the report' }).click();
    // Dropped, the file is opened here, and not by the browser.
    await section.evaluate(
      (target, text) => {
        const view = globalThis as unknown as DropView;
        const files = new view.DataTransfer();
        files.items.add(new view.File([text], 'dropped.json'));
        target.dispatchEvent(
          new view.DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }),
        );
      },
      JSON.stringify(sampleReport([PASSED])),
    );
    await section.getByText('1 of 1 question passed').waitFor();
    await section.getByText('dropped.json').waitFor();
    expect(complaints).toEqual([]);
  });

  test.each([1_280, 390, 320])('is for everybody, %i px wide', async (width) => {
    const { secret } = await newMerchant();
    const { page, complaints } = await openExam({ viewport: { width, height: 800 } });
    await page.fill('#key', secret);
    await page.press('#key', 'Enter');
    await page.waitForSelector('#clock-now');
    const report = fileOf('exam.json', JSON.stringify(sampleReport()));
    await page.getByRole('region', { name: 'Open a report' }).locator('input').setInputFiles(report);
    await page.locator('.results').waitFor();
    const violations = await violationsInBothSchemes(page, async () => {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    });
    expect(violations).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
