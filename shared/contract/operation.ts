import type { InferOutput } from 'valibot';
import type { Mode } from '../domain/world.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import type { FieldError } from '../errors/field-error.ts';
import type { NamedAccess } from '../store/table/access.ts';
import type { AnySchema } from './fields.ts';
import type { Permission } from './permissions.ts';

/** The time-out of a function of the API, and how long a crashed run keeps its Idempotency-Key busy. */
export const FUNCTION_TIMEOUT_SECONDS = 10;

/** For operations of several steps. API Gateway gives up after 29 seconds; a crashed run can be retried after this. */
export const LONG_FUNCTION_TIMEOUT_SECONDS = 20;

/**
 * One operation of the API as data. Routes, functions, grants, the OpenAPI document, the local host and the generic
 * tests are loops over these rows; to add an operation, add a row, a function file and a test. `reads` and `changes` name
 * what its function touches beyond what its other fields imply.
 */
export interface Operation extends NamedAccess {
  /** `<area>.<Name>`; the kebab-case of the name is the file in `functions/`. */
  readonly id: `${string}.${string}`;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** API Gateway's form: `/api/v1/payments/{id}`. */
  readonly path: `/${string}`;
  /** `any`: every key may call it. Null: it is public and needs no key. */
  readonly permission: Permission | 'any' | null;
  /** Permissions that it needs besides, for what it shows or copies. */
  readonly alsoRequires?: readonly Permission[];
  /** In test mode, a key that has this permission may call it, too. */
  readonly testPermission?: Permission;
  /** `test`: refused for live keys. `provider`: needs a provider for the key's mode (contract §1). */
  readonly mode: 'any' | 'test' | 'provider';
  /** Whether it changes something: then it needs an `Idempotency-Key` and takes effect once. */
  readonly idempotent: boolean;
  /** Its function talks to the providers of live worlds, and may read their secrets (contract §15). */
  readonly provider?: true;
  /** The time-out of its function, if longer than `FUNCTION_TIMEOUT_SECONDS`. */
  readonly timeoutSeconds?: number;
  /** It works in several commits, each of which can be resumed, so it starts only after its claim is stored. */
  readonly stepwise?: true;
  /** The parameters of its query. If it needs a key, it refuses all others (contract §2). */
  readonly query?: AnySchema;
  readonly body?: AnySchema;
  /** Field errors that depend on the merchant's clock or on the mode, found in the raw body. */
  readonly checkBody?: (body: Readonly<Record<string, unknown>>, nowMs: number, mode: Mode) => FieldError[];
  /** Field errors that depend on the merchant's clock, found in the raw query. */
  readonly checkQuery?: (query: Readonly<Record<string, unknown>>, nowMs: number) => FieldError[];
  /** The optional field of the body that must equal the id in the path. */
  readonly bodyId?: string;
  readonly success: JsonResponse | TextResponse;
  /**
   * Further statuses in the media type of `success`, each with its description: pages with another status than 200,
   * redirects after a form. `4XX` stands for every status of its class.
   */
  readonly alsoResponds?: Readonly<Partial<Record<AlsoStatus, string>>>;
  /** Payers see it: problems are shown as pages, except those of the gateway itself. */
  readonly problems?: 'pages';
  /** The codes that this operation adds to those that its other fields imply. */
  readonly errors: readonly ErrorCode[];
  /** An example of the body, for documentation and tests. */
  readonly example?: Readonly<Record<string, unknown>>;
}

/* The common fields of rows: reads and writes with a key in either mode, and public operations. */
export const READ = { method: 'GET', mode: 'any', idempotent: false, errors: [] } as const;
export const WRITE = { method: 'POST', mode: 'any', idempotent: true, errors: [] } as const;
export const PUBLIC = { ...READ, permission: null } as const;

interface JsonResponse {
  readonly status: 200 | 201;
  /** The name of the schema in the OpenAPI document. The same schema has the same name in every row. */
  readonly name: string;
  readonly schema: AnySchema;
}

/** A status, or a class of statuses. */
type AlsoStatus = 200 | 303 | 403 | 404 | 409 | 410 | 422 | 429 | '2XX' | '3XX' | '4XX' | '5XX';

interface TextResponse {
  readonly status: 200;
  readonly contentType: string;
  /** Whether it can also respond with JSON, depending on `Accept`. */
  readonly orJson?: boolean;
  /** Whether it can also respond with Markdown. */
  readonly orMarkdown?: boolean;
}

/** What an operation responds with if it succeeds. */
export type ResponseOf<Row extends Pick<Operation, 'success'>> = Row['success'] extends {
  readonly schema: infer Schema extends AnySchema;
}
  ? InferOutput<Schema>
  : string;

/** What can be refused before anything reads it: HTTP that is malformed, late, too large or for another server. */
const UNREAD = [
  'malformed_request',
  'request_timeout',
  'expectation_failed',
  'misdirected_request',
  'headers_too_large',
] as const;

/** Every code with which an operation can respond: those that its fields imply, and those that it adds. */
export function errorCodesOf(row: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ['rate_limited', 'internal_error', 'temporarily_unavailable', ...UNREAD];
  if (row.permission !== null) {
    codes.push(
      'authentication_missing',
      'api_key_invalid',
      'api_key_revoked',
      'api_key_expired',
      'ip_not_allowed',
      'version_invalid',
      'validation_failed',
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
  return [...codes, ...row.errors];
}

/** Whether the response of a function depends on its code alone, and on nothing stored. */
export function isStatic(row: Pick<Operation, 'permission' | 'reads' | 'changes'>): boolean {
  return row.permission === null && row.reads === undefined && row.changes === undefined;
}

/** The fields of responses that hold a secret: a signing secret, an API key. */
const SECRET_FIELDS = ['secret', 'key'];

/** Whether a response of an operation has a secret: it is replayed only to the key that made the request. */
export function hasSecret({ success }: Pick<Operation, 'success'>): boolean {
  const { entries = {} } = 'schema' in success ? (success.schema as { readonly entries?: object }) : {};
  return SECRET_FIELDS.some((name) => name in entries);
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
