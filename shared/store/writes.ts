import type { Change } from '../domain/change.ts';
import type { DomainEvent } from '../domain/event.ts';
import { newId } from '../domain/id.ts';
import type { Payment } from '../domain/payment.ts';
import { type EntityOf, type EventTypeOf, type ResourceName, rowOf } from '../domain/resource.ts';
import { afterOf, type ResourceChange } from '../domain/resource-change.ts';
import type { World } from '../domain/world.ts';
import { addToBalance, settleBalance } from './balance.ts';
import type { Write } from './commit.ts';
import { insertDelivery } from './delivery.ts';
import { type Item, insert, replace } from './item.ts';
import { insertJob } from './job.ts';
import {
  byPk,
  type Key,
  keyOf,
  linkCodeKey,
  newestIndex,
  relatedIndex,
  restIndex,
  settledKey,
} from './keys.ts';
import { countLinkUses } from './link-uses.ts';
import { insertProviderEvent, settleProviderEvent } from './provider-event.ts';
import { changeRefundable } from './refundable.ts';
import { endSeed } from './testkit/seed-record.ts';
import { writeSink } from './testkit/sinks.ts';

/*
 * The one place that makes writes of what was decided: an entity, the events of its steps and its consequences go
 * together. There is no other way to write a resource.
 */

/** Who made it happen: a request, or a job of the world. */
export interface Cause {
  readonly world: World;
  readonly requestId?: string;
  readonly idempotencyKey?: string | null;
}

/** Each resource as the API shows it: what its events tell. */
export type Views = {
  readonly [Name in ResourceName]: (world: World, entity: EntityOf<Name>) => DomainEvent['object'];
};

/** What a decision comes to in the table, for one transaction. */
export function writesOf(cause: Cause, changes: readonly Change[], views: Views): Write[] {
  return changes.flatMap((change) =>
    'resource' in change
      ? resourceWrites(cause, change as AnyChange, views)
      : [
          (WRITES[change.kind] as (world: World, change: Change) => Write | Write[])(cause.world, change),
        ].flat(),
  );
}

/** A change of some resource: which one it is, its name says. */
type AnyChange<Name extends ResourceName = ResourceName> = ResourceChange<
  Name,
  EventTypeOf<Name>,
  EntityOf<Name>
>;

function resourceWrites<Name extends ResourceName>(
  { world, requestId, idempotencyKey = null }: Cause,
  change: AnyChange<Name>,
  views: Views,
): Write[] {
  const { resource, before, steps, consequences } = change;
  const request = { id: requestId ?? null, idempotencyKey };
  const told = steps.map(({ event: type, previousStatus, after }) => {
    const { id: resourceId, version: resourceVersion, updatedAtMs: occurredAtMs } = after;
    const id = newId('evt', occurredAtMs);
    const object = views[resource](world, after);
    const event = { id, type, resourceId, resourceVersion, occurredAtMs, previousStatus, object, request };
    return insertJob(world, { kind: 'publish-event', dueAtMs: occurredAtMs, event });
  });
  return [
    ...entityWrites(resource, world, before, afterOf(change)),
    ...writesOf({ world }, consequences, views),
    ...told,
  ];
}

/** What is written of the past that a seed makes up: nobody is told of it. */
export function pastWrites<Name extends ResourceName>(
  resource: Name,
  world: World,
  entity: EntityOf<Name>,
): Write[] {
  return entityWrites(resource, world, null, entity);
}

/** What is written where a payer is erased: there is nothing to tell of it. */
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
  return before === null ? [insert(item), ...beside.map(insert)] : [replace(item, before.version)];
}

function toItem<Name extends ResourceName>(name: Name, world: World, entity: EntityOf<Name>): Key & Item {
  const { text = [], by = {} } = rowOf(name);
  const texts = text.map((field) => [field, JSON.stringify(entity[field])]);
  const lists = Object.entries(by).map(([filter, { of }]) => {
    const value = of(entity);
    return value === null ? {} : relatedIndex(byPk(name, world, filter, value), entity.id);
  });
  return {
    ...entity,
    ...Object.fromEntries(texts),
    ...keyOf(name, world, entity.id),
    ...newestIndex(name, world, entity),
    ...lists[0],
  };
}

/** What is found in another way too: written with it where it begins, and never changed. */
const BESIDE: {
  readonly [Name in ResourceName]?: (world: World, entity: EntityOf<Name>) => (Key & Item)[];
} = {
  // The place of its public code, which is never given out twice.
  paymentLink: ({ id: worldId, epoch }, { id: linkId, code }) => [
    { ...linkCodeKey(code), ...restIndex({ id: worldId, epoch }, code), worldId, epoch, linkId },
  ],
  // There is one of a provider and a day. It never changes, so both are whole, and each way to it is one read.
  settlement: (world, settlement) => [
    { ...settlement, ...settledKey(world, settlement.provider, settlement.valueDate) },
  ],
};

type Plain = Exclude<Change, { readonly resource: ResourceName }>;

/** Every kind of change but those of resources. */
const WRITES: {
  readonly [Kind in Plain['kind']]: (world: World, change: Extract<Plain, { kind: Kind }>) => Write | Write[];
} = {
  hold: changeRefundable,
  release: changeRefundable,
  'paid-back': changeRefundable,
  balance: (world, { atMs, amount }) => addToBalance(world, atMs, amount),
  'settle-day': (world, { balance, restMinor }) => settleBalance(world, balance, restMinor),
  'link-use': countLinkUses,
  job: (world, { job }) => insertJob(world, job),
  'provider-event': (world, { event, state }) => insertProviderEvent(world, event, state),
  'provider-event-due': (world, { event, state }) => settleProviderEvent(world, event, state),
  delivery: (world, { delivery }) => insertDelivery(world, delivery, Date.now()),
  sink: (world, { before, after }) => writeSink(world, before, after),
  'seed-end': (world, { record, report }) => endSeed(world, record, report),
};
