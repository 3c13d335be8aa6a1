import { describe, expect, it } from 'vitest';
import { catalogue, type ErrorCode, entryOf, isErrorCode } from '../../shared/errors/catalogue.ts';

/** The table of contract §2. */
const CONTRACT: Readonly<Record<number, string>> = {
  400: 'malformed_json idempotency_key_missing idempotency_key_invalid version_invalid',
  401: 'authentication_missing api_key_invalid api_key_revoked api_key_expired',
  403: 'permission_denied test_mode_only live_mode_unavailable cross_origin_refused ip_not_allowed',
  404: 'payment_not_found refund_not_found payment_link_not_found payout_not_found settlement_not_found sink_not_found event_not_found route_not_found',
  405: 'method_not_allowed',
  409: 'invalid_state idempotency_in_progress event_conflict settlement_exists link_unavailable clock_busy reset_in_progress seed_in_progress',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  422: 'validation_failed idempotency_key_reused refund_amount_exceeded refund_window_closed amount_mismatch method_unavailable refund_unavailable',
  429: 'rate_limited',
  500: 'internal_error',
  502: 'provider_refused',
  503: 'temporarily_unavailable provider_unavailable',
};
/** Errors of redeliveries (contract §10), of endpoints (§14), of worlds (§16) and of malformed HTTP. */
const ADDED: Readonly<Record<number, string>> = {
  400: 'malformed_request',
  404: 'delivery_not_found webhook_endpoint_not_found world_not_found',
  408: 'request_timeout',
  409: 'endpoint_limit_reached endpoint_busy world_limit_reached',
  417: 'expectation_failed',
  421: 'misdirected_request',
  431: 'headers_too_large',
};
const STATUS_OF = new Map(
  [...Object.entries(CONTRACT), ...Object.entries(ADDED)].flatMap(([status, codes]) =>
    codes.split(' ').map((code) => [code, Number(status)]),
  ),
);

/** What the operations, the frame around them and the pages of the service have to say. */
const NEEDED =
  `malformed_json idempotency_key_missing idempotency_key_invalid version_invalid authentication_missing
  api_key_invalid api_key_revoked api_key_expired ip_not_allowed permission_denied test_mode_only live_mode_unavailable payment_not_found
  refund_not_found payment_link_not_found route_not_found method_not_allowed invalid_state idempotency_in_progress
  body_too_large unsupported_media_type validation_failed idempotency_key_reused refund_amount_exceeded
  refund_window_closed rate_limited internal_error temporarily_unavailable payout_not_found settlement_not_found sink_not_found
  delivery_not_found event_not_found event_conflict settlement_exists clock_busy seed_in_progress amount_mismatch`.split(
    /\s+/,
  );

/** Errors that a later try can avoid: another request is running, or the service is unavailable. */
const RETRYABLE =
  'idempotency_in_progress clock_busy endpoint_busy reset_in_progress seed_in_progress rate_limited internal_error temporarily_unavailable provider_unavailable'.split(
    ' ',
  );

const CODES = Object.keys(catalogue) as ErrorCode[];

describe('the error catalogue', () => {
  it.each(CODES)('gives %s the status of the contract', (code) => {
    const missing = code.endsWith('_not_found') ? 404 : undefined;
    expect(entryOf(code).status).toBe(STATUS_OF.get(code) ?? missing);
  });

  it('has every code that the operations and their frame need', () => {
    expect(NEEDED.filter((code) => !isErrorCode(code))).toEqual([]);
  });

  it.each(CODES.filter((code) => RETRYABLE.includes(code)))('has a delay before %s is retried', (code) => {
    expect(entryOf(code).retryAfterSeconds).toBeGreaterThanOrEqual(1);
  });

  it('has a delay of one second while the first request of a key is running', () => {
    expect(entryOf('idempotency_in_progress').retryAfterSeconds).toBe(1);
  });

  it('has no delay if the same request can only be refused again', () => {
    const hopeless = CODES.filter((code) => !RETRYABLE.includes(code));
    expect(hopeless.filter((code) => entryOf(code).retryAfterSeconds !== undefined)).toEqual([]);
  });

  it('gives every code its own title and advice', () => {
    expect(new Set(CODES.map((code) => entryOf(code).title)).size).toBe(CODES.length);
    expect(CODES.filter((code) => !/^[A-Z].*\.$/.test(entryOf(code).advice))).toEqual([]);
  });

  it.each(['', 'toString', '__proto__', 'PAYMENT_NOT_FOUND', 'no_such_code'])(
    'does not know a code %j',
    (text) => {
      expect(isErrorCode(text)).toBe(false);
    },
  );
});
