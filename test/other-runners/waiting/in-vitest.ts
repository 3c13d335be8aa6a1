import { writeFileSync } from 'node:fs';
import { createTestWorld } from 'payments-kit/testing';
import { test } from 'vitest';

const world = await createTestWorld();

test('waits until it is killed', { timeout: 600_000 }, async () => {
  writeFileSync('started', world.baseUrl);
  await world.nextEvent('payment.succeeded', { timeoutMs: 600_000 });
});
