import { worldOperations } from '../shared/contract/testkit/worlds.ts';
import { worldsMadeIn } from '../shared/domain/testkit/created-world.ts';
import { serve } from '../shared/http/serve.ts';
import { getCreatedWorld, readCreatedWorlds } from '../shared/store/testkit/created-worlds.ts';

/** How many worlds one transaction ends, by two writes each. Any further ones end at the time that theirs had. */
const ENDED_AT_ONCE_MAX = 40;

/** Ends a created world at once, and those that its key has created; their items are deleted in the background. */
export const handler = serve(worldOperations.deleteTestWorld, async ({ world, params }) => {
  const reads = [getCreatedWorld(world, params.id), readCreatedWorlds(world.merchant)] as const;
  const [created, others] = await Promise.all(reads);
  const endsAtMs = Date.now();
  const ended = [created, ...worldsMadeIn(others, created, endsAtMs)].slice(0, ENDED_AT_ONCE_MAX);
  return {
    changes: ended.map((each) => ({ kind: 'world-end', created: each, endsAtMs }) as const),
    response: { id: created.created.id, deleted: true as const },
  };
});
