import { describe, expect, it } from 'vitest';
import {
  derivedBase62,
  derivedBytes,
  derivedCrockford,
  newSigningSecret,
  randomBase62,
  randomCrockford,
  toBase62,
} from '../../shared/domain/secret.ts';

const DRAWN_CHARS = 20_000;

describe('random text', () => {
  it.each([
    ['base62', randomBase62, /^[0-9A-Za-z]*$/, 62],
    ["Crockford's base32", randomCrockford, /^[0-9abcdefghjkmnpqrstvwxyz]*$/, 32],
  ] as const)('in %s has every character of the alphabet and no other', (_name, draw, alphabet, size) => {
    const drawn = draw(DRAWN_CHARS);
    expect(drawn).toMatch(alphabet);
    expect(drawn).toHaveLength(DRAWN_CHARS);
    expect(new Set(drawn).size).toBe(size);
  });

  it('has every character equally often', () => {
    const drawn = randomCrockford(DRAWN_CHARS);
    const counts = [...Map.groupBy(drawn, (character) => character).values()].map((drawn) => drawn.length);
    const expected = DRAWN_CHARS / 32;
    // Eight standard deviations: a fair draw is outside once in a quadrillion.
    const tolerated = 8 * Math.sqrt(expected * (1 - 1 / 32));
    expect(counts.filter((count) => Math.abs(count - expected) > tolerated)).toEqual([]);
  });
});

describe('a derived secret', () => {
  it.each([
    ['base62', derivedBase62, 62, 32],
    ["Crockford's base32", derivedCrockford, 32, 32],
  ] as const)(
    'in %s depends on its key and label, and has every character equally often',
    (_name, derive, size, chars) => {
      expect(derive('key', 'label', chars)).toBe(derive('key', 'label', chars));
      expect(derive('key', 'label', chars)).not.toBe(derive('key', 'other', chars));
      expect(derive('key', 'label', chars)).not.toBe(derive('yek', 'label', chars));
      const derived = Array.from({ length: 500 }, (_, label) => derive('key', String(label), chars)).join('');
      const counts = [...Map.groupBy(derived, (character) => character).values()].map(({ length }) => length);
      expect(counts).toHaveLength(size);
      const expected = derived.length / size;
      expect(counts.filter((count) => Math.abs(count - expected) > 8 * Math.sqrt(expected))).toEqual([]);
    },
  );

  it('of bytes is an HMAC-SHA-256', () => {
    // RFC 4231, test case 2.
    expect(derivedBytes('Jefe', 'what do ya want for nothing?').toString('hex')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });
});

describe('a number in base62', () => {
  it.each([
    [0, 6, '000000'],
    [61, 6, '00000z'],
    [62, 6, '000010'],
    [2 ** 32 - 1, 6, '4gfFC3'],
  ])('%i with %i digits is %s', (value, chars, text) => {
    expect(toBase62(value, chars)).toBe(text);
  });
});

describe('a secret that signs deliveries', () => {
  it('has the form of Standard Webhooks, of 32 bytes', () => {
    const secret = newSigningSecret(Buffer.alloc(32, 0xff));
    expect(secret).toBe(`whsec_${'/'.repeat(42)}8=`);
    expect(newSigningSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  it('is never made twice', () => {
    expect(newSigningSecret()).not.toBe(newSigningSecret());
  });
});
