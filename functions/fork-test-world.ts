import { PRESETS } from '../shared/contract/permissions.ts';
import { viewWorld, worldOperations } from '../shared/contract/testkit/worlds.ts';
import { shownWorldId } from '../shared/domain/world.ts';
import { forkWorld } from '../shared/flows/testkit/fork-world.ts';
import { serve } from '../shared/http/serve.ts';
import { getCreatedWorld } from '../shared/store/testkit/created-worlds.ts';

/** Creates a test world with the content of another one: the caller's own, or one that it sees. */
export const handler = serve(worldOperations.forkTestWorld, async (request) => {
  const { body, key, params } = request;
  const isOwn = params.id === shownWorldId(request.world);
  const source = isOwn ? request.world : await getCreatedWorld(request.world, params.id);
  const { world, secret, changes } = await forkWorld(request.world, source, {
    ...request,
    name: body.name ?? null,
    maker: key,
    ttlMinutes: body.ttlMinutes,
    key: { permissions: PRESETS.owner, version: key.version, networks: key.networks },
  });
  return { changes, response: { ...viewWorld(world, Date.now()), key: secret } };
});
