import { worldOperations } from '../shared/contract/testkit/worlds.ts';
import { serve } from '../shared/http/serve.ts';
import { getCreatedWorld } from '../shared/store/testkit/created-worlds.ts';

/** Ends a created world at once; its items are deleted in the background. */
export const handler = serve(worldOperations.deleteTestWorld, async ({ world, params }) => {
  const created = await getCreatedWorld(world, params.id);
  return {
    changes: [{ kind: 'world-end', created, endsAtMs: Date.now() }],
    response: { id: created.created.id, deleted: true as const },
  };
});
