import { viewPaymentLink } from '../../../shared/contract/payment-links.ts';
import { viewPayment } from '../../../shared/contract/payments.ts';
import { viewPayout } from '../../../shared/contract/payouts.ts';
import { viewRefund } from '../../../shared/contract/refunds.ts';
import { viewSettlement } from '../../../shared/contract/settlements.ts';
import { ENTITIES } from '../world/entities.ts';

const WORLD = { mode: 'test' } as const;

/** New resources as the API shows them. */
export const VIEWS = {
  payment: viewPayment(WORLD, ENTITIES.payment),
  refund: viewRefund(WORLD, ENTITIES.refund),
  paymentLink: viewPaymentLink(WORLD, ENTITIES.paymentLink),
  payout: viewPayout(WORLD, ENTITIES.payout),
  settlement: viewSettlement(WORLD, ENTITIES.settlement),
};
