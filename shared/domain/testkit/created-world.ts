import { invalidFields, Problem } from '../../errors/problem.ts';
import type { ApiKey, IssuedApiKey } from '../api-key.ts';
import { MINUTE_MS, toTimestamp } from '../clock.ts';
import { perResource } from '../resource.ts';
import { sha256Hex } from '../secret.ts';
import { CLOCK_OFFSET_MAX_MS, type CreatedWorld, createdWorldIdOf, hasEnded, type World } from '../world.ts';
import { LATE_WRITES_MS } from './purge.ts';

const WORLDS_MAX = 200;
export const WORLD_NAME_MAX_CHARS = 40;
export const TTL_MINUTES_MIN = 5;
export const TTL_MINUTES_MAX = 1_440;
export const TTL_MINUTES_DEFAULT = 60;

/** A created world as it is stored among those of its merchant. */
export interface WorldSlot {
  readonly slot: number;
  readonly worldId: string;
  readonly expiresAtMs: number;
}

/** A world with an end. */
export type TestWorld = World & { readonly created: CreatedWorld };

export interface CreatedWorldInput {
  /** Null: `world-N`; of a fork, `fork of` its source. */
  readonly name: string | null;
  readonly ttlMinutes: number;
  /** The key that creates it: it ends no later than that key. */
  readonly maker: Pick<ApiKey, 'id' | 'expiresAtMs'>;
  /** The first reading of its clock; null: real time. */
  readonly startsAtMs: number | null;
}

/** Changes of the worlds that a merchant creates. They make no events. */
export type CreatedWorldChange =
  | { readonly kind: 'world'; readonly created: TestWorld }
  /** The first key of a created world. */
  | ({ readonly kind: 'world-key'; readonly created: TestWorld } & IssuedApiKey)
  /** Ends a created world before its time. */
  | { readonly kind: 'world-end'; readonly created: TestWorld; readonly endsAtMs: number };

/**
 * A new world beside that of a key: empty, in test mode, of the same merchant.
 * @param id `wld_…`
 * @param slots of the merchant's created worlds
 * @param idempotencyKey of the request: requests that create worlds at once look for a slot from different places on
 * @throws Problem `world_limit_reached`
 */
export function newCreatedWorld(
  creator: World,
  id: string,
  { name, ttlMinutes, startsAtMs, maker }: CreatedWorldInput,
  slots: readonly WorldSlot[],
  realNowMs: number,
  idempotencyKey: string,
): TestWorld {
  requireStart(startsAtMs, realNowMs);
  const { merchant, displayName, logoUrl } = creator;
  const slot = freeWorldSlot(slots, realNowMs, idempotencyKey);
  const ends = [
    realNowMs + ttlMinutes * MINUTE_MS,
    maker.expiresAtMs ?? Infinity,
    creator.created?.expiresAtMs ?? Infinity,
  ];
  return {
    id: createdWorldIdOf(id),
    merchant,
    ...(displayName !== undefined && { displayName }),
    ...(logoUrl !== undefined && { logoUrl }),
    mode: 'test',
    created: {
      id,
      name: name ?? `world-${slot + 1}`,
      createdBy: creator.id,
      createdByKey: maker.id,
      createdAtMs: realNowMs,
      expiresAtMs: Math.min(...ends),
      slot,
    },
    epoch: 1,
    clockOffsetMs: startsAtMs === null ? 0 : startsAtMs - realNowMs,
    clockVersion: 0,
    movedToMs: null,
    provider: null,
    counts: perResource(() => 0),
  };
}

/**
 * A new world that gets the content of another one of the same merchant, with its clock.
 * @throws Problem `world_limit_reached`; `clock_busy` while the clock of the source is moved
 */
