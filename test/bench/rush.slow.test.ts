import { expect, test } from 'vitest';
import { asLive, limitsOfMerchant } from './first-limits.ts';
import { LIMITS } from './limits.ts';
import { measureRush } from './scale.ts';

const PAYMENTS = 60;

test("a live merchant's partitions have room for the writes of 1,000 payments a second", async () => {
  const { kinds } = await measureRush(PAYMENTS);
  const limits = limitsOfMerchant(asLive(kinds), PAYMENTS);
  const [first] = limits;
  expect(first?.paymentsPerSecond).toBeGreaterThanOrEqual(
    LIMITS.scale['scale.one_merchant_payments_per_second'].atLeast,
  );
  const full = limits.filter(
    ({ what, paymentsPerSecond }) => what.includes('write units') && Math.round(paymentsPerSecond) < 1_000,
  );
  expect(full).toEqual([]);
});
