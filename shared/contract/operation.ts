import {
  type ByPartition,
  type ListPartition,
  RESOURCE_NAMES,
  RESOURCES,
  type ResourceName,
  type ResourcePartition,
} from '../domain/resource.ts';
import type { Mode } from '../domain/world.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import type { FieldError } from '../errors/field-error.ts';
import type { AnySchema } from './fields.ts';
import type { Permission } from './permissions.ts';

/** How long a function of the API may run; also how long a crashed run keeps its Idempotency-Key busy. */
export const FUNCTION_TIMEOUT_SECONDS = 10;

/** For operations of several steps. API Gateway gives up after 29 seconds; a crashed run can be retried after this. */
export const LONG_FUNCTION_TIMEOUT_SECONDS = 20;

/** The kinds of partitions of the table: `store/keys.ts` has their keys. */
export type Partition =
  | 'KEY'
  | 'ENDPOINT-AUDIT'
  | 'WORLD'
  | ResourcePartition
  | 'OUTBOX'
  | 'EVENTS'
  | 'CODE'
  | 'POSTS'
  | 'SETTLED'
  | 'BALANCES'
  | 'PROVIDER-EVENTS'
  | 'ENDPOINTS'
  | 'TOKEN'
  | 'NOTICES'
  | 'DELIVERIES'
  | 'ONCE'
  | 'WAKE'
  | 'SEED'
  | 'PARKED'
  | 'MOVE'
  | 'ADVANCE'
  | 'JOBS'
  | 'QUEUE'
  | 'LEASE'
  | 'PURGE';

/**
 * What functions change of a world, each no more than its row says. Whose it is, its mode and its provider are not here:
 * the command line alone sets them.
 */
export type WorldAttribute =
  | `${ResourceName}Count`
  | 'epoch'
  | 'clockOffsetMs'
  | 'clockVersion'
  | 'movedToMs'
  | 'eventBlock'
  | 'behind'
  | 'behindVersion';

/** The kinds of partitions of its indexes. */
type IndexPartition = ListPartition | ByPartition | 'TOLD' | 'REST' | 'DUE';

/**
 * What a function does to the table, by what DynamoDB calls it, and to which partitions: infra grants this and nothing
 * else, and the local host refuses whatever is not said here. API keys and their audit are in nobody's list: functions
 * that ask for a key may read it, and none can make one. Of what is done to endpoints, functions write an audit apart.
 */
export interface StorageAccess {
  readonly get?: readonly Partition[];
  readonly batchGet?: readonly Partition[];
  readonly query?: readonly Partition[];
  /** Queries of an index. */
  readonly list?: readonly IndexPartition[];
  readonly put?: readonly Writable[];
  readonly update?: readonly Writable[];
  /** Updates of worlds: of these attributes, and of no others. */
  readonly updateWorld?: readonly WorldAttribute[];
  readonly delete?: readonly Writable[];
  readonly batchWrite?: readonly Writable[];
}

/** A world is never written as a whole, for that would set all of it. */
type Writable = Exclude<Partition, 'KEY' | 'WORLD'>;

/**
 * One operation of the API as data. Routes, functions, grants, the OpenAPI document, the local host and the generic
 * tests are loops over these rows; to add an operation, add a row, a function file and a test.
 */
export interface Operation {
  /** `<area>.<Name>` as in the interface; the kebab-case of the name is the file in `functions/`. */
  readonly id: `${string}.${string}`;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** API Gateway's form: `/api/v1/payments/{id}`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  /** Null: anybody may call it, no key is asked for. */
  readonly permission: Permission | null;
  /** `test`: refused for live keys. `provider`: needs a provider for the key's mode (contract §1). */
  readonly mode: 'any' | 'test' | 'provider';
  /** Whether it changes something, takes an `Idempotency-Key` and is run once. */
  readonly idempotent: boolean;
  /** What it does to the table beyond what every function with its other fields does (`storageOf`). */
  readonly storage: 'none' | StorageAccess;
  /** Its function talks to the providers of live worlds, and may read their secrets (contract §15). */
  readonly provider?: true;
  /** How long its function may run, where that is longer than `FUNCTION_TIMEOUT_SECONDS`. */
  readonly timeoutSeconds?: number;
  /** It works in several commits, each of which can be resumed: so it begins only when its claim stands. */
  readonly stepwise?: true;
  readonly query?: AnySchema;
  readonly body?: AnySchema;
  /** Field errors that depend on the merchant's clock or on the mode, found in the raw body. */
  readonly checkBody?: (body: Readonly<Record<string, unknown>>, nowMs: number, mode: Mode) => FieldError[];
  /** The body field that, where sent, must repeat the id of the path. */
  readonly bodyId?: string;
  readonly success: JsonResponse | TextResponse;
  /**
   * Statuses that are answered in the media type of `success` besides its own, and when: pages that are no 200, the way
   * back after a form. `4XX` stands for all that begin so.
   */
  readonly alsoResponds?: Readonly<Partial<Record<AlsoStatus, string>>>;
  /** Payers see it: whatever is wrong is said by a page, but for what the gateway refuses by itself. */
  readonly problems?: 'pages';
  /** The codes that this operation adds to those that its other fields imply. */
  readonly errors: readonly ErrorCode[];
  /** An example of the body, for documentation and tests. */
  readonly example?: Readonly<Record<string, unknown>>;
}

