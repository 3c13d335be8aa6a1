import { afterEach, describe, expect, test, vi } from 'vitest';
import { givenNumber } from './given-number.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a number in the environment of the tests', () => {
  test.each([
    [undefined, 15],
    ['0', 0],
    ['150', 150],
    ['999999999', 999_999_999],
  ])('%j is %d', (given, expected) => {
    vi.stubEnv('SEEDS_OF_A_TEST', given);
    expect(givenNumber('SEEDS_OF_A_TEST', 15)).toBe(expected);
  });

  test.each(['', ' ', '-1', '1.5', '1e3', '0x10', 'many', '15 ', '๑๕', '1234567890'])(
    '%j is refused',
    (given) => {
      vi.stubEnv('SEEDS_OF_A_TEST', given);
      expect(() => givenNumber('SEEDS_OF_A_TEST', 15)).toThrow('SEEDS_OF_A_TEST takes a whole number');
    },
  );
});
