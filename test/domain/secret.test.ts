import { describe, expect, it } from 'vitest';
import { randomBase62, randomCrockford, toBase62 } from '../../shared/domain/secret.ts';

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

  it('prefers no character', () => {
    const drawn = randomCrockford(DRAWN_CHARS);
    const counts = [...Map.groupBy(drawn, (character) => character).values()].map((drawn) => drawn.length);
    const expected = DRAWN_CHARS / 32;
    // Eight standard deviations: a fair draw is outside once in a quadrillion.
    const tolerated = 8 * Math.sqrt(expected * (1 - 1 / 32));
    expect(counts.filter((count) => Math.abs(count - expected) > tolerated)).toEqual([]);
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
