import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { TableInput } from '../../../shared/store/table/client.ts';
import '../../support/world/merchant.ts';
import { partition } from '../../support/world/stored-table.ts';

const { dynamodb, tableName } = await import('../../../shared/store/table/client.ts');
const { insert, remove } = await import('../../../shared/store/table/item.ts');
const { insertAll, itemsOf, writeAll } = await import('../../../shared/store/table/write-all.ts');

const BATCH_WRITE_MAX = 25;

/** Items of one partition that is empty again after the test. */
function newItems(count: number) {
  const pk = `TEST#${randomUUID()}`;
  const items = Array.from({ length: count }, (_, index) => ({ pk, sk: String(index).padStart(3, '0') }));
  onTestFinished(async () => {
    await writeAll([], items);
  });
  return { items, stored: async () => (await partition(pk)).map(({ sk }) => sk) };
}

/** A store that processes only so many requests of each batch. */
function doOnly(atOnce: number) {
  const sizes: number[] = [];
  const name = 'does only a part';
  dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'BatchWriteItemCommand') {
          return next(args);
        }
        const { RequestItems } = args.input as TableInput<'BatchWriteItem'>;
        const requests = RequestItems?.[tableName()] ?? [];
        sizes.push(requests.length);
        const [done, left] = [requests.slice(0, atOnce), requests.slice(atOnce)];
        if (done.length > 0) {
          await next({ ...args, input: { RequestItems: { [tableName()]: done } } });
        }
        const UnprocessedItems = left.length === 0 ? {} : { [tableName()]: left };
        return { response: undefined, output: { $metadata: {}, UnprocessedItems } };
      },
    { step: 'initialize', name },
  );
  const stop = () => {
    dynamodb.middlewareStack.remove(name);
  };
  onTestFinished(stop);
  return { sizes, stop };
}

test('writes and deletes more items than one batch holds, and a repetition does no harm', async () => {
  const { items, stored } = newItems(3 * BATCH_WRITE_MAX + 1);
  const [old, kept] = [items.slice(0, 30), items.slice(30)];
  await writeAll(old, []);
  expect(await stored()).toEqual(old.map(({ sk }) => sk));
  for (let times = 0; times < 2; times += 1) {
    await writeAll(kept, old);
    expect(await stored()).toEqual(kept.map(({ sk }) => sk));
  }
});

test('makes no call for nothing to write', async () => {
  const { sizes } = doOnly(BATCH_WRITE_MAX);
  await writeAll([], []);
  expect(sizes).toEqual([]);
});

test('retries what the store leaves undone, and only that', async () => {
  const { items, stored } = newItems(BATCH_WRITE_MAX + 2);
  const { sizes, stop } = doOnly(10);
  await writeAll(items, []);
  expect(sizes).toEqual([25, 15, 5, 2]);
  stop();
  expect(await stored()).toEqual(items.map(({ sk }) => sk));
});

test('gives up with temporarily_unavailable if the store keeps leaving something undone', {
  tags: 'slow',
}, async () => {
  const { items } = newItems(1);
  const { sizes } = doOnly(0);
  await expect(writeAll(items, [])).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  expect(sizes).toHaveLength(8);
});

test('deletes an item by its key, whatever else the item holds', async () => {
  const { items, stored } = newItems(2);
  const full = items.map((item) => ({ ...item, note: 'more' }));
  await writeAll(full, []);
  await writeAll([], full.slice(1));
  expect(await stored()).toEqual(['000']);
});

test('inserts items without changing those that exist already', async () => {
  const { items, stored } = newItems(40);
  const [first] = items as [(typeof items)[0]];
  await writeAll([{ ...first, note: 'first' }], []);
  await insertAll(items.map((item) => ({ ...item, note: 'later' })));
  expect(await stored()).toEqual(items.map(({ sk }) => sk));
  const notes = (await partition(first.pk)).map((item) => item.note);
  expect(notes).toEqual(['first', ...items.slice(1).map(() => 'later')]);
});

test('itemsOf returns the items that the writes put, without their conditions', () => {
  const { items } = newItems(2);
  const [one, two] = items as [(typeof items)[0], (typeof items)[0]];
  expect(itemsOf([insert(one), remove(two), insert(two)])).toEqual([one, two]);
});
