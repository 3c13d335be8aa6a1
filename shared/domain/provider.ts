import type { NextAction } from './next-action.ts';
import type { Payment } from './payment.ts';
import type { PaymentMethod } from './payment-method.ts';

/** The seam to the outside world: whoever really moves money. `providers.ts` says which one serves which mode. */
export interface Provider {
  /** What the payer has to do to pay by this method. */
  begin(payment: Payment, method: PaymentMethod, pages: PayerPages): NextAction;
}

/** Addresses that a provider may send the payer to. */
export interface PayerPages {
  readonly checkoutUrl: string;
  readonly qrSvgUrl: string;
}
