import type { IssuedApiKey } from '../../domain/api-key.ts';
import { DAY_MS, SECOND_MS } from '../../domain/clock.ts';
import { isId } from '../../domain/id.ts';
import {
  deletedFromMs,
  seesWorld,
  type TestWorld,
  type WorldSlot,
} from '../../domain/testkit/created-world.ts';
import { createdWorldIdOf, type World } from '../../domain/world.ts';
import { found } from '../../errors/problem.ts';
import type { Write } from '../table/commit.ts';
import { fieldsOf } from '../table/entity.ts';
import { getItems } from '../table/get-items.ts';
import { getItem, insert, queryPartition, update } from '../table/item.ts';
import {
  createdWorldKey,
  dueIndex,
  testApiKeyKey,
  worldKey,
  worldSlotKey,
  worldSlotsPk,
} from '../table/keys.ts';
import { COPIED_AT, ENDED_EPOCH, FORK_SOURCE, TABLE, UNDELETED_EPOCH, WORLD_END } from '../table/table.ts';
import { apiKeyAttributes } from '../worlds/api-key.ts';
import { countersOf, NO_COPY, type StoredWorld, toWorld } from '../worlds/world.ts';

/** Before the first epoch. */
const NOTHING_UNDELETED = 0;
/** How long an ended world and its key are kept: longer than the deletion of its items takes. */
const KEPT_MS = 7 * DAY_MS;

/** The slots of a merchant's created worlds, those of ended ones too. */
export async function readWorldSlots(merchant: string): Promise<WorldSlot[]> {
  const items = await queryPartition(worldSlotsPk(merchant));
  return items.map((item) => fieldsOf<WorldSlot>(item));
}

/** The created worlds of a merchant, in any order; those that have ended may be missing. */
export async function readCreatedWorlds(merchant: string): Promise<StoredWorld[]> {
  const slots = await readWorldSlots(merchant);
  const items = await getItems(slots.map(({ worldId }) => createdWorldKey(worldId)));
  return items.map(toWorld);
}

/** @param id `wld_…` */
export async function findCreatedWorld(id: string): Promise<(StoredWorld & TestWorld) | null> {
  const item = isId('wld', id) ? await getItem(createdWorldKey(createdWorldIdOf(id))) : undefined;
  return item === undefined ? null : (toWorld(item) as StoredWorld & TestWorld);
}

/**
 * A created world that the caller sees.
 * @param id `wld_…`
 * @throws Problem `world_not_found`
 */
export async function getCreatedWorld(caller: World, id: string): Promise<TestWorld> {
  const world = await findCreatedWorld(id);
  return found(world !== null && seesWorld(caller, world, Date.now()) ? world : null, 'world_not_found');
}

/**
 * The writes that create a world and take its slot. They conflict where another world has taken it.
 * @param forkSource the world whose content it will get: until then, the clock finds it at once
 */
export function insertCreatedWorld({ created, counts, ...world }: TestWorld, forkSource?: World): Write[] {
  const { slot, createdAtMs, expiresAtMs, ...named } = created;
  const { id: worldId, merchant } = world;
  const worldSlot: WorldSlot = { slot, worldId, expiresAtMs };
  return [
    insert({
      ...world,
      ...createdWorldKey(worldId),
      created: { ...named, slot, createdAtMs },
      [WORLD_END]: expiresAtMs,
      keyCount: 1,
      ...countersOf(counts),
      ...(forkSource !== undefined && {
        [FORK_SOURCE]: { id: forkSource.id, epoch: forkSource.epoch },
        [COPIED_AT]: NO_COPY,
      }),
      ...dueIndex(world, worldId, forkSource === undefined ? expiresAtMs : createdAtMs),
      ...timeToLive(expiresAtMs),
    }),
    {
      put: {
        item: { ...worldSlotKey(merchant, slot), ...worldSlot },
        condition: `attribute_not_exists(pk) OR ${WORLD_END} <= :now`,
        values: { ':now': createdAtMs },
      },
    },
  ];
}

/** Writes the key of a created world. Operators' lists do not show it: it ends with its world. */
export function insertWorldKey({ created, id }: TestWorld, { key, secret }: IssuedApiKey): Write {
  if (key.worldId !== id || key.mode !== 'test') {
    throw new Error('the key belongs to another world');
  }
  return insert({ ...apiKeyAttributes(key), ...testApiKeyKey(secret), ...timeToLive(created.expiresAtMs) });
}

/** Gives the slot of a created world back that has not ended yet. */
export function freeSlotOf({ created, id, merchant }: TestWorld): Write {
  const key = worldSlotKey(merchant, created.slot);
  return { remove: { key, condition: 'worldId = :id', values: { ':id': id } } };
}

/** The writes that let a created world end earlier. They conflict where it ends by then, or was purged since it was read. */
export function shortenCreatedWorld(
  { created, id, merchant, mode, epoch }: TestWorld,
  endsAtMs: number,
): Write[] {
  const { dueSk } = dueIndex({ id, mode, epoch }, id, endsAtMs);
  const isLater = `${WORLD_END} > :end`;
  return [
    update(worldKey(id), `SET ${WORLD_END} = :end, dueSk = :due`, {
      condition: `epoch = :epoch AND ${isLater}`,
      values: { ':end': endsAtMs, ':due': dueSk, ':epoch': epoch },
    }),
    update(worldSlotKey(merchant, created.slot), `SET ${WORLD_END} = :end`, {
      condition: `worldId = :id AND ${isLater}`,
      values: { ':end': endsAtMs, ':id': id },
    }),
  ];
}

/**
 * Ends the epoch of a created world: nothing of it is found, done or sent any more. A runner then deletes its items.
 * Conflicts where the world was purged since it was read, or its epoch has ended already.
 */
export function endCreatedWorld(world: TestWorld, endsAtMs: number): Write {
  const { dueSk } = dueIndex(world, world.id, deletedFromMs(world, endsAtMs));
  const ending = `${ENDED_EPOCH} = :epoch, ${UNDELETED_EPOCH} = :epoch, ${WORLD_END} = :end, dueSk = :due`;
  return update(worldKey(world.id), `SET epoch = epoch + :one, ${ending}`, {
    condition: `epoch = :epoch AND attribute_not_exists(${UNDELETED_EPOCH})`,
    values: { ':one': 1, ':epoch': world.epoch, ':end': endsAtMs, ':due': dueSk },
  });
}

/** Notes that jobs delete the items of an ended world. Conflicts where another run has noted it. */
export function noteDeletion(world: TestWorld, undeletedEpoch: number): Write {
  return update(worldKey(world.id), `SET ${UNDELETED_EPOCH} = :none REMOVE duePk, dueSk`, {
    condition: `${UNDELETED_EPOCH} = :epoch`,
    values: { ':none': NOTHING_UNDELETED, ':epoch': undeletedEpoch },
  });
}

function timeToLive(endsAtMs: number) {
  return { [TABLE.ttl]: Math.ceil((endsAtMs + KEPT_MS) / SECOND_MS) };
}
