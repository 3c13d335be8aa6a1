import type { NextAction } from '../domain/next-action.ts';
import type { Ask } from '../domain/open-payment.ts';
import type { PaymentMethod } from '../domain/payment-method.ts';

/** A provider's answer. `unknown`: no answer came, or an unclear one. The provider may still have done it. */
export type Answer<Fact> =
  | { readonly kind: 'done'; readonly fact: Fact }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'unknown' };

/** A payment attempt that the provider has begun. */
export interface Begun {
  /** What the payer must do to pay. */
  readonly nextAction: NextAction;
}

/** The port to a company that moves money. `providers.ts` names the provider of each mode. */
export interface Provider {
  readonly name: string;
  readonly methods: ReadonlySet<PaymentMethod>;
  /** Idempotent by `attemptId`: asked again, it answers for the attempt that it began, and begins no second one. */
  begin(ask: Ask): Promise<Answer<Begun>>;
}
