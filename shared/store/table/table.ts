/**
 * The one table, as data: infra deploys it, and the local host and the tests create it, from this definition.
 * Imports nothing from the SDK, so that infra can use it.
 */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds after which DynamoDB may delete an item. Nothing relies on the deletion (contract §4). */
  ttl: 'ttl',
} as const;

/** All indexes hold keys only: an entry points to an item, which is then read from the table, so always current. */
export const INDEXES = {
  /** Lists, newest first, in blocks of numbers. */
  newest: { partitionKey: 'newestPk', sortKey: 'newestSk' },
  /** Items that share a value: payments of a reference, refunds of a payment, keys of a merchant. */
  related: { partitionKey: 'relatedPk', sortKey: 'relatedSk' },
  /** Jobs by real due time, sharded: how the clock finds worlds with work. */
  due: { partitionKey: 'duePk', sortKey: 'dueSk' },
} as const;
export type IndexName = keyof typeof INDEXES;

/** The only attributes of a key's item that authentication may name when it records the day of the last use. */
export const LAST_USED_ATTRIBUTES = [TABLE.partitionKey, TABLE.sortKey, 'lastUsedDay'] as const;

/** The epoch that the last purge has ended. Conditions name it: naming the epoch itself would allow setting it. */
export const ENDED_EPOCH = 'endedEpoch';

/** The attributes of a world that name its endpoints with a backlog, and count how often one was marked. */
export const BACKLOGGED_ENDPOINTS = 'backloggedEndpoints';
export const BACKLOG_VERSION = 'backlogVersion';

/** The attribute of a created world with its end, in real time. */
export const WORLD_END = 'expiresAtMs';
/** The attribute of an ended world with the epoch whose items are still to be handed to a deletion. */
export const UNDELETED_EPOCH = 'undeletedEpoch';

/** The attribute of a created world that names the world whose content it still gets. */
export const FORK_SOURCE = 'forkSource';
/** Beside it: when the last copy was begun or renewed. */
export const COPIED_AT = 'copiedAtMs';

/** Attributes of a world's item that every function may name that updates the world. */
export const WORLD_KEY_ATTRIBUTES = [TABLE.partitionKey, TABLE.sortKey, ENDED_EPOCH] as const;