export function newFork(
  creator: World,
  source: World,
  id: string,
  input: Omit<CreatedWorldInput, 'startsAtMs'>,
  slots: readonly WorldSlot[],
  realNowMs: number,
  idempotencyKey: string,
): TestWorld {
  if (source.movedToMs !== null) {
    throw new Problem('clock_busy');
  }
  const { clockOffsetMs, clockVersion, counts } = source;
  const name = input.name ?? [...`fork of ${nameOf(source)}`].slice(0, WORLD_NAME_MAX_CHARS).join('');
  const empty = newCreatedWorld(
    creator,
    id,
    { ...input, name, startsAtMs: null },
    slots,
    realNowMs,
    idempotencyKey,
  );
  return { ...empty, clockOffsetMs, clockVersion, counts };
}

/**
 * When the items of a world that has ended are deleted, in real time. One without resources has no jobs that would be
 * found due until then, so it is looked through once: when no request from before can write any more.
 */
export function deletedFromMs({ counts }: Pick<World, 'counts'>, endedAtMs: number): number {
  const isEmpty = Object.values(counts).every((count) => count === 0);
  return isEmpty ? endedAtMs + LATE_WRITES_MS : endedAtMs;
}

/** A clock is never behind real time, nor more than two years ahead. */
function requireStart(startsAtMs: number | null, realNowMs: number): void {
  const latestMs = realNowMs + CLOCK_OFFSET_MAX_MS;
  if (startsAtMs !== null && startsAtMs < realNowMs) {
    const message = `must not be before ${toTimestamp(realNowMs)}, now`;
    throw invalidFields([{ code: 'min', field: 'starts_at', message }]);
  }
  if (startsAtMs !== null && startsAtMs > latestMs) {
    const message = `must be at most two years ahead: ${toTimestamp(latestMs)}`;
    throw invalidFields([{ code: 'max', field: 'starts_at', message }]);
  }
}

function freeWorldSlot(slots: readonly WorldSlot[], realNowMs: number, idempotencyKey: string): number {
  const taken = new Set(slots.filter(({ expiresAtMs }) => expiresAtMs > realNowMs).map(({ slot }) => slot));
  const first = Number.parseInt(sha256Hex(idempotencyKey).slice(0, 8), 16);
  const inOrder = Array.from({ length: WORLDS_MAX }, (_, nth) => (first + nth) % WORLDS_MAX);
  const free = inOrder.find((slot) => !taken.has(slot));
  if (free === undefined) {
    throw new Problem('world_limit_reached');
  }
  return free;
}

/**
 * Whether a caller sees a created world that has not ended: the merchant's own test world sees all, a created one
 * itself and those that its keys have created.
 */
export function seesWorld<Seen extends World>(
  caller: World,
  world: Seen,
  realNowMs: number,
): world is Seen & TestWorld {
  const { created, merchant } = world;
  return (
    created !== undefined &&
    merchant === caller.merchant &&
    !hasEnded(world, realNowMs) &&
    (caller.created === undefined || caller.id === world.id || caller.id === created.createdBy)
  );
}

function nameOf({ created, merchant }: World): string {
  return created?.name ?? merchant;
}

/** The worlds that a key has created that have not ended, those that their keys have created, and so on. */
export function worldsMadeBy(worlds: readonly World[], keyId: string, realNowMs: number): TestWorld[] {
  return descendants(worlds, ({ created }) => created.createdByKey === keyId, realNowMs);
}

/** The worlds that the key of a world has created that have not ended, and those that their keys have created. */
export function worldsMadeIn(worlds: readonly World[], { id }: World, realNowMs: number): TestWorld[] {
  return descendants(worlds, ({ created }) => created.createdBy === id, realNowMs);
}

function descendants(
  worlds: readonly World[],
  isFirst: (world: TestWorld) => boolean,
  realNowMs: number,
): TestWorld[] {
  const created = worlds.filter((world): world is TestWorld => world.created !== undefined);
  const found = new Set(created.filter(isFirst));
  for (const { id } of found) {
    // A set also goes through what is added meanwhile.
    for (const child of created.filter((world) => world.created.createdBy === id)) {
      found.add(child);
    }
  }
  return [...found].filter((world) => !hasEnded(world, realNowMs));
}
