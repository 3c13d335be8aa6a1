import type { Delivery } from './delivery.ts';
import type { Job } from './job.ts';
import type { ProviderEvent, ProviderEventState } from './provider-event.ts';
import type { EntityOf, EventTypeOf, ResourceName } from './resource.ts';
import type { Consequence, ResourceChange } from './resource-change.ts';
import type { TestKitChange } from './testkit/change.ts';

/** What a decision comes to, as values: all of them happen together or none does. */
export type Change =
  | ResourceChanges[ResourceName]
  | Consequence
  | { readonly kind: 'job'; readonly job: Job }
  /** What a provider has said is on record, so that a repetition changes nothing: an event id is used once. */
  | { readonly kind: 'provider-event'; readonly event: ProviderEvent; readonly state: ProviderEventState }
  /** What became of one that was queued. */
  | { readonly kind: 'provider-event-due'; readonly event: ProviderEvent; readonly state: ProviderEventState }
  | { readonly kind: 'delivery'; readonly delivery: Delivery }
  | TestKitChange;

type ResourceChanges = {
  readonly [Name in ResourceName]: ResourceChange<Name, EventTypeOf<Name>, EntityOf<Name>>;
};
