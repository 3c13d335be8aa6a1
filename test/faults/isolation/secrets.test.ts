import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { allOperations, operations } from '../../../shared/contract/operations.ts';
import { mintSecret } from '../../../shared/domain/api-key.ts';
import { derivedPageSecret } from '../../../shared/domain/page-token.ts';
import { newLinkAttempt, newLinkCode } from '../../../shared/domain/payment-link.ts';
import { createSink, newSinkToken } from '../../../shared/domain/testkit/sink.ts';
import { newMerchant } from '../../support/world/api.ts';
import { inhabitWorld, paramsIn } from '../../support/world/inhabited-world.ts';
import { baseUrl } from '../../support/world/merchant.ts';
import { storedItems, storedKeys } from '../../support/world/stored-items.ts';
import { eachAtOnce, exchange } from '../hostile/exchange.ts';

const SAMPLE = 20_000;
const THROUGH_THE_API = 40;
/** Two of 20,000 begin alike for this many bits less often than once in a million runs: 2 × log2(20,000) + 20. */
const COMMON_PREFIX_BITS_MAX = 48;
/** Far out in the tail of a chi-square distribution, in standard deviations. */
const CHI_DEVIATIONS_MAX = 7;

const BASE62 = 62;
const BASE64 = 64;
const CROCKFORD = 32;

/** How each secret is made, its random part, and the minimum that the contract requires. */
const KINDS = [
  {
    name: 'API key',
    make: () => mintSecret('test').slice('pg_test_'.length, -6),
    letters: BASE62,
    bits: 190,
  },
  { name: 'sink token', make: () => newSinkToken(), letters: BASE62, bits: 190 },
  { name: 'checkout token', make: () => derivedPageSecret(randomUUID(), 'page'), letters: BASE62, bits: 128 },
  { name: 'attempt at a link', make: () => newLinkAttempt(), letters: BASE62, bits: 128 },
  { name: 'link code', make: () => newLinkCode(), letters: CROCKFORD, bits: 50 },
  // Without the last of its 43 characters, which carries four bits only.
  { name: 'signing secret', make: signingSecret, letters: BASE64, bits: 250 },
];

function signingSecret(): string {
  return createSink([], undefined, 0).endpoint.secret.slice('whsec_'.length, -2);
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test.each(KINDS)(
  'no $name can be guessed from others, from ids or from the time',
  ({ name, make, letters, bits }) => {
    // One instant, and no chance but the operating system's: a value from any other source would repeat.
    vi.useFakeTimers({ now: 0, toFake: ['Date', 'performance'] });
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const made = Array.from({ length: SAMPLE }, make);
    const length = made[0]?.length ?? 0;
    expect(made.filter((text) => text.length !== length)).toEqual([]);
    expect(Math.floor(length * Math.log2(letters)), name).toBeGreaterThanOrEqual(bits);
    expect(new Set(made).size).toBe(SAMPLE);
    const expected = SAMPLE / letters;
    for (let index = 0; index < length; index += 1) {
      const counts = new Map<string, number>();
      for (const text of made) {
        const letter = text.charAt(index);
        counts.set(letter, (counts.get(letter) ?? 0) + 1);
      }
      expect(counts.size, `index ${index}`).toBe(letters);
      const chi = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      const deviations = (chi - (letters - 1)) / Math.sqrt(2 * (letters - 1));
      expect(deviations, `index ${index}`).toBeLessThan(CHI_DEVIATIONS_MAX);
    }
    const sorted = made.toSorted();
    const longest = Math.max(
      ...sorted.slice(1).map((text, index) => commonPrefix(text, sorted[index] ?? '')),
    );
    expect(longest * Math.log2(letters)).toBeLessThan(COMMON_PREFIX_BITS_MAX);
  },
);

function commonPrefix(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) {
    length += 1;
  }
  return length;
}

