import type { Mode, World } from '../../domain/world.ts';
import { queryPartition } from '../table/item.ts';
import { type Key, runnerSlotsPk } from '../table/keys.ts';
import type { Leases } from './lease.ts';

/**
 * How many queues of one merchant runners work on at the same time, over all its worlds of a mode: less than half of what
 * the deliverer of that mode does at once. So endpoints that hang leave room for others.
 * @internal
 */
export const RUNNER_SLOTS_MAX = { test: 9, live: 14 } as const satisfies Record<Mode, number>;
/** How many slots that were free are tried, where other runners take them meanwhile. */
const TRIES_MAX = 4;
const SLOT_DIGITS = 2;

/** Takes one of the slots of a merchant. @returns its key, to be released; null where none is free */
export async function takeRunnerSlot(
  world: World,
  leases: Leases,
): Promise<Key<`RUNNER-SLOTS#${string}`> | null> {
  const pk = runnerSlotsPk(world);
  const nowMs = Date.now();
  const items = await queryPartition(pk);
  const held = new Set(items.filter((item) => Number(item.leaseEndsAtMs) >= nowMs).map(({ sk }) => sk));
  const slots = Array.from({ length: RUNNER_SLOTS_MAX[world.mode] }, (_, nth) =>
    String(nth).padStart(SLOT_DIGITS, '0'),
  );
  const free = slots.filter((sk) => !held.has(sk));
  // From different ones on, since several runners look at once.
  const first = Math.floor(Math.random() * free.length);
  const inOrder = [...free.slice(first), ...free.slice(0, first)].slice(0, TRIES_MAX);
  for (const sk of inOrder) {
    if (await leases.take({ pk, sk }, { mustExist: false })) {
      return { pk, sk };
    }
  }
  return null;
}
