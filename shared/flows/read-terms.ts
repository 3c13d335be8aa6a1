import { AMOUNT_MIN_MINOR, type Money } from '../domain/money.ts';
import type { PaymentMethod } from '../domain/payment-method.ts';
import type { World } from '../domain/world.ts';
import type { FieldError } from '../errors/field-error.ts';
import type { MethodTerms } from '../providers/provider.ts';
import { loadProviderKind } from '../providers/provider-kinds.ts';
import { simulatedProvider } from '../providers/simulated/simulated-provider.ts';

/** The lowest minimum amount of these methods, in minor units. */
export function leastOf(methods: ReadonlyMap<PaymentMethod, MethodTerms>): number {
  const all = [...methods.values()].map(({ minMinor }) => minMinor);
  return all.length === 0 ? AMOUNT_MIN_MINOR : Math.min(...all);
}

/** The field errors of an amount below that minimum. @param field of the amount */
export function errorsBelow(leastMinor: number, field: string, amount: Money | undefined): FieldError[] {
  return amount !== undefined && amount.minor < leastMinor
    ? [{ code: 'min', field: `${field}.minor`, message: `must be at least ${leastMinor}` }]
    : [];
}

/** The methods that a world's provider offers, with their terms: in test mode, all methods. */
export async function readTerms({ mode, provider }: World): Promise<ReadonlyMap<PaymentMethod, MethodTerms>> {
  if (mode === 'test') {
    return simulatedProvider.methods;
  }
  return provider === null ? new Map() : (await loadProviderKind(provider.kind)).methods;
}
