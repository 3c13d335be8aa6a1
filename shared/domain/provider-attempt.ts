import type { ProviderAccount } from './connection.ts';
import type { PaymentId } from './request-start.ts';

/** What a provider is told of an attempt that it was asked for, or may have been. */
export interface ProviderAttempt {
  readonly paymentId: PaymentId;
  readonly attemptId: string;
  /** Where it was asked for. */
  readonly account?: ProviderAccount;
  /** It was asked for at no earlier time, in real time. */
  readonly sinceMs: number;
  /** When it was asked for the last time, in real time: without a reference it is looked for from `sinceMs` until then. */
  readonly untilMs: number;
  /** Theirs; null where their answer is not known. */
  readonly reference: string | null;
  /** Addresses that the payer may be sent to. */
  readonly pages: { readonly checkoutUrl: string; readonly qrSvgUrl: string };
}
