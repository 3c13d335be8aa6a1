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

interface Grant {
  /** Actions on the table itself. */
  readonly table: readonly string[];
  /** Actions on these indexes. */
  readonly indexes: readonly IndexName[];
}

const GET = ['dynamodb:GetItem'] as const;
const WRITE = [...GET, 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'] as const;

/** What each kind of storage access amounts to in IAM. A transaction needs the actions of its parts. */
export const STORAGE_GRANTS = {
  none: { table: [], indexes: [] },
  get: { table: GET, indexes: [] },
  list: { table: [...GET, 'dynamodb:BatchGetItem'], indexes: ['newest', 'related'] },
  query: { table: [...GET, 'dynamodb:Query'], indexes: [] },
  write: { table: WRITE, indexes: [] },
  purge: { table: [...WRITE, 'dynamodb:Query'], indexes: ['newest'] },
  jobs: { table: [...WRITE, 'dynamodb:Query', 'dynamodb:BatchWriteItem'], indexes: ['newest', 'related'] },
  'write-query': { table: [...WRITE, 'dynamodb:Query'], indexes: [] },
  /** The clock's alone: it finds worlds, and touches nothing of theirs. */
  due: { table: [], indexes: ['due'] },
} as const satisfies Record<string, Grant>;
