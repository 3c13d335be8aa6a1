import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { createTestWorld } from 'payments-client/testing';

const world = await createTestWorld();

test('waits until it is killed', async () => {
  writeFileSync('started', world.baseUrl);
  await world.nextEvent('payment.succeeded', { timeoutMs: 600_000 });
});
