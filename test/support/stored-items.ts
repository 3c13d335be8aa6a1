import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { worldIdOf } from '../../shared/domain/world.ts';
import { leaseKey, worldKey } from '../../shared/store/keys.ts';
import { partition, scanTable } from './stored-table.ts';

/** Locally a moment; a deployed target of tests may run the jobs of one world after another. */
const QUIET_WITHIN_MS = 60_000;
const POLL_MS = 50;
/** Kinds of what waits to be delivered. */
const DELIVERIES = ['deliver-event', 'first-attempt', 'redelivery'];
const PASSING = ['WAKE', 'LEASE'];

/**
 * What is stored of a merchant's test world when nothing is left to be told or delivered: to show that a refusal left
 * nothing behind. The item of a world's next run and who works on a queue, which come and go, are left out.
 */
export async function quietItems(merchant: string): Promise<Record<string, unknown>[]> {
  const giveUpAt = Date.now() + QUIET_WITHIN_MS;
  for (;;) {
    const items = await storedItems(merchant);
    const isQuiet = !items.some(
      ({ kind }) => String(kind).startsWith('outbox') || DELIVERIES.includes(String(kind)),
    );
    if (isQuiet || Date.now() > giveUpAt) {
      return items.filter(({ sk }) => !PASSING.includes(String(sk)));
    }
    await sleep(POLL_MS);
  }
}

/** Everything that is stored of a merchant's test world but its counters. */
export async function storedItems(merchant: string): Promise<Record<string, unknown>[]> {
  const items = await scanTable('begins_with(pk, :value)', `${worldIdOf(merchant, 'test')}.`);
  return items.toSorted((a, b) => `${a.pk} ${a.sk}`.localeCompare(`${b.pk} ${b.sk}`));
}

/** What is stored of some kind in a merchant's test world at one instant: read until it is the same twice. */
export async function storedAtOnce(
  merchant: string,
  isOfKind: (item: Readonly<Record<string, unknown>>) => boolean,
): Promise<Record<string, unknown>[]> {
  const giveUpAt = Date.now() + QUIET_WITHIN_MS;
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

/** What is stored of the first epoch of a merchant's test world, but saved answers and counters that end with their time. */
export async function leftOver(merchant: string): Promise<number> {
  const serial = await partition(worldKey(worldIdOf(merchant, 'test')).pk);
  const items = await storedItems(merchant);
  return [
    ...items.filter(({ pk }) => /\.1#(?!ONCE#|POSTS#)/.test(String(pk))),
    ...serial.filter(({ sk }) => sk === leaseKey({ id: merchant, epoch: 1 }).sk),
  ].length;
}

/** What is stored of an API key. */
export function storedKeys(id: string): Promise<Record<string, unknown>[]> {
  return scanTable('id = :value', id);
}
