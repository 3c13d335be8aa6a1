import type { PaymentMethod } from '../domain/payment-method.ts';
import type { World } from '../domain/world.ts';
import type { MethodTerms } from '../providers/provider.ts';
import { loadProviderKind } from '../providers/provider-kinds.ts';
import { simulatedProvider } from '../providers/simulated/simulated-provider.ts';

/** The methods that a world's provider takes, with what each needs and can do: in test mode, all there are. */
export async function termsOf({ mode, provider }: World): Promise<ReadonlyMap<PaymentMethod, MethodTerms>> {
  if (mode === 'test') {
    return simulatedProvider.methods;
  }
  return provider === null ? new Map() : (await loadProviderKind(provider.kind)).methods;
}
