import { describe, expect, test } from 'vitest';
import { parseDurationSeconds } from '../../../infra/terminal/duration.ts';

describe('a duration', () => {
  test.each([
    ['90s', 90],
    ['15m', 900],
    ['2h', 7_200],
    ['3d', 259_200],
    ['1d2h3m4s', 93_784],
    ['0s', 0],
  ])('%s is %i seconds', (text, seconds) => {
    expect(parseDurationSeconds(text)).toBe(seconds);
  });

  test.each(['', '5', 's', '1.5h', '-1s', '2h1d', '1h 2m', '1w', '99999d'])('%j is none', (text) => {
    expect(() => parseDurationSeconds(text)).toThrow('takes a duration');
  });
});
