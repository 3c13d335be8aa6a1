import { isSameAccount, type ProviderAccount } from '../domain/connection.ts';
import type { World } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import { absentProvider } from '../providers/absent-provider.ts';
import type { LiveProvider, Provider } from '../providers/provider.ts';
import { configuredOrigin, openProvider } from '../providers/provider-kinds.ts';
import { simulatedProvider } from '../providers/simulated/simulated-provider.ts';
import { readProviderSecrets } from '../store/worlds/read-provider-secrets.ts';
import { logUnknownOutcome } from './log-unknown-outcome.ts';

/**
 * The provider of a world: in test mode always the simulator, whatever provider is connected.
 * @throws as `openLiveProvider` does
 */
export async function providerFor(world: World): Promise<Provider> {
  return world.mode === 'test' ? simulatedProvider : openLiveProvider(world);
}

/**
 * The provider that a live world is connected to, with its secrets. These are read at most once in five minutes, and
 * again at once after they are replaced.
 * @throws Problem `live_mode_unavailable` if no provider is connected, `provider_unavailable` if its account is at
 *   another origin than the configured one; Error if its secrets are missing
 */
async function openLiveProvider(world: World): Promise<LiveProvider> {
  const { mode, provider } = world;
  if (mode === 'test' || provider === null) {
    throw new Problem('live_mode_unavailable');
  }
  if (!isConnectedTo(world, provider)) {
    const about = { call: 'none: the account is at another origin', account: provider.account };
    logUnknownOutcome({ name: provider.kind }, { kind: 'unknown', why: 'account-not-connected' }, about);
    throw new Problem('provider_unavailable');
  }
  return openProvider(provider.kind, await readProviderSecrets(world));
}

/**
 * The provider that knows the attempts at an account, in live mode: an absent one while the account is not connected.
 * @param account where the attempt was made; undefined for older data
 * @throws Error if the secrets are missing
 */
export async function providerAt(world: World, account: ProviderAccount | undefined): Promise<LiveProvider> {
  return isConnectedTo(world, account) ? openLiveProvider(world) : absentProvider(account?.kind ?? 'none');
}

/** Whether a world is connected to this account, at the provider origin that is configured here. */
export function isConnectedTo({ provider }: World, account: ProviderAccount | undefined): boolean {
  return (
    provider !== null &&
    isSameAccount(provider, account) &&
    provider.origin === configuredOrigin(provider.kind)
  );
}

/** Whether a provider stores attempts that can be retrieved: every provider but the simulator. */
export function isLive(provider: Provider): provider is LiveProvider {
  return 'retrieve' in provider;
}
