import { PAYMENT_METHODS, type PaymentMethod } from '../domain/payment-method.ts';
import type { World } from '../domain/world.ts';
import { loadProviderKind } from '../providers/provider-kinds.ts';

/** The methods that a world's provider takes: in test mode, all there are. */
export async function methodsOf({ mode, provider }: World): Promise<readonly PaymentMethod[]> {
  if (mode === 'test') {
    return PAYMENT_METHODS;
  }
  return provider === null ? [] : [...(await loadProviderKind(provider.kind)).methods.keys()];
}
