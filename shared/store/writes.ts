import { toDayBalance } from '../domain/balance.ts';
import type { Change } from '../domain/change.ts';
import { type EndpointChange, endpointStep } from '../domain/endpoint.ts';
import type { DomainEvent } from '../domain/event.ts';
import type { Payment } from '../domain/payment.ts';
import {
  type EntityOf,
  type EventTypeOf,
  filtersOf,
  type ReportedName,
  type ResourceName,
} from '../domain/resource.ts';
import { afterOf, type Consequence, type ResourceChange } from '../domain/resource-change.ts';
import type { World } from '../domain/world.ts';
import { logDeliveries } from './events/delivery.ts';
import { writeEndpoint } from './events/endpoint.ts';
import { writeEndpointSlot } from './events/endpoint-slots.ts';
import { insertOutboxEntry } from './events/outbox.ts';
import { insertProviderEvent, resolveProviderEvent } from './events/provider-event.ts';
import { addUnsettled, settleBalance } from './money/balance.ts';
import { countLinkUses } from './money/link-uses.ts';
import { changeRefundable } from './money/refundable.ts';
import { insertJob, keyOfJob } from './scheduler/job.ts';
import type { Lease } from './scheduler/lease.ts';
import type { Write } from './table/commit.ts';
import { toAttributes } from './table/entity.ts';
import { insert, replace, type StoredItem } from './table/item.ts';
import {
  balanceShardOf,
  byPk,
  type Key,
  keyOf,
  linkCodeKey,
  newestIndex,
  relatedIndex,
  settlementDayKey,
  unlistedIndex,
} from './table/keys.ts';
import { listBy } from './table/resource-items.ts';
import { forgetMove } from './testkit/clock-moves.ts';
import { endCreatedWorld, freeSlotOf, insertCreatedWorld, insertWorldKey } from './testkit/created-worlds.ts';
import { endSeed } from './testkit/seed-record.ts';
import { writeSink } from './testkit/sinks.ts';
import { recordEndpointAudit } from './worlds/audit.ts';

/*
 * Turns decisions into writes: an entity, the events of its steps and its consequences go into one transaction. There
 * is no other way to write a resource.
 */

/** What caused a change: a request, or a job of the world. */
export interface Cause {
  readonly world: World;
  readonly requestId?: string;
  readonly idempotencyKey?: string | null;
  /** The key that sent the request. */
  readonly keyId?: string;
  /** The lease of the runner that dispatches what its jobs change; else the table's stream wakes one. */
  readonly lease?: Lease | null;
}

/** Shows each resource as the API does, for the bodies of its events. */
export type Views = {
  readonly [Name in ReportedName]: (world: World, entity: EntityOf<Name>) => DomainEvent['object'];
};

/** The writes of a decision, for one transaction: of each resource no more than one change. */
export function writesOf(cause: Cause, changes: readonly Change[], views: Views): Write[] {
  return changes.flatMap((change) => {
    if ('resource' in change) {
      return resourceWrites(cause, change as AnyChange, views);
    }
    const write = WRITES[change.kind] as (world: World, change: Change) => Write | Write[];
    const eventWrites = change.kind === 'endpoint' ? endpointEvent(cause, change, views) : [];
    return [write(cause.world, change), eventWrites].flat();
  });
}

/** The event of an endpoint's change, for the other endpoints, and its audit entry if a key made the change. */
function endpointEvent(
  { world, requestId, idempotencyKey = null, keyId, lease = null }: Cause,
  change: EndpointChange,
  views: Views,
): Write[] {
  const step = endpointStep(change);
  if (step === null) {
    return [];
  }
  const { event: type, previousStatus, after: shown } = step;
  const outboxEvent = {
    type,
    resourceId: shown.id,
    occurredAtMs: shown.updatedAtMs,
    previousStatus,
    object: views.webhookEndpoint(world, shown),
    request: { id: requestId ?? null, idempotencyKey },
  };
  const realNowMs = Date.now();
  // The endpoint's own responses cause this event, even in a request with a key.
  const isByKey = keyId !== undefined && type !== 'webhook_endpoint.disabled';
  return [
    insertOutboxEntry(world, shown, { events: [outboxEvent], supersededJobs: [] }, lease, realNowMs),
    ...(isByKey ? [recordEndpointAudit(world, keyId, change, realNowMs)] : []),
  ];
}

/** A change of any resource; its field `resource` names the kind. */
type AnyChange<Name extends ResourceName = ResourceName> = ResourceChange<
  Name,
  EventTypeOf<Name>,
  EntityOf<Name>
>;

