// @module-tag nightly
import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { CHOICES_MAX, type PaymentOutcome } from '../../shared/domain/payment.ts';
import { PAYMENT_METHODS } from '../../shared/domain/payment-method.ts';
import type { PaymentId } from '../../shared/domain/request-start.ts';
import type { ErrorCode } from '../../shared/errors/catalogue.ts';
import { renderProblemPage } from '../../shared/pages/problem-page.ts';
import { textsOf } from '../../shared/pages/texts.ts';
import { describeInBrowser, violationsInBothSchemes, watch } from '../support/browser/browser.ts';
import { type Client, clientOf, newMerchant } from '../support/world/api.ts';
import { aPayment } from '../support/world/entities.ts';
import { newConnected } from '../support/world/live-merchant.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { createLink, createPayment, moveClock } from '../support/world/resources.ts';

/** What the workflow keeps of a run: every state of the pages as pictures. */
/** A folder for a picture of each state; without one, none are taken. */
const { PICTURES } = process.env;
const SIZES = {
  desktop: { width: 1_440, height: 900 },
  laptop: { width: 1_024, height: 768 },
  phone: { width: 375, height: 740 },
} as const;
const NARROWEST = { width: 320, height: 640 };
const LANGUAGES = ['th', 'en'] as const;
/** No place to break at. */
const LONG_WORD = 'w'.repeat(250);

const { commit } = await import('../../shared/store/table/commit.ts');
const { countChoice } = await import('../../shared/store/money/choices.ts');

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
  const expires_at = new Date(Date.now() + 1_800_000).toISOString();
  const expiredLink = await createLink(later, { expires_at });
  await moveClock(later, 3_600);
  await later(operations.simulatePayment, { params: { id: late.id }, body: { outcome: 'succeeded' } });
  const open = { amount: { type: 'open', min: thb(2_000) }, description: LONG_WORD };
  const collecting = {
    ...open,
    description: 'Tip jar',
    collect: { name: 'required', email: 'required', phone: 'optional' },
  };
  const [used, reserved] = [await createLink(api, { max_uses: 1 }), await createLink(api, { max_uses: 1 })];
  await payBy(reserved.url);
  const paid = String((await payBy(used.url)).headers.get('location'));
  await fetch(paid, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ action: 'pay', version: '1' }),
  });
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
    'form-errors': (await createLink(api, collecting)).url,
    'too-many-tries': (await createLink(api)).url,
    // One for each language, since the button works once.
    'late-coming.th': String((await create({})).checkout_url),
    'late-coming.en': String((await create({})).checkout_url),
    'link-exhausted': used.url,
    'link-reserved': reserved.url,
    'link-expired': expiredLink.url,
    'link-disabled': disabled.url,
    ...(await liveAddresses()),
    'not-found': `${baseUrl}/l/aaaaaaaaaa`,
  };
}

/**
 * Pages of a live world, whose provider has one method and is in test mode: nothing here calls it.
 */
async function liveAddresses(): Promise<Record<string, string>> {
  const { secret, world } = await newConnected({ secret_key: 'sk_test_1', webhook_secret: 'whsec_1' });
  const live = clientOf(secret);
  const create = async (body: object) => {
    const { json } = await live(operations.createPayment, { body: { amount: thb(129_900), ...body } });
    return json;
  };
  const customer = { email: 'payer@example.com' };
  const chosenOut = await create({ customer });
  const counted = aPayment({
    id: chosenOut.id as PaymentId,
    expiresAtMs: Date.parse(chosenOut.expires_at),
  });
  for (let choice = 1; choice <= CHOICES_MAX; choice += 1) {
    await commit([countChoice(world, counted)]);
  }
  return {
    'one-method': String((await create({ customer })).checkout_url),
    'one-method-asks-email': String((await create({})).checkout_url),
    'choices-used-up': String(chosenOut.checkout_url),
  };
}

/** Sends the form of a link's page. */
function payBy(url: string): Promise<Response> {
  const body = new URLSearchParams({ attempt: crypto.randomUUID() });
  return fetch(url, { method: 'POST', redirect: 'manual', body });
}

async function press(page: Page, button: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.locator(button).click()]);
}

/** What a payer does on a page to see a state that only the response to a form shows. */
const ACTS: Readonly<Partial<Record<State, (page: Page) => Promise<void>>>> = {
  'form-errors': async (page) => {
    const values = { amount: '19.99', name: LONG_WORD, email: 'somchai at example', phone: '12' };
    for (const [name, value] of Object.entries(values)) {
      await page.locator(`[name=${name}]`).fill(value);
    }
    await press(page, 'button.main');
  },
  'too-many-tries': async (page) => {
    const link = page.url();
    // A minute that begins meanwhile accepts forms again.
    while ((await page.locator('.state.bad').count()) === 0) {
      while ((await payBy(link)).status !== 429) {}
      await page.goto(link);
      await press(page, 'button.main');
    }
  },
  'late-coming': (page) => press(page, 'button[value=late]'),
  'choices-used-up': (page) => press(page, 'button.main'),
};

/** Problems that a payer can meet, one for each text. */
const PROBLEMS = [
  'cross_origin_refused',
  'body_too_large',
  'malformed_request',
  'rate_limited',
  'internal_error',
] as const satisfies readonly ErrorCode[];

type State = (typeof STATES)[number];

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
  'form-errors',
  'too-many-tries',
  'late-coming',
  'link-exhausted',
  'link-reserved',
  'link-expired',
  'link-disabled',
  'one-method',
  'one-method-asks-email',
  'choices-used-up',
  'not-found',
] as const;

