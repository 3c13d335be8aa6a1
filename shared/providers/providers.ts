import type { Mode } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import type { Provider, ProviderKind } from './provider.ts';
import { simulatedProvider } from './simulated/simulated-provider.ts';
import { STRIPE } from './stripe/stripe-provider.ts';

/** What a live world can be connected to, by name. Each is a folder beside this file. To plug one in, name it here. */
export const PROVIDER_KINDS = { stripe: STRIPE } as const satisfies Readonly<Record<string, ProviderKind>>;

/**
 * @throws Problem `live_mode_unavailable` in live mode, where no provider is connected (contract §1)
 */
export function providerFor(mode: Mode): Provider {
  if (mode === 'live') {
    throw new Problem('live_mode_unavailable');
  }
  return simulatedProvider;
}
