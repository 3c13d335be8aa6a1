/** The type of one field of `details`, by name; a list holds the only values that it can have. */
interface Kinds {
  readonly text: string;
  readonly texts: readonly string[];
  /** A text where it is one, else a list. */
  readonly 'text or texts': string | readonly string[];
  readonly integer: number;
}

/** One reason to refuse a request. */
export interface CatalogueEntry {
  readonly status: number;
  /** What happened, the same words every time (RFC 9457 `title`). */
  readonly title: string;
  /** What the caller can do about it: the default `detail`, and the text of the page that `type` points at. */
  readonly advice: string;
  /** Seconds to wait before the same request may succeed. Its presence is what makes a code retryable. */
  readonly retryAfterSeconds?: number;
  /** The fields of `details`, which every refusal with this code has. */
  readonly details?: Readonly<Record<string, keyof Kinds | readonly string[]>>;
}

/**
 * Every error code of the API with its HTTP status (contract §2).
 * Statuses and titles exist nowhere else: to add a code, add a line here and name it in the rows that respond with it.
 */
export const catalogue = {
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    advice: 'Send the body as one JSON object, encoded in UTF-8.',
  },
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    advice: 'Send a complete HTTP/1.1 request: one Host header, the declared body length, and UTF-8 text.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    advice: 'Send the complete request without delay.',
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation failed',
    advice: 'Remove the Expect header, or send "Expect: 100-continue".',
  },
  misdirected_request: {
    status: 421,
    title: 'Misdirected request',
    advice:
      'The Host header names another server. Call a service of your own machine by an address that it listens on, or start it with --public-url.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request header fields too large',
    advice: 'The URL and the headers together must not exceed 16 KB.',
  },
  idempotency_key_missing: {
    status: 400,
    title: 'Missing Idempotency-Key header',
    advice:
      'Send an Idempotency-Key header with a new value for each operation; a UUID version 7 is recommended. Repeat the same value when you retry.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'Invalid Idempotency-Key header',
    advice: 'Send 1 to 255 printable ASCII characters, bare or as a quoted string.',
  },
  version_invalid: {
    status: 400,
    title: 'Invalid PG-Version header',
    advice: 'Send a calendar date as YYYY-MM-DD, or omit the header to use the version of your key.',
  },
  authentication_missing: {
    status: 401,
    title: 'No API key provided',
    advice:
      'Send your key in one header, exactly like this, with one space: "Authorization: Bearer <API_KEY>".',
  },
  api_key_invalid: {
    status: 401,
    title: 'Invalid API key',
    advice: 'Check that you copied the whole key and that it belongs to this service.',
  },
  api_key_revoked: {
    status: 401,
    title: 'API key revoked',
    advice: 'Use another key of the same merchant, or have a new one created.',
  },
  api_key_expired: {
    status: 401,
    title: 'API key expired',
    advice:
      'Use another key of the same merchant, or have a new one created. A key can be rolled before it expires.',
  },
  ip_not_allowed: {
    status: 403,
    title: 'IP address not allowed',
    advice: 'Send the request from a network that the key allows, or have a key created for your network.',
  },
  permission_denied: {
    status: 403,
    title: 'Permission denied',
    advice: 'Use a key that has the permission in details.required.',
    details: { required: 'text or texts' },
  },
  test_mode_only: {
    status: 403,
    title: 'Available in test mode only',
    advice: 'Use a key that begins with pg_test_. The test kit cannot access live data.',
  },
  live_mode_unavailable: {
    status: 403,
    title: 'Live payments not available',
    advice: 'No live payment provider is connected. Use a key that begins with pg_test_.',
  },
  cross_origin_refused: {
    status: 403,
    title: 'Cross-origin request refused',
    advice: 'Open the page itself and submit its form from there.',
  },
  payment_not_found: missing('payment'),
  refund_not_found: missing('refund'),
  payment_link_not_found: missing('payment link'),
  payout_not_found: missing('payout'),
  settlement_not_found: missing('settlement'),
  sink_not_found: {
    status: 404,
    title: 'Webhook sink not found',
    advice: 'Check the id. The key must belong to the merchant of the sink.',
  },
  world_not_found: {
    status: 404,
    title: 'Test world not found',
    advice:
      'Check the id. The world may have ended. The key of a created world finds that world, and those that it has created.',
  },
  webhook_endpoint_not_found: {
    status: 404,
    title: 'Webhook endpoint not found',
    advice: 'Check the id. The key must belong to the merchant and the mode of the endpoint.',
  },
  delivery_not_found: {
    status: 404,
    title: 'Delivery not found',
    advice: 'Check the id against the deliveries of this endpoint or sink.',
  },
  event_not_found: {
    status: 404,
    title: 'Event not found',
    advice: 'Check the id. An event can be retrieved a moment after the change that it reports.',
  },
  route_not_found: {
    status: 404,
    title: 'Not found',
    advice: 'Check the path. The document at /api/v1/openapi.json lists every operation.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    advice: 'Use one of the methods in the Allow header.',
  },
  body_too_large: {
    status: 413,
    title: 'Request body too large',
    advice: 'Send at most 64 KB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    advice: 'Send "Content-Type: application/json", encoded in UTF-8, without a Content-Encoding.',
  },
  invalid_state: {
    status: 409,
    title: 'Not allowed in the current status',
    advice:
      'Retrieve the resource again. details.current_status is its current status; details.allowed_from lists the statuses that allow this operation.',
    details: { current_status: 'text', allowed_from: 'texts' },
  },
  idempotency_in_progress: {
    status: 409,
    title: 'A request with this Idempotency-Key is in progress',
    advice: 'Wait for the time in Retry-After, then send the same request with the same key again.',
    retryAfterSeconds: 1,
  },
  event_conflict: {
    status: 409,
    title: 'The event_id is already in use',
    advice: 'Use a new event_id. An event_id can be repeated only with exactly the same content.',
  },
  link_unavailable: {
    status: 409,
    title: 'Payment link unavailable',
    advice:
      'The link is disabled, has expired or has no uses left, as details.reason says: create a new link. Where its uses are only reserved, by payers who have not paid yet, try again after the time in Retry-After.',
    details: { reason: ['disabled', 'expired', 'exhausted', 'reserved'] },
  },
  endpoint_limit_reached: {
    status: 409,
    title: 'Webhook endpoint limit reached',
    advice:
      'A world has at most 16 webhook endpoints, and the created worlds of a merchant have at most 64 enabled ones together. Delete or disable one, or delete a world that you no longer need.',
  },
  world_limit_reached: {
    status: 409,
    title: 'Test world limit reached',
    advice:
      'A merchant has at most 200 created worlds at a time. Delete some, or create them with a shorter ttl_minutes.',
  },
  endpoint_busy: {
    status: 409,
    title: 'This operation is already in progress for the webhook endpoint',
    advice:
      'One ping and one recovery of an endpoint can run at a time. Wait for the time in Retry-After, then send the request again.',
    retryAfterSeconds: 5,
  },
  settlement_exists: {
    status: 409,
    title: 'The day is already settled with another amount',
    advice: 'Settle another day, or repeat the same amount to get the existing result again.',
    details: { settled_minor: 'integer' },
  },
  clock_busy: {
    status: 409,
    title: 'A clock advance is already in progress',
    advice:
      'One clock advance can run at a time. Wait for the time in Retry-After, then send the request again.',
    retryAfterSeconds: 1,
  },
  seed_in_progress: {
    status: 409,
    title: 'Seeding of this profile is already in progress',
    advice: 'Wait for the time in Retry-After, then send the request again.',
    retryAfterSeconds: 1,
  },
  validation_failed: {
    status: 422,
    title: 'Validation failed',
    advice: 'Correct the fields in errors and send the request again. You can use the same Idempotency-Key.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency-Key already used for another request',
    advice: 'Use a new key for a changed request. A retry must repeat method, path and body exactly.',
  },
  refund_amount_exceeded: {
    status: 422,
    title: 'Refund amount exceeds the refundable amount',
    advice: 'Request at most details.refundable_minor. Refunds in progress count as refunded.',
    details: { refundable_minor: 'integer' },
  },
  refund_window_closed: {
    status: 422,
    title: 'Refund period has ended',
    advice: 'A payment can be refunded for 180 days after it succeeded.',
    details: { closed_at: 'text' },
  },
  amount_mismatch: {
    status: 422,
    title: 'Amount does not match the outcome',
    advice:
      "Omit amount, or send the payment's own amount. With the outcome mismatch, amount must differ from the payment's.",
    details: { expected_minor: 'integer' },
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    advice: 'Wait for the time in Retry-After, then send the request again with the same Idempotency-Key.',
    retryAfterSeconds: 1,
  },
  internal_error: {
    status: 500,
    title: 'Internal server error',
    advice:
      'Send the request again with the same Idempotency-Key: it cannot take effect twice. If the error persists, contact us with the request id.',
    retryAfterSeconds: 1,
  },
  method_unavailable: {
    status: 422,
    title: 'Payment method not available',
    advice:
      'Send a method from details.available, or omit method so that the payer chooses. You can use the same Idempotency-Key.',
    details: { available: 'texts' },
  },
  refund_unavailable: {
    status: 422,
    title: 'The provider cannot refund this payment',
    advice:
      'The way in which the payment was made does not allow a refund here. Return the money outside of this service.',
  },
  provider_refused: {
    status: 502,
    title: 'Payment refused by the provider',
    advice:
      "Check details.provider_code, the provider's own code. Then send a corrected request, or the same one with the same Idempotency-Key.",
    details: { provider_code: 'text' },
  },
  provider_unavailable: {
    status: 503,
    title: 'No clear response from the payment provider',
    advice:
      'Wait for the time in Retry-After, then send the request again with the same Idempotency-Key: it requests the same payment and cannot create a second one.',
    retryAfterSeconds: 5,
  },
  temporarily_unavailable: {
    status: 503,
    title: 'Service temporarily unavailable',
    advice:
      'Wait for the time in Retry-After, then send the request again with the same Idempotency-Key: it cannot take effect twice.',
    retryAfterSeconds: 1,
  },
} as const satisfies Record<string, CatalogueEntry>;

