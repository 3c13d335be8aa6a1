import type { EntityOf, ReportedName } from '../domain/resource.ts';
import type { World } from '../domain/world.ts';
import { viewPaymentLink } from './payment-links.ts';
import { viewPayment } from './payments.ts';
import { viewPayout } from './payouts.ts';
import type { Permission } from './permissions.ts';
import { viewRefund } from './refunds.ts';
import { viewSettlement } from './settlements.ts';
import { viewWebhookEndpoint } from './webhook-endpoint-view.ts';

const VIEWS = {
  payment: viewPayment,
  refund: viewRefund,
  paymentLink: viewPaymentLink,
  payout: viewPayout,
  settlement: viewSettlement,
  webhookEndpoint: viewWebhookEndpoint,
};
/** The permission that reads each resource, and that an endpoint needs to receive its events. */
export const READING: Readonly<Record<ReportedName, Permission>> = {
  payment: 'payment.read',
  refund: 'refund.read',
  paymentLink: 'paymentlink.read',
  payout: 'payment.read',
  settlement: 'payment.read',
  webhookEndpoint: 'webhook.read',
};

export type ViewOf<Name extends ReportedName> = ReturnType<(typeof VIEWS)[Name]>;

/** Each resource as the API shows it in responses, lists and events. */
export const VIEW: {
  readonly [Name in ReportedName]: (world: Pick<World, 'mode'>, entity: EntityOf<Name>) => ViewOf<Name>;
} = VIEWS;
