import { beforeAll, describe, expect, test } from 'vitest';
import { resourceQuery } from '../../shared/contract/list-page.ts';
import { QUERY_FIELDS } from '../support/tools/query-fields.ts';
import { type Client, newMerchant } from '../support/world/api.ts';
import { inhabitWorld } from '../support/world/inhabited-world.ts';

/** What a list takes beside its filters. */
const PAGING: ReadonlySet<string> = new Set([...Object.keys(resourceQuery), 'after_sequence', 'from', 'to']);

interface EventItem {
  readonly data: { readonly object: { readonly id: string } };
}

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
        filter === 'resource_id'
          ? (item as EventItem).data.object.id
          : (item as Record<string, unknown>)[filter];
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
