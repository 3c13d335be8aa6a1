import type { ProviderPaymentState, ProviderRefundState, ProviderResult } from './provider.ts';

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
