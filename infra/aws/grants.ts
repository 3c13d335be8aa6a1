import { functionNameOf, type Operation } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { accessOf, type StorageAccess, WORKERS } from '../../shared/store/table/access.ts';
import { INDEX_PARTITIONS, PARTITIONS } from '../../shared/store/table/keys.ts';
import {
  INDEXES,
  type IndexName,
  LAST_USED_ATTRIBUTES,
  WORLD_KEY_ATTRIBUTES,
} from '../../shared/store/table/table.ts';

/** Access to the table, as data: infra generates IAM policies from it, and the local host enforces it on functions. */
export interface Grant {
  /** IAM action names: `dynamodb:GetItem`. */
  readonly actions: readonly string[];
  readonly on: 'table' | IndexName;
  /** Patterns: every partition key that a call names must match one of these. */
  readonly keys: readonly string[];
  /** If set, only these attributes may be named, keys included. */
  readonly attributes?: readonly string[];
}

const ACTIONS = {
  get: 'dynamodb:GetItem',
  batchGet: 'dynamodb:BatchGetItem',
  query: 'dynamodb:Query',
  put: 'dynamodb:PutItem',
  update: 'dynamodb:UpdateItem',
  delete: 'dynamodb:DeleteItem',
  batchWrite: 'dynamodb:BatchWriteItem',
} as const satisfies Record<Exclude<keyof StorageAccess, 'list' | 'updateWorld'>, string>;

/** The row of a function, by its file in `functions/`. */
function rowOf(name: string): Operation | undefined {
  return allOperations.find((row) => functionNameOf(row) === name);
}

/** What a function does to the table, by its file in `functions/`: nothing by default. */
export function storageOf(name: string): StorageAccess {
  const row = rowOf(name);
  return row === undefined ? accessOf(WORKERS[name] ?? {}) : storageOfOperation(row);
}

/** The grants of a function on the table, by its file in `functions/`: none by default. */
export function grantsOf(name: string): Grant[] {
  const row = rowOf(name);
  return row === undefined ? toGrants(storageOf(name)) : grantsOfOperation(row);
}

/** The workers that call providers. None of them posts to addresses that merchants choose. */
const WORKERS_THAT_TALK: ReadonlySet<string> = new Set(['workers/live-job-runner']);

/** Whether a function calls the providers of live worlds, and so may read their secrets, by its file. */
export function talksToProvider(name: string): boolean {
  return rowOf(name)?.provider === true || WORKERS_THAT_TALK.has(name);
}

/** The fields of a row that determine the access of its function. */
export type AccessFields = Pick<
  Operation,
  'permission' | 'idempotent' | 'provider' | 'reads' | 'changes' | 'jobs'
>;

/** What the function of a row does to the table: for its key, its Idempotency-Key and the log of requests too. */
function storageOfOperation({
  permission,
  idempotent,
  reads = [],
  changes = [],
  jobs = [],
}: AccessFields): StorageAccess {
  return accessOf({
    reads: [...(permission === null ? [] : (['caller'] as const)), ...reads],
    changes: [
      ...(permission === null ? [] : (['request-log'] as const)),
      ...(idempotent ? (['claim'] as const) : []),
      ...changes,
    ],
    jobs,
  });
}

export function grantsOfOperation(row: AccessFields): Grant[] {
  return [...toGrants(storageOfOperation(row)), ...(row.permission === null ? [] : [NOTING_THE_LAST_USE])];
}

/**
 * The access of a function as text. Functions with the same text have the same access to the table and to providers,
 * and share a role. A public function never has the same text as one that requires a key.
 */
export function describeAccess(row: AccessFields): string {
  const access = Object.entries(storageOfOperation(row))
    .filter(([, kinds]) => kinds.length > 0)
    .map(([action, kinds]) => `${action} ${kinds.toSorted().join(' ')}`);
  const talking = row.provider === true ? ['provider'] : [];
  return [row.permission === null ? 'Anybody' : 'Keyed', ...talking, ...access.toSorted()].join(' ');
}

/**
 * A function may write only the day of last use of a key: it cannot create a key, or add permissions to one.
 */
const NOTING_THE_LAST_USE: Grant = {
  actions: [ACTIONS.update],
  on: 'table',
  keys: [PARTITIONS.KEY, PARTITIONS['TEST-KEY']],
  attributes: LAST_USED_ATTRIBUTES,
};

/**
 * One grant for the actions on the same partitions. Each action is in only one grant, except that worlds are updated by
 * attribute.
 */
function toGrants({ list = [], updateWorld = [], ...access }: StorageAccess): Grant[] {
  const needed = Object.entries(ACTIONS).map(([name, action]) => {
    const partitions = access[name as keyof typeof ACTIONS] ?? [];
    return { action, keys: partitions.map((partition) => PARTITIONS[partition]).toSorted() };
  });
  const byKeys = Map.groupBy(
    needed.filter(({ keys }) => keys.length > 0),
    ({ keys }) => keys.join(),
  );
  const onTable = [...byKeys.values()].map(
    (same): Grant => ({ actions: same.map(({ action }) => action), on: 'table', keys: same[0]?.keys ?? [] }),
  );
  const onIndexes = (Object.keys(INDEXES) as IndexName[]).map((index): Grant => {
    const patterns: Readonly<Record<string, string>> = INDEX_PARTITIONS[index];
    return {
      actions: [ACTIONS.query],
      on: index,
      keys: list.flatMap((partition) => patterns[partition] ?? []),
    };
  });
  const onWorlds: Grant = {
    actions: [ACTIONS.update],
    on: 'table',
    keys: [PARTITIONS.WORLD, PARTITIONS['TEST-WORLD']],
    attributes: [...WORLD_KEY_ATTRIBUTES, ...updateWorld],
  };
  return [
    ...onTable,
    ...(updateWorld.length > 0 ? [onWorlds] : []),
    ...onIndexes.filter(({ keys }) => keys.length > 0),
  ];
}
