/**
 * The one table, as data: infra deploys it, the local host and the tests create it, from this definition alone.
 * Imports nothing of the SDK, so that infra can share it.
 */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds after which DynamoDB may delete an item. Nothing relies on the deletion (contract §4). */
  ttl: 'ttl',
} as const;

/** All indexes are keys-only: an entry is a pointer, and what it points at is read from the table, always current. */
export const INDEXES = {
  /** Lists, newest first, in blocks of numbers. */
  newest: { partitionKey: 'newestPk', sortKey: 'newestSk' },
  /** What belongs to something else: payments of a reference, refunds of a payment, keys of a merchant. */
  related: { partitionKey: 'relatedPk', sortKey: 'relatedSk' },
  /** Jobs by real due time, sharded: how the clock finds worlds with work. */
  due: { partitionKey: 'duePk', sortKey: 'dueSk' },
} as const;
export type IndexName = keyof typeof INDEXES;

/** The environment variable that tells a function its table. */
export const TABLE_NAME_VARIABLE = 'TABLE_NAME';

/** All that authentication may name of a key's item when it notes the day on which the key was last used. */
export const LAST_USED_ATTRIBUTES = [TABLE.partitionKey, TABLE.sortKey, 'lastUsedDay'] as const;
