import { viewPage } from '../shared/contract/list-page.ts';
import { viewWorld, worldOperations } from '../shared/contract/testkit/worlds.ts';
import { seesWorld } from '../shared/domain/testkit/created-world.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { readCreatedWorlds } from '../shared/store/testkit/created-worlds.ts';

/** Lists the created worlds that the caller sees, newest first: all of them, since there are at most 200. */
export const handler = serveRead(worldOperations.listTestWorlds, async ({ world: caller }) => {
  const realNowMs = Date.now();
  const worlds = await readCreatedWorlds(caller.merchant);
  const seen = worlds.filter((world) => seesWorld(caller, world, realNowMs));
  const data = seen.toSorted((one, other) => other.created.createdAtMs - one.created.createdAtMs);
  return viewPage({ data, nextCursor: null }, (world) => viewWorld(world, realNowMs));
});
