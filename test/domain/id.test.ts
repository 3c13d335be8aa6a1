import { describe, expect, it } from 'vitest';
import {
  derivedId,
  firstIdAt,
  type IdPrefix,
  isAnyId,
  isId,
  newId,
  partsOf,
} from '../../shared/domain/id.ts';
import { formatNumber, ordinalOf } from '../../shared/domain/resource-number.ts';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** The 128 bits of a TypeID suffix as the UUID that they are. */
function uuidOf(suffix: string): string {
  let bits = 0n;
  for (const character of suffix) {
    const value = CROCKFORD.indexOf(character);
    if (value < 0) {
      throw new Error(`${character} is not a character of Crockford's base32`);
    }
    bits = bits * 32n + BigInt(value);
  }
  const hex = bits.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The version and variant digits of a UUID (RFC 9562). */
function readUuid(uuid: string): { version: number; variant: number; unixMs: number } {
  const hex = uuid.replaceAll('-', '');
  return {
    version: Number.parseInt(hex.charAt(12), 16),
    variant: Number.parseInt(hex.charAt(16), 16) >> 2,
    unixMs: Number.parseInt(hex.slice(0, 12), 16),
  };
}

/** Contract §13, and `job` and `key`, which no response shows. */
const PREFIXES: readonly IdPrefix[] = [
  'pay',
  'ref',
  'lnk',
  'pot',
  'stl',
  'snk',
  'act',
  'pev',
  'evt',
  'dlv',
  'req',
  'att',
  'job',
  'key',
];
const NOW = Date.UTC(2026, 10, 2, 3, 4, 5, 678);
/** `valid.json` of the TypeID specification. */
const TYPEID_VECTORS = [
  ['00000000000000000000000000', '00000000-0000-0000-0000-000000000000'],
  ['00000000000000000000000001', '00000000-0000-0000-0000-000000000001'],
  ['0000000000000000000000000a', '00000000-0000-0000-0000-00000000000a'],
  ['0000000000000000000000000g', '00000000-0000-0000-0000-000000000010'],
  ['00000000000000000000000010', '00000000-0000-0000-0000-000000000020'],
  ['7zzzzzzzzzzzzzzzzzzzzzzzzz', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ['0123456789abcdefghjkmnpqrs', '0110c853-1d09-52d8-d73e-1194e95b5f19'],
  ['01h455vb4pex5vsknk084sn02q', '01890a5d-ac96-774b-bcce-b302099a8057'],
] as const;

describe('the decoders of this test', () => {
  it.each(TYPEID_VECTORS)('read the published TypeID %s', (suffix, uuid) => {
    expect(uuidOf(suffix)).toBe(uuid);
  });

  it('read the example of RFC 9562', () => {
    const example = readUuid('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
    expect(example).toEqual({ version: 7, variant: 0b10, unixMs: 1_645_557_742_000 });
  });
});

describe('an id', () => {
  it.each(PREFIXES)('names its kind by the prefix %s', (prefix) => {
    expect(newId(prefix, NOW)).toMatch(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`));
  });

  it.each([0, 1, NOW, 2 ** 48 - 1])('is a UUID of version 7 that carries the instant %i', (atMs) => {
    const suffix = newId('pay', atMs).slice('pay_'.length);
    expect(readUuid(uuidOf(suffix))).toEqual({ version: 7, variant: 0b10, unixMs: atMs });
  });

  it('sorts by the instant at which it was made', () => {
    const instants = [0, 1, 255, 256, NOW, NOW + 1, NOW + 1_000, NOW + 86_400_000, 2 ** 47];
    const ids = instants.map((atMs) => newId('pay', atMs));
    expect(ids.toSorted()).toEqual(ids);
  });

  it('is never given out twice, not even within a millisecond', () => {
    expect(new Set(Array.from({ length: 2_000 }, () => newId('pay', NOW))).size).toBe(2_000);
  });

  it.each(PREFIXES)('of the kind %s is known as one of its kind only', (prefix) => {
    const id = newId(prefix, NOW);
    expect(PREFIXES.filter((kind) => isId(kind, id))).toEqual([prefix]);
  });

  it.each([
    ['nothing', ''],
    ['a prefix alone', 'pay_'],
    ['no prefix', '01h455vb4pex5vsknk084sn02q'],
    ['capital letters', 'pay_01H455VB4PEX5VSKNK084SN02Q'],
    ['a capital prefix', 'PAY_01h455vb4pex5vsknk084sn02q'],
    ['more than 128 bits', 'pay_8zzzzzzzzzzzzzzzzzzzzzzzzz'],
    ['a character too few', 'pay_01h455vb4pex5vsknk084sn02'],
    ['a character too many', 'pay_01h455vb4pex5vsknk084sn02qq'],
    ['a letter that Crockford left out', 'pay_01h455vb4pex5vsknk084sn02u'],
    ['a line break at the end', 'pay_01h455vb4pex5vsknk084sn02q\n'],
    ['a hyphen for the underscore', 'pay-01h455vb4pex5vsknk084sn02q'],
    ['a key of another item', 'pay_01h455vb4pex5vsknk084sn02q#x'],
  ])('with %s is not valid', (_name, text) => {
    expect(isId('pay', text)).toBe(false);
  });

  it('of any kind is told from other texts', () => {
    expect(PREFIXES.every((prefix) => isAnyId(newId(prefix, NOW)))).toBe(true);
    const suffix = '01h455vb4pex5vsknk084sn02q';
    const others = ['', suffix, `pay_${suffix}q`, `pa_${suffix}`, `xpay_${suffix}`, `PAY_${suffix}`];
    const shifted = [`123_${suffix}`, `xyz-${suffix}`, `pay_${suffix.slice(1)}`, `pa_x${suffix}`];
    expect([...others, ...shifted].filter(isAnyId)).toEqual([]);
  });

  it('sorts after the first one of its instant, which is the same each time', () => {
    const first = firstIdAt('pay', NOW);
    expect(firstIdAt('pay', NOW)).toBe(first);
    expect(partsOf(first)).toEqual({ atMs: NOW, order: 0 });
    expect(first).toMatch(/0{11}$/);
    const [before, after] = [newId('pay', NOW - 1, 2 ** 32 - 1), newId('pay', NOW, 0)];
    expect([after, first, before].toSorted()).toEqual([before, first, after]);
  });
});

describe('an id with an order', () => {
  const ORDERS = [0, 1, 999, 2 ** 14, 2 ** 20 - 1, 2 ** 20, 2 ** 28 + 1, 2 ** 31, 2 ** 32 - 1];

  it('shows the instant and the order that it was made with', () => {
    for (const atMs of [0, 1, NOW, 2 ** 48 - 1]) {
      for (const order of ORDERS) {
        expect(partsOf(newId('evt', atMs, order))).toEqual({ atMs, order });
        expect(partsOf(derivedId('dlv', atMs, 'a', order))).toEqual({ atMs, order });
      }
    }
  });

  it('sorts by the order within a millisecond, and is an id like every other', () => {
    const ids = ORDERS.map((order) => newId('evt', NOW, order));
    expect(ids.toSorted()).toEqual(ids);
    for (const id of ids) {
      expect(isId('evt', id)).toBe(true);
      const uuid = readUuid(uuidOf(id.slice('evt_'.length)));
      expect(uuid).toEqual({ version: 7, variant: 0b10, unixMs: NOW });
    }
  });

  it('is another one each time, and derived the same each time', () => {
    expect(newId('evt', NOW, 7)).not.toBe(newId('evt', NOW, 7));
    expect(derivedId('dlv', NOW, 'a', 7)).toBe(derivedId('dlv', NOW, 'a', 7));
    expect(derivedId('dlv', NOW, 'b', 7)).not.toBe(derivedId('dlv', NOW, 'a', 7));
  });

  it.each([0, NOW, 2 ** 48 - 1])('or without one has the instant %i', (atMs) => {
    expect(partsOf(newId('pay', atMs)).atMs).toBe(atMs);
  });
});

describe('a derived id', () => {
  it('is the same for the same kind, instant and text, and another one for any other', () => {
    expect(derivedId('pay', NOW, 'a')).toBe(derivedId('pay', NOW, 'a'));
    const ids = [
      derivedId('pay', NOW, 'a'),
      derivedId('pay', NOW, 'b'),
      derivedId('pay', NOW + 1, 'a'),
      derivedId('ref', NOW, 'a'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has the form of every other id, and carries its instant', () => {
    const id = derivedId('pay', NOW, 'a');
    expect(isId('pay', id)).toBe(true);
    const uuid = readUuid(uuidOf(id.slice('pay_'.length)));
    expect(uuid).toEqual({ version: 7, variant: 0b10, unixMs: NOW });
  });
});

describe('a number', () => {
  it.each([
    ['payment', 1, 'P-000001'],
    ['refund', 42, 'R-000042'],
    ['paymentLink', 999_999, 'L-999999'],
    ['payout', 7, 'O-000007'],
    ['settlement', 365, 'S-000365'],
    ['payment', 1_000_000, 'P-1000000'],
  ] as const)('of a %s for the ordinal %i is %s', (name, ordinal, number) => {
    expect(formatNumber(name, ordinal)).toBe(number);
    expect(ordinalOf(number)).toBe(ordinal);
  });

  it.each(['P-x', 'x'])('is not %s', (text) => {
    expect(ordinalOf(text)).toBeNaN();
  });
});
