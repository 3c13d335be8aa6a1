import type { Endpoint } from '../domain/endpoint.ts';
import type { EntityOf, PerResource, ResourceName } from '../domain/resource.ts';
import type { World } from '../domain/world.ts';
import { viewPaymentLink } from './payment-links.ts';
import { viewPayment } from './payments.ts';
import { viewPayout } from './payouts.ts';
import type { Permission } from './permissions.ts';
import { viewRefund } from './refunds.ts';
import { viewSettlement } from './settlements.ts';
import { viewWebhookEndpoint, type WebhookEndpointView } from './webhook-endpoint-view.ts';

const VIEWS = {
  payment: viewPayment,
  refund: viewRefund,
  paymentLink: viewPaymentLink,
  payout: viewPayout,
  settlement: viewSettlement,
};
/** The permission that reads each resource, and that an endpoint needs to receive its events. */
export const READING: PerResource<Permission> = {
  payment: 'payment.read',
  refund: 'refund.read',
  paymentLink: 'paymentlink.read',
  payout: 'payment.read',
  settlement: 'payment.read',
};

export type ViewOf<Name extends ResourceName> = ReturnType<(typeof VIEWS)[Name]>;

/** Each resource, and an endpoint, as the API shows it in responses, lists and events. */
export const VIEW: {
  readonly [Name in ResourceName]: (world: Pick<World, 'mode'>, entity: EntityOf<Name>) => ViewOf<Name>;
} & {
  readonly endpoint: (world: Pick<World, 'mode'>, endpoint: Endpoint) => WebhookEndpointView;
} = { ...VIEWS, endpoint: viewWebhookEndpoint };
