import type { ProviderPaymentState, ProviderRefundState, ProviderResult } from './provider.ts';
import { configuredOrigin, type PROVIDER_KINDS } from './provider-kinds.ts';

/*
 * What this service has created at a provider: to compare with restored data. It is no part of the port, since only an
 * operator asks for it, and every function that calls a provider would load it.
 */

/** A payment attempt or a refund that exists at a provider. */
export interface CreatedObject {
  readonly kind: 'payment' | 'refund';
  /** The provider's own. */
  readonly reference: string;
  /** Of the payment, or of the payment that is refunded. */
  readonly paymentId: string;
  /** Of the attempt or the refund: what this service gave it. */
  readonly ourId: string;
  /** The requested amount. The currency is in capitals. */
  readonly amount: { readonly currency: string; readonly minor: number };
  /** Null where it is one that no such object can have. */
  readonly state: ProviderPaymentState['state'] | ProviderRefundState['state'] | null;
  readonly createdAtMs: number;
}

/** @param sinceMs real time */
export type ListCreated = (
  secrets: Readonly<Record<string, string>>,
  sinceMs: number,
  apiUrl?: string,
) => Promise<ProviderResult<readonly CreatedObject[]>>;

/** Every provider: one without its list does not compile. */
const LISTS: Readonly<Record<keyof typeof PROVIDER_KINDS, () => Promise<ListCreated>>> = {
  stripe: async () => (await import('./stripe/list-created-at-stripe.ts')).listCreatedAtStripe,
};

/**
 * What this service has created since an instant, by one merchant's secrets; payments first, each newest first.
 * @throws Error where the environment names an origin that no secret may be sent to
 */
export async function listCreated(
  name: string,
  secrets: Readonly<Record<string, string>>,
  sinceMs: number,
): Promise<ProviderResult<readonly CreatedObject[]>> {
  if (!Object.hasOwn(LISTS, name)) {
    throw new Error('there is no such provider');
  }
  const list = await LISTS[name as keyof typeof LISTS]();
  return list(secrets, sinceMs, configuredOrigin(name));
}
