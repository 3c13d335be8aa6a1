import { Problem } from '../errors/problem.ts';
import type { Provider } from './provider.ts';
import { simulatedProvider } from './simulated-provider.ts';
import type { Mode } from './world.ts';

/** A live provider is plugged in by naming it here. */
const PROVIDERS: Readonly<Record<Mode, Provider | null>> = { test: simulatedProvider, live: null };

/**
 * @throws Problem `live_mode_unavailable` while no live provider is plugged in (contract §1).
 */
export function providerFor(mode: Mode): Provider {
  const provider = PROVIDERS[mode];
  if (provider === null) {
    throw new Problem('live_mode_unavailable');
  }
  return provider;
}
