import { describe, expect, it } from 'vitest';
import {
  ENDPOINT_SLOTS_MAX,
  type EndpointSlot,
  isEnabledByChange,
  takeEndpointSlot,
} from '../../shared/domain/endpoint-slot.ts';
import { problemOf } from '../support/faults/thrown-problem.ts';
import { anEndpoint, aWorld } from '../support/world/entities.ts';

const world = aWorld({ id: 'w000000000000001', epoch: 2 });
const aSlot = (changes: Partial<EndpointSlot>): EndpointSlot => ({
  ...{ index: 0, version: 1, id: 'whe_other', worldId: 'w000000000000002', epoch: 1, slot: 1 },
  ...changes,
});
const full = Array.from({ length: ENDPOINT_SLOTS_MAX }, (_, nth) =>
  aSlot({ index: nth, id: `whe_${nth}`, version: 7 }),
);
const endpoint = anEndpoint({ id: 'whe_new', slot: 3 });

describe('an endpoint that is enabled in a created world', () => {
  it('takes one of 64 slots', () => {
    expect(ENDPOINT_SLOTS_MAX).toBe(64);
    const { kind, before, after } = takeEndpointSlot(world, endpoint, [], []);
    expect(kind).toBe('endpoint-slot');
    expect(before).toBeNull();
    expect(after).toEqual({
      ...{ index: expect.any(Number), version: 1, id: 'whe_new', slot: 3 },
      ...{ worldId: world.id, epoch: world.epoch },
    });
    expect(after.index).toBeLessThan(ENDPOINT_SLOTS_MAX);
  });

  it('tends to take another one than those of other worlds and other slots do', () => {
    const taken = Array.from({ length: 32 }, (_, slot) =>
      takeEndpointSlot(world, { id: 'whe_1', slot }, [], []),
    );
    expect(new Set(taken.map(({ after }) => after.index)).size).toBeGreaterThan(8);
    const worlds = Array.from({ length: 32 }, (_, nth) => ({ id: `w${nth}`, epoch: 1 }));
    const first = worlds.map((each) => takeEndpointSlot(each, endpoint, [], []).after.index);
    expect(new Set(first).size).toBeGreaterThan(8);
  });

  it('takes the only free slot, over the endpoint that had it', () => {
    const held = full.filter((each) => each.index !== 40);
    const { before, after } = takeEndpointSlot(world, endpoint, full, held);
    expect(before).toEqual(full[40]);
    expect(after).toMatchObject({ index: 40, version: 8, id: 'whe_new' });
  });

  it('takes its own slot again', () => {
    const { after } = takeEndpointSlot(world, { id: 'whe_5', slot: 1 }, full, full.slice(6));
    expect(after).toMatchObject({ index: 5, version: 8, id: 'whe_5' });
  });

  it('is refused if all are held', () => {
    expect(problemOf(() => takeEndpointSlot(world, endpoint, full, full))).toMatchObject({
      code: 'endpoint_limit_reached',
      status: 409,
    });
  });
});

describe('a slot is taken', () => {
  const created = aWorld({ id: 'w000000000000001' }).created ?? {
    ...{ id: 'wld_1', name: 'ci', createdBy: 'w', createdByKey: 'key_1' },
    ...{ createdAtMs: 0, expiresAtMs: 1, slot: 0 },
  };
  const enabled = anEndpoint({ status: 'enabled' });
  const disabled = anEndpoint({ status: 'disabled' });
  it.each([
    ['by a creation', null, enabled, true],
    ['by enabling', disabled, enabled, true],
    ['by no other change', enabled, enabled, false],
    ['by no change while it is disabled', disabled, disabled, false],
    ['by no disabling', enabled, disabled, false],
    ['by no deletion', enabled, null, false],
  ])('%s', (_change, before, after, isTaken) => {
    expect(isEnabledByChange({ created }, { kind: 'endpoint', before, after })).toBe(isTaken);
    expect(isEnabledByChange({}, { kind: 'endpoint', before, after })).toBe(false);
  });
});
