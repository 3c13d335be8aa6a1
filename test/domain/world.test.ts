import { describe, expect, it } from 'vitest';
import {
  ADVANCE_SECONDS_MAX,
  CLOCK_OFFSET_MAX_MS,
  createdWorldIdOf,
  hasEnded,
  isCreatedWorldId,
  isRehearsal,
  MODES,
  payeeOf,
  shownWorldId,
  WORLD_ID_CHARS,
  worldIdOf,
  worldNow,
} from '../../shared/domain/world.ts';
import { aWorld } from '../support/world/entities.ts';

describe('a world', () => {
  it('is always the same for one merchant and mode, and differs for others', () => {
    expect(worldIdOf('demo', 'test')).toBe(worldIdOf('demo', 'test'));
    const worlds = ['demo', 'demo2', ''].flatMap((merchant) =>
      MODES.map((mode) => worldIdOf(merchant, mode)),
    );
    expect(new Set(worlds).size).toBe(worlds.length);
    expect(worlds.every((id) => new RegExp(`^[0-9a-f]{${WORLD_ID_CHARS}}$`).test(id))).toBe(true);
  });

  it('has a test and a live mode', () => {
    expect(MODES).toEqual(['test', 'live']);
  });

  it("cannot be confused with another by a merchant's clever name", () => {
    expect(worldIdOf('demo/test', 'live')).not.toBe(worldIdOf('demo', 'test'));
  });

  it('has a clock that is ahead of real time by its offset', () => {
    expect(worldNow(aWorld(), 5_000)).toBe(5_000);
    expect(worldNow(aWorld({ clockOffsetMs: 1_234 }), 5_000)).toBe(6_234);
  });

  it('has a clock that goes a leap year ahead in one move, and two in all', () => {
    const leapYearSeconds = 366 * 24 * 60 * 60;
    expect(ADVANCE_SECONDS_MAX).toBe(leapYearSeconds);
    expect(CLOCK_OFFSET_MAX_MS).toBe(2 * leapYearSeconds * 1_000);
  });
});

describe('a created world', () => {
  const created = {
    id: 'wld_1',
    name: 'w',
    createdBy: 'x',
    createdByKey: 'key_1',
    createdAtMs: 0,
    expiresAtMs: 1_000,
    slot: 0,
  };

  it('has ended from the instant of its end on', () => {
    expect([999, 1_000, 1_001].map((atMs) => hasEnded({ created }, atMs))).toEqual([false, true, true]);
  });

  it("has an id of its own, which no merchant's own world can have", () => {
    const ids = ['wld_1', 'wld_2'].map(createdWorldIdOf);
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => new RegExp(`^w[0-9a-f]{${WORLD_ID_CHARS - 1}}$`).test(id))).toBe(true);
    expect(ids.every(isCreatedWorldId)).toBe(true);
    expect(createdWorldIdOf('wld_1')).toBe(ids[0]);
    expect(isCreatedWorldId(`${worldIdOf('demo', 'test').slice(1)}w`)).toBe(false);
  });

  it("is shown by the name that the API gave it, a merchant's own by its id", () => {
    expect(shownWorldId({ id: 'w1', created })).toBe('wld_1');
    expect(shownWorldId({ id: '0f' })).toBe('0f');
  });

  it("differs from a merchant's own world, which never ends", () => {
    expect(hasEnded(aWorld(), Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});

describe('a live world', () => {
  const provider = { kind: 'stripe', account: 'acct_1', isTest: true, token: 't', connectedAtMs: 0 };

  it.each([
    ['live', provider, true],
    ['live', { ...provider, isTest: false }, false],
    ['live', null, false],
    ['test', provider, false],
    ['test', null, false],
  ] as const)(
    'rehearses at the test mode of its provider alone (%s, %j: %s)',
    (mode, connection, expected) => {
      expect(isRehearsal({ mode, provider: connection })).toBe(expected);
    },
  );

  it('names its merchant as the operator has set it, else by its id', () => {
    expect(payeeOf({ merchant: 'acme', displayName: 'Acme Co.' })).toBe('Acme Co.');
    expect(payeeOf({ merchant: 'acme' })).toBe('acme');
  });
});