// So that a bundle without refusals leaves the catalogue out.
/* @__NO_SIDE_EFFECTS__ */
function missing(resource: string) {
  return {
    status: 404,
    title: `${resource.charAt(0).toUpperCase()}${resource.slice(1)} not found`,
    advice: `Check the id. The key must belong to the merchant and the mode of the ${resource}.`,
  } as const;
}

type Catalogue = typeof catalogue;
export type ErrorCode = keyof Catalogue;

type DetailOf<Kind> = Kind extends keyof Kinds
  ? Kinds[Kind]
  : Kind extends readonly (infer Word)[]
    ? Word
    : never;

export type StatusOf<Code extends ErrorCode> = Catalogue[Code]['status'];

/** The type of a code's `details`; undefined where it has none. */
export type DetailsOf<Code extends ErrorCode> = Code extends unknown
  ? Catalogue[Code] extends { readonly details: infer Row }
    ? { readonly [name in keyof Row]: DetailOf<Row[name]> }
    : undefined
  : never;

/** The codes with `details`. */
export type DetailedCode = {
  [Code in ErrorCode]: DetailsOf<Code> extends undefined ? never : Code;
}[ErrorCode];

/** The codes without `details` and without `errors`. */
export type PlainCode = Exclude<
  { [Code in ErrorCode]: DetailsOf<Code> extends undefined ? Code : never }[ErrorCode],
  'validation_failed'
>;

/** The entry of a code, with the optional fields that the literal type of the table hides. */
export function entryOf(code: ErrorCode): CatalogueEntry {
  return catalogue[code];
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(catalogue, text);
}
