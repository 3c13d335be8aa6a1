import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PROCESSOR_SHARE } from './aws-numbers.ts';
import { requestDollarsPerMillion } from './cost.ts';
import { coldShare, firstMet, predictOperation } from './predict.ts';
import { operationsIn } from './prediction.ts';

const always = (ms: number) => ({ p50: ms, p99: ms });
const FIXED = { gateway: always(10), read: always(4), transaction: always(20), init: always(300) };
const CHANGE = { name: 'x', rounds: 3, isChange: true, processorMs: 6 * PROCESSOR_SHARE };

test('an operation takes the gateway, its processor time, its reads and its transaction', () => {
  const { warm, cold, billedMs } = predictOperation(CHANGE, 1, FIXED);
  expect(warm.p50).toBeCloseTo(10 + 6 + 2 * 4 + 20);
  expect(cold.p99).toBeCloseTo(warm.p99 + 300);
  expect(billedMs).toBeCloseTo(warm.p50 - 10);
  const read = predictOperation({ ...CHANGE, isChange: false }, 1, FIXED);
  expect(read.warm.p50).toBeCloseTo(10 + 6 + 3 * 4);
});

test('percentiles of a sum are not the sum of percentiles, and the same seed gives the same', () => {
  const varied = { ...FIXED, read: { p50: 4, p99: 40 } };
  const first = predictOperation(CHANGE, 1, varied);
  expect(first.warm.p99).toBeLessThan(10 + 6 + 2 * 40 + 20);
  expect(first.warm.p99).toBeGreaterThan(10 + 6 + 40 + 20);
  expect(predictOperation(CHANGE, 1, varied)).toEqual(first);
});

test('a busier function starts less often for each request, and cold starts show in its p99', () => {
  const [slow, fast] = [coldShare(1, 0.05), coldShare(1_000, 0.05)];
  expect(fast).toBeLessThan(slow);
  // 50 at once and three times their root more, each replaced every two hours.
  expect(fast).toBeCloseTo((50 + 3 * Math.sqrt(50)) / 7_200 / 1_000);
  const rare = predictOperation(CHANGE, 0.001, FIXED);
  expect(rare.mixed.p99).toBeCloseTo(rare.cold.p99);
});

test('the quota that is used up the most is the first to be met', () => {
  const quotas = [
    { what: 'half', source: 'a page', allowed: 10, used: 5 },
    { what: 'twice', source: 'a page', allowed: 100, used: 200 },
  ];
  expect(firstMet(quotas).map(({ what }) => what)).toEqual(['twice', 'half']);
});

test('a request costs its gateway, its units, its time and its log', () => {
  expect(requestDollarsPerMillion({ readUnits: 2, writeUnits: 13 }, 0)).toBeCloseTo(
    3.5 + 0.2 + 2 * 0.125 + 13 * 0.625 + 900 * 0.0005,
  );
});

test('reads rounds, units and processor times of the page of figures', () => {
  const rows = operationsIn(readFileSync(new URL('FIGURES.md', import.meta.url), 'utf8'));
  expect(rows.find(({ name }) => name === 'Create a payment')).toMatchObject({ isChange: true, rounds: 3 });
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter(({ processorMs }) => !(processorMs > 0))).toEqual([]);
});
