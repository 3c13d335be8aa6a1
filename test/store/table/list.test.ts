import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newId } from '../../../shared/domain/id.ts';
import type { Payment } from '../../../shared/domain/payment.ts';
import type { PaymentId } from '../../../shared/domain/request-start.ts';
import {
  type EntityOf,
  filtersOf,
  RESOURCE_NAMES,
  RESOURCES,
  type ResourceName,
} from '../../../shared/domain/resource.ts';
import { formatNumber } from '../../../shared/domain/resource-number.ts';
import type { ListPage, PageRequest } from '../../../shared/store/table/list.ts';
import type { ItemRow } from '../../../shared/store/table/resource-items.ts';
import type { StoredWorld } from '../../../shared/store/worlds/world.ts';
import { countUnits } from '../../support/world/consumed-units.ts';
import { aPayment, aWorld, CREATED_AT_MS, ENTITIES } from '../../support/world/entities.ts';

const { list } = await import('../../../shared/store/table/list.ts');
const { itemsOf, writeAll } = await import('../../../shared/store/table/write-all.ts');
const { pastWrites } = await import('../../../shared/store/writes.ts');

const LIMIT = 20;
/** What a filter may cost that matches at once, against the same page without it. */
const TIMES_MAX = 3;

interface PaymentQuery extends PageRequest {
  readonly status?: string;
  readonly number?: string;
}

/** A world of so many payments, a second apart, numbered without gaps. */
async function worldOf(count: number, changes: (nth: number) => Partial<Payment>) {
  const world: StoredWorld = { ...aWorld(), id: randomBytes(8).toString('hex') };
  const payments = Array.from({ length: count }, (_, nth) => {
    const createdAtMs = CREATED_AT_MS + nth * 1_000;
    const number = `P-${String(nth + 1).padStart(6, '0')}`;
    return aPayment({ id: newId('pay', createdAtMs) as PaymentId, number, createdAtMs, ...changes(nth) });
  });
  await writeAll(itemsOf(payments.flatMap((payment) => pastWrites('payment', world, payment))), []);
  return { world: { ...world, counts: { ...world.counts, payment: count } }, payments };
}

/** The numbers on every page of a list. */
async function pagesOf(world: StoredWorld, query: PaymentQuery): Promise<string[][]> {
  const pages: string[][] = [];
  let after: string | undefined;
  do {
    const page: ListPage<Payment> = await list('payment', world, { ...query, after });
    pages.push(page.data.map(({ number }) => number));
    after = page.nextCursor ?? undefined;
  } while (after !== undefined);
  return pages;
}

const newestFirst = (payments: readonly Payment[]) => payments.map(({ number }) => number).toReversed();

describe('a filtered page', () => {
  test.each([
    ['all match', 1],
    ['every second matches', 2],
  ])('costs at most three times the page without a filter, where %s', { tags: 'slow' }, async (_, every) => {
    const { world } = await worldOf(700, (nth) => ({ status: nth % every === 0 ? 'succeeded' : 'failed' }));
    const units = countUnits();
    expect((await list('payment', world, { limit: LIMIT })).data).toHaveLength(LIMIT);
    const unfiltered = units();
    const { data } = await list('payment', world, { limit: LIMIT, status: 'succeeded' });
    expect(data).toHaveLength(LIMIT);
    expect(units() / unfiltered).toBeLessThanOrEqual(TIMES_MAX);
  });

  test('costs no more than a few hundred units where nothing matches, and says where to go on', {
    tags: 'slow',
  }, async () => {
    const { world, payments } = await worldOf(1_200, (nth) => ({
      status: nth === 0 ? 'succeeded' : 'failed',
    }));
    const units = countUnits();
    const { data, nextCursor } = await list('payment', world, { limit: LIMIT, status: 'succeeded' });
    expect({ data, goesOn: nextCursor !== null }).toEqual({ data: [], goesOn: true });
    expect(units()).toBeLessThan(600);
    expect((await pagesOf(world, { limit: LIMIT, status: 'succeeded' })).flat()).toEqual(
      newestFirst(payments.slice(0, 1)),
    );
  });

  test('by a number looks at the payments around it, not at its whole block', { tags: 'slow' }, async () => {
    const { world } = await worldOf(1_200, () => ({}));
    const units = countUnits();
    await list('payment', world, { limit: LIMIT });
    const unfiltered = units();
    for (const number of ['P-000001', 'P-000500', 'P-001000', 'P-001001', 'P-001200']) {
      expect(await pagesOf(world, { limit: LIMIT, number }), number).toEqual([[number]]);
      expect(units() / unfiltered, number).toBeLessThanOrEqual(TIMES_MAX);
    }
    expect(await pagesOf(world, { limit: 1, number: 'P-000500' })).toEqual([['P-000500']]);
    expect(await pagesOf(world, { limit: LIMIT, number: 'P-000500', status: 'failed' })).toEqual([[]]);
  });

  test('by a number finds it where many numbers were never used', { tags: 'slow' }, async () => {
    const { world } = await worldOf(40, (nth) => ({ number: `P-${String(1 + nth * 25).padStart(6, '0')}` }));
    const whole = { ...world, counts: { ...world.counts, payment: 1_000 } };
    for (const number of ['P-000001', 'P-000026', 'P-000501', 'P-000976']) {
      expect(await pagesOf(whole, { limit: LIMIT, number }), number).toEqual([[number]]);
    }
    expect((await pagesOf(whole, { limit: LIMIT, number: 'P-000002' })).flat()).toEqual([]);
  });
});

