import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { createClient } from '../../shared/client/client.ts';
import { startOnLeash } from '../bench/start-on-leash.ts';
import { sampleReport } from '../infra/exam/sample-report.ts';
import { CHROMIUM_ARGS, requireChromium } from '../support/browser/chromium.ts';

/*
 * node test/pictures/take.ts FOLDER: pictures of every page of the dashboard and of a payer's page, at three widths, light
 * and dark, in both languages, and one sheet with all of them.
 */

const WIDTHS = [1_440, 1_024, 390] as const;
const SCHEMES = ['light', 'dark'] as const;
const LOCALES = ['en-US', 'th-TH'] as const;
const PHONE_MAX = 500;
const HEIGHT = 900;
const SETTLE_MS = 400;
/** No server listens there. */
const NOBODY = 'http://127.0.0.1:1029/webhooks';
/** The page of the exam, once a report is opened. */
const WITH_REPORT = 'exam-report';
const REPORT = {
  name: 'exam.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(sampleReport())),
};
const ORDER = {
  amount: { currency: 'THB', minor: 129_900 },
  checkout: true,
  description: 'Two tickets to Chiang Mai',
} as const;
const READING = /^(?:Reading|กำลังโหลด) …$/;

const [folder = 'pictures'] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const service = await startOnLeash([process.execPath, 'infra/local/start.ts']);
const browser = await chromium.launch({ executablePath: requireChromium(), args: [...CHROMIUM_ARGS] });
try {
  const places = await seed();
  const taken: string[] = [];
  for (const width of WIDTHS) {
    for (const scheme of SCHEMES) {
      for (const locale of LOCALES) {
        taken.push(...(await takeAll(browser, places, { width, scheme, locale })));
      }
    }
  }
  await writeSheet(browser, taken);
  console.log(`${taken.length} pictures and sheet.png are in ${folder}.`);
} finally {
  await browser.close();
  await service.stop();
}

/** Pages by name, each with its address: the dashboard in a month of a shop, and the page of a payer. */
async function seed(): Promise<Readonly<Record<string, string>>> {
  const client = createClient({ baseUrl: service.baseUrl, key: service.key });
  await client.seedTestData({ profile: 'month' });
  const waiting = await client.createPayment({ ...ORDER, method: 'promptpay', reference: 'order-1042' });
  const late = await client.createPayment({
    amount: { currency: 'THB', minor: 45_000 },
    method: 'truemoney',
  });
  const sink = await client.createWebhookSink({ name: 'shop' });
  const endpoint = await client.createWebhookEndpoint({
    url: NOBODY,
    description: 'Orders of the shop',
    events: ['payment.*', 'refund.succeeded'],
  });
  await client.advanceClock({ seconds: 3_600 });
  await client.simulatePayment(late.id, { outcome: 'succeeded' });
  await client.updateWebhookSink(sink.id, { fail_count: 1, respond_status: 500 });
  const open = await client.createPayment({ ...ORDER, method: 'promptpay', reference: 'order-1043' });
  const undecided = await client.createPayment(ORDER);
  const paid = await client.createPayment({ ...ORDER, method: 'promptpay', reference: 'order-1044' });
  await client.simulatePayment(paid.id, { outcome: 'succeeded' });
  const failed = await client.createPayment({ ...ORDER, method: 'truemoney', reference: 'order-1045' });
  await client.simulatePayment(failed.id, { outcome: 'failed' });
  const [link] = (await client.listPaymentLinks({ limit: 1 })).data;
  const [mismatched] = (await client.listSettlements({ status: 'mismatched', limit: 1 })).data;
  const [payout] = (await client.listPayouts({ limit: 1 })).data;
  await client.advanceClock({ seconds: 10 });
  const { data } = await client.listEvents({ resource_id: open.id });
  const routes = {
    home: '',
    'home-90-days': '?days=90',
    payments: 'payments',
    'payment-late': `payments/${late.id}`,
    'payment-expired': `payments/${waiting.id}`,
    search: 'search?q=1299',
    refunds: 'refunds',
    links: 'links',
    link: `links/${link?.id}`,
    money: 'money',
    settlement: `settlements/${mismatched?.id}`,
    payout: `payouts/${payout?.id}`,
    'nothing-found': 'payments?status=failed&method=installment',
    events: 'events',
    'event-failed': `events/${data[0]?.id}`,
    webhooks: 'webhooks',
    endpoint: `webhooks/${endpoint.id}`,
    requests: 'requests',
    exam: 'exam',
    [WITH_REPORT]: 'exam?report',
    api: 'api/payments.CreatePayment',

    'payment-form': 'payments',
    'link-form': 'links',
    'endpoint-form': 'webhooks',
    'refund-form': `payments/${paid.id}`,
    nowhere: 'nowhere',
    world: '?world=open',
  };
  return {
    ...Object.fromEntries(
      Object.entries(routes).map(([name, route]) => [name, `${service.baseUrl}/console#/${route}`]),
    ),
    checkout: String(open.checkout_url),
    'checkout-choose': String(undecided.checkout_url),
    'checkout-paid': String(paid.checkout_url),
    'checkout-failed': String(failed.checkout_url),
    'checkout-expired': String(waiting.checkout_url),
    'pay-link': String(link?.url),
    docs: `${service.baseUrl}/docs`,
    'docs-guide': `${service.baseUrl}/docs/webhooks`,
    'docs-exam': `${service.baseUrl}/docs/exam`,
    'docs-operation': `${service.baseUrl}/docs/api/payments.CreatePayment`,
  };
}

