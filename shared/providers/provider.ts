import type { NextAction } from '../domain/next-action.ts';
import type { Ask } from '../domain/open-payment.ts';
import type { PaymentMethod } from '../domain/payment-method.ts';

/** What a provider has answered. `unknown`: no answer came, or none that says anything. It may have done it all the same. */
export type Answer<Fact> =
  | { readonly kind: 'done'; readonly fact: Fact }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'unknown' };

/** An attempt to collect a payment that has begun at the provider. */
export interface Begun {
  /** What the payer has to do to pay. */
  readonly nextAction: NextAction;
}

/** The port to the outside world: whoever really moves money. `providers.ts` says which one serves which mode. */
export interface Provider {
  readonly name: string;
  readonly methods: ReadonlySet<PaymentMethod>;
  /** Asked again under the same attempt's id, it answers for the attempt that it began then, and begins no other. */
  begin(ask: Ask): Promise<Answer<Begun>>;
}
