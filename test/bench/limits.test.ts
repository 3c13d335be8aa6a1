import { expect, it } from 'vitest';
import { missedLimits } from './limits.ts';

const LIMITS = { 'life.write_units': { atMost: 45 }, 'runner.creates_per_second_held': { atLeast: 50 } };

it('names figure, value and limit of whatever is missed, and says nothing of what is kept', () => {
  expect(missedLimits(LIMITS, { 'life.write_units': 45, 'runner.creates_per_second_held': 50 })).toEqual([]);
  expect(missedLimits(LIMITS, { 'life.write_units': 118, 'runner.creates_per_second_held': 20.04 })).toEqual([
    'life.write_units is 118; its limit is at most 45',
    'runner.creates_per_second_held is 20.04; its limit is at least 50',
  ]);
});

it('takes a figure that was not measured for one that missed its limit', () => {
  expect(missedLimits(LIMITS, { 'life.write_units': Number.NaN })).toEqual([
    'life.write_units was not measured; its limit is at most 45',
    'runner.creates_per_second_held was not measured; its limit is at least 50',
  ]);
});
