import type { ApiKey } from '../../domain/api-key.ts';
import { type TestWorld, worldsMadeBy } from '../../domain/testkit/created-world.ts';
import { commit } from '../../store/table/commit.ts';
import {
  endCreatedWorld,
  freeSlotOf,
  readCreatedWorlds,
  shortenCreatedWorld,
} from '../../store/testkit/created-worlds.ts';

/** How many times the worlds are read again when some of them have changed meanwhile. */
const LOOKS_MAX = 20;

/**
 * Lets the worlds that a key has created, and theirs, end no later than the key (contract §16). Every step can be
 * repeated: a second run ends what a first one has left.
 * @returns those that end earlier now
 */
export async function endWorldsOfKey(
  { id, merchant }: Pick<ApiKey, 'id' | 'merchant'>,
  endsAtMs: number,
): Promise<TestWorld[]> {
  const ended: TestWorld[] = [];
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const made = worldsMadeBy(await readCreatedWorlds(merchant), id, Date.now());
    const longer = made.filter(({ created }) => created.expiresAtMs > endsAtMs);
    if (longer.length === 0) {
      return ended;
    }
    for (const world of longer) {
      const isNow = endsAtMs <= Date.now();
      const writes = isNow
        ? [endCreatedWorld(world, endsAtMs), freeSlotOf(world)]
        : shortenCreatedWorld(world, endsAtMs);
      // A conflict means that the world has changed: it is read again.
      if ((await commit(writes)).kind === 'committed') {
        ended.push(world);
      }
    }
  }
  throw new Error('Worlds that the key has created keep changing: run the command again.');
}
