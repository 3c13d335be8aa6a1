import type { Endpoint } from '../domain/endpoint.ts';
import type { EntityOf, ResourceName } from '../domain/resource.ts';
import type { World } from '../domain/world.ts';
import { viewPaymentLink } from './payment-links.ts';
import { viewPayment } from './payments.ts';
import { viewPayout } from './payouts.ts';
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
export type ViewOf<Name extends ResourceName> = ReturnType<(typeof VIEWS)[Name]>;

/** Each resource, and an endpoint, as the API shows it: what is answered, listed, and told by events. */
export const VIEW: {
  readonly [Name in ResourceName]: (world: Pick<World, 'mode'>, entity: EntityOf<Name>) => ViewOf<Name>;
} & {
  readonly endpoint: (world: Pick<World, 'mode'>, endpoint: Endpoint) => WebhookEndpointView;
} = { ...VIEWS, endpoint: viewWebhookEndpoint };
