import { isSameAccount, type ProviderAccount } from '../domain/connection.ts';
import type { World } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import { absentProvider } from '../providers/absent-provider.ts';
import type { LiveProvider, Provider } from '../providers/provider.ts';
import { configuredOrigin, openProvider } from '../providers/provider-kinds.ts';
import { simulatedProvider } from '../providers/simulated/simulated-provider.ts';
import { readProviderSecrets } from '../store/read-provider-secrets.ts';
import { logUnknownOutcome } from './log-unknown-outcome.ts';

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
 * @throws Problem `live_mode_unavailable` where it is connected to nobody, `provider_unavailable` where its account is
 *   at another origin than the one that is configured; Error where its secrets are missing
 */
export async function liveProviderOf(world: World): Promise<LiveProvider> {
  const { mode, provider } = world;
  if (mode === 'test' || provider === null) {
    throw new Problem('live_mode_unavailable');
  }
  if (!isConnectedTo(world, provider)) {
    const asked = { asked: 'an account at another origin', account: provider.account };
    logUnknownOutcome({ name: provider.kind }, { kind: 'unknown', why: 'account-not-connected' }, asked);
    throw new Problem('provider_unavailable');
  }
  return openProvider(provider.kind, await readProviderSecrets(world));
}

/**
 * Who knows what was made at an account, in live mode: its provider, or nobody while it is not connected.
 * @param account where it was made; undefined for older data
 * @throws Error where the secrets are missing
 */
export async function providerAt(world: World, account: ProviderAccount | undefined): Promise<LiveProvider> {
  return isConnectedTo(world, account) ? liveProviderOf(world) : absentProvider(account?.kind ?? 'none');
}

/** Whether a world is connected to the account that something was made at, where this process can reach it. */
export function isConnectedTo({ provider }: World, account: ProviderAccount | undefined): boolean {
  return (
    provider !== null &&
    isSameAccount(provider, account) &&
    provider.origin === configuredOrigin(provider.kind)
  );
}

/** Whether a provider remembers what it was asked for, and tells of it: whatever is none of the simulator. */
export function isLive(provider: Provider): provider is LiveProvider {
  return 'find' in provider;
}
