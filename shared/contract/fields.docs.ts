export const fieldDocs = {
  queries: {
    limit: 'Maximum number of items on a page.',
    created_from: "Only items created at this time or later, on the merchant's clock.",
    created_to: "Only items created before this time, on the merchant's clock.",
    after: 'The `next_cursor` of the previous page, which had the same filters. Default: the first page.',
    status: 'Only items with this status.',
  },
  schemas: {
    /** Fields with the same meaning in every schema that does not describe them itself. */
    '*': {
      mode: '`test` or `live`.',
      created_at: "Time of creation, on the merchant's clock.",
      updated_at: "Time of the last change, on the merchant's clock.",
      number:
        'Human-readable number: a letter and at least six digits (`P-000001`), counted per merchant and mode. There may be gaps.',
      action_id: 'The id of this action of the test kit.',
      currency: 'ISO 4217 currency code.',
      minor: 'The amount in minor units: satang for THB, so 129900 is 1,299.00 baht.',
      due_at: "Time of the delivery, on the merchant's clock: now.",
    },
    Money: {
      about: 'An amount of money in minor units.',
      currency: 'ISO 4217 currency code, such as `THB`.',
    },
    MoneyInput: { about: 'An amount of money in minor units, in a request.' },
    Metadata: {
      about:
        "The merchant's own data on a resource: each name has a string, a number, true, false or null. Empty if none was given.",
    },
    MetadataInput: {
      about:
        'Your own data on a resource: at most 50 names of up to 40 characters, each with a string of up to 500 characters, a number, true, false or null. Responses and events include it; payers do not see it.',
    },
    Currency: { about: 'ISO 4217 code of a supported currency.' },
    Problem: {
      about: 'Why a request was refused (RFC 9457). A refused request changes nothing.',
      type: 'URL of a page that explains the code.',
      title: 'Summary of the problem, always the same for a code.',
      status: 'HTTP status of the response.',
      code: 'Machine-readable error code. New codes may be added.',
      detail: 'Human-readable advice on how to resolve the problem.',
      details:
        'Machine-readable details of the code, such as `required`, the missing permission. New fields may be added.',
      errors: 'All field errors of the request; only with the code `validation_failed`.',
      instance: '`urn:request:` and the request id, as in the `X-Request-Id` header.',
    },
    FieldError: {
      about: 'An error in one field of a request.',
      code: 'The kind of error: `required`, `type`, `format`, `too_long`, `too_short`, `min`, `max`, `enum`, `unknown`, `mismatch`, `conflict` or `forbidden`. New codes may be added.',
      field: 'The dotted path of the field: `amount.minor`.',
      message:
        'Human-readable message, to be read after the field name. It never repeats the received value.',
    },
    /** Every schema whose name ends with this. */
    Page: {
      about: 'One page of a list.',
      data: 'The items of this page, newest first.',
      has_more: 'Whether there may be more pages.',
      next_cursor: 'The value of `after` for the next page; null on the last page.',
    },
  },
} as const;
