import type { Delivery } from './delivery.ts';
import type { EndpointChange } from './endpoint.ts';
import type { EndpointSlotChange } from './endpoint-slot.ts';
import type { Job } from './job.ts';
import type { PaymentNote } from './payment.ts';
import type { ProviderEvent, ProviderEventState } from './provider-event.ts';
import type { EntityOf, EventTypeOf, ResourceName } from './resource.ts';
import type { Consequence, ResourceChange } from './resource-change.ts';
import type { TestKitChange } from './testkit/change.ts';

/** One result of a decision, as data. All changes of a decision are committed in one transaction. */
export type Change =
  | ResourceChanges[ResourceName]
  | Exclude<Consequence, { readonly kind: 'superseded-job' }>
  | { readonly kind: 'job'; readonly job: Job }
  /** Records a provider event under its event id, so that a repeated one changes nothing. */
  | { readonly kind: 'provider-event'; readonly event: ProviderEvent; readonly state: ProviderEventState }
  /** Records the outcome of a provider event that was queued. */
  | { readonly kind: 'provider-event-due'; readonly event: ProviderEvent; readonly state: ProviderEventState }
  | { readonly kind: 'delivery'; readonly delivery: Delivery }
  | PaymentNote
  | EndpointChange
  | EndpointSlotChange
  | TestKitChange;

type ResourceChanges = {
  readonly [Name in ResourceName]: ResourceChange<Name, EventTypeOf<Name>, EntityOf<Name>>;
};
