import type { World } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import type { LiveProvider, Provider } from '../providers/provider.ts';
import { openProvider } from '../providers/provider-kinds.ts';
import { simulatedProvider } from '../providers/simulated/simulated-provider.ts';
import { readProviderSecrets } from '../store/read-provider-secrets.ts';

/**
 * Who moves the money of a world: in test mode nobody but the simulator, whatever is connected.
 * @throws as `liveProviderOf` does
 */
export async function providerFor(world: World): Promise<Provider> {
  return world.mode === 'test' ? simulatedProvider : liveProviderOf(world);
}

/**
 * The provider that a live world is connected to, by its secrets: read at most once in five minutes, and at once where
 * others were given.
 * @throws Problem `live_mode_unavailable` where it is connected to nobody; Error where its secrets are missing
 */
export async function liveProviderOf(world: World): Promise<LiveProvider> {
  if (world.mode === 'test' || world.provider === null) {
    throw new Problem('live_mode_unavailable');
  }
  return openProvider(world.provider.kind, await readProviderSecrets(world));
}

/** Whether a provider remembers what it was asked for, and tells of it: whatever is none of the simulator. */
export function isLive(provider: Provider): provider is LiveProvider {
  return 'find' in provider;
}
