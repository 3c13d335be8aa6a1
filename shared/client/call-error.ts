import type { DetailsOf, ErrorCode, StatusOf } from '../errors/catalogue.ts';
import type { FieldError } from '../errors/field-error.ts';

/** What every error of a call says. None of them holds the API key, or anything else that was sent. */
interface CallFacts {
  /** The method that was called. */
  readonly operation: string;
  /** Send it again with the same call to learn what became of it; null where the operation takes none. */
  readonly idempotencyKey: string | null;
  /** How often it was sent. */
  readonly attempts: number;
}

/** The body of a problem, as it is received. */
export interface ProblemBody {
  readonly code: ErrorCode;
  readonly status: number;
  readonly title: string;
  readonly detail?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly FieldError[];
  readonly type?: string;
}

/** The service has refused: it says why, and what can be done. */
export class ProblemError extends Error {
  /** Stable. A service that is newer than this client may have codes that are not in the union. */
  readonly code: ErrorCode;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Facts that go with the code, such as `current_status`. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Every field that is not valid; empty for other codes. */
  readonly errors: readonly FieldError[];
  /** The page that explains the code. */
  readonly type: string | null;
  /** Names the request in the logs of the service. */
  readonly requestId: string | null;
  readonly operation: string;
  readonly idempotencyKey: string | null;
  readonly attempts: number;

  constructor(body: ProblemBody, requestId: string | null, facts: CallFacts) {
    const fields = (body.errors ?? []).map(({ field, message }) => ` ${field} ${message}.`).join('');
    super(`${facts.operation}: ${body.title} (${body.code}). ${body.detail ?? ''}${fields}`.trim());
    this.name = 'ProblemError';
    this.code = body.code;
    this.status = body.status;
    this.title = body.title;
    this.detail = body.detail ?? '';
    this.details = body.details ?? {};
    this.errors = body.errors ?? [];
    this.type = body.type ?? null;
    this.requestId = requestId;
    this.operation = facts.operation;
    this.idempotencyKey = facts.idempotencyKey;
    this.attempts = facts.attempts;
  }
}

/** A problem with one of these codes, which says what its status is and what its details hold. */
export type ProblemOf<Code extends ErrorCode> = Code extends unknown
  ? ProblemError & {
      readonly code: Code;
      readonly status: StatusOf<Code>;
      readonly details: DetailsOf<Code> extends undefined ? unknown : DetailsOf<Code>;
    }
  : never;

/** Whether something is a problem, and of one of these codes where any is named. */
export function isProblem<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ProblemOf<Code> {
  return error instanceof ProblemError && (codes.length === 0 || codes.some((code) => code === error.code));
}

/** `unreachable`: no connection, or a broken one. `not_the_service`: what answers is not the API. */
export type ConnectionTrouble = 'unreachable' | 'timeout' | 'not_the_service';

const TROUBLES: Readonly<Record<ConnectionTrouble, string>> = {
  unreachable: 'the service cannot be reached, or the connection broke',
  timeout: 'the service did not answer in time',
  not_the_service: 'what answers at this address is not the service',
};

/** There is no answer of the service. Whether the request took effect is not known: the same key tells. */
export class ConnectionError extends Error {
  readonly reason: ConnectionTrouble;
  /** What answered in place of the service; null where nothing did. */
  readonly status: number | null;
  readonly operation: string;
  readonly idempotencyKey: string | null;
  readonly attempts: number;

  constructor(reason: ConnectionTrouble, status: number | null, facts: CallFacts, cause?: unknown) {
    super(`${facts.operation}: ${TROUBLES[reason]}.`, { cause });
    this.name = 'ConnectionError';
    this.reason = reason;
    this.status = status;
    this.operation = facts.operation;
    this.idempotencyKey = facts.idempotencyKey;
    this.attempts = facts.attempts;
  }
}
