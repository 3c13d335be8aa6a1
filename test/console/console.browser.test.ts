// @module-tag nightly
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { judgeKey } from '../../shared/console/call/judge-key.ts';
import { uuidV7 } from '../../shared/console/call/uuid-v7.ts';
import { consoleAssets } from '../../shared/console/frame/assets.ts';
import { renderConsole } from '../../shared/console/frame/page.ts';
import { docsOf } from '../../shared/contract/docs.ts';
import { buildOpenApi } from '../../shared/contract/openapi.ts';
import { allOperations, operations } from '../../shared/contract/operations.ts';
import {
  describeInBrowser,
  expectOnlyOwn,
  violationsInBothSchemes,
  watch,
} from '../support/browser/browser.ts';
import { AS_DEPLOYED } from '../support/tools/bundle.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { createPayment, moveClock } from '../support/world/resources.ts';

const CONSOLE = `${baseUrl}/console`;
const CREATE_PAYMENT = `${CONSOLE}#/api/payments.CreatePayment`;
const LIVE_KEY = `pg_live_${'A1b2C3d4'.repeat(4)}a1b2c3`;
/** Longer than the pause between two reads of the test world. */
const POLL_PAUSE_MS = 4_500;
type Hold = PromiseWithResolvers<void>;
const keyed = allOperations.filter(({ permission }) => permission !== null);

describe('the key check', () => {
  test.each([
    ['pg_test_abcDEF123', 'test'],
    ['  pg_test_abcDEF123\n', 'test'],
    ['', 'empty'],
    ['pg_te', 'unfinished'],
    ['pg_test_', 'unfinished'],
    ['pg_live_abc', 'live'],
    ['\u00a0pg_live_abc', 'live'],
    ['PG_LIVE_ABC', 'live'],
    ['PG_TEST_ABC', 'other'],
    ['\u200bpg_test_abc', 'other'],
    ['xpg_test_abc', 'other'],
    ['sk_live_abc', 'other'],
    ['pg_test_abc pg_live_abc', 'malformed'],
    ['pg_test_abc\r\nX: y', 'malformed'],
  ])('says of %j: %s', (text, verdict) => {
    expect(judgeKey(text)).toBe(verdict);
  });
});

