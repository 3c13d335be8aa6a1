import { describe, expect, it } from 'vitest';
import {
  byPlural,
  type perResource,
  REPORTED_NAMES,
  RESOURCE_NAMES,
  RESOURCES,
} from '../../shared/domain/resource.ts';
import { listBy, RESOURCE_ITEMS } from '../../shared/store/table/resource-items.ts';

describe('the table of resources', () => {
  it.each([
    ['prefix', REPORTED_NAMES.map((name) => RESOURCES[name].prefix)],
    ['plural', REPORTED_NAMES.map((name) => RESOURCES[name].plural)],
    ['letter of numbers', RESOURCE_NAMES.map((name) => RESOURCES[name].letter)],
    [
      'partition, of lists too',
      RESOURCE_NAMES.flatMap((name) => {
        const { partition } = RESOURCE_ITEMS[name];
        return [partition, `${partition}S`, ...[listBy(name)?.partition ?? []].flat()];
      }),
    ],
  ])('gives no two the same %s', (_name, given) => {
    expect(new Set<string>(given).size).toBe(given.length);
  });

  it('names counts in its own order, for any order of input', () => {
    const backwards = [...RESOURCE_NAMES.entries()].toReversed().map(([index, name]) => [name, index]);
    const counts = Object.fromEntries(backwards) as ReturnType<typeof perResource<number>>;
    const ordered = RESOURCE_NAMES.map((name, index) => [RESOURCES[name].plural, index]);
    expect(Object.entries(byPlural(counts))).toEqual(ordered);
  });
});
