import type { Mode } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import type { Provider } from './provider.ts';
import { simulatedProvider } from './simulated/simulated-provider.ts';

/** Each provider is a folder beside this file. To plug one in, name it here. */
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