test('the service makes its secrets that way, and stores no secret of a key', async ({ task }) => {
  const { api, id: keyId, merchant, secret } = await newMerchant();
  const numbers = Array.from({ length: THROUGH_THE_API }, (_, number) => number);
  const amount = { currency: 'THB', minor: 1_000 };
  const checkouts = await eachAtOnce(numbers, async () => {
    const { json } = await api(operations.createPayment, { body: { amount } });
    return { id: json.id, token: String(json.checkout_url).slice(-22) };
  });
  const links = await eachAtOnce(numbers, async () => {
    const { json } = await api(operations.createPaymentLink, { body: { amount: { type: 'open' } } });
    return { id: json.id, token: json.code };
  });
  const sinks = await eachAtOnce(numbers.slice(0, 5), async () => {
    const { json } = await api(operations.createWebhookSink);
    return { id: json.id, token: json.url.slice(json.url.lastIndexOf('/') + 1) };
  });
  for (const [made, form] of [
    [checkouts, /^[0-9A-Za-z]{22}$/],
    [links, /^[0-9a-hjkmnp-tv-z]{10}$/],
    [sinks, /^[0-9A-Za-z]{32}$/],
  ] as const) {
    expect(made.filter(({ token }) => !form.test(token))).toEqual([]);
    expect(new Set(made.map(({ token }) => token)).size).toBe(made.length);
    const parts = made.flatMap(({ id, token }) =>
      windowsOf(token, 5).filter((part) => id.includes(part.toLowerCase())),
    );
    expect(parts).toEqual([]);
    const sorted = made.map(({ token }) => token).toSorted();
    expect(
      Math.max(...sorted.slice(1).map((token, index) => commonPrefix(token, sorted[index] ?? ''))),
    ).toBeLessThan(6);
  }
  const stored = JSON.stringify([await storedItems(merchant), await storedKeys(keyId)]);
  // Packed values are readable here: otherwise the search would find nothing in them.
  expect(checkouts.filter(({ token }) => !stored.includes(`"pageSecret":"${token}"`))).toEqual([]);
  expect(windowsOf(secret.slice('pg_test_'.length), 8).filter((part) => stored.includes(part))).toEqual([]);
  task.meta.figures = {
    'tokens, codes and secrets looked at, none like another':
      KINDS.length * SAMPLE + checkouts.length + links.length + sinks.length,
  };
});

function windowsOf(text: string, chars: number): string[] {
  return Array.from({ length: text.length - chars + 1 }, (_, index) => text.slice(index, index + chars));
}

test('a wrong token gets the response of an unknown one, however much of it is right', async ({ task }) => {
  const [one, other] = await Promise.all(
    ['one', 'other'].map(async (mark) => inhabitWorld((await newMerchant()).api, mark)),
  );
  const rows = allOperations.filter(({ permission, path }) => permission === null && path.includes('{'));
  const answers = await eachAtOnce(rows, async (row) => {
    const params = paramsIn(one ?? {}, row.path);
    const [name = '', right = ''] = Object.entries(params).at(-1) ?? [];
    const pathOf = (filled: Readonly<Record<string, string>>) =>
      row.path.replace(/\{(\w+)\}/g, (_, each: string) => filled[each] ?? '');
    const theirs = paramsIn(other ?? {}, row.path)[name] ?? '';
    const isPage = right.length > 32;
    const changed = Array.from({ length: right.length }, (_, index) => {
      const letter = right[index] === 'b' ? 'c' : 'b';
      return `${right.slice(0, index)}${letter}${right.slice(index + 1)}`;
    });
    const halves = isPage
      ? [`${right.slice(0, -22)}${theirs.slice(-22)}`, `${theirs.slice(0, -22)}${right.slice(-22)}`]
      : [];
    const wrongs = ['x'.repeat(right.length), right.slice(1), `${right}0`, '0', ...changed, ...halves];
    const all = await eachAtOnce(wrongs, (wrong) =>
      exchange(baseUrl, { method: row.method, path: pathOf({ ...params, [name]: wrong }), headers: {} }),
    );
    return all.map(({ status, headers, text }) => {
      const { date: _, 'x-request-id': id, ...others } = headers;
      return `${row.id} ${status} ${JSON.stringify(others)} ${text.replace(String(id), '')}`;
    });
  });
  expect(answers.map((same) => new Set(same).size)).toEqual(rows.map(() => 1));
  expect(answers.flat().filter((text) => !text.includes(' 404 '))).toEqual([]);
  task.meta.figures = {
    'wrong tokens and codes, each answered like one that never was': answers.flat().length,
  };
});
