import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import type { PaymentOutcome } from '../../shared/domain/payment.ts';
import { type Client, newMerchant } from '../support/api.ts';
import {
  accessibilityViolations,
  describeInBrowser,
  WCAG_AND_BEST_PRACTICES,
  watch,
} from '../support/browser.ts';
import { baseUrl } from '../support/merchant.ts';
import { advance, createLink, createPayment } from '../support/resources.ts';

/** What the workflow keeps of a run: every state of the pages as pictures. */
const PICTURES = 'artifacts/checkout';
const SIZES = {
  desktop: { width: 1_440, height: 900 },
  laptop: { width: 1_024, height: 768 },
  phone: { width: 375, height: 740 },
} as const;
const NARROWEST = { width: 320, height: 640 };
const SCHEMES = ['light', 'dark'] as const;
const LANGUAGES = ['th', 'en'] as const;
/** No place to break at. */
const LONG_WORD = 'w'.repeat(250);

const thb = (minor: number) => ({ currency: 'THB', minor }) as const;

let addresses: Readonly<Record<string, string>>;

/** A payment in each state that a payer can see, and a link in each of its own. */
async function addressesOf(api: Client, later: Client): Promise<Record<string, string>> {
  const create = (body: object) =>
    createPayment(api, { checkout: true, description: 'Two tickets', reference: 'order-1042', ...body });
  const after = async (outcome: PaymentOutcome, more: object = {}) => {
    const payment = await create({});
    const params = { id: payment.id };
    await api(operations.simulatePayment, { params, body: { outcome, ...more } });
    return payment;
  };
  const refunded = await after('succeeded');
  const half = { params: { id: refunded.id }, body: { amount: thb(400) } };
  const { json: refund } = await api(operations.requestRefund, half);
  await api(operations.simulateRefund, { params: { id: refund.id }, body: { outcome: 'succeeded' } });
  await api(operations.requestRefund, half);
  const canceled = await create({});
  await api(operations.cancelPayment, { params: { id: canceled.id }, body: {} });
  const wallet = await create({ method: 'truemoney' });
  const [expired, late] = [
    await createPayment(later, { checkout: true }),
    await createPayment(later, { checkout: true }),
  ];
  await advance(later, 3_600);
  await later(operations.simulatePayment, { params: { id: late.id }, body: { outcome: 'succeeded' } });
  const open = { amount: { type: 'open', min: thb(2_000) }, description: LONG_WORD };
  const disabled = await createLink(api);
  await api(operations.disablePaymentLink, { params: { id: disabled.id }, body: {} });
  return {
    choice: String((await create({ method: undefined })).checkout_url),
    promptpay: String((await create({})).checkout_url),
    'bank-transfer': String((await create({ method: 'bank_transfer' })).checkout_url),
    wallet: String(wallet.checkout_url),
    'at-wallet': `${wallet.checkout_url}?step=provider`,
    'long-word': String((await create({ description: LONG_WORD, reference: LONG_WORD })).checkout_url),
    processing: String((await after('pending')).checkout_url),
    mismatch: String((await after('mismatch', { amount: thb(900) })).checkout_url),
    succeeded: String((await after('succeeded')).checkout_url),
    refunded: String(refunded.checkout_url),
    failed: String((await after('failed', { result_code: 'X-42' })).checkout_url),
    canceled: String(canceled.checkout_url),
    expired: String(expired.checkout_url),
    late: String(late.checkout_url),
    'link-fixed': (await createLink(api)).url,
    'link-open': (await createLink(api, open)).url,
    'link-ended': disabled.url,
    'not-found': `${baseUrl}/l/aaaaaaaaaa`,
  };
}

const STATES = [
  'choice',
  'promptpay',
  'bank-transfer',
  'wallet',
  'at-wallet',
  'long-word',
  'processing',
  'mismatch',
  'succeeded',
  'refunded',
  'failed',
  'canceled',
  'expired',
  'late',
  'link-fixed',
  'link-open',
  'link-ended',
  'not-found',
] as const;

/** What a page says of its state, in English. */
const TOLD: Readonly<Partial<Record<(typeof STATES)[number], readonly string[]>>> = {
  processing: ['Confirming your payment', 'Please do not pay again.', 'This page updates itself.'],
  mismatch: [
    'The amount received is not the amount asked for',
    'Received',
    '9.00',
    'Asked for',
    '10.00',
    'Contact',
  ],
  succeeded: ['10.00', 'Paid on', 'Paid by', 'PromptPay', 'Payment code', 'P-0000'],
  refunded: ['Paid on', '4.00'],
  failed: ['X-42'],
  expired: ['please do not pay again'],
  canceled: ['please do not pay again'],
  late: ['The money has arrived, but after the time was over', 'Paid on'],
  'link-ended': ['Please ask the shop for a new link.'],
};

/** The page at every size, light and dark: what axe finds there, and whether it scrolls sideways on a small phone. */
async function walk(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const violations = await accessibilityViolations(page, WCAG_AND_BEST_PRACTICES);
      found.push(...violations.map((violation) => `${size} ${colorScheme} ${violation}`));
      await page.screenshot({ path: `${PICTURES}/${name}.${size}.${colorScheme}.png`, fullPage: true });
    }
  }
  await page.setViewportSize(NARROWEST);
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  return isTooWide ? [...found, 'scrolls sideways'] : found;
}

describeInBrowser('every state of the pages of payers', ({ newPage }) => {
  beforeAll(async () => {
    await mkdir(PICTURES, { recursive: true });
    const [{ api }, { api: later }] = await Promise.all([newMerchant(), newMerchant()]);
    addresses = await addressesOf(api, later);
  });

  test.each(STATES)('%s is accessible at every size, in both languages, light and dark', async (state) => {
    const inLanguage = async (language: (typeof LANGUAGES)[number]) => {
      const page = await newPage({ locale: 'fr-FR' });
      const { complaints } = watch(page);
      const url = new URL(String(addresses[state]));
      url.searchParams.set('lang', language);
      await page.goto(url.href);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      expect(await page.locator('nav [aria-current]').getAttribute('lang')).toBe(language);
      const told = await page.locator('main').innerText();
      expect((language === 'en' ? (TOLD[state] ?? []) : []).filter((text) => !told.includes(text))).toEqual(
        [],
      );
      expect(await walk(page, `${state}.${language}`)).toEqual([]);
      // Chromium logs an error for a page of a link that has ended, or of none.
      expect(complaints.filter((complaint) => !/404|410/.test(complaint))).toEqual([]);
      await page.close();
    };
    await Promise.all(LANGUAGES.map(inLanguage));
  });

  test('processing says without a script to reload, and not that it updates itself', async () => {
    const page = await newPage({ locale: 'en', javaScriptEnabled: false });
    await page.goto(String(addresses.processing));
    const told = await page.locator('main').innerText();
    expect(told).toContain('Reload this page to see the result.');
    expect(told).not.toContain('updates itself');
  });
});