/* What rows begin with that read or change something in either mode, for a key, and those that anybody may ask. */
export const READ = { method: 'GET', mode: 'any', idempotent: false } as const;
export const WRITE = { method: 'POST', mode: 'any', idempotent: true } as const;
export const PUBLIC = { permission: null, mode: 'any', idempotent: false } as const;

interface JsonResponse {
  readonly status: 200 | 201;
  /** What the answer is called in the OpenAPI document; the same schema has the same name in every row. */
  readonly name: string;
  readonly schema: AnySchema;
}

/** A status, or all of a hundred. */
type AlsoStatus = 200 | 303 | 403 | 404 | 409 | 410 | 422 | 429 | '2XX' | '3XX' | '4XX' | '5XX';

interface TextResponse {
  readonly status: 200;
  readonly contentType: string;
}

/** Every code that an operation can answer: what its fields imply, and what it adds. */
export function errorCodesOf(row: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ['rate_limited', 'internal_error', 'temporarily_unavailable'];
  if (row.permission !== null) {
    codes.push(
      'authentication_missing',
      'api_key_invalid',
      'api_key_revoked',
      'api_key_expired',
      'ip_not_allowed',
      'permission_denied',
      'version_invalid',
    );
  }
  if (row.mode === 'test') {
    codes.push('test_mode_only');
  }
  if (row.mode === 'provider') {
    codes.push('live_mode_unavailable', 'method_unavailable', 'provider_refused', 'provider_unavailable');
  }
  if (row.idempotent) {
    codes.push(
      'idempotency_key_missing',
      'idempotency_key_invalid',
      'idempotency_in_progress',
      'idempotency_key_reused',
      'unsupported_media_type',
      'body_too_large',
      'malformed_json',
    );
  }
  if (row.idempotent || row.query !== undefined) {
    codes.push('validation_failed');
  }
  return [...codes, ...row.errors];
}

/** All that the function of a row does to the table: for its key and its Idempotency-Key too. */
export function storageOf(row: Pick<Operation, 'permission' | 'idempotent' | 'storage'>): StorageAccess {
  return mergeStorage(
    row.permission === null ? {} : ASKING_FOR_A_KEY,
    row.idempotent ? RUNNING_ONCE : {},
    row.storage === 'none' ? {} : row.storage,
  );
}

const ASKING_FOR_A_KEY: StorageAccess = { get: ['KEY', 'WORLD'] };

/** To claim an Idempotency-Key, to save the answer, to give the key free after a refusal. */
export const RUNNING_ONCE = {
  put: ['ONCE'],
  update: ['ONCE'],
  delete: ['ONCE'],
} as const satisfies StorageAccess;

/** The partitions of all resources, and those of their lists. */
const ALL_RESOURCES = RESOURCE_NAMES.map((name) => RESOURCES[name].partition);
export const ALL_LISTS = ALL_RESOURCES.map((partition) => `${partition}S` as const);

/** What counts the numbers that are given out for these kinds of resources. */
export function countersOf(...names: readonly ResourceName[]) {
  return names.map((name) => `${name}Count` as const);
}

/** To take numbers, under the condition that the clock was not moved. */
export function numbering(...names: readonly ResourceName[]) {
  return [...countersOf(...names), 'clockVersion'] as const;
}

/** To note for which receivers attempts wait. */
const NOTING_BACKLOGS = ['behind', 'behindVersion'] as const;

