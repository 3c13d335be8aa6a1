import { beforeAll, describe, expect, test } from 'vitest';
import { resourceQuery } from '../../shared/contract/list-page.ts';
import { operations } from '../../shared/contract/operations.ts';
import { QUERY_FIELDS } from '../support/tools/query-fields.ts';
import { type Client, newMerchant } from '../support/world/api.ts';
import { inhabitWorld } from '../support/world/inhabited-world.ts';
import { createPayment } from '../support/world/resources.ts';

/** What a list takes beside its filters. */
const PAGING: ReadonlySet<string> = new Set([...Object.keys(resourceQuery), 'after_sequence', 'from', 'to']);

interface EventItem {
  readonly data: { readonly object: { readonly id: string } };
}

/** What a filter compares, where that is no field of its name. */
const COMPARED: Readonly<Record<string, (item: never) => string | null | undefined>> = {
  resource_id: (item: EventItem) => item.data.object.id,
  amount_minor: ({ amount }: { readonly amount: { readonly minor: number } }) => String(amount.minor),
  reference_prefix: ({ reference }: { readonly reference: string | null }) => reference?.slice(0, 3),
};

describe('a filter', () => {
  let api: Client;
  beforeAll(async () => {
    ({ api } = await newMerchant());
    await inhabitWorld(api, 'filtered');
  });

  test.each(QUERY_FIELDS.filter(([, filter]) => !PAGING.has(filter)))(
    'of %s, %s, finds what has its value, and nothing else',
    async (_id, filter, row) => {
      const valueIn = (item: object) =>
        (COMPARED[filter] as ((item: object) => unknown) | undefined)?.(item) ??
        (item as Record<string, unknown>)[filter];
      const listed = async (query: Record<string, string>) =>
        ((await api(row, { query })).json as { readonly data: object[] }).data;
      const value = (await listed({})).map(valueIn).find((one) => one !== null && one !== undefined);
      expect(
        value,
        `a filter is for the equal value of a field that is shown: nothing shows ${filter}`,
      ).toBeDefined();
      const found = await listed({ [filter]: String(value) });
      expect(new Set(found.map(valueIn))).toEqual(new Set([value]));
    },
  );
});

describe('payments of a shop', () => {
  let api: Client;
  let found: (query: Record<string, string>) => Promise<string[]>;
  beforeAll(async () => {
    ({ api } = await newMerchant());
    for (const [reference, minor, email] of [
      ['order-1', 50_000, 'Somchai@example.com'],
      ['order-12', 50_000, 'somchai@example.com'],
      ['Order-1', 500, 'mali@example.com'],
      [undefined, 50_001, undefined],
    ] as const) {
      await createPayment(api, {
        amount: { currency: 'THB', minor },
        reference,
        customer: email === undefined ? undefined : { email },
      });
    }
    found = async (query) => {
      const { json } = await api(operations.listPayments, { query });
      return json.data.map(({ number }) => number).toReversed();
    };
  });

  test('are found by exactly their amount', async () => {
    expect(await found({ amount_minor: '50000' })).toEqual(['P-000001', 'P-000002']);
    expect(await found({ amount_minor: '5000' })).toEqual([]);
  });

  test('are found by the email of the payer, in upper or lower case', async () => {
    expect(await found({ customer_email: 'SOMCHAI@EXAMPLE.COM' })).toEqual(['P-000001', 'P-000002']);
    expect(await found({ customer_email: 'chai@example.com' })).toEqual([]);
  });

  test('are found by the beginning of their reference, with its case', async () => {
    expect(await found({ reference_prefix: 'order-1' })).toEqual(['P-000001', 'P-000002']);
    expect(await found({ reference_prefix: 'order-12', amount_minor: '50000' })).toEqual(['P-000002']);
    expect(await found({ reference_prefix: 'rder' })).toEqual([]);
  });

  test.each([
    ['amount_minor', '12.50', 'format'],
    ['amount_minor', '0', 'format'],
    ['amount_minor', '๑๐๐', 'format'],
    ['amount_minor', '1'.repeat(13), 'too_long'],
    ['customer_email', 'somchai', 'format'],
    ['reference_prefix', 'or', 'too_short'],
  ])('are not looked for by %s %s', async (filter, value, code) => {
    const { status, problem } = await api(operations.listPayments, { query: { [filter]: value } });
    expect([status, problem.errors?.map((error) => [error.field, error.code])]).toEqual([
      422,
      [[filter, code]],
    ]);
  });
});