/** What a page says of its state, in English. */
const TOLD: Readonly<Partial<Record<State, readonly string[]>>> = {
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
  'form-errors': [
    'Enter an amount of at least ฿20.00, at most ฿',
    'Enter a name of at most 120 characters.',
    'Enter an email address of at most 254 characters',
    'Enter a phone number of 9 to 15 digits',
  ],
  'too-many-tries': [
    'Many people are using this link right now. Please try again in',
    'Your details are kept.',
  ],
  'late-coming': ['Waiting for your payment', 'The payment arrives one second after it expires.'],
  'link-exhausted': ['This link has received all of its payments', 'Please ask the shop for a new link.'],
  'link-reserved': ['This link is in use by a payment that is not paid yet', 'please come back after'],
  'link-expired': ['This link has expired', 'Please ask the shop for a new link.'],
  'link-disabled': ['This link is no longer active', 'Please ask the shop for a new link.'],
  'one-method': ['Pay with PromptPay', 'p***@e***.com'],
  'one-method-asks-email': ['Pay with PromptPay', 'Email'],
  'choices-used-up': ['To try again, please ask the shop for a new payment.'],
};

/** The page at every size, light and dark: what axe finds there, and whether it scrolls sideways on a small phone. */
async function walk(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    const takePicture = async (scheme: string) => {
      if (PICTURES !== undefined) {
        await page.screenshot({ path: `${PICTURES}/${name}.${size}.${scheme}.png`, fullPage: true });
      }
    };
    const violations = await violationsInBothSchemes(page, takePicture);
    found.push(...violations.map((violation) => `${size} ${violation}`));
  }
  await page.setViewportSize(NARROWEST);
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  return isTooWide ? [...found, 'scrolls sideways'] : found;
}

describeInBrowser('every state of the pages of payers', ({ newPage }) => {
  beforeAll(async () => {
    if (PICTURES !== undefined) {
      await mkdir(PICTURES, { recursive: true });
    }
    const [{ api }, { api: later }] = await Promise.all([newMerchant(), newMerchant()]);
    addresses = await addressesOf(api, later);
  });

  test.each(STATES)('%s is accessible at every size, in both languages, light and dark', async (state) => {
    const inLanguage = async (language: (typeof LANGUAGES)[number]) => {
      const page = await newPage({ locale: 'fr-FR' });
      const { complaints } = watch(page);
      const url = new URL(String(addresses[`${state}.${language}`] ?? addresses[state]));
      url.searchParams.set('lang', language);
      await page.goto(url.href);
      await ACTS[state]?.(page);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      expect(await page.locator('nav [aria-current]').getAttribute('lang')).toBe(language);
      const told = await page.locator('main').innerText();
      expect((language === 'en' ? (TOLD[state] ?? []) : []).filter((text) => !told.includes(text))).toEqual(
        [],
      );
      expect(await walk(page, `${state}.${language}`)).toEqual([]);
      // Chromium logs an error for a page that is refused, such as that of a link that has ended, or of none.
      expect(complaints.filter((complaint) => !/404|409|410|422|429/.test(complaint))).toEqual([]);
      await page.close();
    };
    await Promise.all(LANGUAGES.map(inLanguage));
  });

  test.each(PROBLEMS)(
    'the page of the problem %s is accessible at every size, in both languages',
    async (code) => {
      for (const language of LANGUAGES) {
        const page = await newPage();
        await page.setContent(renderProblemPage(code, language, 'req_01kaw3sd8ve6k8zbmwkn4q2x7r'));
        await page.getByText('req_01kaw3sd8ve6k8zbmwkn4q2x7r').waitFor();
        expect(await walk(page, `problem-${code}.${language}`)).toEqual([]);
      }
    },
  );

  test.each(LANGUAGES)(
    'a QR stands under the Thai QR heading and the mark of PromptPay: %s',
    async (language) => {
      const page = await newPage();
      await page.goto(`${addresses.promptpay}?lang=${language}`);
      const frame = page.locator('section.thai-qr');
      const shown = [
        frame.getByRole('heading', { name: textsOf(language).thaiQr }),
        frame.getByRole('img', { name: 'PromptPay', exact: true }),
        frame.locator('img.qr'),
      ];
      const tops = await Promise.all(shown.map(async (one) => (await one.boundingBox())?.y ?? Number.NaN));
      expect(tops).toEqual(tops.toSorted((a, b) => a - b));
      expect(new Set(tops).size).toBe(shown.length);
    },
  );

  test('each method to choose from has a mark of its own beside its name', async () => {
    const page = await newPage();
    await page.goto(`${addresses.choice}?lang=en`);
    const drawn = await Promise.all(
      PAYMENT_METHODS.map(async (method) => {
        const button = page.getByRole('button', { name: textsOf('en').methods[method], exact: true });
        expect((await button.locator('svg.mark').boundingBox())?.width).toBe(24);
        return button.locator('svg.mark path').getAttribute('d');
      }),
    );
    expect(new Set(drawn).size).toBe(PAYMENT_METHODS.length);
  });

  test('one method needs no choice: one button names it', async () => {
    const page = await newPage();
    await page.goto(`${addresses['one-method']}?lang=en`);
    const buttons = page.locator('form > button');
    expect(await buttons.allTextContents()).toEqual(['Pay with PromptPay']);
    expect(await page.locator('main').innerText()).not.toContain('Choose how to pay');
    expect(await page.locator('.test').textContent()).toBe(textsOf('en').rehearsal);
  });

  test('processing says without a script to reload, and not that it updates itself', async () => {
    const page = await newPage({ locale: 'en', javaScriptEnabled: false });
    await page.goto(String(addresses.processing));
    const told = await page.locator('main').innerText();
    expect(told).toContain('Reload this page to see the result.');
    expect(told).not.toContain('updates itself');
  });
});
