import { functionNameOf, isStatic, type Operation } from '../../shared/contract/operation.ts';
import { allOperations, servedOperations } from '../../shared/contract/operations.ts';
import { SMOKE_WORLD_ID } from '../../shared/contract/smoke-world.ts';
import { accessOf, type NamedAccess, type StorageAccess, WORKERS } from '../../shared/store/table/access.ts';
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

/** The fields of a row that determine the role of its function, and what that role may do. */
export type AccessFields = Pick<
  Operation,
  'permission' | 'mode' | 'idempotent' | 'provider' | 'reads' | 'changes' | 'jobs'
>;
type Fits = (row: AccessFields) => boolean;
type NameIn<Field extends 'reads' | 'changes'> = NonNullable<NamedAccess[Field]>[number];

const isPublic: Fits = ({ permission }) => permission === null;
const changesNothing: Fits = ({ changes }) => changes === undefined;
const reading =
  (name: NameIn<'reads'>): Fits =>
  ({ reads = [] }) =>
    reads.includes(name);
const changing =
  (...names: readonly NameIn<'changes'>[]): Fits =>
  ({ changes = [] }) =>
    changes.some((name) => names.includes(name));

/**
 * The roles of the API. Functions share a role where the same is lost if one of them goes wrong, and a function has the
 * first role that fits its row: those with most to lose come first.
 */
const ROLES = {
  /** Creates worlds, with an API key each. */
  mint: changing('world-key'),
  /** Moves, fills and empties worlds. */
  worlds: changing('clock-move', 'seed', 'purge', 'world-end'),
  notifications: reading('provider-address'),
  'payer-pays': (row) => row.provider === true && isPublic(row),
  charge: ({ provider }) => provider === true,
  static: isStatic,
  'payer-page': (row) => isPublic(row) && changesNothing(row),
  sink: changing('sink-count'),
  /** Changes endpoints, and adds to their audit. */
  hooks: changing('endpoint.change', 'endpoint.delete'),
  /** Reads endpoints, with their signing secrets. */
  'hook-read': (row) => changesNothing(row) && reading('endpoints')(row),
  read: changesNothing,
  deliveries: reading('endpoints'),
  simulate: ({ mode }) => mode === 'test',
  write: (row) => !isPublic(row),
} as const satisfies Record<string, Fits>;
export type ApiRole = keyof typeof ROLES;

/**
 * The role of an operation's function.
 * @throws Error for a public operation that changes what no role of the public does
 */
export function roleOf(row: AccessFields): ApiRole {
  const role = (Object.keys(ROLES) as ApiRole[]).find((each) => ROLES[each](row));
  if (role === undefined) {
    throw new Error(`No role fits a public operation that changes ${row.changes?.join(', ')}: add one.`);
  }
  return role;
}

/** The operations of this deployment with which a function shares its role, by its file in `functions/`. */
function sharersOf(name: string): readonly Operation[] {
  const own = allOperations.find((row) => functionNameOf(row) === name);
  return own === undefined ? [] : servedOperations().filter((row) => roleOf(row) === roleOf(own));
}

/** What money is stored as on its way. */
const MONEY: readonly string[] = ['PAYMENT', 'REFUND'] satisfies (keyof typeof PARTITIONS)[];

/** Whether a function moves money: it may write a payment or a refund of a live world. */
export function movesMoney({ mode, changes = [] }: AccessFields): boolean {
  const { put = [], update = [] } = accessOf({ changes });
  return mode !== 'test' && [...put, ...update].some((partition) => MONEY.includes(partition));
}

/** The grants of a function's role on the table, by its file in `functions/`: none by default. */
export function grantsOf(name: string): Grant[] {
  const worker = WORKERS[name];
  if (worker === undefined) {
    return grantsOfRows(sharersOf(name));
  }
  const grants = toGrants(accessOf(worker));
  return name === SMOKE ? grants.map(inWorldOfSmoke) : grants;
}

const SMOKE = 'rollout/smoke';

/** The same in one world alone: a key names its world by a scope, or, of a world's own items, after their kind. */
function inWorldOfSmoke(grant: Grant): Grant {
  const keys = grant.keys.map((key) => key.replace(key.startsWith('?') ? /^\?+/ : '*', SMOKE_WORLD_ID));
  return { ...grant, keys };
}

/** The workers that call providers. None of them posts to addresses that merchants choose. */
const WORKERS_THAT_TALK: ReadonlySet<string> = new Set(['workers/live-job-runner']);

/** Whether a function's role may read the secrets of the providers of live worlds, by its file. */
export function talksToProvider(name: string): boolean {
  return WORKERS_THAT_TALK.has(name) || sharersOf(name).some(({ provider }) => provider === true);
}

/** What a role of these rows may do to the table: what they name, and what their keys, claims and request log take. */
export function grantsOfRows(rows: readonly AccessFields[]): Grant[] {
  const needsKey = rows.some((row) => !isPublic(row));
  const access = accessOf({
    reads: [...(needsKey ? (['caller'] as const) : []), ...rows.flatMap(({ reads = [] }) => reads)],
    changes: [
      ...(needsKey ? (['request-log'] as const) : []),
      ...(rows.some(({ idempotent }) => idempotent) ? (['claim'] as const) : []),
      ...rows.flatMap(({ changes = [] }) => changes),
    ],
    jobs: rows.flatMap(({ jobs = [] }) => jobs),
  });
  return [...toGrants(access), ...(needsKey ? [NOTING_THE_LAST_USE] : [])];
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
