import type { Mode } from '../domain/world.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import type { FieldError } from '../errors/field-error.ts';
import type { NamedAccess } from '../store/access.ts';
import type { AnySchema } from './fields.ts';
import type { Permission } from './permissions.ts';

/** How long a function of the API may run; also how long a crashed run keeps its Idempotency-Key busy. */
export const FUNCTION_TIMEOUT_SECONDS = 10;

/** For operations of several steps. API Gateway gives up after 29 seconds; a crashed run can be retried after this. */
export const LONG_FUNCTION_TIMEOUT_SECONDS = 20;

/**
 * One operation of the API as data. Routes, functions, grants, the OpenAPI document, the local host and the generic
 * tests are loops over these rows; to add an operation, add a row, a function file and a test. What its function `reads`
 * and `changes` is named here, beyond what every function with its other fields does.
 */
export interface Operation extends NamedAccess {
  /** `<area>.<Name>` as in the interface; the kebab-case of the name is the file in `functions/`. */
  readonly id: `${string}.${string}`;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** API Gateway's form: `/api/v1/payments/{id}`. */
  readonly path: `/${string}`;
  /** `any`: every key may call it. Null: anybody may call it, no key is asked for. */
  readonly permission: Permission | 'any' | null;
  /** In test mode, a key that has this permission may call it, too. */
  readonly testPermission?: Permission;
  /** `test`: refused for live keys. `provider`: needs a provider for the key's mode (contract §1). */
  readonly mode: 'any' | 'test' | 'provider';
  /** Whether it changes something, takes an `Idempotency-Key` and is run once. */
  readonly idempotent: boolean;
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
export const READ = { method: 'GET', mode: 'any', idempotent: false, errors: [] } as const;
export const WRITE = { method: 'POST', mode: 'any', idempotent: true, errors: [] } as const;
export const PUBLIC = { ...READ, permission: null } as const;

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
  /** Whether programs get the same as JSON, by `Accept`. */
  readonly orJson?: boolean;
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
      'version_invalid',
    );
  }
  if (row.permission !== null && row.permission !== 'any') {
    codes.push('permission_denied');
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

/** Whether a function responds with what is in its code, and nothing else. */
export function isStatic(row: Pick<Operation, 'permission' | 'reads' | 'changes'>): boolean {
  return row.permission === null && row.reads === undefined && row.changes === undefined;
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
