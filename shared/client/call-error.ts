import type { DetailsOf, ErrorCode, StatusOf } from '../errors/catalogue.ts';
import type { FieldError } from '../errors/field-error.ts';

/** The fields of every error of a call. None of them holds the API key, or anything else that was sent. */
interface CallFacts {
  /** The method that was called. */
  readonly operation: string;
  /** Repeat the call with this key to get its outcome; null if the operation takes none. */
  readonly idempotencyKey: string | null;
  /** How many times it was sent. */
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

/** The service refused the request. The error has the reason and advice. */
export class ProblemError extends Error {
  /** Stable. A service that is newer than this client may send codes that are not in the union. */
  readonly code: ErrorCode;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Data for the code, such as `current_status`. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Every invalid field; empty for codes without field errors. */
  readonly errors: readonly FieldError[];
  /** The page that explains the code. */
  readonly type: string | null;
  /** Identifies the request in the logs of the service. */
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

/** A problem with one of these codes, with the types of its status and details. */
export type ProblemOf<Code extends ErrorCode> = Code extends unknown
  ? ProblemError & {
      readonly code: Code;
      readonly status: StatusOf<Code>;
      readonly details: DetailsOf<Code> extends undefined ? unknown : DetailsOf<Code>;
    }
  : never;

/** Whether an error is a problem and, if codes are given, has one of them. */
export function isProblem<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ProblemOf<Code> {
  return error instanceof ProblemError && (codes.length === 0 || codes.some((code) => code === error.code));
}

/**
 * `unreachable`: no connection, or a broken one. `not_the_service`: the response is not from the API. `unreadable`: its
 * content cannot be decoded, as behind a proxy that changes it.
 */
export type ConnectionTrouble = 'unreachable' | 'timeout' | 'not_the_service' | 'unreadable';

const TROUBLES: Readonly<Record<ConnectionTrouble, string>> = {
  unreachable: 'the service cannot be reached, or the connection broke',
  timeout: 'the service did not answer in time',
  not_the_service: 'what answers is not the service',
  unreadable: 'a response came whose content is not in the Content-Encoding that it names',
};

/** The service sent no response. Whether the request took effect is unknown: repeat the call with the same key. */
export class ConnectionError extends Error {
  readonly reason: ConnectionTrouble;
  /** The origin that was called. The rest of an address is what was sent. */
  readonly address: string;
  /** The status of a response that is not from the service, or cannot be decoded; null if there was none. */
  readonly status: number | null;
  readonly operation: string;
  readonly idempotencyKey: string | null;
  readonly attempts: number;

  constructor(
    reason: ConnectionTrouble,
    status: number | null,
    facts: CallFacts & { readonly address: string },
    cause?: unknown,
  ) {
    super(`${facts.operation}: ${TROUBLES[reason]}: ${facts.address}.`, { cause });
    this.name = 'ConnectionError';
    this.reason = reason;
    this.address = facts.address;
    this.status = status;
    this.operation = facts.operation;
    this.idempotencyKey = facts.idempotencyKey;
    this.attempts = facts.attempts;
  }
}
