/** How much of a body the log of requests keeps. */
const LOGGED_BODY_MAX_BYTES = 4 * 1_024;

/** A request of a test world, as its log keeps it (contract §18). */
export interface LoggedRequest {
  readonly id: string;
  /** On the merchant's clock. */
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  /** The id of the operation. */
  readonly operation: string;
  readonly status: number;
  /** The problem's code; null where it succeeded. */
  readonly code: string | null;
  readonly durationMs: number;
  readonly keyId: string;
  readonly idempotencyKey: string | null;
  readonly isReplayed: boolean;
  /** The id of its trace; not known of requests that were logged without it. */
  readonly traceId?: string;
  /** The starts of both bodies, without secrets; null where there was none. */
  readonly requestBody: string | null;
  readonly responseBody: string | null;
}

/** API keys of this service and of providers, and signing secrets, which are base64. */
const SECRETS = /((?:pg|[rs]k)_(?:test|live)_)[^\s"'\\,&/]*|(whsec_)[\w+/=\\]*/gi;
const PAGE_TOKENS = /(\/checkout\/)[^\s"'\\/?#]+/g;

/** A text as the log keeps it: API keys and signing secrets are left out, wherever they are, and so is what is too long. */
export function loggedText(text: string, maxBytes = LOGGED_BODY_MAX_BYTES): string {
  const bytes = Buffer.from(text.replace(SECRETS, '$1$2…'));
  // A character that the limit cuts in two is left out.
  return new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true });
}

/** A logged text without the secret addresses of payers' pages. */
export function withoutPageTokens(text: string): string {
  return text.replace(PAGE_TOKENS, '$1…');
}

/** A logged request of which the bodies are left out; null where it is not about this payment. */
export function withoutBodies(request: LoggedRequest, paymentId: string): LoggedRequest | null {
  const { requestBody, responseBody, path } = request;
  const isAbout = [path, requestBody, responseBody].some((text) => text?.includes(paymentId) === true);
  const isEmpty = requestBody === null && responseBody === null;
  return isAbout && !isEmpty ? { ...request, requestBody: null, responseBody: null } : null;
}
