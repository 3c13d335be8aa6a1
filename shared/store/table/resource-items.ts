import type { EntityOf, FilterOf, ResourceName } from '../../domain/resource.ts';

/** How one kind of resource lies in the table. */
export interface ItemRow<Name extends ResourceName> {
  /** Name of its partitions; the partitions of its list add an `S`. */
  readonly partition: string;
  /**
   * Fields that conditions and updates name, besides `version`: each is an attribute of its own, and the entity as a
   * whole is packed.
   */
  readonly live: readonly (keyof EntityOf<Name>)[];
  /** The filter that has lists of its own, of the resources that share a value: an item has room for one such list. */
  readonly by?: ListBy<FilterOf<Name> & string>;
}

interface ListBy<Filter extends string = string> {
  readonly filter: Filter;
  readonly partition: string;
  /** Set where the value is free text: keys then hold its hash. */
  readonly isText?: true;
}

/** How each kind of resource of `domain/resource.ts` is stored. */
export const RESOURCE_ITEMS = {
  payment: {
    partition: 'PAYMENT',
    live: ['status', 'refundedMinor', 'refundableMinor'],
    by: { filter: 'reference', partition: 'REFERENCE', isText: true },
  },
  refund: { partition: 'REFUND', live: [], by: { filter: 'paymentId', partition: 'REFUNDED' } },
  paymentLink: { partition: 'LINK', live: ['status', 'maxUses', 'uses', 'takenUses', 'heldBy'] },
  payout: { partition: 'PAYOUT', live: [] },
  settlement: { partition: 'SETTLEMENT', live: [] },
} as const satisfies { readonly [Name in ResourceName]: ItemRow<Name> };

type ItemRows = typeof RESOURCE_ITEMS;
export type ResourcePartition<Name extends ResourceName = ResourceName> = ItemRows[Name]['partition'];
/** Partitions of the lists of all resources of one kind. */
export type ListPartition<Name extends ResourceName = ResourceName> = `${ResourcePartition<Name>}S`;
type ListOf<Row> = Row extends { readonly by: ListBy } ? Row['by']['partition'] : never;
export type ByPartition = { [Name in ResourceName]: ListOf<ItemRows[Name]> }[ResourceName];

/** The lists of those that share a value, if a kind of resource has such. */
export function listBy(name: ResourceName): (ListBy & { readonly partition: ByPartition }) | null {
  const row = RESOURCE_ITEMS[name];
  return 'by' in row ? row.by : null;
}
