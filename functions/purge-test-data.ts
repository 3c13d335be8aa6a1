import { purgeOperations, viewPurge } from '../shared/contract/testkit/purging.ts';
import { purgeWorld } from '../shared/flows/testkit/purge.ts';
import { serve } from '../shared/http/serve.ts';

/** Empties the caller's test world at once; its old items are deleted in the background. */
export const handler = serve(purgeOperations.purgeTestData, async (request) => {
  const { world, idempotencyKey, claim } = request;
  const report = await purgeWorld(world.id, idempotencyKey, claim.firstStep);
  const { purge, content, changes } = report;
  return { world: report.world, changes, response: viewPurge(purge, content) };
});
