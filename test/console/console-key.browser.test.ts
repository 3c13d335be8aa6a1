// @module-tag nightly
import { describe, expect, test } from 'vitest';
import { judgeKey } from '../../shared/console/call/judge-key.ts';
import { operations } from '../../shared/contract/operations.ts';
import { describeInBrowser, watch } from '../support/browser/browser.ts';
import {
  CREATE_PAYMENT,
  connected,
  holdAnswers,
  openConsole,
  POLL_PAUSE_MS,
  send,
  statusOf,
} from '../support/browser/console-form.ts';
import { forgetKey, LIVE_KEY } from '../support/browser/dashboard.ts';
import { newMerchant } from '../support/world/api.ts';

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

describeInBrowser('the console with a key', ({ newPage }) => {
  test.each([
    ['a live key', LIVE_KEY, 'Live key refused'],
    ['a live key with spaces around', `  ${LIVE_KEY}\t`, 'Live key refused'],
    ['a live key in upper case', LIVE_KEY.toUpperCase(), 'Live key refused'],
    ['a test key in upper case', LIVE_KEY.replace('live', 'test').toUpperCase(), 'Refused'],
    ['what is no key', 'sk_prod_0123456789', 'Refused'],
  ])('refuses %s, and sends nothing after it was entered', async (_name, key, refusal) => {
    const { page, requests, complaints } = await openConsole(newPage);
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
    const { page, requests } = await connected(newPage, secret);
    expect(await page.isVisible('#key')).toBe(false);
    await forgetKey(page);
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
    const { page, requests } = await connected(newPage, secret);
    for (const key of [LIVE_KEY, secret]) {
      await page.fill('[id="payments.CreatePayment.body.reference"]', key);
      await send(page);
      expect(await page.textContent('.bench .problem')).toContain('Nothing was sent');
    }
    // The action is sent by a form; the view of the test world only reads.
    expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
    expect((await api(operations.listPayments)).json.data).toEqual([]);
  });

  test('keeps the key in its memory and in the storage of its tab alone', async () => {
    const { secret } = await newMerchant();
    const { page, requests } = await connected(newPage, secret);
    await send(page);
    expect(await statusOf(page)).toContain('201');
    await page.getByText('As a command').click();
    const places = (await page.evaluate(`[
      document.documentElement.outerHTML, document.cookie, document.title, location.href, window.name,
      JSON.stringify({ ...localStorage }), JSON.stringify(history.state),
      ...[...document.querySelectorAll('input, textarea, select')].map(({ value }) => value),
      ...Object.values(window).filter((value) => typeof value === 'string'),
    ]`)) as string[];
    expect(places.length).toBeGreaterThan(10);
    const { cookies, origins } = await page.context().storageState();
    expect(
      [...places, ...requests, JSON.stringify({ cookies, origins })].filter((text) => text.includes(secret)),
    ).toEqual([]);
    expect({ cookies, origins }).toEqual({ cookies: [], origins: [] });
    expect(Object.values((await page.evaluate('({ ...sessionStorage })')) as object)).toEqual([secret]);
  });

  test('ends the connection and says so if the service does not know the key', async () => {
    const { page, requests } = await openConsole(newPage);
    await page.fill('#key', LIVE_KEY.replace('live', 'test'));
    await page.press('#key', 'Enter');
    await page.getByText('The service rejected this key.').waitFor();
    const before = requests.length;
    await page.waitForTimeout(POLL_PAUSE_MS);
    expect(requests.slice(before)).toEqual([]);
  });
});
