import { expect, test } from 'vitest';
import { shareEngine } from '../../../infra/local/share-engine.ts';
import { interceptCalls } from '../../../shared/store/table/aws-client.ts';
import type { StepName } from '../../../shared/store/table/client.ts';
import '../../support/world/merchant.ts';

const { callTable, dynamodb } = await import('../../../shared/store/table/client.ts');
await shareEngine();

test.each([
  ['copy content', 2],
  ['store part of seed', 2],
  ['finish moved job', 2],
  ['commit request', 12],
] as const)('of the calls to %s, %i are at the engine at a time', async (step: StepName, most) => {
  let [now, max] = [0, 0];
  const everybody = Promise.withResolvers<void>();
  const stop = interceptCalls(dynamodb, async (_call, next) => {
    now += 1;
    max = Math.max(max, now);
    if (now === most) {
      everybody.resolve();
    }
    await everybody.promise;
    now -= 1;
    return next();
  });
  await Promise.all(
    Array.from({ length: 12 }, () => callTable('GetItem', { Key: { pk: 'nobody', sk: 'nothing' } }, step)),
  );
  stop();
  expect(max).toBe(most);
});
