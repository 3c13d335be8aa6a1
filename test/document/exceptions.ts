import type { Exception } from './finding.ts';
import type { KnownFailure } from './schemathesis.ts';

/* Accepted findings, each with its reason. An exception that explains no finding any more fails the run. */

export const REDOCLY_EXCEPTIONS: readonly Exception[] = [];

/** Pages, pictures, receiving addresses and this document: requested by browsers and tools, without a key. */
const PUBLIC =
  /^paths\.\/(\.|docs\b|sink\/|checkout\/|providers\/|l\/|errors\b|console|api\/v1\/openapi\.json)/;

export const SPECTRAL_EXCEPTIONS: readonly Exception[] = [
  {
    rule: 'info-contact',
    where: /^info$/,
    reason: 'whom to ask is for those to say who run a deployment',
  },
  {
    rule: 'owasp:api9:2023-inventory-access',
    where: /^servers\.0$/,
    reason: "an extension of that rule set's own; the one server is the deployment that answers the document",
  },
  {
    rule: 'owasp:api9:2023-inventory-environment',
    where: /^servers\.0\.description$/,
    reason: 'a deployment has one server in its document, itself',
  },
  {
    rule: 'owasp:api8:2023-no-server-http',
    where: /^servers\.0\.url$/,
    reason: 'the service that was asked listens on loopback; API Gateway speaks https alone',
  },
  {
    rule: 'owasp:api4:2023-rate-limit',
    where: /^paths\..*\.responses\./,
    reason: 'the gateway limits, and says so by a 429 with Retry-After; it has no RateLimit headers to send',
  },
  {
    rule: 'owasp:api8:2023-define-cors-origin',
    where: /^(paths\..*\.responses\.|components\.headers$)/,
    reason: 'keys do not belong into pages of other origins: no answer but this document allows one',
  },
  {
    rule: 'owasp:api2:2023-read-restricted',
    where: PUBLIC,
    reason: 'for payers and tools, without a key',
  },
  {
    rule: 'owasp:api2:2023-write-restricted',
    where: PUBLIC,
    reason:
      'payers and receivers have no key: the token or code in the address is what lets them in, and a provider signs, too',
  },
  {
    rule: 'owasp:api2:2023-no-credentials-in-url',
    where: /^paths\.\/(sink|checkout|providers)\//,
    reason:
      'a payer opens a page by its address alone; its token opens this page and no more, and ends. A provider signs beyond it',
  },
  {
    rule: 'owasp:api8:2023-define-error-responses-401',
    where: PUBLIC,
    reason: 'what needs no key refuses none',
  },
  {
    rule: 'owasp:api8:2023-define-error-validation',
    where: PUBLIC,
    reason: 'what takes nothing but an address has nothing to validate: another one is not found',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    where: /^paths\..*\.parameters\.\d+\.schema$|^components\.schemas\.\w+Request\.properties\.\w+_id$/,
    reason: 'an id of any length that is not there is answered like one that was never there',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    where: /\.properties\.(expires_at|phone|event_id|result_code)$/,
    reason: 'its format or pattern limits it',
  },
  {
    rule: 'owasp:api4:2023-string-restricted',
    where: /^paths\..*\.parameters\.\d+\.schema$/,
    reason: 'ids and cursors are opaque: a wrong one is not found or refused by its meaning, not by its form',
  },
  {
    rule: 'owasp:api4:2023-string-restricted',
    where: /^components\.schemas\.\w+(Request|Input)\b/,
    reason: 'text for people, in any script',
  },
  {
    rule: 'owasp:api4:2023-integer-limit',
    where: /^components\.schemas\.RequestRefundRequest\.properties\.reason_code$/,
    reason: 'an enumeration has its limits',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    where: /^(components|webhooks|paths\..*\.responses)\b/,
    reason: 'a limit is on what the service takes; what it answers may grow (contract §17)',
  },
  {
    rule: 'owasp:api4:2023-string-restricted',
    where: /^(components|webhooks|paths\..*\.responses)\b/,
    reason: 'a limit is on what the service takes; what it answers may grow (contract §17)',
  },
  {
    rule: 'owasp:api4:2023-integer-limit',
    where: /^components\.(schemas|headers)\./,
    reason: 'a limit is on what the service takes; what it answers may grow (contract §17)',
  },
  {
    rule: 'owasp:api4:2023-array-limit',
    where: /^components\.schemas\.(?!\w+(Request|Input)\b)/,
    reason: 'a limit is on what the service takes; what it answers may grow (contract §17)',
  },
];

const REJECTED = 'RejectedPositiveData';

export const SCHEMATHESIS_EXCEPTIONS: readonly KnownFailure[] = [
  {
    rule: REJECTED,
    where: /^GET /,
    field: /^after format$/,
    reason: 'a cursor is one that an earlier page gave',
  },
  {
    rule: REJECTED,
    where: /^GET \/api\/v1\/events$/,
    field: /^after conflict$/,
    reason: 'no schema says that two parameters exclude each other: the list goes one way or the other',
  },
  {
    rule: REJECTED,
    where: /^GET \/api\/v1\/statistics\/daily$/,
    field: /^(from|to) format$/,
    reason: 'a pattern does not know how many days a month has',
  },
  {
    rule: REJECTED,
    where: /^GET \/api\/v1\/statistics\/daily$/,
    field: /^to (min|max)$/,
    reason: 'no schema compares two parameters: the last day is at most the 92nd',
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^(POST|PATCH) \/api\/v1\/webhook-endpoints/,
    field: /^url (format|forbidden)$/,
    reason: 'where webhooks may go no format says: to a public host, and there to few ports',
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/webhook-endpoints\/\{id\}\/recover$/,
    field: /^since (min|max)$/,
    reason: "a time on the merchant's clock, which another request of the run may have moved or set back",
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/payments$/,
    field: /^client_ip format$/,
    reason: 'no format says "IPv4 or IPv6"',
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/payment-links$/,
    field: /^amount\.min conflict$/,
    reason: 'no schema compares two of its numbers: the least may not be more than the most',
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/payment-links$/,
    field: /^expires_at (min|max)$/,
    reason: "a time that must lie ahead on the merchant's clock",
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/payments\/\{id\}\/refunds$/,
    status: 422,
    code: 'refund_amount_exceeded',
    reason: 'what is left to refund depends on the payment',
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/test\/payments\/\{id\}\/simulate$/,
    status: 422,
    code: 'amount_mismatch',
    reason: 'the amount must be that of the payment',
    isByChance: true,
  },
  {
    rule: REJECTED,
    where: /^POST \/api\/v1\/test\/clock\/advance$/,
    field: /^seconds max$/,
    reason: 'a clock can be moved two years ahead in all',
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
    reason: 'a link that is used up or past its time',
  },
  {
    rule: REJECTED,
    where: /^POST \/l\/\{code\}$/,
    status: 422,
    reason: 'what a link collects of a payer is for its merchant to say',
    isByChance: true,
  },
  {
    rule: 'AcceptedNegativeData',
    // It takes an empty object alone, so nothing else that is accepted goes by this.
    where: /^POST \/api\/v1\/webhook-endpoints\/\{id\}\/deliveries\/\{delivery_id\}\/redeliver$/,
    status: 200,
    reason: 'null as a whole body counts as {}',
    isByChance: true,
  },
  {
    rule: 'ServerError',
    where: /^POST \/sink\/\{token\}$/,
    reason: 'a sink answers the status that it was told to answer, 503 here',
    isByChance: true,
  },
];