describe('a filtered list', () => {
  test.each([
    [3, 12],
    [5, 9],
    [30, 1],
    [1, 30],
  ])(
    'goes on over the end of a block, to its last match: %i and %i',
    { tags: 'slow' },
    async (older, newer) => {
      const { world, payments } = await worldOf(older + newer, (nth) => ({
        // Two blocks, of which neither is full.
        number: `P-${String(nth < older ? nth + 1 : 1_001 + nth - older).padStart(6, '0')}`,
        status: nth % 3 === 0 ? 'succeeded' : 'failed',
      }));
      const whole = { ...world, counts: { ...world.counts, payment: 1_000 + newer } };
      const wanted = newestFirst(payments.filter(({ status }) => status === 'succeeded'));
      for (const limit of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
        expect((await pagesOf(whole, { limit, status: 'succeeded' })).flat(), String(limit)).toEqual(wanted);
      }
    },
  );

  test('shows every match once, however far apart they are', { tags: 'slow' }, async () => {
    const { world, payments } = await worldOf(1_100, (nth) => ({
      status: nth % 70 === 0 || nth % 211 < 2 ? 'succeeded' : 'failed',
    }));
    const wanted = newestFirst(payments.filter(({ status }) => status === 'succeeded'));
    for (const limit of [1, 3, 100]) {
      const pages = await pagesOf(world, { limit, status: 'succeeded' });
      expect(pages.flat(), `pages of ${limit}`).toEqual(wanted);
      expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(limit);
    }
  });

  test('of a time is complete, with a filter too', { tags: 'slow' }, async () => {
    const { world, payments } = await worldOf(1_300, (nth) => ({
      status: nth % 3 === 0 ? 'succeeded' : 'failed',
    }));
    const at = (nth: number) => new Date(CREATED_AT_MS + nth * 1_000).toISOString();
    const between = { createdFrom: at(200), createdTo: at(1_100) };
    const inside = payments.slice(200, 1_100).filter(({ status }) => status === 'succeeded');
    const pages = await pagesOf(world, { limit: 100, status: 'succeeded', ...between });
    expect(pages.flat()).toEqual(newestFirst(inside));
  });
});

function fieldOf(filter: string, value: string | undefined) {
  return filter === 'customerEmail' ? { customer: { email: value } } : { [filter]: value };
}

describe('every filter of every list', () => {
  const FILTERS = RESOURCE_NAMES.flatMap((name) =>
    Object.keys(RESOURCES[name].filters).map((filter) => [name, filter] as const),
  );

  test.each(FILTERS)('of %s, by %s, finds what has that value alone', async (name, filter) => {
    const world: StoredWorld = { ...aWorld(), id: randomBytes(8).toString('hex') };
    const filteredBy = (entity: EntityOf<ResourceName>) =>
      (filtersOf(name) as Record<string, (one: never) => string | null>)[filter]?.(entity as never);
    const made = [1, 2, 3].map((nth) => {
      const id = newId(RESOURCES[name].prefix, CREATED_AT_MS + nth);
      const number = formatNumber(name, nth);
      // A code has one item alone, and so has a provider and a day.
      const alone = { code: `abcdefghj${nth}`, provider: `p${nth}`, valueDate: `2026-11-0${nth}` };
      const own = Object.entries(alone).filter(([field]) => field in ENTITIES[name]);
      return { ...ENTITIES[name], ...Object.fromEntries(own), id, number } as EntityOf<ResourceName>;
    });
    // Fields of a filter have its name, but for the email of a customer; the second and the third of these share a value.
    const [one, other] = filter === 'number' ? [] : ['value of one', 'value of others'];
    const entities = made.map((entity, index) =>
      one === undefined
        ? entity
        : ({ ...entity, ...fieldOf(filter, index === 0 ? one : other) } as typeof entity),
    );
    await writeAll(itemsOf(entities.flatMap((entity) => pastWrites(name, world, entity as never))), []);
    const counted = { ...world, counts: { ...world.counts, [name]: entities.length } };
    for (const wanted of new Set(entities.map(filteredBy))) {
      const query = { limit: 10, [filter]: wanted } as never;
      const { data } = await list(name, counted, query);
      const ids = entities.filter((entity) => filteredBy(entity) === wanted).map(({ id }) => id);
      expect(data.map(({ id }) => id)).toEqual(ids.toReversed());
    }
  });

  test('has at most one list of its own for each kind of resource, which the type of its row says', () => {
    const ways = (): ItemRow<'payment'>[] => [
      { partition: 'P', live: [], by: { filter: 'method', partition: 'METHOD' } },
      // @ts-expect-error an item has room for one list
      { partition: 'P', live: [], by: { reference: { partition: 'A' }, method: { partition: 'B' } } },
      // @ts-expect-error of a filter that the list of payments has
      { partition: 'P', live: [], by: { filter: 'bank', partition: 'BANK' } },
    ];
    expect(ways).toBeTypeOf('function');
  });
});
