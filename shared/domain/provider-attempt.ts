import type { ProviderAccount } from './connection.ts';
import type { PaymentId } from './request-start.ts';

/** Identifies an attempt that was requested from a provider, or may have been. */
export interface ProviderAttempt {
  readonly paymentId: PaymentId;
  readonly attemptId: string;
  /** The account that it was requested at. */
  readonly account?: ProviderAccount;
  /** The earliest time of a request for it, in real time. */
  readonly sinceMs: number;
  /** The latest time of a request for it, in real time: without a reference, the search covers `sinceMs` to then. */
  readonly untilMs: number;
  /** The provider's own; null where no result is known. */
  readonly reference: string | null;
  /** Addresses that the payer may be sent to. */
  readonly pages: { readonly checkoutUrl: string; readonly qrSvgUrl: string };
}
