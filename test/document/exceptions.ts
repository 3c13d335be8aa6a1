import type { Exception } from './finding.ts';
import type { KnownFailure } from './schemathesis.ts';

/* Accepted findings, each with its reason. An exception that explains no finding any more fails the run. */

export const REDOCLY_EXCEPTIONS: readonly Exception[] = [];

export const ASYNCAPI_EXCEPTIONS: readonly Exception[] = [];

/** Pages, pictures, receiving addresses and this document: requested by browsers and tools, without a key. */
const PUBLIC =
  /^paths\.\/(\.|docs\b|schemas\/|sink\/|checkout\/|providers\/|l\/|errors\b|console|api\/v1\/((openapi|asyncapi|postman)\.json|requests\.http))/;

/** What an example shows as JSON. */
const EXAMPLE = /\.examples\.\w+\.value\./;
/** Rules that take what looks like an operation or a schema for one, wherever it stands. */
const LOOKING_INTO_EXAMPLES = [
  'owasp:api4:2023-rate-limit-responses-429',
  'owasp:api8:2023-define-error-responses-500',
  'owasp:api8:2023-define-error-validation',
  'owasp:api4:2023-integer-format',
  'owasp:api4:2023-integer-limit',
];

export const SPECTRAL_EXCEPTIONS: readonly Exception[] = [
  ...LOOKING_INTO_EXAMPLES.map((rule) => ({
    rule,
    where: EXAMPLE,
    reason: 'an example shows a part of a document or of a schema: it is data, and no part of this document',
  })),
  {
    rule: 'info-contact',
    where: /^info$/,
    reason: 'the operator of a deployment decides on contact details',
  },
  {
    rule: 'owasp:api9:2023-inventory-access',
    where: /^servers\.0$/,
    reason: 'an extension of that rule set only; the one server is the deployment that serves the document',
  },
  {
    rule: 'owasp:api9:2023-inventory-environment',
    where: /^servers\.0\.description$/,
    reason: 'the document of a deployment names one server: the deployment itself',
  },
  {
    rule: 'owasp:api8:2023-no-server-http',
    where: /^servers\.0\.url$/,
    reason: 'the tested service listens on loopback; API Gateway serves only https',
  },
  {
    rule: 'owasp:api4:2023-rate-limit',
    where: /^paths\..*\.responses\./,
    reason: 'the gateway limits requests by 429 with Retry-After; it cannot send RateLimit headers',
  },
  {
    rule: 'owasp:api8:2023-define-cors-origin',
    where: /^(paths\..*\.responses\.|components\.headers$)/,
    reason: 'keys must not be used in pages of other origins: only the document allows other origins',
  },
  {
    rule: 'owasp:api2:2023-read-restricted',
    where: PUBLIC,
    reason: 'payers and tools read these without a key',
  },
  {
    rule: 'owasp:api2:2023-write-restricted',
    where: PUBLIC,
    reason:
      'payers and receivers have no key: a token or code in the address authorizes them, and a provider also signs',
  },
  {
    rule: 'owasp:api2:2023-no-credentials-in-url',
    where: /^paths\.\/(sink|checkout|providers)\//,
    reason:
      'a payer opens a page by its address; the token opens only this page and expires. A provider also signs',
  },
  {
    rule: 'owasp:api8:2023-define-error-responses-401',
    where: PUBLIC,
    reason: 'operations without a key never respond with 401',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    where: /^paths\..*\.parameters\.\d+\.schema$|^components\.schemas\.\w+Request\.properties\.\w+_id$/,
    reason: 'an unknown id of any length is not found',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    where: /\.properties\.(expires_at|phone|event_id|result_code)$/,
    reason: 'its format or pattern limits its length',
  },
  {
    rule: 'owasp:api4:2023-string-restricted',
    where: /^paths\..*\.parameters\.\d+\.schema$/,
    reason: 'ids and cursors are opaque: a wrong one is not found or refused, whatever its form',
  },
  {
    rule: 'owasp:api4:2023-string-restricted',
    where: /^components\.schemas\.\w+(Request|Input)\b/,
    reason: 'text for people may be in any script',
  },
  {
    rule: 'owasp:api4:2023-integer-limit',
    where: /^components\.schemas\.RequestRefundRequest\.properties\.reason_code$/,
    reason: 'an enumeration limits its values',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    where: /^(components|webhooks|paths\..*\.responses)\b/,
    reason: 'only requests have limits; responses may grow (contract §17)',
  },
  {
    rule: 'owasp:api4:2023-string-restricted',
    where: /^(components|webhooks|paths\..*\.responses)\b/,
    reason: 'only requests have limits; responses may grow (contract §17)',
  },
  {
    rule: 'owasp:api4:2023-integer-limit',
    where: /^components\.(schemas|headers)\./,
    reason: 'only requests have limits; responses may grow (contract §17)',
  },
  {
    rule: 'owasp:api4:2023-array-limit',
    where: /^components\.schemas\.(?!\w+(Request|Input)\b)/,
    reason: 'only requests have limits; responses may grow (contract §17)',
  },
];

