import type { Mode } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import type { Provider } from './provider.ts';
import { simulatedProvider } from './simulated/simulated-provider.ts';

/**
 * @throws Problem `live_mode_unavailable` in live mode, where no provider is connected (contract §1)
 */
export function providerFor(mode: Mode): Provider {
  if (mode === 'live') {
    throw new Problem('live_mode_unavailable');
  }
  return simulatedProvider;
}
