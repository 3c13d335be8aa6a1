const { writeFileSync } = require('node:fs');
const { createTestWorld } = require('payments-kit/testing');

test('waits until it is killed', async () => {
  const world = await createTestWorld();
  writeFileSync('started', world.baseUrl);
  await world.nextEvent('payment.succeeded', { timeoutMs: 600_000 });
}, 600_000);
