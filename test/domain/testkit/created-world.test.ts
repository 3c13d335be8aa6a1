import { describe, expect, test } from 'vitest';
import {
  newCreatedWorld,
  newFork,
  seesWorld,
  WORLD_NAME_MAX_CHARS,
  type WorldSlot,
  worldsMadeBy,
  worldsMadeIn,
} from '../../../shared/domain/testkit/created-world.ts';
import {
  CLOCK_OFFSET_MAX_MS,
  isCreatedWorldId,
  WORLD_ID_CHARS,
  type World,
  worldNow,
} from '../../../shared/domain/world.ts';
import { problemOf } from '../../support/faults/thrown-problem.ts';
import { aWorld } from '../../support/world/entities.ts';

const NOW = Date.UTC(2026, 10, 25);
const MINUTE_MS = 60_000;
const own = aWorld();
const maker: { id: string; expiresAtMs: number | null } = { id: 'key_1', expiresAtMs: null };
const input = { name: 'ci', ttlMinutes: 5, startsAtMs: null, maker };

function create({
  id = 'wld_01h455vb4pex5vsknk084sn02q',
  slots = [],
  key = 'k',
  startsAtMs = null,
  creator = own,
}: {
  id?: string;
  slots?: readonly WorldSlot[];
  key?: string;
  startsAtMs?: number | null;
  creator?: Parameters<typeof newCreatedWorld>[0];
} = {}) {
  return newCreatedWorld(creator, id, { ...input, startsAtMs }, slots, NOW, key);
}

const slotsOf = (slots: readonly number[], expiresAtMs = NOW + 1): WorldSlot[] =>
  slots.map((slot) => ({ slot, worldId: 'w', expiresAtMs }));
const ALL = Array.from({ length: 200 }, (_, slot) => slot);

describe('a created world', () => {
  test('is empty, of its merchant, in test mode, and ends after its time', () => {
    const world = create();
    expect(world).toMatchObject({ merchant: own.merchant, mode: 'test', epoch: 1, clockOffsetMs: 0 });
    expect(world.created).toMatchObject({
      name: 'ci',
      createdBy: own.id,
      createdAtMs: NOW,
      expiresAtMs: NOW + 5 * MINUTE_MS,
    });
    expect(Object.values(world.counts).every((count) => count === 0)).toBe(true);
  });

  test("has an id that follows from that of the API, and is none of a merchant's own worlds", () => {
    const { id } = create();
    expect(id).toHaveLength(WORLD_ID_CHARS);
    expect(isCreatedWorldId(id)).toBe(true);
    expect(isCreatedWorldId(own.id)).toBe(false);
    expect(create().id).toBe(id);
    expect(create({ id: 'wld_01h455vb4pex5vsknk084sn02r' }).id).not.toBe(id);
  });

  test.each([0, 1, CLOCK_OFFSET_MAX_MS])('shows first the instant that is %i ms ahead', (aheadMs) => {
    expect(worldNow(create({ startsAtMs: NOW + aheadMs }), NOW)).toBe(NOW + aheadMs);
  });

  test.each([
    [-1, 'min'],
    [CLOCK_OFFSET_MAX_MS + 1, 'max'],
  ])('does not start %i ms ahead', (aheadMs, code) => {
    const { errors } = problemOf(() => create({ startsAtMs: NOW + aheadMs }), 'validation_failed');
    expect(errors).toMatchObject([{ field: 'starts_at', code }]);
  });
});

describe('the slot of a created world', () => {
  test('differs by Idempotency-Key, so that requests at once seldom meet', () => {
    const slots = ALL.map((nth) => create({ key: `k${nth}` }).created.slot);
    expect(new Set(slots).size).toBeGreaterThan(100);
    expect(create({ key: 'k1' }).created.slot).toBe(create({ key: 'k1' }).created.slot);
  });

  test.each([0, 77, 199])('is the last one that is free: %i', (free) => {
    const slots = slotsOf(ALL.filter((slot) => slot !== free));
    expect(create({ slots }).created.slot).toBe(free);
  });

  test('is one whose world has ended', () => {
    const slots = [...slotsOf(ALL.filter((slot) => slot !== 3)), ...slotsOf([3], NOW)];
    expect(create({ slots }).created.slot).toBe(3);
  });

  test('is refused where all are taken', () => {
    expect(problemOf(() => create({ slots: slotsOf(ALL) })).code).toBe('world_limit_reached');
  });
});

