import { RESOURCES, type ResourceName } from '../domain/resource.ts';
import type { ErrorCode } from '../errors/catalogue.ts';

type MissingCode = (typeof RESOURCES)[ResourceName]['missing'];

const WRONG_ID = [
  'The id is mistyped, or is the id of another kind of object: each kind has its own prefix.',
  'The key belongs to another merchant or to the other mode than the object.',
  'The test world was purged after the object had been created.',
] as const;
const WAIT = ['Many requests arrived in the same second: the limit counts all of them.'] as const;

/** The causes of the codes that are not those of an id. A code without causes does not compile. */
const CAUSES: Readonly<Record<Exclude<ErrorCode, MissingCode>, readonly string[]>> = {
  malformed_json: [
    'The body is not JSON: a trailing comma, single quotes, or a form instead of JSON.',
    'The body is JSON, but not one object: a list, a string or a number.',
    'A field has the same name twice, or the text is not UTF-8.',
  ],
  malformed_request: [
    'A proxy or a library sent an incomplete request: no Host header, or another body length than declared.',
    'The address or a form has bytes that are not UTF-8.',
  ],
  request_timeout: ['The connection stalled before the whole request had arrived.'],
  expectation_failed: ['The client sends an Expect header other than 100-continue.'],
  misdirected_request: [
    'The service runs on a computer of yours, and was called by a name that is not its own: a tunnel, a name in a network, or a page of another site whose name leads there.',
  ],
  headers_too_large: ['A large cookie or a long query comes along, which this API does not need.'],
  idempotency_key_missing: [
    'The request changes something and has no Idempotency-Key header.',
    'A proxy removed the header.',
  ],
  idempotency_key_invalid: [
    'The value is empty, longer than 255 characters, or has characters beyond printable ASCII.',
    'The header was sent twice.',
  ],
  version_invalid: ['The value is no calendar date: a version number, or a day such as 2026-02-30.'],
  authentication_missing: [
    'There is no Authorization header, or it has another scheme than Bearer.',
    'A redirect or a proxy dropped the header.',
    'The variable that should hold the key is empty.',
  ],
  api_key_invalid: [
    'Part of the key is missing, or a space or a line break came along.',
    'The key belongs to another deployment.',
  ],
  api_key_revoked: ['The key was revoked, or the overlap after it was rolled has ended.'],
  api_key_expired: [
    'The key was created with a lifetime, which is over.',
    'The test world of the key has ended or was deleted.',
  ],
  ip_not_allowed: ['The key works from listed networks alone, and the request came from another address.'],
  permission_denied: ['The key was created without the permission that the operation needs.'],
  test_mode_only: ['A live key called an operation of the test kit.'],
  live_mode_unavailable: [
    'No provider is connected for the merchant of the live key.',
    'The connected provider was disconnected.',
  ],
  cross_origin_refused: [
    'A page of another site sent the form.',
    'A browser extension or a proxy changed the headers that name the sender.',
  ],
  sink_not_found: WRONG_ID,
  world_not_found: ['The world has ended: it was deleted, or its time was over.', ...WRONG_ID.slice(0, 2)],
  webhook_endpoint_not_found: ['The endpoint was deleted.', ...WRONG_ID.slice(0, 2)],
  delivery_not_found: [
    'The delivery belongs to another endpoint or sink than the one in the path.',
    'The delivery is older than deliveries are kept.',
  ],
  event_not_found: [
    'The change happened a moment ago, and the event has no sequence number yet.',
    ...WRONG_ID.slice(0, 2),
  ],
  route_not_found: [
    'The path is mistyped, or has a slash at its end.',
    'The deployment has no test kit, and the path belongs to it.',
  ],
  method_not_allowed: ['The path exists, and takes another method, such as POST instead of PUT.'],
  body_too_large: ['Metadata or a description holds a document. Store it on your side, and send its id.'],
  unsupported_media_type: [
    'The body was sent as a form, which many libraries do by default.',
    'The client compresses the body.',
  ],
  invalid_state: [
    'The object has changed since you last read it: the payer has paid, or time has passed.',
    'Two workers of yours act on the same object.',
  ],
  idempotency_in_progress: [
    'The first request is still running, and its client gave up early and sent it again.',
  ],
  event_conflict: ['The event_id was used before for another outcome, amount or object.'],
  link_unavailable: [
    'The link is disabled, is past its expires_at, or all its uses are paid.',
    'A payer holds the last use and has not paid yet: for 15 minutes, or for the time of the chosen method.',
  ],
  endpoint_limit_reached: [
    'Endpoints of old deployments or branches were never deleted.',
    'Test runs create worlds with endpoints and do not delete them, so that each endpoint counts until its world ends.',
  ],
  world_limit_reached: [
    'Test runs create worlds and do not delete them, so that each stays for its whole time.',
  ],
  endpoint_busy: ['Another ping or recovery of the same endpoint is running.'],
  settlement_exists: ['The same provider and day were settled before, with another amount.'],
  clock_busy: ['Tests that run in parallel share one test world, and so one clock.'],
  seed_in_progress: ['The same profile is being seeded by another request.'],
  validation_failed: [
    'A required field is missing, or has another type or form.',
    'A field is not known: a typing error, or a field of another operation.',
    'A time lies in the past of the merchant’s clock, which may have been moved.',
  ],
  idempotency_key_reused: [
    'The key does not change with the operation: it is a constant, or the id of a customer.',
    'A retry builds its body anew, with another time or order of fields.',
  ],
  refund_amount_exceeded: [
    'Earlier refunds count, also those that are still in progress.',
    'The amount is in baht instead of satang.',
  ],
  refund_window_closed: ['The payment succeeded more than 180 days ago, on the merchant’s clock.'],
  amount_mismatch: ['The amount of the simulated outcome is not that of the payment.'],
  rate_limited: WAIT,
  internal_error: ['A defect of the service. It is logged under the request id, and somebody is alerted.'],
  method_unavailable: ['The provider of the merchant’s live world does not offer this method.'],
  refund_unavailable: ['Some methods have no way back: the provider has to be asked for each.'],
  provider_refused: [
    'The provider judged the payment: the amount, the payer or the account of the merchant.',
    'The connected account is not allowed to take this method yet.',
  ],
  provider_unavailable: ['The provider did not answer in time, or answered with an error of its own.'],
  temporarily_unavailable: ['The store or a part of the service did not answer in time.'],
};

/** What usually leads to each error, most likely first. */
export const ERROR_CAUSES: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  ...Object.fromEntries(Object.values(RESOURCES).map(({ missing }) => [missing, WRONG_ID])),
  ...CAUSES,
};
