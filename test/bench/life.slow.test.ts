import { expect, onTestFinished, test } from 'vitest';
import { costOf } from './cost.ts';
import { measureLife } from './life.ts';
import { LIMITS, missedLimits } from './limits.ts';
import { startStand } from './stand.ts';

test("a payment's life costs no more than its limits: units do not vary", async () => {
  const stand = await startStand();
  onTestFinished(stand.stop);
  const service = await stand.startService(stand.meter.endpoint);
  const consumed = await measureLife(stand, service, { receivers: 1, paidBy: 'simulate' });
  const figures = {
    'life.write_units': consumed.writeUnits,
    'life.read_units': consumed.readUnits,
    'life.usd_per_million': costOf(consumed).dollarsPerMillion,
  };
  const limits = Object.entries(LIMITS.operations).filter(([name]) => name.startsWith('life.'));
  expect(missedLimits(Object.fromEntries(limits), figures)).toEqual([]);
});