describe('a created world is seen', () => {
  const world = create();
  const child = create({ id: 'wld_01h455vb4pex5vsknk084sn02r', creator: world });
  const sibling = create({ id: 'wld_01h455vb4pex5vsknk084sn02s' });

  test.each([
    ['by the own test world of its merchant', own, child, true],
    ['by itself', world, world, true],
    ['by the world that created it', world, child, true],
    ['not by one that it has created', child, world, false],
    ['not by another created world', sibling, world, false],
    ['not by another merchant', aWorld({ merchant: 'other' }), world, false],
  ])('%s', (_who, caller, seen, expected) => {
    expect(seesWorld(caller, seen, NOW)).toBe(expected);
  });

  test('until it ends', () => {
    const { expiresAtMs } = world.created;
    expect(seesWorld(own, world, expiresAtMs - 1)).toBe(true);
    expect(seesWorld(own, world, expiresAtMs)).toBe(false);
    expect(seesWorld(own, own, NOW)).toBe(false);
  });
});

describe('a created world that is not to outlive its maker', () => {
  const make = (expiresAtMs: number | null, creator: World = own, id?: string) =>
    newCreatedWorld(
      creator,
      id ?? 'wld_01h455vb4pex5vsknk084sn02q',
      { ...input, maker: { ...maker, expiresAtMs } },
      [],
      NOW,
      'k',
    );

  test('ends no later than the key and the world that created it', () => {
    expect(make(NOW + MINUTE_MS).created.expiresAtMs).toBe(NOW + MINUTE_MS);
    const parent = make(NOW + 2 * MINUTE_MS);
    expect(make(null, parent).created.expiresAtMs).toBe(NOW + 2 * MINUTE_MS);
    expect(make(NOW + 1, parent).created.expiresAtMs).toBe(NOW + 1);
    expect(make(NOW + 6 * MINUTE_MS).created.expiresAtMs).toBe(NOW + 5 * MINUTE_MS);
  });

  test('is found with the worlds of its worlds, until it has ended', () => {
    const parent = make(null);
    const child = { ...make(null, parent, 'wld_01h455vb4pex5vsknk084sn02r') };
    const other = {
      ...child,
      id: 'other',
      created: { ...child.created, createdBy: own.id, createdByKey: 'key_2' },
    };
    const grown = { ...child, created: { ...child.created, createdByKey: 'key_3' } };
    const all = [grown, other, parent, own];
    expect(worldsMadeBy(all, 'key_1', NOW)).toEqual([parent, grown]);
    expect(worldsMadeIn(all, parent, NOW)).toEqual([grown]);
    expect(worldsMadeBy(all, 'key_1', NOW + 5 * MINUTE_MS)).toEqual([]);
  });

  test('has a name by its slot, or by its source, where none is given', () => {
    const named = { ...input, name: null };
    const world = newCreatedWorld(own, 'wld_01h455vb4pex5vsknk084sn02q', named, [], NOW, 'k');
    expect(world.created.name).toBe(`world-${world.created.slot + 1}`);
    const fork = newFork(own, world, 'wld_01h455vb4pex5vsknk084sn02r', named, [], NOW, 'k');
    expect(fork.created.name).toBe(`fork of ${world.created.name}`);
    const long = { ...world, created: { ...world.created, name: 'n'.repeat(WORLD_NAME_MAX_CHARS) } };
    const next = newFork(own, long, 'wld_01h455vb4pex5vsknk084sn02r', named, [], NOW, 'k');
    expect(next.created.name).toHaveLength(WORLD_NAME_MAX_CHARS);
  });
});