describe('the page of the console', () => {
  test.each([
    ['https://a1.execute-api.eu-west-1.amazonaws.com/api', '/api'],
    ['http://127.0.0.1:4010', ''],
  ])('of %s sends requests below the path %j', async (address, root) => {
    expect((await renderConsole(address)).body).toContain(`data-root="${root}"`);
  });

  test('is one response of at most 80 KB, compressed', async () => {
    expect(gzipSync((await renderConsole(baseUrl)).body).length).toBeLessThanOrEqual(80_000);
  });

  test('reads a document of at most 80 KB, compressed', () => {
    expect(gzipSync(JSON.stringify(buildOpenApi(baseUrl))).length).toBeLessThanOrEqual(80_000);
  });

  test('has a script and a style that are closed correctly', async () => {
    for (const text of Object.values(await consoleAssets())) {
      expect(text).not.toMatch(/<\/(script|style)|<!--/i);
    }
  });

  test('sends and stores from one place alone, and never turns text into markup', () => {
    const sources = globSync('shared/{console,story}/**/*.{ts,tsx}').map(
      (file) => [file, readFileSync(file, 'utf8')] as const,
    );
    const using = (pattern: RegExp) => sources.filter(([, text]) => pattern.test(text)).map(([file]) => file);
    expect(sources.length).toBeGreaterThan(10);
    expect(using(/\bfetch\(/)).toEqual(['shared/console/call/gate.ts']);
    expect(using(/XMLHttpRequest|sendBeacon|WebSocket|EventSource|new Worker/)).toEqual([]);
    // Not in the browser: there the script is built.
    expect(using(/\bimport\(/)).toEqual(['shared/console/frame/assets.ts']);
    expect(using(/sessionStorage|replaceState/)).toEqual(['shared/console/call/gate.ts']);
    expect(using(/localStorage|indexedDB|cookie|caches\.|innerHTML|\beval\b/i)).toEqual([]);
  });

  test('names calls with UUIDs of version 7', () => {
    const [first, second] = [uuidV7(), uuidV7()];
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(first.slice(0, 13).replace('-', ''), 16) - Date.now()).toBeLessThan(1_000);
    expect(second).not.toBe(first);
  });
});

describeInBrowser('the console', ({ newPage }) => {
  async function openConsole(
    options?: Parameters<typeof newPage>[0],
    prepare: (page: Page) => Promise<unknown> = async () => {},
  ) {
    const page = await newPage(options);
    const watched = watch(page);
    await prepare(page);
    const response = await page.goto(CREATE_PAYMENT);
    await page.waitForSelector('.bench');
    return { page, response, ...watched };
  }

  async function connected(secret: string, options?: Parameters<typeof newPage>[0]) {
    const opened = await openConsole(options);
    await connect(opened.page, secret);
    return opened;
  }

  async function connect(page: Page, secret: string): Promise<void> {
    await page.fill('#key', secret);
    await page.press('#key', 'Enter');
    await page.waitForSelector('#clock-now');
  }

  async function choose(page: Page, id: string): Promise<void> {
    // Choosing a form again renders it again, and no event says when.
    if (!(await page.isVisible(`nav a[href="#/api/${id}"][aria-current]`))) {
      await page.click(`nav a[href="#/api/${id}"]`);
      await page.waitForSelector(`nav a[href="#/api/${id}"][aria-current]`);
    }
  }

  async function goTo(page: Page, place: string): Promise<void> {
    await page.evaluate(`location.hash = '#${place}'`);
  }

  async function openWorld(page: Page): Promise<void> {
    await page.click('#world-button');
    await page.waitForSelector('#world');
  }

  async function send(page: Page): Promise<void> {
    await page.click('.bench .send button');
    await page.waitForSelector('.outcome-area:not([aria-busy]) > *');
  }

  const statusOf = (page: Page) => page.textContent('.response .status');
  const keyOf = (page: Page) => page.inputValue('[id="payments.CreatePayment.idempotency-key"]');

  test.each([
    ['a live key', LIVE_KEY, 'Live key refused'],
    ['a live key with spaces around', `  ${LIVE_KEY}\t`, 'Live key refused'],
    ['a live key in upper case', LIVE_KEY.toUpperCase(), 'Live key refused'],
    ['a test key in upper case', LIVE_KEY.replace('live', 'test').toUpperCase(), 'Refused'],
    ['what is no key', 'sk_prod_0123456789', 'Refused'],
  ])('refuses %s, and sends nothing after it was entered', async (_name, key, refusal) => {
    const { page, requests, complaints } = await openConsole();
    const before = requests.length;
    await page.locator('#key').pressSequentially(key.trim() === key ? key : '');
    await page.fill('#key', key);
    expect(await page.textContent('#key-message')).toContain(refusal);
    await page.press('#key', 'Enter');
    expect(await page.textContent('#key-message')).toContain(refusal);
    expect(await page.inputValue('#key')).toBe('');
    await page.fill('#key', key);
    await page.click('#key-form button');
    await page.click('.bench .send button');
    await page.waitForSelector('.bench .problem');
    expect(await page.textContent('.bench .problem')).toContain('connect with a test key first');
    await page.waitForTimeout(POLL_PAUSE_MS);
    expect(requests.slice(before)).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await page.content()).not.toContain(key.trim());
  });

  test('accepts a key that is typed before the API description is loaded', async () => {
    const { secret } = await newMerchant();
    const page = await newPage();
    const { complaints } = watch(page);
    const description = await holdAnswers(page, /openapi\.json$/, 1);
    await page.goto(CREATE_PAYMENT);
    await description.areGiven;
    await page.fill('#key', LIVE_KEY);
    expect(await page.textContent('#key-message')).toContain('Live key refused');
    await page.fill('#key', secret);
    await page.press('#key', 'Enter');
    description.letGo();
    await page.waitForSelector('#clock-now');
    expect(complaints).toEqual([]);
  });

  test('lets a live key be entered only after the test key is forgotten, and sends nothing', async () => {
    const { secret } = await newMerchant();
    const { page, requests } = await connected(secret);
    expect(await page.isVisible('#key')).toBe(false);
    await page.click('#disconnect');
    await page.fill('#key', LIVE_KEY);
    const before = requests.length;
    await page.press('#key', 'Enter');
    await page.click('.bench .send button');
    await page.waitForTimeout(POLL_PAUSE_MS);
    expect(requests.slice(before)).toEqual([]);
    expect(await page.locator('#clock-now').count()).toBe(0);
  });

  test('sends no key that was put into another field', async () => {
    const { secret, api } = await newMerchant();
    const { page, requests } = await connected(secret);
    for (const key of [LIVE_KEY, secret]) {
      await page.fill('[id="payments.CreatePayment.body.reference"]', key);
      await send(page);
      expect(await page.textContent('.bench .problem')).toContain('Nothing was sent');
    }
    // The action is sent by a form; the view of the test world only reads.
    expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
    expect((await api(operations.listPayments)).json.data).toEqual([]);
  });

  test('keeps the key in its memory alone', async () => {
    const { secret } = await newMerchant();
    const { page, requests } = await connected(secret);
    await send(page);
    expect(await statusOf(page)).toContain('201');
    await page.getByText('As a command').click();
    const places = (await page.evaluate(`[
      document.documentElement.outerHTML, document.cookie, document.title, location.href, window.name,
      JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), JSON.stringify(history.state),
      ...[...document.querySelectorAll('input, textarea, select')].map(({ value }) => value),
      ...Object.values(window).filter((value) => typeof value === 'string'),
    ]`)) as string[];
    expect(places.length).toBeGreaterThan(10);
    const { cookies, origins } = await page.context().storageState();
    expect(
      [...places, ...requests, JSON.stringify({ cookies, origins })].filter((text) => text.includes(secret)),
    ).toEqual([]);
    expect({ cookies, origins }).toEqual({ cookies: [], origins: [] });
    await page.reload();
    await page.waitForSelector('.bench');
    expect(await page.isVisible('#key')).toBe(true);
    expect(await page.inputValue('#key')).toBe('');
  });

  test('creates a payment from the example, shows the response, and replays it by its key', async () => {
    const { secret, api } = await newMerchant();
    const { page, requests, complaints } = await connected(secret);
    const key = await keyOf(page);
    // A group of fields is described, as a field is.
    const group = page.locator('[id="payments.CreatePayment.body.amount"]');
    await group.getByText('The amount to pay.').waitFor();
    await send(page);
    expect(await statusOf(page)).toBe('201 Created');
    expect(await page.textContent('.duration')).toMatch(/^\d+ ms$/);
    const shown = JSON.parse(String(await page.textContent('.response pre')));
    expect((await api(operations.getPayment, { params: { id: shown.id } })).json).toMatchObject({
      reference: operations.createPayment.example.reference,
    });
    expect(await page.textContent('.headers')).toContain('x-request-id');
    expect(await page.isVisible('.badge')).toBe(false);
    const next = await keyOf(page);
    expect(next).not.toBe(key);

    await page.getByRole('button', { name: 'Same key again' }).click();
    await page.waitForSelector('.badge');
    expect(await page.textContent('.badge')).toContain('Idempotent-Replayed');
    expect(JSON.parse(String(await page.textContent('.response pre')))).toEqual(shown);

    await page.getByRole('button', { name: 'Last key' }).click();
    expect(await keyOf(page)).toBe(key);
    await page.fill('[id="payments.CreatePayment.body.description"]', 'changed');
    await send(page);
    await page.waitForSelector('.response .problem');
    expect(await page.textContent('.response .problem')).toContain('idempotency_key_reused');
    expect((await api(operations.listPayments)).json.data.length).toBe(1);
    expectOnlyOwn(requests, baseUrl);
    // Chromium logs an error for every status from 400 on, and the test provokes that one.
    expect(complaints).toEqual([expect.stringContaining('422')]);
  });

  test('shows a validation problem at its fields, with a way to the page that explains it', async () => {
    const { secret } = await newMerchant();
    const { page } = await connected(secret);
    await page.fill('[id="payments.CreatePayment.body.amount.minor"]', '-5');
    await page.fill('[id="payments.CreatePayment.body.customer.email"]', 'nobody');
    await send(page);
    expect(await statusOf(page)).toContain('422');
    for (const [field, message] of [
      ['amount.minor', 'must be at least 1'],
      ['customer.email', 'has an invalid format'],
    ] as const) {
      const id = `payments.CreatePayment.body.${field}`;
      expect(await page.getAttribute(`[id="${id}"]`, 'aria-invalid')).toBe('true');
      expect(await page.textContent(`[id="${id}.error"]`)).toContain(message);
    }
    await page.locator('.problem').getByRole('button', { name: 'customer.email' }).click();
    expect(await page.evaluate('document.activeElement.id')).toBe(
      'payments.CreatePayment.body.customer.email',
    );
    const link = page.getByRole('link', { name: 'What validation_failed means' });
    expect(await link.getAttribute('href')).toBe('/errors/validation_failed');
    await page.fill('[id="payments.CreatePayment.body.amount.minor"]', '500');
    await page.fill('[id="payments.CreatePayment.body.customer.email"]', 'somebody@example.com');
    await send(page);
    await page.waitForSelector('.s2');
    expect(await page.locator('.error:visible').count()).toBe(0);
  });

  test('sends a body as text too, even if it is invalid', async () => {
    const { secret } = await newMerchant();
    const { page } = await connected(secret);
    await page.getByRole('button', { name: 'JSON' }).click();
    await page.fill('textarea', '{"amount":');
    await send(page);
    expect(await page.textContent('.response .problem')).toContain('malformed_json');
  });

  test('makes a call of every kind: read by id, list with a query, and change', async () => {
    const { secret, api } = await newMerchant();
    const payment = await createPayment(api);
    const { page } = await connected(secret);
    await choose(page, 'payments.ListPayments');
    await page.selectOption('[id="payments.ListPayments.query.status"]', 'requires_action');
    await send(page);
    expect(JSON.parse(String(await page.textContent('.response pre'))).data).toMatchObject([
      { id: payment.id },
    ]);
    await choose(page, 'payments.GetPayment');
    expect(await page.inputValue('[id="payments.GetPayment.path.id"]')).toBe(payment.id);
    await send(page);
    expect(await statusOf(page)).toBe('200 OK');
    await page.fill('[id="payments.GetPayment.path.id"]', '');
    await page.click('.bench .send button');
    expect(await page.textContent('[id="payments.GetPayment.path.id.error"]')).toContain('is required');
    await choose(page, 'testkit.SimulatePayment');
    await send(page);
    expect(await statusOf(page)).toBe('200 OK');
    await choose(page, 'testkit.CreateWebhookSink');
    await send(page);
    expect(await statusOf(page)).toBe('201 Created');
    await choose(page, 'testkit.UpdateWebhookSink');
    await send(page);
    expect(JSON.parse(String(await page.textContent('.response pre')))).toMatchObject({ fail_count: 2 });
    await choose(page, 'service.GetErrorPage');
    await page.fill('[id="service.GetErrorPage.path.code"]', 'invalid_state');
    await send(page);
    expect(JSON.parse(String(await page.textContent('.response pre')))).toMatchObject({
      code: 'invalid_state',
    });
  });

  const idOf = (page: Page) => page.inputValue('[id="payments.GetPayment.path.id"]');
  const created = async (page: Page) => {
    await choose(page, 'payments.CreatePayment');
    await send(page);
    await page.waitForSelector('.response .s2');
    return JSON.parse(String(await page.textContent('.response pre'))).id as string;
  };

  /**
   * Holds back the service's responses to one request of the page until they are released: the first ones by
   * `letGo`, all others by `end`.
   */
  async function holdAnswers(page: Page, question: RegExp, first: number) {
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

  test('fills in the id that was just created, although an older list arrives after it', async () => {
    const { secret, api } = await newMerchant();
    await createPayment(api);
    await moveClock(api, 1);
    const { page } = await openConsole();
    const lists = await holdAnswers(page, /\/api\/v1\/payments\?limit=/, 1);
    await goTo(page, '/payments');
    await page.fill('#key', secret);
    await page.press('#key', 'Enter');
    await lists.areGiven;
    await goTo(page, '/api');
    const id = await created(page);
    const nextRequest = page.waitForRequest(/\/test\/clock$/);
    lists.letGo();
    await nextRequest;
    await choose(page, 'payments.GetPayment');
    expect(await idOf(page)).toBe(id);
    lists.end();
  });

  test('fills in the id that was just created, although the reader requested a list before', async () => {
    const { secret, api } = await newMerchant();
    await createPayment(api);
    const { page } = await connected(secret);
    await openWorld(page);
    await page.click('#live-pause');
    await choose(page, 'payments.ListPayments');
    const list = await holdAnswers(page, /\/api\/v1\/payments$/, 1);
    await page.click('.bench .send button');
    await list.areGiven;
    const id = await created(page);
    list.letGo();
    await choose(page, 'payments.ListPayments');
    await page.waitForSelector('.outcome-area:not([aria-busy]) > *');
    await choose(page, 'payments.GetPayment');
    expect(await idOf(page)).toBe(id);
  });

  test('fills in the id that was just created, although something newer happened elsewhere', async () => {
    const { secret, api } = await newMerchant();
    const other = await createPayment(api);
    const { page } = await connected(secret);
    const id = await created(page);
    await api(operations.cancelPayment, { params: { id: other.id } });
    await moveClock(api, 1);
    await goTo(page, '/events');
    await page.locator('.data', { hasText: 'payment.canceled' }).waitFor();
    await goTo(page, '/api');
    await choose(page, 'payments.GetPayment');
    expect(await idOf(page)).toBe(id);
  });

  test('updates fields that nothing was typed into, and leaves typed ones alone', async () => {
    const { secret } = await newMerchant();
    const { page } = await connected(secret);
    const first = await created(page);
    await choose(page, 'payments.GetPayment');
    expect(await idOf(page)).toBe(first);
    const second = await created(page);
    await choose(page, 'payments.GetPayment');
    expect(await idOf(page)).toBe(second);
    await page.fill('[id="payments.GetPayment.path.id"]', first);
    await created(page);
    await choose(page, 'payments.GetPayment');
    expect(await idOf(page)).toBe(first);
    await send(page);
    const third = await created(page);
    await choose(page, 'payments.GetPayment');
    expect(await idOf(page)).toBe(third);
  });

  test('empties the test world only after a confirmation that names what is lost', async () => {
    const { secret, api } = await newMerchant();
    await createPayment(api);
    const { page, requests } = await connected(secret);
    await choose(page, 'testkit.PurgeTestData');
    const question = page.getByRole('alertdialog', { name: 'Empty this test world?' });
    const purges = () => requests.filter((request) => request.endsWith('/api/v1/test/data')).length;
    const focused = () => page.evaluate('document.activeElement.textContent');
    for (const no of ['Escape', 'Enter']) {
      await page.click('.bench .send button');
      await question.waitFor();
      await question.getByText('1 payment, with refunds').waitFor();
      await question.getByText('0 webhook endpoints').waitFor();
      expect(await focused()).toBe('Keep everything');
      await page.keyboard.press(no);
      await question.waitFor({ state: 'detached' });
      expect(await focused()).toBe('Send');
    }
    expect(purges()).toBe(0);
    expect((await api(operations.listPayments)).json.data).toHaveLength(1);
    await page.keyboard.press('Enter');
    await question.waitFor();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Empty the test world');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.response .s2');
    expect(purges()).toBe(1);
    expect((await api(operations.listPayments)).json.data).toEqual([]);
    await choose(page, 'payments.GetPayment');
    expect(await idOf(page)).toBe('');
  });

  test('offers deliveries for redelivery, each with its own sink', async () => {
    const { secret, api } = await newMerchant();
    const [older, newer] = [
      (await api(operations.createWebhookSink)).json,
      (await api(operations.createWebhookSink)).json,
    ];
    await createPayment(api);
    await moveClock(api, 1);
    const shownOf = async (sink: string) =>
      (await api(operations.listDeliveries, { params: { id: sink } })).json.data.map(({ id }) => id);
    const { page } = await connected(secret);
    await choose(page, 'testkit.Redeliver');
    const [sink, delivery] = ['id', 'delivery_id'].map((name) =>
      page.locator(`[id="testkit.Redeliver.path.${name}"]`),
    ) as [Locator, Locator];
    const offered = async () => {
      await delivery.focus();
      const options = page.locator('[id="testkit.Redeliver.path.delivery_id.list"] option');
      return options.evaluateAll((all) => all.map((each) => each.getAttribute('value')));
    };
    const [newest] = await shownOf(newer.id);
    await expect
      .poll(async () => [await sink.inputValue(), await delivery.inputValue()])
      .toEqual([newer.id, newest]);
    expect(await offered()).toEqual(await shownOf(newer.id));
    await sink.fill(older.id);
    await delivery.focus();
    const [newestOfOlder] = await shownOf(older.id);
    await expect.poll(() => delivery.inputValue()).toBe(newestOfOlder);
    expect(await offered()).toEqual(await shownOf(older.id));
    await send(page);
    expect(await statusOf(page)).toBe('200 OK');
  });

  test('has a form for every operation, with a field for each of its inputs', async () => {
    const { page } = await openConsole();
    const ids = allOperations.map(({ id }) => id);
    expect(await page.locator('.operation-list a').count()).toBe(ids.length);
    for (const row of keyed) {
      const id = row.id;
      await choose(page, id);
      const names = [
        ...[...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path.${name}`),
        ...fieldsOf(row.query).map((name) => `query.${name}`),
        ...fieldsOf(row.body).map((name) => `body.${name}`),
        ...(row.idempotent ? ['idempotency-key'] : []),
        'version',
      ];
      const there = await page
        .locator('.bench [id]')
        .evaluateAll((all) => all.map((each) => (each as unknown as { id: string }).id));
      expect(there).toEqual(expect.arrayContaining(names.map((name) => `${id}.${name}`)));
      expect(await page.textContent('.bench h2')).toBe(docsOf(row).summary);
    }
  });

  test('finds operations by words, with the keyboard alone', async () => {
    const { page } = await openConsole();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('refund cancel');
    expect(await page.locator('.operations li:visible').count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: docsOf(operations.cancelRefund).summary }).waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H2');
  });

  test('shows the test world, moves its clock, and delivers again', async () => {
    const { secret, api } = await newMerchant();
    const { page } = await connected(secret);
    await openWorld(page);
    await page.getByRole('button', { name: 'Create a sink' }).click();
    await page.waitForSelector('.receiver');
    await page.getByRole('button', { name: 'Fail twice' }).click();
    await page.getByText('fails 2 more, with 503').waitFor();
    await createPayment(api);
    await moveClock(api, 1);
    await page.locator('.deliveries li', { hasText: 'Attempt 1: failed' }).first().waitFor();
    const before = (await api(operations.getClock)).json;
    await page.getByRole('button', { name: '+1h' }).click();
    await page.locator('#world .report', { hasText: 'The clock moved +1h.' }).waitFor();
    const after = (await api(operations.getClock)).json;
    expect(after.offset_seconds - before.offset_seconds).toBe(3_600);
    const delivered = page.locator('.deliveries li', { hasText: 'Attempt 2: delivered' }).first();
    await delivered.waitFor();
    expect(await delivered.textContent()).toMatch(/response 200 · signature valid/);
    await goTo(page, '/payments');
    await page.locator('.data', { hasText: 'expired' }).waitFor();
    await goTo(page, '/events');
    await page.locator('.data', { hasText: 'payment.expired' }).waitFor();
    const count = async () => (await api(operations.listWebhookSinks)).json.data[0]?.received_count ?? 0;
    const received = await count();
    await delivered.getByRole('button', { name: 'Redeliver' }).click();
    await page.locator('#world .report', { hasText: 'The event was delivered again.' }).waitFor();
    await expect.poll(count).toBe(received + 1);
  });

  test('queues a press while a response is pending, and runs the same press only once', async () => {
    const { secret, api } = await newMerchant();
    const { page, requests } = await connected(secret);
    await openWorld(page);
    const [sent, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(/\/webhooks\/sinks$/, async (route) => {
      if (route.request().method() === 'POST') {
        sent.resolve();
        await letGo.promise;
      }
      await route.continue();
    });
    const press = (name: string) => page.getByRole('button', { name }).click();
    await press('Create a sink');
    await sent.promise;
    await press('Create a sink');
    await press('+1d');
    expect(requests.filter((request) => request.endsWith('/clock/advance'))).toEqual([]);
    letGo.resolve();
    await page.locator('#world .report', { hasText: 'The clock moved +1d.' }).waitFor();
    expect((await api(operations.getClock)).json.offset_seconds).toBe(86_400);
    expect((await api(operations.listWebhookSinks)).json.data).toHaveLength(1);
  });

  test('loses no press of a button that is rendered again during the press', async () => {
    const { secret, api } = await newMerchant();
    const { page, requests } = await connected(secret);
    await openWorld(page);
    const looks = () => requests.filter((request) => request.endsWith('/test/clock')).length;
    await page.getByRole('button', { name: 'Create a sink' }).hover();
    await page.mouse.down();
    await api(operations.createWebhookSink, { body: { name: 'by somebody else' } });
    const before = looks();
    // When the second of two reads begins, the first one is over and has seen the other sink.
    await expect.poll(looks).toBeGreaterThan(before + 1);
    await page.mouse.up();
    await page.locator('#world .report', { hasText: 'A sink was created.' }).waitFor();
    await page.getByText('by somebody else').waitFor();
    expect((await api(operations.listWebhookSinks)).json.data).toHaveLength(2);
  });

  test('reads the test world only while the page is visible, and can be paused', async () => {
    const { secret } = await newMerchant();
    const { page, requests } = await openConsole({}, (opened) => opened.clock.install());
    const looks = () => requests.filter((request) => request.endsWith('/test/clock')).length;
    const untilNext = async () => expect.poll(looks).toBeGreaterThan(looks());
    const inTwoMinutes = async () => {
      const before = looks();
      // The second minute belongs to a read that was in progress.
      for (const _minute of [1, 2]) {
        await page.clock.runFor(60_000);
      }
      return looks() - before;
    };
    await connect(page, secret);
    await untilNext();
    await page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });`,
    );
    expect(await inTwoMinutes()).toBe(0);
    await page.evaluate(
      `delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'));`,
    );
    await untilNext();
    await untilNext();
    await openWorld(page);
    await page.click('#live-pause');
    expect(await inTwoMinutes()).toBe(0);
  });

  test('ends the connection and says so if the service does not know the key', async () => {
    const { page, requests } = await openConsole();
    await page.fill('#key', LIVE_KEY.replace('live', 'test'));
    await page.press('#key', 'Enter');
    await page.getByText('The service rejected this key.').waitFor();
    const before = requests.length;
    await page.waitForTimeout(POLL_PAUSE_MS);
    expect(requests.slice(before)).toEqual([]);
  });

  test('works as it is deployed: bundled and minified', async () => {
    const { secret } = await newMerchant();
    const dir = await mkdtemp(path.join(tmpdir(), 'payments-console-'));
    const outfile = path.join(dir, 'page.cjs');
    await build({ ...AS_DEPLOYED, entryPoints: ['shared/console/frame/page.ts'], outfile });
    const bundled: typeof import('../../shared/console/frame/page.ts') = createRequire(outfile)(outfile);
    await rm(dir, { recursive: true });
    const page = await newPage();
    const { complaints } = watch(page);
    const { body, policy } = await bundled.renderConsole(baseUrl);
    const headers = { 'Content-Security-Policy': policy, 'Content-Type': 'text/html; charset=utf-8' };
    await page.route(CONSOLE, (route) => route.fulfill({ headers, body }));
    await page.goto(CREATE_PAYMENT);
    await connect(page, secret);
    await send(page);
    expect(await statusOf(page)).toBe('201 Created');
    await openWorld(page);
    await page.getByRole('button', { name: 'Create a sink' }).click();
    await page.waitForSelector('.receiver');
    expect(complaints).toEqual([]);
  });

  test('has a policy that allows its own script and style by their hashes, and its own service', async () => {
    const { response } = await openConsole();
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; connect-src 'self';/,
    );
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
  });

  test.each([1_280, 1_024, 375, 320])('is for everybody, %i px wide', async (width) => {
    const { secret, api } = await newMerchant();
    await createPayment(api);
    await api(operations.createWebhookSink);
    await createPayment(api, { reference: 'second' });
    await moveClock(api, 1);
    const { page, requests, complaints } = await openConsole({ viewport: { width, height: 800 } });
    const wider = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
    const look = async () => [await violationsInBothSchemes(page), await wider()];
    expect(await look()).toEqual([[], 0]);
    await page.fill('#key', LIVE_KEY);
    expect(await look()).toEqual([[], 0]);
    await connect(page, secret);
    await openWorld(page);
    await page.waitForSelector('.deliveries li');
    await send(page);
    await page.getByRole('button', { name: 'Same key again' }).click();
    await page.waitForSelector('.badge');
    expect(await look()).toEqual([[], 0]);
    expect(complaints).toEqual([]);
    await page.fill('[id="payments.CreatePayment.body.amount.minor"]', '-5');
    await send(page);
    await page.waitForSelector('.response .problem');
    expect(await look()).toEqual([[], 0]);
    await page.evaluate(`location.hash = '/api/testkit.PurgeTestData'`);
    await page.click('.bench:has-text("Purge the test world") .send button');
    await page.waitForSelector('dialog');
    expect(await look()).toEqual([[], 0]);
    expectOnlyOwn(requests, baseUrl);
  });
});

function fieldsOf(schema: unknown): string[] {
  return Object.keys((schema as { entries?: object } | undefined)?.entries ?? {});
}
