// @module-tag nightly
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
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
import {
  CREATE_PAYMENT,
  choose,
  connect,
  connected,
  idOf,
  openConsole,
  openWorld,
  send,
  statusOf,
} from '../support/browser/console-form.ts';
import { CONSOLE, LIVE_KEY } from '../support/browser/dashboard.ts';
import { AS_DEPLOYED } from '../support/tools/bundle.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { createPayment, moveClock } from '../support/world/resources.ts';

const keyed = allOperations.filter(({ permission }) => permission !== null);

describe('the page of the console', () => {
  test.each([
    ['https://a1.execute-api.eu-west-1.amazonaws.com/api', '/api'],
    ['http://127.0.0.1:4010', ''],
  ])('of %s sends requests below the path %j', async (address, root) => {
    expect((await renderConsole(address)).body).toContain(`data-root="${root}"`);
  });

  test('is one response of at most 110 KB, compressed, with both languages', async () => {
    expect(gzipSync((await renderConsole(baseUrl)).body).length).toBeLessThanOrEqual(110_000);
  });

  test('reads a document of at most 80 KB, compressed', () => {
    expect(gzipSync(JSON.stringify(buildOpenApi(baseUrl))).length).toBeLessThanOrEqual(80_000);
  });

  test('has a script and a style that are closed correctly', async () => {
    const { script, style } = await consoleAssets();
    for (const text of [script, style]) {
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
    // The language that was chosen.
    expect(using(/localStorage/)).toEqual(['shared/story/language.ts']);
    expect(using(/indexedDB|cookie|caches\.|innerHTML|\beval\b/i)).toEqual([]);
  });

  test('names calls with UUIDs of version 7', () => {
    const [first, second] = [uuidV7(), uuidV7()];
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(first.slice(0, 13).replace('-', ''), 16) - Date.now()).toBeLessThan(1_000);
    expect(second).not.toBe(first);
  });
});

describeInBrowser('the console', ({ newPage }) => {
  test('empties the test world only after a confirmation that names what is lost', async () => {
    const { secret, api } = await newMerchant();
    await createPayment(api);
    const { page, requests } = await connected(newPage, secret);
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
    const { page } = await connected(newPage, secret);
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
    const { page } = await openConsole(newPage);
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
    const { page } = await openConsole(newPage);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('refund cancel');
    expect(await page.locator('.operations li:visible').count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: docsOf(operations.cancelRefund).summary }).waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H2');
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
    const { response } = await openConsole(newPage);
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
    const { page, requests, complaints } = await openConsole(newPage, { viewport: { width, height: 800 } });
    const wider = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
    const look = async () => [await violationsInBothSchemes(page), await wider()];
    expect(await look()).toEqual([[], 0]);
    await page.fill('#key', LIVE_KEY);
    expect(await look()).toEqual([[], 0]);
    await connect(page, secret);
    await openWorld(page);
    await page.waitForSelector('.deliveries li');
    expect(await look()).toEqual([[], 0]);
    // On a phone it is a sheet over the page.
    await page.keyboard.press('Escape');
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