/** To run the jobs of a world, whatever they do, and to delete what a purge has left. */
export const RUNNING_JOBS = {
  get: ['WORLD', 'PAYMENT', 'REFUND', 'LINK', 'JOBS', 'QUEUE', 'ENDPOINTS', 'PROVIDER-EVENTS'],
  batchGet: ['EVENTS'],
  query: [
    'OUTBOX',
    'EVENTS',
    'JOBS',
    'QUEUE',
    'ENDPOINTS',
    'DELIVERIES',
    'SETTLED',
    'BALANCES',
    'PROVIDER-EVENTS',
    'WAKE',
    'LEASE',
  ],
  list: [...ALL_LISTS, 'REST'],
  put: [
    'PAYMENT',
    'REFUND',
    'LINK',
    'OUTBOX',
    'EVENTS',
    'ENDPOINTS',
    'PROVIDER-EVENTS',
    'DELIVERIES',
    'JOBS',
    'QUEUE',
    'PARKED',
    'WAKE',
  ],
  update: ['PAYMENT', 'LINK', 'OUTBOX', 'JOBS', 'QUEUE', 'BALANCES', 'PROVIDER-EVENTS'],
  updateWorld: ['eventBlock', 'movedToMs', ...NOTING_BACKLOGS],
  delete: ['OUTBOX', 'JOBS', 'QUEUE', 'WAKE'],
  batchWrite: [
    ...ALL_RESOURCES,
    'OUTBOX',
    'EVENTS',
    'CODE',
    'SETTLED',
    'BALANCES',
    'PROVIDER-EVENTS',
    'ENDPOINTS',
    'TOKEN',
    'DELIVERIES',
    'WAKE',
    'SEED',
    'ADVANCE',
    'JOBS',
    'QUEUE',
    'LEASE',
  ],
} as const satisfies StorageAccess;

/** To run the jobs of worlds whose clocks nobody moves. */
export const RUNNING_WORLDS: StorageAccess = mergeStorage(RUNNING_JOBS, { get: ['LEASE'] });

/** To run the jobs of live worlds, and no more: what they make known is told by others. */
export const RUNNING_LIVE_JOBS = {
  get: ['WORLD', 'PAYMENT', 'REFUND', 'LINK', 'PROVIDER-EVENTS'],
  query: ['JOBS', 'EVENTS', 'ENDPOINTS', 'QUEUE', 'DELIVERIES'],
  put: ['PAYMENT', 'REFUND', 'LINK', 'OUTBOX', 'ENDPOINTS', 'PROVIDER-EVENTS', 'JOBS', 'QUEUE', 'PARKED'],
  update: ['PAYMENT', 'LINK', 'BALANCES'],
  updateWorld: NOTING_BACKLOGS,
  delete: ['JOBS'],
  batchWrite: ['QUEUE', 'DELIVERIES'],
} as const satisfies StorageAccess;

/** To make the attempts that wait for receivers, and no more: what they make known is told by others. */
export const DELIVERING = {
  get: ['WORLD', 'LEASE', 'QUEUE', 'ENDPOINTS'],
  query: ['ENDPOINTS', 'EVENTS', 'QUEUE', 'JOBS'],
  put: ['DELIVERIES', 'ENDPOINTS', 'OUTBOX', 'QUEUE', 'PARKED', 'WAKE'],
  update: ['QUEUE'],
  updateWorld: NOTING_BACKLOGS,
  delete: ['QUEUE', 'WAKE'],
} as const satisfies StorageAccess;

/** To find the worlds that have work: the clock's alone, which touches nothing of theirs. */
export const FINDING_WORK = { list: ['DUE'] } as const satisfies StorageAccess;

export function mergeStorage(...all: readonly StorageAccess[]): StorageAccess {
  const merged: Record<string, readonly string[]> = {};
  for (const [action, partitions] of all.flatMap((access) => Object.entries(access))) {
    merged[action] = [...new Set([...(merged[action] ?? []), ...partitions])];
  }
  return merged as StorageAccess;
}

/** `payments.CreatePayment` → `create-payment`: the name of its file in `functions/`. */
export function functionNameOf(row: Pick<Operation, 'id'>): string {
  const name = row.id.slice(row.id.indexOf('.') + 1);
  return name.replace(/(?!^)([A-Z])/g, '-$1').toLowerCase();
}

/** `/api/v1/payments/{id}` → `['id']`. */
export function pathParamsOf(row: Pick<Operation, 'path'>): string[] {
  return [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
