import { type ErrorCode, entryOf } from './catalogue.ts';

/** What can be wrong with one field (contract §2). */
export type FieldErrorCode =
  | 'required'
  | 'type'
  | 'format'
  | 'too_long'
  | 'too_short'
  | 'min'
  | 'max'
  | 'enum'
  | 'unknown'
  | 'mismatch'
  | 'conflict';

export interface FieldError {
  readonly code: FieldErrorCode;
  /** Dotted path of the field: `amount.minor`. */
  readonly field: string;
  readonly message: string;
}

export interface ProblemDetail {
  /** Overrides the catalogue's advice. Never put a received value into it. */
  readonly detail?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly FieldError[];
  /** Further answer headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The one deliberate error: a request that is refused for a reason the caller can act on.
 * Status and title come from the catalogue. Anything else that is thrown is a bug and answers 500.
 */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly more: ProblemDetail;

  constructor(code: ErrorCode, more: ProblemDetail = {}) {
    super(code);
    this.name = 'Problem';
    this.code = code;
    this.status = entryOf(code).status;
    this.more = more;
  }
}

/**
 * What was looked for.
 * @throws Problem of this code where it is not there
 */
export function found<Thing>(thing: Thing | null | undefined, code: ErrorCode): Thing {
  if (thing === null || thing === undefined) {
    throw new Problem(code);
  }
  return thing;
}

/** A 422 that lists what is wrong with each field. */
export function invalidFields(errors: readonly FieldError[]): Problem {
  return new Problem('validation_failed', { errors });
}
