import { viewWorld, worldOperations } from '../shared/contract/testkit/worlds.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { getCreatedWorld } from '../shared/store/testkit/created-worlds.ts';

/** Retrieves a created world that the caller sees. */
export const handler = serveRead(worldOperations.getTestWorld, async ({ world, params }) =>
  viewWorld(await getCreatedWorld(world, params.id), Date.now()),
);
