import { type DetailsOf, type ErrorCode, entryOf, type PlainCode } from './catalogue.ts';
import type { FieldError } from './field-error.ts';

/** Optional parts of every refusal. */
interface Wording {
  /** Replaces the catalogue's advice. Never put a received value into it. */
  readonly detail?: string;
  /** Further response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The second argument of `Problem`: a code with details needs `details`, and `validation_failed` needs `errors`. */
type MoreOf<Code extends ErrorCode> = [Code] extends [PlainCode]
  ? [more?: Wording]
  : [Code] extends ['validation_failed']
    ? [more: Wording & { readonly errors: readonly FieldError[] }]
    : [more: Wording & { readonly details: DetailsOf<Code>; readonly errors?: readonly FieldError[] }];

/**
 * The one deliberate error: a request that is refused for a reason the caller can act on.
 * Status and title come from the catalogue. Anything else that is thrown is a bug, and its response is a 500.
 */
export class Problem<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  readonly status: number;
  readonly details: DetailsOf<Code>;
  readonly errors: readonly FieldError[] | undefined;
  readonly detail: string | undefined;
  readonly headers: Wording['headers'];

  constructor(code: Code, ...[more]: MoreOf<Code>) {
    const parts: Wording & { details?: unknown; errors?: readonly FieldError[] } = more ?? {};
    super(code);
    this.name = 'Problem';
    this.code = code;
    this.status = entryOf(code).status;
    // `MoreOf` allows only this code's details, but TypeScript cannot follow that in here.
    this.details = parts.details as DetailsOf<Code>;
    this.errors = parts.errors;
    this.detail = parts.detail;
    this.headers = parts.headers;
  }
}

/** Whether an error is a Problem with one of these codes, which also gives the type of its details. */
export function isProblem<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is Problem<Code> {
  return error instanceof Problem && codes.some((code) => code === error.code);
}

/**
 * The thing that was looked up.
 * @throws Problem with this code where it is null or undefined
 */
export function found<Thing>(thing: Thing | null | undefined, code: PlainCode): Thing {
  if (thing === null || thing === undefined) {
    throw new Problem(code);
  }
  return thing;
}

/** The refusal of a key that lacks these permissions: `details.required` is a list where there are several. */
export function permissionDenied(missing: readonly string[]): Problem {
  const [required = '', ...more] = missing;
  return new Problem('permission_denied', { details: { required: more.length === 0 ? required : missing } });
}

/** A 422 that lists what is wrong with each field. */
export function invalidFields(errors: readonly FieldError[]): Problem {
  return new Problem('validation_failed', { errors });
}

/** The refusal of a cursor that no page of the list has returned. */
export function foreignCursor(): Problem {
  return invalidFields([
    { code: 'format', field: 'after', message: 'must be the next_cursor of an earlier page of this list' },
  ]);
}
