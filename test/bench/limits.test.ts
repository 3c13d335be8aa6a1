import { expect, it } from 'vitest';
import { limitTable, measuredIn, missedLimits } from './limits.ts';

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

it('shows beside each figure what the table before it said', () => {
  const first = limitTable(LIMITS, { 'life.write_units': 44.126 });
  expect(measuredIn(first.join('\n'))).toEqual({ 'life.write_units': 44.13 });
  const before = measuredIn(first.join('\n'));
  const next = limitTable(LIMITS, { 'life.write_units': 42, 'runner.creates_per_second_held': 60 }, before);
  expect(next.slice(2)).toEqual([
    '| `life.write_units` | at most 45 |  | 44.13 | 42 |',
    '| `runner.creates_per_second_held` | at least 50 |  | not measured | 60 |',
  ]);
});

it('says what stands between a figure and its goal, where it is not reached', () => {
  const limits = {
    'life.write_units': { atMost: 45, goal: 40, between: 'The due index.' },
    'runner.creates_per_second_held': { atLeast: 50, goal: 200, between: 'Two processors.' },
  };
  const said = (life: number, held: number) =>
    limitTable(limits, { 'life.write_units': life, 'runner.creates_per_second_held': held }).slice(4);
  expect(said(40, 200)).toEqual([]);
  expect(said(41, 200).at(-1)).toBe('- `life.write_units`: The due index.');
  expect(said(40, 199).at(-1)).toBe('- `runner.creates_per_second_held`: Two processors.');
  expect(said(Number.NaN, 200).at(-1)).toBe('- `life.write_units`: The due index.');
});
