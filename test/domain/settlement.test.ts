import { describe, expect, it } from 'vitest';
import { bangkokDay, type DayBalance, netOf } from '../../shared/domain/balance.ts';
import {
  compareStatement,
  createSettlement,
  PROVIDER_DEFAULT,
  SETTLED_MAX_MINOR,
  splitNet,
} from '../../shared/domain/settlement.ts';

function day(paidMinor: number, refundedMinor = 0): DayBalance {
  return { day: '2026-11-02', paidMinor: BigInt(paidMinor), refundedMinor: BigInt(refundedMinor) };
}

describe('a day in Bangkok', () => {
  it.each([
    ['2026-11-01T16:59:59.999Z', '2026-11-01'],
    ['2026-11-01T17:00:00.000Z', '2026-11-02'],
    ['2026-11-02T16:59:59.999Z', '2026-11-02'],
    ['2026-11-02T17:00:00.000Z', '2026-11-03'],
    ['2026-12-31T16:59:59.999Z', '2026-12-31'],
    ['2026-12-31T17:00:00.000Z', '2027-01-01'],
    ['2028-02-28T17:00:00.000Z', '2028-02-29'],
    ['2028-02-29T17:00:00.000Z', '2028-03-01'],
  ])('is, at %s, %s', (instant, expected) => {
    expect(bangkokDay(Date.parse(instant))).toBe(expected);
  });

  it.each(['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z', '1971-06-01T17:00:00Z'])(
    'is the one that the time zone database knows, in every season (%s)',
    (instant) => {
      const inBangkok = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Bangkok', dateStyle: 'short' });
      expect(bangkokDay(Date.parse(instant))).toBe(inBangkok.format(Date.parse(instant)));
    },
  );
});

describe('what a merchant is owed', () => {
  it.each([
    ['nothing for no day', [], 0],
    ['what was paid', [day(100)], 100],
    ['what was paid less what was refunded', [day(100, 30)], 70],
    ['the sum of all days', [day(100, 30), day(5), day(1, 1)], 75],
    ['less for a day on which more was refunded than paid', [day(100), day(10, 60)], 50],
    ['less than nothing where refunds are all there is', [day(0, 40)], -40],
  ])('is %s', (_name, days, net) => {
    expect(netOf(days)).toBe(BigInt(net));
  });

  it('is exact to the satang, for any amount', () => {
    const much = 2n ** 60n;
    const days = [{ day: '2026-11-01', paidMinor: much, refundedMinor: 0n }, day(3, 1)];
    expect(netOf(days)).toBe(much + 2n);
  });
});

describe('what one settlement takes', () => {
  it.each([
    ['everything, where it is no more than a reader of JSON can read', 9_007_199_254_740_991n, 0n],
    ['as much as that, and the rest stays unsettled', 9_007_199_254_740_992n, 1n],
    ['as much as that, of however much', 3n * 9_007_199_254_740_991n + 7n, 2n * 9_007_199_254_740_991n + 7n],
  ])('is %s', (_name, net, rest) => {
    expect(splitNet(net)).toEqual({ takenMinor: SETTLED_MAX_MINOR, restMinor: rest });
  });

  it('is everything below that, and every negative balance', () => {
    for (const net of [1, 0, -40]) {
      expect(splitNet(BigInt(net))).toEqual({ takenMinor: net, restMinor: 0n });
    }
  });
});

describe('a statement', () => {
  it.each([
    ['matches where it states no amount', 100, undefined, 'matched'],
    ['matches where it states what is owed', 100, 100, 'matched'],
    ['matches down to one satang', 1, 1, 'matched'],
    ['does not match where it states a satang more', 100, 101, 'mismatched'],
    ['does not match where it states a satang less', 100, 99, 'mismatched'],
    ['is empty where nothing is owed', 0, undefined, 'empty'],
    ['is empty where nothing is owed, whatever it states', 0, 100, 'empty'],
    ['is empty where refunds outweigh payments', -40, undefined, 'empty'],
    ['is empty where refunds outweigh payments, whatever it states', -40, 40, 'empty'],
  ])('%s', (_name, netMinor, statedMinor, outcome) => {
    const stated = statedMinor === undefined ? undefined : ({ currency: 'THB', minor: statedMinor } as const);
    expect(compareStatement(netMinor, stated)).toBe(outcome);
  });

  it('is by the simulated provider unless another one is named', () => {
    expect(PROVIDER_DEFAULT).toBe('sim_provider');
  });
});

it('a settlement is created with an event, and changes nothing else', () => {
  const owed = { currency: 'THB', minor: 100 } as const;
  const settled = {
    id: 'stl_1',
    number: 'S-000001',
    provider: 'p',
    valueDate: '2026-11-02',
    status: 'mismatched',
    expected: owed,
    stated: null,
    payoutId: null,
    actionId: 'act_1',
    providerEventId: 'e',
  } as const;
  const after = { ...settled, version: 1, createdAtMs: 5, updatedAtMs: 5 };
  expect(createSettlement(settled, 5)).toEqual({
    resource: 'settlement',
    before: null,
    steps: [{ event: 'settlement.mismatched', previousStatus: null, after }],
    consequences: [],
  });
});
