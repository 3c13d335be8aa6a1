import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { worldIdOf } from '../../../shared/domain/world.ts';
import { worldOf } from './resources.ts';
import { partition, scanTable } from './stored-table.ts';

const { readQueuePks } = await import('../../../shared/flows/dispatch/delivery-targets.ts');
const { outboxPks } = await import('../../../shared/store/table/keys.ts');

/** Locally a moment; a slow target runs the jobs of all tests one after another. */
const REST_WITHIN_MS = 540_000;
const POLL_MS = 50;
/** Kinds of items that wait for delivery. */
const DELIVERIES = ['deliver-event', 'first-attempt', 'redelivery'];
const PASSING = ['NEXT-RUN', 'LEASE'];

/**
 * Waits until nothing of a merchant's test world is left to dispatch or deliver. It looks where that lies: a look
 * through the whole table, which has the worlds of every other test, takes a hundred times as long.
 */
export async function untilQuiet(merchant: string): Promise<void> {
  const world = await worldOf(merchant);
  await untilNone(async () => {
    const pks = [...outboxPks(world), ...(await readQueuePks(world))];
    return (await Promise.all(pks.map(partition))).flat().filter(isWaiting).length;
  });
}

/** Not by `expect.poll`: examples are recorded before the tests. */
async function untilNone(countLeft: () => Promise<number>): Promise<void> {
  const giveUpAt = performance.now() + REST_WITHIN_MS;
  for (let left = await countLeft(); left > 0; left = await countLeft()) {
    if (performance.now() > giveUpAt) {
      throw new Error(`the world does not come to rest: ${left} items wait`);
    }
    await sleep(POLL_MS);
  }
}

function isWaiting({ kind }: Record<string, unknown>): boolean {
  return String(kind).startsWith('outbox') || DELIVERIES.includes(String(kind));
}

/**
 * What is stored of a merchant's test world when nothing is left to dispatch or deliver: to show that a refusal
 * stored nothing. The item of a world's next run and the leases of queues, which come and go, are left out.
 */
export async function quietItems(merchant: string): Promise<Record<string, unknown>[]> {
  let items: Record<string, unknown>[] = [];
  await untilNone(async () => {
    await untilQuiet(merchant);
    items = await storedItems(merchant);
    // Also of an ended epoch, and of items that were added between both reads.
    return items.filter(isWaiting).length;
  });
  return items.filter(({ sk }) => !PASSING.includes(String(sk)));
}

/** Everything that is stored of a merchant's test world but its counters and its log of requests, refused ones too. */
export async function storedItems(merchant: string): Promise<Record<string, unknown>[]> {
  const items = await scanTable({ pkBegins: `${worldIdOf(merchant, 'test')}.` });
  return items
    .filter(({ pk }) => !String(pk).includes('#REQUESTS#'))
    .toSorted((a, b) => `${a.pk} ${a.sk}`.localeCompare(`${b.pk} ${b.sk}`));
}

/** What is stored of some kind in a merchant's test world at one instant: read until it is the same twice. */
export async function storedAtOnce(
  merchant: string,
  isOfKind: (item: Readonly<Record<string, unknown>>) => boolean,
): Promise<Record<string, unknown>[]> {
  const giveUpAt = Date.now() + REST_WITHIN_MS;
  let before: unknown;
  while (Date.now() < giveUpAt) {
    const items = (await storedItems(merchant)).filter(isOfKind);
    if (isDeepStrictEqual(items, before)) {
      return items;
    }
    before = items;
  }
  throw new Error('the world does not come to rest');
}

/**
 * Counts the items of the first epoch of a merchant's test world, except those that expire by themselves: saved
 * responses, counters, and the log of requests, which a late request may still write.
 */
export async function leftOver(merchant: string): Promise<number> {
  const items = await scanTable({ pkBegins: `${worldIdOf(merchant, 'test')}.1#` });
  return items.filter(({ pk }) => !/#(CLAIM|POSTS|REQUESTS)#/.test(String(pk))).length;
}

/** What is stored of an API key. */
export function storedKeys(id: string): Promise<Record<string, unknown>[]> {
  return scanTable({ attribute: 'id', value: id });
}
