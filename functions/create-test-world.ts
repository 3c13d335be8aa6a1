import { PRESETS } from '../shared/contract/permissions.ts';
import { viewWorld, worldOperations } from '../shared/contract/testkit/worlds.ts';
import { createWorld } from '../shared/flows/testkit/create-world.ts';
import { serve } from '../shared/http/serve.ts';

/** Creates a test world beside the caller's, with a key of its own. */
export const handler = serve(worldOperations.createTestWorld, async (request) => {
  const { body, key } = request;
  const { world, secret, changes } = await createWorld(request.world, {
    ...request,
    name: body.name ?? null,
    maker: key,
    ttlMinutes: body.ttlMinutes,
    startsAtMs: body.startsAt === undefined ? null : Date.parse(body.startsAt),
    profile: body.profile ?? null,
    key: { permissions: PRESETS.owner, version: key.version, networks: key.networks },
  });
  return { changes, response: { ...viewWorld(world, Date.now()), key: secret } };
});
