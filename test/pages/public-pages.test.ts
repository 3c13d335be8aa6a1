// @module-tag slow
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { createLink, createPayment } from '../support/world/resources.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const POSTS = 200;
const POSTS_AT_ONCE = 25;
/** A flood may begin in one minute and end in the next one: each minute accepts this many from one address. */
const TAKEN_OF_ONE_MAX = 2 * 20;

/** Posts a form from an address of this machine, as the one that the service sees. */
async function postFrom(localAddress: string, address: string, form: Record<string, string>) {
  const headers = { 'Content-Type': FORM_TYPE };
  const sent = request(address, { method: 'POST', localAddress, headers });
  sent.end(new URLSearchParams(form).toString());
  const [response] = await once(sent, 'response');
  response.setEncoding('utf8');
  const text = (await response.toArray()).join('');
  return { status: response.statusCode as number, headers: response.headers, text };
}

/** The number of concurrent requests that a small machine can serve. */
async function flood<Answer>(posts: number, post: (place: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < posts) {
    const begun = answers.length;
    const some = Array.from({ length: POSTS_AT_ONCE }, (_, place) => post(begun + place));
    answers.push(...(await Promise.all(some)));
  }
  return answers;
}

function postWith(headers: Record<string, string>, address: string) {
  const body = new URLSearchParams({ attempt: 'a', method: 'truemoney' });
  return fetch(address, { method: 'POST', redirect: 'manual', headers, body });
}

describe('a flood of forms for one link', () => {
  test('creates few payments of bounded amounts; each refusal says when to retry', async () => {
    const { api } = await newMerchant();
    const link = await createLink(api, { amount: { type: 'open' } });
    const answers = await flood(POSTS, (place) =>
      postFrom('127.0.0.1', link.url, { attempt: `a${place}`, amount: '1000000', name: 'Somchai' }),
    );
    const taken = answers.filter(({ status }) => status === 303);
    const refused = answers.filter(({ status }) => status === 429);
    expect(taken.length + refused.length).toBe(POSTS);
    expect(taken.length).toBeGreaterThanOrEqual(20);
    expect(taken.length).toBeLessThanOrEqual(TAKEN_OF_ONE_MAX);
    for (const { headers, text } of refused) {
      expect(headers['content-type']).toMatch(/^text\/html/);
      const seconds = Number(headers['retry-after']);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(text).toContain(`try again in ${seconds} seconds`);
      expect(text).toContain('value="Somchai"');
    }
    const { data } = (await api(operations.listPayments, { query: { limit: '100' } })).json;
    expect(data).toHaveLength(taken.length);
    for (const { created_at, expires_at, amount } of data) {
      expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(15 * 60_000);
      expect(amount.minor).toBeLessThanOrEqual(100_000_000);
    }
    // Other addresses are served all the while.
    const other = await postFrom('127.0.0.2', link.url, { attempt: 'honest', amount: '250' });
    expect(other.status).toBe(303);
  });

  test('from very many addresses has a limit too, and leaves other links alone', async () => {
    const { api } = await newMerchant();
    const [link, quiet] = [await createLink(api), await createLink(api)];
    const answers = await flood(POSTS + 100, (place) =>
      postFrom(`127.0.1.${(place % 250) + 1}`, link.url, { attempt: `a${place}` }),
    );
    const statuses = answers.map(({ status }) => status);
    const taken = statuses.filter((status) => status === 303).length;
    expect(new Set(statuses)).toEqual(new Set([303, 429]));
    expect(taken).toBeLessThanOrEqual(2 * 120);
    expect((await postFrom('127.0.1.1', quiet.url, { attempt: 'a' })).status).toBe(303);
  });
});

describe('the forms of payers', () => {
  const foreign = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site', Origin: baseUrl },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
  ];
  const own = [{}, { 'Sec-Fetch-Site': 'same-origin' }, { 'Sec-Fetch-Site': 'none' }, { Origin: baseUrl }];

  test.each(foreign)('are refused from another site: %j', async (headers) => {
    const { api } = await newMerchant();
    const link = await createLink(api);
    const payment = await createPayment(api, { method: undefined });
    for (const address of [link.url, String(payment.checkout_url)]) {
      const response = await postWith(headers, address);
      expect(response.status).toBe(403);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(await response.text()).toContain('This request came from another site');
    }
    expect((await api(operations.listPayments)).json.data).toMatchObject([{ status: 'created' }]);
  });

  test.each(own)('are accepted from their own page and from other programs: %j', async (headers) => {
    const { api } = await newMerchant();
    const link = await createLink(api);
    const payment = await createPayment(api, { method: undefined });
    for (const address of [link.url, String(payment.checkout_url)]) {
      expect((await postWith(headers, address)).status).toBe(303);
    }
  });
});
