import { describe, expect, it } from 'vitest';
import {
  byPlural,
  type perResource,
  RESOURCE_NAMES,
  RESOURCES,
  rowOf,
} from '../../shared/domain/resource.ts';

describe('the table of resources', () => {
  it.each([
    ['prefix', RESOURCE_NAMES.map((name) => RESOURCES[name].prefix)],
    ['plural', RESOURCE_NAMES.map((name) => RESOURCES[name].plural)],
    ['letter of numbers', RESOURCE_NAMES.map((name) => RESOURCES[name].letter)],
    [
      'partition, of lists too',
      RESOURCE_NAMES.flatMap((name) => {
        const { partition, by = {} } = rowOf(name);
        return [partition, `${partition}S`, ...Object.values(by).map((list) => list.partition)];
      }),
    ],
  ])('gives no two the same %s', (_name, given) => {
    expect(new Set<string>(given).size).toBe(given.length);
  });

  it('names counts in its own order, for any order of input', () => {
    const backwards = [...RESOURCE_NAMES.entries()].toReversed().map(([place, name]) => [name, place]);
    const counts = Object.fromEntries(backwards) as ReturnType<typeof perResource<number>>;
    expect(Object.entries(byPlural(counts))).toEqual([
      ['payments', 0],
      ['refunds', 1],
      ['payment_links', 2],
      ['payouts', 3],
      ['settlements', 4],
    ]);
  });
});
