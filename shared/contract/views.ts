import type { EntityOf, ResourceName } from '../domain/resource.ts';
import type { World } from '../domain/world.ts';
import { viewPaymentLink } from './payment-link-view.ts';
import type { PaymentLinkView } from './payment-links.ts';
import { viewPayment } from './payment-view.ts';
import type { PaymentView } from './payments.ts';
import { viewPayout } from './payout-view.ts';
import type { PayoutView } from './payouts.ts';
import { viewRefund } from './refund-view.ts';
import type { RefundView } from './refunds.ts';
import { viewSettlement } from './settlement-view.ts';
import type { SettlementView } from './settlements.ts';

interface Views {
  readonly payment: PaymentView;
  readonly refund: RefundView;
  readonly paymentLink: PaymentLinkView;
  readonly payout: PayoutView;
  readonly settlement: SettlementView;
}
export type ViewOf<Name extends ResourceName> = Views[Name];

/** Each resource as the API shows it: what is answered, listed, and told by events. */
export const VIEW: {
  readonly [Name in ResourceName]: (world: Pick<World, 'mode'>, entity: EntityOf<Name>) => ViewOf<Name>;
} = {
  payment: viewPayment,
  refund: viewRefund,
  paymentLink: viewPaymentLink,
  payout: viewPayout,
  settlement: viewSettlement,
};