const REJECTED = 'RejectedPositiveData';

export const SCHEMATHESIS_EXCEPTIONS: readonly KnownFailure[] = [
  {
    rule: REJECTED,
    where: /^GET /,
    field: /^after format$/,
    reason: 'a cursor must come from an earlier page',
  },
  {
    rule: REJECTED,
    where: /^GET \/api\/v1\/events$/,
    field: /^after conflict$/,
    reason:
      'a schema cannot say that two parameters exclude each other, as the two directions of the list do',
  },
  {
    rule: REJECTED,
    where: /^GET \/api\/v1\/statistics\/daily$/,
    field: /^(from|to) format$/,
    reason: 'a pattern cannot know how many days a month has',
  },
  {
    rule: REJECTED,
    where: /^GET \/api\/v1\/settlements$/,
    field: /^value_date format$/,
    reason: 'a pattern cannot know how many days a month has',
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/test\/settlements\/simulate$/,
    field: /^value_date (format|max)$/,
    reason: "a pattern cannot know how many days a month has, nor the day of the merchant's clock",
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^GET /,
    field: /^(created_from|value_date|from|to) max$/,
    reason: 'no day after tomorrow has anything to list: the limit follows the clock',
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^GET \/api\/v1\/statistics\/daily$/,
    field: /^to (min|max)$/,
    reason: 'a schema cannot compare two parameters: the last day is at most the 92nd',
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^(POST|PATCH) \/api\/v1\/webhook-endpoints/,
    field: /^url (format|forbidden)$/,
    reason: 'a format cannot express the allowed addresses of webhooks: public hosts and few ports',
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/webhook-endpoints\/\{id\}\/recover$/,
    field: /^since (min|max)$/,
    reason: "the limits follow the merchant's clock, which another request of the run may have moved",
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/test\/worlds$/,
    field: /^starts_at (min|max)$/,
    reason: 'the limits follow real time: at most two years ahead',
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/payments$/,
    field: /^client_ip format$/,
    reason: 'no format means "IPv4 or IPv6"',
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/payments$/,
    field: /^customer\.phone format$/,
    reason: 'no format means the ways in which people write a phone number',
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/payment-links$/,
    field: /^amount\.min conflict$/,
    reason: 'a schema cannot compare two numbers: the minimum must not exceed the maximum',
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/payment-links$/,
    field: /^expires_at (min|max)$/,
    reason: "the time must lie in the future of the merchant's clock",
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/payments\/\{id\}\/refunds$/,
    status: 422,
    code: 'refund_amount_exceeded',
    reason: 'the refundable amount depends on the payment',
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/test\/payments\/\{id\}\/simulate$/,
    status: 422,
    code: 'amount_mismatch',
    reason: 'the amount must equal that of the payment',
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/test\/clock\/advance$/,
    field: /^seconds max$/,
    reason: 'a clock can be moved at most two years ahead in all',
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/test\/webhooks\/sinks$/,
    field: /^sinks max$/,
    reason: 'a world has at most 20 sinks',
  },
  {
    rule: REJECTED,
    where: /^(GET|POST) \/l\/\{code\}$/,
    status: 410,
    reason: 'the link is used up or expired',
  },
  {
    rule: REJECTED,
    where: /^POST \/l\/\{code\}$/,
    status: 422,
    reason: 'the merchant decides what a link collects of a payer',
    isByChance: true,
  },
  {
    rule: 'AcceptedNegativeData',
    // These accept only an empty object, so this covers nothing else.
    where:
      /^POST \/api\/v1\/(webhook-endpoints|test\/webhooks\/sinks)\/\{id\}\/(ping|deliveries\/\{delivery_id\}\/redeliver)$/,
    status: 200,
    reason: 'a body of null equals {}',
    isByChance: true,
  },
  {
    rule: 'AcceptedNegativeData',
    where: /^(POST|PATCH) \/api\/v1\//,
    hasNull: true,
    reason: 'null for an optional field counts as left out',
    isByChance: true,
  },
  {
    rule: 'EnsureResourceAvailability',
    where: /^GET \/checkout\/\{token\}\/qr\.(png|svg)$/,
    status: 404,
    reason: 'a choice on a page creates nothing, and the page of a payment without PromptPay has no QR',
    isByChance: true,
  },
  {
    rule: 'ServerError',
    where: /^POST \/sink\/\{token\}$/,
    reason: 'a sink responds with its configured status, here 503',
    isByChance: true,
  },
];
