/** The type of one field of `details`, by name; a list holds the only values that it can have. */
interface Kinds {
  readonly text: string;
  readonly texts: readonly string[];
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
 * Statuses and titles exist nowhere else: to add a code, add a line here and name it in the rows that answer it.
 */
export const catalogue = {
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    advice: 'Send the body as one JSON object, encoded as UTF-8.',
  },
  malformed_request: {
    status: 400,
    title: 'The request cannot be read',
    advice: 'Send a whole HTTP/1.1 request: one Host, a body of the length that is announced, text in UTF-8.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not come in time',
    advice: 'Send the whole request at once.',
  },
  expectation_failed: {
    status: 417,
    title: 'What the Expect header asks for cannot be done',
    advice: 'Leave the header out, or send "Expect: 100-continue".',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    advice: 'Send at most 16 KB of address and headers.',
  },
  idempotency_key_missing: {
    status: 400,
    title: 'The Idempotency-Key header is missing',
    advice:
      'Send an Idempotency-Key header that is new for each thing you want done (a UUID version 7 is a good choice), and send the same one again when you retry.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'The Idempotency-Key header is not valid',
    advice: 'Send 1 to 255 printable ASCII characters, bare or as a quoted string.',
  },
  version_invalid: {
    status: 400,
    title: 'The PG-Version header is not a date',
    advice: 'Send a calendar date as YYYY-MM-DD, or leave the header out to use the version of your key.',
  },
  authentication_missing: {
    status: 401,
    title: 'No API key was sent',
    advice:
      'Send your key in one header, spelled like this, with one space: "Authorization: Bearer <API_KEY>".',
  },
  api_key_invalid: {
    status: 401,
    title: 'The API key is not valid',
    advice: 'Check that the whole key was copied and that it belongs to this service.',
  },
  api_key_revoked: {
    status: 401,
    title: 'The API key was revoked',
    advice: 'Use another key of the same merchant, or have a new one created.',
  },
  api_key_expired: {
    status: 401,
    title: 'The API key has expired',
    advice:
      'Use another key of the same merchant, or have a new one created: a key can be rolled before its end.',
  },
  ip_not_allowed: {
    status: 403,
    title: 'The API key may not be used from this address',
    advice:
      'Send the request from one of the networks that the key was made for, or have a key made for the network that you are in.',
  },
  permission_denied: {
    status: 403,
    title: 'The API key lacks a permission',
    advice: 'Use a key that has the permission named in details.required.',
    details: { required: 'text' },
  },
  test_mode_only: {
    status: 403,
    title: 'This operation exists in test mode only',
    advice: 'Use a key that begins with pg_test_. Nothing of the test kit can reach live data.',
  },
  live_mode_unavailable: {
    status: 403,
    title: 'Live payments are not available',
    advice: 'No live payment provider is connected to this service. Use a key that begins with pg_test_.',
  },
  cross_origin_refused: {
    status: 403,
    title: 'The form was sent from another site',
    advice: 'Open the page itself, and send its form from there.',
  },
  payment_not_found: {
    status: 404,
    title: 'There is no such payment',
    advice: 'Check the id, and that the key belongs to the merchant and the mode that made the payment.',
  },
  refund_not_found: {
    status: 404,
    title: 'There is no such refund',
    advice: 'Check the id, and that the key belongs to the merchant and the mode that made the refund.',
  },
  payment_link_not_found: {
    status: 404,
    title: 'There is no such payment link',
    advice: 'Check the id, and that the key belongs to the merchant and the mode that made the link.',
  },
  payout_not_found: {
    status: 404,
    title: 'There is no such payout',
    advice: 'Check the id, and that the key belongs to the merchant whose settlement made the payout.',
  },
  settlement_not_found: {
    status: 404,
    title: 'There is no such settlement',
    advice: 'Check the id, and that the key belongs to the merchant whose payments were settled.',
  },
  sink_not_found: {
    status: 404,
    title: 'There is no such webhook sink',
    advice: 'Check the id, and that the key belongs to the merchant that made the sink.',
  },
  webhook_endpoint_not_found: {
    status: 404,
    title: 'There is no such webhook endpoint',
    advice: 'Check the id, and that the key belongs to the merchant and the mode that made the endpoint.',
  },
  delivery_not_found: {
    status: 404,
    title: 'There is no such delivery',
    advice: 'Check the id against the deliveries of this receiver.',
  },
  event_not_found: {
    status: 404,
    title: 'There is no such event',
    advice: 'Check the id. An event can be read a moment after what it tells of has happened.',
  },
  route_not_found: {
    status: 404,
    title: 'There is nothing at this address',
    advice: 'Check the path. Every operation is listed in the document at /api/v1/openapi.json.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The address does not take this method',
    advice: 'Use one of the methods named in the Allow header.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    advice: 'Send at most 64 KB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is of a kind that is not taken',
    advice: 'Send "Content-Type: application/json", UTF-8, without a Content-Encoding.',
  },
  invalid_state: {
    status: 409,
    title: 'The current status does not allow this',
    advice:
      'Read the resource again: details.current_status is its status now, details.allowed_from lists the statuses in which this can be done.',
    details: { current_status: 'text', allowed_from: 'texts' },
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this Idempotency-Key is still running',
    advice: 'Wait as long as Retry-After says, then send the same request with the same key again.',
    retryAfterSeconds: 1,
  },
  event_conflict: {
    status: 409,
    title: 'The event_id was used for something else',
    advice: 'Use a new event_id. The same one may only repeat exactly what it said before.',
  },
  link_unavailable: {
    status: 409,
    title: 'The payment link takes no payment',
    advice:
      'It is disabled, its time is over, or all of its uses are taken: `details.reason` says which. Make a new link, or wait until an open payment from it expires.',
    details: { reason: ['disabled', 'expired', 'exhausted'] },
  },
  endpoint_limit_reached: {
    status: 409,
    title: 'There are 16 webhook endpoints already',
    advice: 'Delete one that is no longer needed, or change one: its `url`, `events` or `description`.',
  },
  endpoint_busy: {
    status: 409,
    title: 'The same is being done for this webhook endpoint already',
    advice:
      'One ping and one recovery of an endpoint can run at a time. Wait as long as Retry-After says, then send the request again.',
    retryAfterSeconds: 5,
  },
  settlement_exists: {
    status: 409,
    title: 'This provider has settled this day already, with another amount',
    advice: 'Settle another day, or repeat the same amount to see the same result again.',
  },
  clock_busy: {
    status: 409,
    title: 'The clock is being moved already',
    advice: 'Wait as long as Retry-After says, then send the request again: one move at a time.',
    retryAfterSeconds: 1,
  },
  seed_in_progress: {
    status: 409,
    title: 'This profile is being seeded already',
    advice: 'Wait as long as Retry-After says, then send the request again.',
    retryAfterSeconds: 1,
  },
  validation_failed: {
    status: 422,
    title: 'Some fields are not valid',
    advice:
      'Correct the fields listed in errors and send the request again; the same Idempotency-Key may be used.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    advice: 'Use a new key for a changed request. A retry must repeat method, path and body exactly.',
  },
  refund_amount_exceeded: {
    status: 422,
    title: 'The refund is larger than what can still be refunded',
    advice: 'Ask for at most details.refundable_minor: refunds in progress count as refunded.',
    details: { refundable_minor: 'integer' },
  },
  refund_window_closed: {
    status: 422,
    title: 'The payment is too old to be refunded',
    advice: 'A payment can be refunded for 180 days after it succeeded.',
  },
  amount_mismatch: {
    status: 422,
    title: 'The amount does not go with the outcome',
    advice:
      "Leave the amount out, or send the payment's own; only the outcome mismatch takes another one, and it must differ.",
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    advice: 'Wait as long as Retry-After says, then send the request again with the same Idempotency-Key.',
    retryAfterSeconds: 1,
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    advice:
      'Send the request again with the same Idempotency-Key: it cannot take effect twice. If it keeps failing, tell us the request id.',
    retryAfterSeconds: 1,
  },
  method_unavailable: {
    status: 422,
    title: 'The provider does not take this method',
    advice:
      'Send one of details.available as method, or none: the payer then chooses. The same Idempotency-Key may be used.',
    details: { available: 'texts' },
  },
  refund_unavailable: {
    status: 422,
    title: 'The provider cannot refund this payment',
    advice: 'Pay the money back outside of this service: how the payment was made does not allow it here.',
  },
  provider_refused: {
    status: 502,
    title: 'The payment provider refused the payment',
    advice:
      "Correct what details.provider_code, the provider's own code, names, or send the same request again with the same Idempotency-Key.",
    details: { provider_code: 'text' },
  },
  provider_unavailable: {
    status: 503,
    title: 'The payment provider gave no clear answer',
    advice:
      'Wait as long as Retry-After says, then send the request again with the same Idempotency-Key: it asks for the same payment, and for no second one.',
    retryAfterSeconds: 5,
  },
  temporarily_unavailable: {
    status: 503,
    title: 'The service is busy',
    advice:
      'Wait as long as Retry-After says, then send the request again with the same Idempotency-Key: it cannot take effect twice.',
    retryAfterSeconds: 1,
  },
} as const satisfies Record<string, CatalogueEntry>;

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