function resourceWrites<Name extends ResourceName>(
  { world, requestId, idempotencyKey = null, lease = null }: Cause,
  change: AnyChange<Name>,
  views: Views,
): Write[] {
  const { resource, before, steps, consequences } = change;
  const request = { id: requestId ?? null, idempotencyKey };
  const show = views[resource];
  const events = steps.map(({ event: type, previousStatus, after }) => {
    const { id: resourceId, updatedAtMs: occurredAtMs } = after;
    return { type, resourceId, occurredAtMs, previousStatus, object: show(world, after), request };
  });
  const after = afterOf<EntityOf<Name>>(change);
  const supersededJobs = consequences.flatMap((one) =>
    one.kind === 'superseded-job' ? [keyOfJob(world, one.job)] : [],
  );
  const others = consequences.filter((one): one is WrittenConsequence => one.kind !== 'superseded-job');
  return [
    ...entityWrites(resource, world, before, after),
    ...writesOf({ world }, others, views),
    insertOutboxEntry(world, after, { events, supersededJobs }, lease, Date.now()),
  ];
}

/** Writes a resource of a seed, without events. */
export function pastWrites<Name extends ResourceName>(
  resource: Name,
  world: World,
  entity: EntityOf<Name>,
): Write[] {
  return entityWrites(resource, world, null, entity);
}

/** Writes a payment whose payer was erased, without an event. */
export function erasureWrite(world: World, before: Payment, after: Payment): Write[] {
  return entityWrites('payment', world, before, after);
}

function entityWrites<Name extends ResourceName>(
  resource: Name,
  world: World,
  before: EntityOf<Name> | null,
  after: EntityOf<Name>,
): Write[] {
  const item = toItem(resource, world, after);
  const beside = BESIDE[resource]?.(world, after) ?? [];
  return before === null
    ? [insert(item), ...beside.map((each) => insert(each))]
    : [replace(item, { version: before.version })];
}

function toItem<Name extends ResourceName>(
  name: Name,
  world: World,
  entity: EntityOf<Name>,
): Key & StoredItem {
  const by = listBy(name);
  const value = by && (filtersOf(name)[by.filter]?.(entity) ?? null);
  return {
    ...toAttributes(name, entity),
    ...keyOf(name, world, entity.id),
    ...newestIndex(name, world, entity),
    ...(value !== null && relatedIndex(byPk(name, world, value), entity.id)),
  };
}

/** Further items under which a resource is found: written when it is created, and never changed. */
const BESIDE: {
  readonly [Name in ResourceName]?: (world: World, entity: EntityOf<Name>) => (Key & StoredItem)[];
} = {
  // Leads from its public code to it. Fails where the code is taken.
  paymentLink: ({ id: worldId, epoch }, { id: linkId, code }) => [
    { ...linkCodeKey(code), ...unlistedIndex({ id: worldId, epoch }, code), worldId, epoch, linkId },
  ],
  // Allows one settlement for a provider and a day. A full copy, since a settlement never changes: one read finds it.
  settlement: (world, settlement) => [
    {
      ...toAttributes('settlement', settlement),
      ...settlementDayKey(world, settlement.provider, settlement.valueDate),
    },
  ],
};

/** A superseded job is no write: the dispatcher of the change's events removes it. */
type WrittenConsequence = Exclude<Consequence, { readonly kind: 'superseded-job' }>;
type Plain = Exclude<Change, { readonly resource: ResourceName }>;

/** The writes of every change that is not of a resource. */
const WRITES: {
  readonly [Kind in Plain['kind']]: (world: World, change: Extract<Plain, { kind: Kind }>) => Write | Write[];
} = {
  hold: changeRefundable,
  release: changeRefundable,
  'paid-back': changeRefundable,
  balance: (world, change) =>
    addUnsettled(world, { ...toDayBalance(change), shard: balanceShardOf(world, change.atMs) }),
  'settle-day': (world, { balance, restMinor }) => settleBalance(world, balance, restMinor),
  'link-use': countLinkUses,
  job: (world, { job }) => insertJob(world, job),
  'provider-event': (world, { event, state }) => insertProviderEvent(world, event, state),
  'provider-event-due': (world, { event, state }) => resolveProviderEvent(world, event, state),
  'payment-note': (world, { before, after }) => entityWrites('payment', world, before, after),
  delivery: (world, { delivery }) => logDeliveries(world, [delivery], Date.now()),
  endpoint: writeEndpoint,
  'endpoint-slot': writeEndpointSlot,
  sink: writeSink,
  world: (_creator, { created }) => insertCreatedWorld(created),
  'world-key': (_creator, { created, ...issued }) => insertWorldKey(created, issued),
  'world-end': (_caller, { created, endsAtMs }) => [endCreatedWorld(created, endsAtMs), freeSlotOf(created)],
  'move-end': (world, { idempotencyKey }) => forgetMove(world, idempotencyKey),
  'seed-end': (world, { record, report }) => endSeed(world, record, report),
};