interface Look {
  readonly width: number;
  readonly scheme: (typeof SCHEMES)[number];
  readonly locale: string;
}

/** @returns the files */
async function takeAll(
  shown: Browser,
  places: Awaited<ReturnType<typeof seed>>,
  { width, scheme, locale }: Look,
): Promise<string[]> {
  const isPhone = width < PHONE_MAX;
  const context = await shown.newContext({
    viewport: { width, height: HEIGHT },
    colorScheme: scheme,
    locale,
    isMobile: isPhone,
    hasTouch: isPhone,
  });
  const page = await context.newPage();
  const files: string[] = [];
  const take = async (name: string) => {
    const file = `${name}.${width}.${scheme}.${locale.slice(0, 2)}.png`;
    await page.screenshot({ path: path.join(folder, file) });
    files.push(file);
  };
  await page.goto(`${service.baseUrl}/console`);
  await page.locator('form').waitFor();
  await take('sign-in');
  await page.goto(`${service.baseUrl}/console#key=${service.key}`);
  await page.waitForSelector('#clock-now');
  for (const [name, address] of Object.entries(places)) {
    await page.goto(address);
    await page.waitForLoadState('networkidle');
    // What the view reads has begun by now.
    await page.waitForTimeout(SETTLE_MS);
    await page.locator('.hint:visible', { hasText: READING }).first().waitFor({ state: 'detached' });
    if (name === WITH_REPORT) {
      await page.locator('.drop input').setInputFiles(REPORT);
      await page.locator('.drop .results').scrollIntoViewIfNeeded();
    }
    const isForm = name.endsWith('-form');
    if (isForm) {
      await page.locator('.view button.primary, .possible button').first().click();
      await page.getByRole('dialog').waitFor();
    }
    await take(name);
    if (isForm) {
      await page.keyboard.press('Escape');
    }
  }
  await context.close();
  return files;
}

/** One page with all pictures, each with its name. */
async function writeSheet(shown: Browser, files: readonly string[]): Promise<void> {
  const figures = files.map(
    (file) => `<figure><img src="${file}"><figcaption>${file.replace('.png', '')}</figcaption></figure>`,
  );
  const sheet = path.resolve(folder, 'sheet.html');
  await writeFile(
    sheet,
    `<!doctype html><meta charset="utf-8"><style>body { display: flex; flex-wrap: wrap; gap: 12px; font: 12px sans-serif } img { height: 240px; display: block } figure { margin: 0 }</style>${figures.join('')}`,
  );
  const page = await shown.newPage({ viewport: { width: 1_920, height: 1_080 } });
  await page.goto(pathToFileURL(sheet).href);
  await page.screenshot({ path: path.join(folder, 'sheet.png'), fullPage: true });
}
