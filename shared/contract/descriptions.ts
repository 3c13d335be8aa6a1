/*
 * What the OpenAPI document says of every schema and every field: unit, meaning, default, and when it is null. It stands
 * apart from the schemas because every function and the client carry those, and none but the document needs these texts.
 * A test fails for a field that has none, and for a text that has no field.
 */

type TextTable = Readonly<Record<string, string>>;

interface SchemaText {
  readonly about: string;
  readonly fields?: TextTable;
}

const MINOR = 'The amount in minor units: satang for THB, so 129900 is 1,299.00 baht.';
const SAME_ID = 'Optional. If present, it must equal the id in the path.';

/** Fields that mean the same wherever they stand. */
const EVERYWHERE: TextTable = {
  mode: '`test` or `live`.',
  created_at: "Time of creation, on the merchant's clock.",
  updated_at: "Time of the last change, on the merchant's clock.",
  number:
    'Human-readable number: a letter and at least six digits (`P-000001`), counted per merchant and mode. There may be gaps.',
  action_id: 'The id of this action of the test kit.',
};

/** Fields of bodies that repeat the id of the path. */
const BODY_IDS: TextTable = {
  payment_id: SAME_ID,
  refund_id: SAME_ID,
  link_id: SAME_ID,
  payout_id: SAME_ID,
  sink_id: SAME_ID,
};

const SIMULATION_BODY: TextTable = {
  delay_seconds:
    "Delay before the provider reports the outcome, in seconds on the merchant's clock. Default: 0, at once. The outcome is skipped if the status no longer allows it by then.",
  event_id:
    "The provider's id of the event, in printable ASCII. Repeating an id with the same content changes nothing and returns `replayed: true`; with different content, the request is refused. Default: a new id.",
  result_code:
    "The provider's result code. Default: `approved`, `declined`, `pending` or `amount_mismatch`, depending on the outcome.",
};

const PAYMENT: TextTable = {
  id: 'The id of the payment.',
  amount: 'The amount to pay.',
  checkout_url: "URL of the payer's checkout page. Null if a method was given without `checkout: true`.",
  description: 'Description shown to the payer; null if none was given.',
  expires_at: "Time at which the payment expires, on the merchant's clock.",
  late: 'True if the money arrived after the payment had expired or was canceled. The money is kept, and the status is `succeeded`.',
  metadata: 'The metadata given at creation.',
  method: 'Payment method; null until one is chosen.',
  next_action: 'The next step for the payer; null unless the status is `requires_action`.',
  payment_link_id: 'The payment link that the payment was created from; null if there is none.',
  reference: 'Your own reference; null if none was given. It need not be unique.',
  refunded_minor: 'Sum of succeeded refunds, in minor units of the currency of `amount`.',
  rehearsal:
    "Present only in live mode, and only if true: the payment was created while your provider account was in the provider's own test mode. No money moves, so do not fulfill it.",
  return_url: 'URL to which the payer returns afterwards; null if none was given.',
  status:
    'Status of the payment. `created`: no method is chosen yet. `requires_action`: the payer must complete `next_action`. `processing`: money may be on its way. `succeeded`: the payment is paid. `failed`, `expired`, `canceled`: it was not paid.',
  succeeded_at: "Time of payment, on the merchant's clock; null until then.",
};

const AMOUNT_TYPE =
  '`fixed`: every payer pays the same amount. `open`: each payer enters an amount within bounds.';
const COLLECT = 'Whether payers must enter (`required`), can enter (`optional`) or do not enter (`off`)';
const PROFILE =
  '`small` has ten payments and their related objects, `month` 300 payments of the last 30 days, `e2e` one object in every status.';

const EXPIRES_AT = "Time at which this action expires, on the merchant's clock.";

const SINK: TextTable = {
  id: 'The id of the sink.',
  name: 'The given name, or `sink-` and a number.',
  url: 'The URL of the sink. Anyone who knows it can send to it.',
  fail_count: 'Number of next deliveries that the sink still refuses; after that it accepts them again.',
  received_count: 'Number of deliveries received, including refused ones.',
  respond_status:
    'HTTP status of its responses: for every delivery if `fail_count` is 0, otherwise for the deliveries that it refuses.',
};

const WEBHOOK_ENDPOINT: TextTable = {
  id: 'The id of the endpoint.',
  url: 'The URL to which events are sent.',
  description: 'Description of the endpoint; null if none was given.',
  events:
    'The subscribed events: types (`payment.succeeded`), all events of a resource (`payment.*`), or all events (`*`).',
  status: '`enabled` or `disabled`. A disabled endpoint receives no events.',
  disabled_reason:
    'Why the endpoint is disabled; null if it is enabled. `requested`: the merchant disabled it. `gone`: it responded with 410. `failing`: every attempt failed for 5 days.',
  previous_secret_expires_at:
    'Time until which the previous secret also signs, in real time; null if there is no previous secret.',
  api_version: 'The API version of its events.',
  last_success_at:
    "Time of the last successful delivery, on the merchant's clock, accurate to the hour; null if there is none.",
  last_failure_at:
    "Time of the last failed attempt, on the merchant's clock, accurate to the hour; null if there is none.",
  failing_since:
    "Time of the first failure since the last success, on the merchant's clock; null if there is none. The first failure 5 days or more after it disables the endpoint.",
  secret:
    'Signing secret of its deliveries (Standard Webhooks): `whsec_…`. During a rotation, the newest secret.',
};

const WEBHOOK_ENDPOINT_INPUT: TextTable = {
  url: 'The URL to which events are sent: https, a public host, port 443 or at least 1024, without user name, password and fragment. In test mode, a service on your own machine also accepts http to that machine.',
  description: 'Description of the endpoint.',
  events: 'Event types (`payment.succeeded`), all of a resource (`payment.*`) or all (`*`, the default).',
};

const ATTEMPT: TextTable = {
  id: 'The id of the attempt.',
  event_id: 'The delivered event.',
  attempt: 'Number of the attempt to deliver this event there, from 1.',
  status:
    'Result of the attempt. `delivered`: the response was 2xx. `failed`: it was not; if `next_attempt_at` is set, another attempt follows. `exhausted`: it was not, and this was the last attempt.',
  request_headers: 'The request headers as sent, by lower-case name.',
  body: 'The request body as sent: the event as JSON text.',
  answered_status: 'HTTP status of the response; null if there was none.',
  answered_body:
    'Start of the response body, at most 1 KB. Null if there was none, and for a sink that accepted the event.',
  failure: 'Why there was no complete response; null if there was one, whatever its status.',
  duration_ms: 'Duration in milliseconds, from the DNS lookup to the end of the response.',
  attempted_at: "Time of the attempt, on the merchant's clock.",
  next_attempt_at: "Time of the next attempt, on the merchant's clock; null if there is none.",
};

const PAGE: TextTable = {
  data: 'The items of this page, newest first.',
  has_more: 'Whether there may be more pages.',
  next_cursor: 'The value of `after` for the next page; null on the last page.',
};

const COUNTS: TextTable = {
  payments: 'Number of payments.',
  refunds: 'Number of refunds.',
  payment_links: 'Number of payment links.',
  payouts: 'Number of payouts.',
  settlements: 'Number of settlements.',
  sinks: 'Number of webhook sinks.',
};

const SCHEMAS: Readonly<Record<string, SchemaText>> = {
  /* --- pieces --- */
  Money: {
    about: 'An amount of money in minor units.',
    fields: { currency: 'ISO 4217 currency code, such as `THB`.', minor: MINOR },
  },
  MoneyInput: {
    about: 'An amount of money in minor units, in a request.',
    fields: { currency: 'ISO 4217 currency code.', minor: MINOR },
  },
  StatedAmount: {
    about: 'The amount that a provider states for many payments. It may exceed the maximum of one payment.',
    fields: { currency: 'ISO 4217 currency code.', minor: MINOR },
  },
  Metadata: {
    about:
      "The merchant's own data on a resource: each name has a string, a number, true, false or null. Empty if none was given.",
  },
  MetadataInput: {
    about:
      'Your own data on a resource: at most 50 names of up to 40 characters, each with a string of up to 500 characters, a number, true, false or null. Responses and events include it; payers do not see it.',
  },
  Problem: {
    about: 'Why a request was refused (RFC 9457). A refused request has changed nothing.',
    fields: {
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
  },
  FieldError: {
    about: 'An error in one field of a request.',
    fields: {
      code: 'The kind of error: `required`, `type`, `format`, `too_long`, `too_short`, `min`, `max`, `enum`, `unknown`, `mismatch`, `conflict` or `forbidden`. New codes may be added.',
      field: 'The dotted path of the field: `amount.minor`.',
      message:
        'Human-readable message, to be read after the field name. It never repeats the received value.',
    },
  },
  Page: { about: 'One page of a list.', fields: PAGE },

  Currency: { about: 'ISO 4217 code of a supported currency.' },

  /* --- payments --- */
  PaymentMethod: { about: 'Payment method.' },
  Payment: {
    about: 'A payment of one amount by one payer.',
    fields: {
      ...PAYMENT,
      customer_email: "The payer's email address; null if none was given.",
      customer_name: "The payer's name; null if none was given.",
      customer_phone: "The payer's phone number in E.164 format (`+66812345678`); null if none was given.",
    },
  },
  CanceledPayment: {
    about: 'A payment in the response of its cancelation: the payer is one object here.',
    fields: { ...PAYMENT, customer: 'The payer.' },
  },
  Customer: {
    about: 'The payer.',
    fields: {
      email: 'Email address; null if none was given.',
      name: 'Name; null if none was given.',
      phone: 'Phone number in E.164 format (`+66812345678`); null if none was given.',
    },
  },
  CustomerInput: {
    about: 'The payer, as far as known.',
    fields: {
      email: 'Email address, as a browser accepts it.',
      name: 'Name of the payer.',
      phone: 'Phone number in E.164 format (`+66812345678`) or in Thai format (`0812345678`).',
    },
  },
  NextAction: { about: 'The next step for the payer; `type` names which one.' },
  DisplayQrAction: {
    about: 'Show the payer a PromptPay QR code to scan with a banking app.',
    fields: { type: 'The type of action.', qr: 'The QR code to show.', expires_at: EXPIRES_AT },
  },
  PromptPayQr: {
    about: 'A PromptPay QR code. Banks cannot pay one of test mode.',
    fields: {
      payload: 'Content of the QR code (EMVCo), to draw it yourself.',
      image_svg_url: 'URL of the QR code as an SVG image, for an `img` element.',
    },
  },
  RedirectAction: {
    about: 'Redirect the payer to a page.',
    fields: {
      type: 'The type of action.',
      url: 'URL to which to redirect the payer.',
      expires_at: EXPIRES_AT,
    },
  },
  BankTransferAction: {
    about: 'Ask the payer to transfer the amount to an account.',
    fields: {
      type: 'The type of action.',
      bank_code: 'Three-digit Thai bank code; in test mode `000`, which no bank has.',
      account_number: 'Account number.',
      account_name: 'Name of the account holder.',
      reference: 'Reference that the payer must state with the transfer.',
      amount: 'The exact amount to transfer.',
      expires_at: EXPIRES_AT,
    },
  },
  CreatePaymentRequest: {
    about: 'The payment to create.',
    fields: {
      amount: 'The amount to pay.',
      method: 'Payment method. If omitted, the payer chooses one on the page at `checkout_url`.',
      reference: 'Your own reference, such as an order number. It need not be unique.',
      description: 'Description shown to the payer.',
      customer: 'The payer.',
      expires_in_minutes:
        "Minutes until the payment expires, on the merchant's clock. Default: 15 for promptpay and direct_debit, 20 for truemoney, linepay and shopeepay, 60 for installment, and 1,440 for bank_transfer and without a method.",
      checkout: 'Whether to create a checkout page although a method is given. Default: false.',
      client_ip: "The payer's IPv4 or IPv6 address, for risk checks. It is stored and never returned.",
      metadata: 'Your own data on the resource.',
      return_url:
        'URL to which the payer returns from the checkout page: absolute http or https, without user name and password; in live mode, https.',
    },
  },
  CancelPaymentRequest: { about: 'Can be empty: the path has the id.' },

  /* --- refunds --- */
  Refund: {
    about: 'A refund of a payment, in full or in part.',
    fields: {
      id: 'The id of the refund.',
      payment_id: 'The refunded payment.',
      amount: 'The amount to refund.',
      reason: 'Reason in your own words; null if none was given.',
      reason_code:
        'Reason code: 1 requested by customer, 2 duplicate, 3 fraudulent, 4 not received, 5 not as described, 6 other. 9999, for tests: the refund is rejected at its approval.',
      succeeded_at: "Time at which the refund succeeded, on the merchant's clock; null until then.",
      status:
        "Status of the refund. `requested` becomes `approved` (or `rejected`) after 15 minutes on the merchant's clock, then `processing`, then `succeeded` or `failed`. `canceled`: the refund was canceled before its approval.",
    },
  },
  RequestRefundRequest: {
    about: 'The refund to request.',
    fields: {
      amount:
        'The amount to refund, in the currency of the payment. Default: the remaining amount; refunds in progress count as refunded.',
      reason: 'Reason in your own words.',
      reason_code:
        'Reason code: 1 requested by customer (default), 2 duplicate, 3 fraudulent, 4 not received, 5 not as described, 6 other. 9999, for tests: the refund is rejected at its approval.',
    },
  },
  CancelRefundRequest: { about: 'Can be empty: the path has the id.' },

  /* --- payment links --- */
  PaymentLinkAmountType: { about: AMOUNT_TYPE },
  CollectRule: { about: `${COLLECT}.` },
  PaymentLink: {
    about: 'A payment page for anyone who knows its URL.',
    fields: {
      id: 'The id of the payment link.',
      code: 'The last part of its URL: ten unguessable characters.',
      url: 'URL of its page, for a message, a post or a printed QR code.',
      amount: 'The fixed amount; null if the amount is open.',
      amount_type: AMOUNT_TYPE,
      min_amount: 'Minimum amount; null if there is none.',
      max_amount: 'Maximum amount; null if none was given.',
      currency: 'ISO 4217 code of the currency of its payments.',
      collect_email: `${COLLECT} their email address.`,
      collect_name: `${COLLECT} their name.`,
      collect_phone: `${COLLECT} their phone number.`,
      description: 'Description shown to payers; null if none was given.',
      expires_at: "Time at which the link expires, on the merchant's clock; null if it never expires.",
      max_uses: 'Maximum number of payments; null if unlimited.',
      uses: 'Number of succeeded payments.',
      metadata: 'The metadata given at creation.',
      return_url: 'URL to which payers return afterwards; null if none was given.',
      status:
        '`active`, or `disabled` by the merchant. A link that is used up or expired keeps its status and accepts no payments.',
    },
  },
  PaymentLinkAmount: { about: 'The amount of a payment link: fixed, or open within bounds.' },
  FixedLinkAmount: {
    about: 'Every payer pays the same amount.',
    fields: {
      type: 'The type of amount.',
      currency: 'ISO 4217 currency code. Default: the currency of `fixed`.',
      fixed: 'The amount that every payer pays.',
    },
  },
  OpenLinkAmount: {
    about: 'Each payer enters an amount within bounds.',
    fields: {
      type: 'The type of amount.',
      currency: 'ISO 4217 currency code. Default: the currency of the bounds, otherwise THB.',
      min: 'Minimum amount, at most `max`.',
      max: 'Maximum amount. Default: 1,000,000 baht.',
    },
  },
  PaymentLinkCollect: {
    about: 'The payer data to collect.',
    fields: {
      email: `${COLLECT} their email address. Default: \`optional\`.`,
      name: `${COLLECT} their name. Default: \`optional\`.`,
      phone: `${COLLECT} their phone number. Default: \`off\`.`,
    },
  },
  CreatePaymentLinkRequest: {
    about: 'The payment link to create.',
    fields: {
      amount: 'The amount of the link.',
      collect: 'The payer data to collect.',
      description: 'Description shown to payers.',
      expires_at:
        "Time at which the link expires: in the future on the merchant's clock, at most one year ahead. Default: never.",
      max_uses: 'Maximum number of payments. Default: unlimited.',
      metadata: 'Your own data on the resource.',
      return_url:
        'URL to which payers return afterwards: absolute http or https, without user name and password; in live mode, https.',
    },
  },
  DisablePaymentLinkRequest: { about: 'Can be empty: the path has the id.' },

  /* --- payouts --- */
  Payout: {
    about: "A transfer of a settlement's amount to the merchant's account.",
    fields: {
      id: 'The id of the payout.',
      settlement_id: 'The settlement that is paid out.',
      provider: 'The paying provider.',
      amount: 'The amount of the payout.',
      return_reason: 'Why the bank returned the payout; null unless the status is `returned`.',
      status:
        'Status of the payout. `pending`: on its way. `paid`: it has arrived. `failed`: it did not arrive. `returned`: the bank returned it. The amount of a failed or returned payout is unsettled again and goes into the next payout.',
    },
  },

  /* --- settlements --- */
  SettlementStatus: {
    about:
      'Result of a settlement. `matched`: the provider stated the expected amount, and a payout was created. `mismatched`: it stated another amount, and no payout was created.',
  },
  Settlement: {
    about:
      "A provider's statement of what it owes up to a day, compared with the unsettled amount. It never changes.",
    fields: {
      id: 'The id of the settlement.',
      provider: 'The settling provider.',
      value_date: 'The last settled day, in Asia/Bangkok, up to its end.',
      expected: 'The expected amount: payments up to that day, less refunds. It is paid out if it matches.',
      stated: 'The amount that the provider stated; null if it stated none.',
      payout_id: 'The payout; null if none was created.',
      status: 'Result of the settlement.',
    },
  },

  /* --- events --- */
  EventPage: {
    about: 'One page of events: of the list, or after a sequence number.',
    fields: {
      ...PAGE,
      data: 'The events of this page: newest first, or oldest first with `after_sequence`.',
      next_sequence:
        'Only with `after_sequence`: the value of `after_sequence` for the next request. It is the last number examined, or the number sent if no event follows.',
      world:
        'Only with `after_sequence`: an identifier of the world of the events, the same for each of its keys. For programs that store their position.',
    },
  },
  EventType: { about: 'Type of the event: the kind of resource and what happened to it.' },
  Event: {
    about:
      'An event of a resource, exactly as webhooks send it. The `webhooks` of this document define `data.object` for each type.',
    fields: {
      id: 'The id of the event; webhooks send it as `webhook-id`. An event that is delivered twice has the same id.',
      type: 'Type of the event.',
      timestamp: "Time of the event, on the merchant's clock.",
      api_version: 'The API version of the event.',
      sequence: 'Sequence number among the events of this merchant and mode, from 1 and without gaps.',
      data: 'The affected resource.',
      request: 'The request that caused the event.',
    },
  },
  EventData: {
    about: 'The resource affected by an event.',
    fields: {
      object: 'The whole resource right after the event.',
      previous_status: 'The status before the event; null if the resource is new.',
    },
  },
  EventRequest: {
    about: 'The request that caused an event.',
    fields: {
      id: 'The id of the request; null if the passing of time caused the event.',
      idempotency_key: 'The `Idempotency-Key` of the request; null if it had none.',
    },
  },

  /* --- the test kit --- */
  SeedProfile: { about: `The sample data for the test world: ${PROFILE}` },
  SignatureVerdict: { about: 'Result of the signature check of a receiver; `unknown` if it reported none.' },
  SimulationResult: {
    about: 'Result of a simulation. Ids that do not apply are null.',
    fields: {
      outcome:
        'The outcome: the requested outcome if it took effect, `rejected` if the refund was rejected at its approval, `queued` during a delay, `skipped` if the status no longer allowed it; for a settlement `matched`, `mismatched` or `empty`.',
      payment_id: 'The simulated payment; null if the simulation was of something else.',
      payout_id: 'The simulated payout, or the payout that a settlement created; null if there is none.',
      refund_id: 'The simulated refund; null if the simulation was of something else.',
      provider_event_id: "The provider's id of the event.",
      replayed: 'True if the same simulation was received before, so nothing was changed.',
    },
  },
  SimulatePaymentRequest: {
    about: 'The outcome that the provider reports for the payment.',
    fields: {
      ...SIMULATION_BODY,
      outcome:
        'The reported outcome: `succeeded`; `failed`; `pending`: the money is on its way; `mismatch`: the paid amount differs from the amount of the payment.',
      amount:
        "The paid amount. With `mismatch`, it must differ from the payment's amount; the default is one minor unit more. Otherwise it must equal the payment's amount, which is the default.",
    },
  },
  SimulateRefundRequest: {
    about: 'The outcome that the provider reports for the refund.',
    fields: { ...SIMULATION_BODY, outcome: 'The reported outcome.' },
  },
  SimulatePayoutRequest: {
    about: 'The outcome that the bank reports for the payout.',
    fields: {
      outcome:
        'The reported outcome. `paid`: the money has arrived. `failed`: it did not arrive. `returned`: the bank returned it, possibly after it had arrived.',
      return_reason: 'Why the bank returned the payout; only with `returned`. Default: `account_closed`.',
    },
  },
  SimulateSettlementRequest: {
    about: 'The settlement that the provider reports.',
    fields: {
      amount: 'The amount that the provider states. Default: the expected amount.',
      provider: 'Name of the provider. Default: `sim_provider`.',
      value_date:
        "The last settled day, in Asia/Bangkok, up to its end; not in the future on the merchant's clock. Default: today on the merchant's clock.",
    },
  },
  SeedCounts: { about: 'Number of objects of each kind.', fields: COUNTS },
  SeedSummary: {
    about: 'Totals of the payments of a seed.',
    fields: {
      from: 'Time of creation of the first payment.',
      to: 'Time of creation of the last payment.',
      gross_minor: 'Sum of the succeeded payments, in minor units.',
      refunded_minor: 'Sum of their succeeded refunds, in minor units.',
      currency: 'ISO 4217 currency code of both sums.',
    },
  },
  SeedReport: {
    about: 'The objects that a seed has created in the test world, now or earlier.',
    fields: {
      already_seeded: 'True if this profile was seeded before, so nothing was added.',
      profile: `The requested profile: ${PROFILE}`,
      created: 'Number of objects of each kind that this request created.',
      ids: 'The ids of notable objects, by scenario name: `payment.requires_action.promptpay`.',
      skipped: 'Number of objects of each kind that existed already.',
      summary: 'Totals of the payments.',
    },
  },
  SeedTestDataRequest: {
    about: 'The sample data to create in the test world.',
    fields: { profile: `The sample data to create: ${PROFILE}` },
  },
  CountByKind: { about: 'Number of objects of each kind, by name.' },
  ResetReport: {
    about: 'Result of a purge.',
    fields: {
      status: 'Status of the purge.',
      reason: 'Reason for the purge.',
      reset_at: 'Time of the purge, in real time.',
      jobs_canceled: 'Number of canceled jobs.',
      outbox_canceled: 'Number of events that were canceled before they were sent.',
      deleted: 'Number of deleted objects of each kind.',
      kept: 'Number of kept objects of each kind.',
      modules: 'The parts of the service that were reset.',
      sequences_reset: 'The last number of each kind before the purge; numbering starts again.',
    },
  },
  PurgeTestDataRequest: { about: 'An empty object.' },
  Clock: {
    about: "The merchant's clock: real time plus an offset. It keeps running.",
    fields: {
      now: 'The time on the clock.',
      offset_seconds: 'Seconds that the clock is ahead of real time.',
      next_job_at: 'Time at which the next job is due, on this clock; null if there is none.',
    },
  },
  AdvanceClockRequest: {
    about: 'How far to advance the clock.',
    fields: {
      seconds: 'Seconds to advance the clock, which can be at most two years ahead of real time in total.',
    },
  },
  ClockAdvanceResult: {
    about: 'Result of advancing the clock.',
    fields: {
      advanced_seconds: 'Seconds that the clock was advanced.',
      jobs_run: 'Number of jobs that ran.',
      shifted: 'The time range of the advance, and what the jobs did.',
    },
  },
  ClockShift: {
    about: 'What the jobs did that became due by the advance.',
    fields: {
      from: 'The time on the clock before.',
      to: 'The time on the clock afterwards.',
      payments_expired: 'Number of expired payments.',
      refunds_approved: 'Number of approved refunds.',
      simulations_applied: 'Number of queued outcomes that took effect.',
      deliveries_attempted: 'Number of attempted deliveries.',
      jobs_remaining: 'Number of due jobs left over; they run at once in the background.',
    },
  },
  WebhookEndpoint: {
    about: "A merchant's server to which events are sent.",
    fields: withoutSecret(WEBHOOK_ENDPOINT),
  },
  WebhookEndpointWithSecret: {
    about: 'A webhook endpoint with its signing secret.',
    fields: WEBHOOK_ENDPOINT,
  },
  RetrievedWebhookEndpoint: {
    about: 'A webhook endpoint; for a key with `webhook.manage`, with its signing secret.',
    fields: WEBHOOK_ENDPOINT,
  },
  DeletedWebhookEndpoint: {
    about: 'A deleted webhook endpoint.',
    fields: { id: 'The id of the deleted endpoint.', deleted: 'Always true.' },
  },
  CreateWebhookEndpointRequest: { about: 'The endpoint to create.', fields: WEBHOOK_ENDPOINT_INPUT },
  UpdateWebhookEndpointRequest: {
    about: 'The fields to change. Omitted fields stay unchanged.',
    fields: {
      ...WEBHOOK_ENDPOINT_INPUT,
      enabled: 'False: the endpoint receives no more events. True: it receives the events from then on.',
    },
  },
  WebhookSink: { about: 'A test receiver of webhooks that can simulate failures.', fields: SINK },
  WebhookSinkWithSecret: {
    about: 'A sink with its signing secret.',
    fields: { ...SINK, secret: 'Signing secret of its deliveries (Standard Webhooks): `whsec_…`.' },
  },
  CreateWebhookSinkRequest: {
    about: 'The sink to create.',
    fields: { name: 'Name of the sink. Default: `sink-` and a number.' },
  },
  UpdateWebhookSinkRequest: {
    about: 'How the sink responds: `fail_count`, `respond_status` or both. Omitted fields stay unchanged.',
    fields: {
      fail_count:
        'Number of next deliveries to refuse; after that `respond_status` is 200. 0: every delivery gets `respond_status`.',
      respond_status:
        'HTTP status of the responses. If `fail_count` is greater than 0 and this is a success status, 500 is sent instead.',
    },
  },
  DeliveryFailure: {
    about:
      'Why there was no complete response. `address_forbidden`: the name resolves to a forbidden address. `name_not_found`, `unreachable`, `tls_failed`: no connection was established. `connection_lost`, `timeout`, `invalid_answer`: a connection was established.',
  },
  Delivery: {
    about: 'One attempt to deliver an event to a sink.',
    fields: {
      ...ATTEMPT,
      sink_id: 'The sink of the delivery.',
      signature_verdict:
        'Result of the signature check of the sink: `valid`, `invalid`, or `unknown` if it reported none.',
    },
  },
  EndpointDelivery: {
    about: 'One attempt to send an event to a webhook endpoint.',
    fields: { ...ATTEMPT, endpoint_id: 'The endpoint of the delivery.' },
  },
  RotateWebhookSecretRequest: {
    about: 'How long the previous secret stays valid.',
    fields: {
      overlap_hours: 'Hours of real time for which both secrets sign. 0: the previous secret ends at once.',
    },
  },
  SendTestEventRequest: { about: 'Empty: the path has the id.' },
  RecoverEventsRequest: {
    about: 'The start of the recovery.',
    fields: { since: "A time on the merchant's clock, at most 30 days ago." },
  },
  RecoveredEvents: {
    about: 'The events that were queued again.',
    fields: {
      events_queued: 'Number of queued events.',
      has_more: 'Whether there are more events; another request recovers them.',
      next_since: 'The value of `since` for the next request; null if there are no more events.',
    },
  },
  RedeliverEventRequest: { about: 'Empty: the path has the ids.' },
  EndpointRedelivery: {
    about: 'A manually requested delivery to a webhook endpoint.',
    fields: {
      endpoint_id: 'The endpoint of the delivery.',
      event_id: 'The event to deliver.',
      due_at: "Time of the delivery, on the merchant's clock: now.",
    },
  },
  RedeliverRequest: { about: 'Empty: the path has the ids.' },
  Redelivery: {
    about: 'A manually requested delivery to a sink.',
    fields: {
      sink_id: 'The sink of the delivery.',
      event_id: 'The event to deliver.',
      due_at: "Time of the delivery, on the merchant's clock: now.",
    },
  },
};

const QUERY: TextTable = {
  limit: 'Maximum number of items on a page.',
  after: 'The `next_cursor` of the previous page. Default: the first page.',
  after_sequence:
    'Only events after this sequence number, oldest first: 0, or the `next_sequence` of the previous page. Cannot be combined with `after`.',
  status: 'Only items with this status.',
  method: 'Only payments with this method.',
  reference: 'Only payments with exactly this reference.',
  provider: 'Only settlements of this provider.',
  value_date: 'Only settlements of this day, YYYY-MM-DD in Asia/Bangkok.',
  payment_id: 'Only refunds of this payment.',
  type: 'Only events of this type.',
  resource_id: 'Only events of this resource, of any kind.',
};

/** Parameters of paths, by what stands before them. */
const PATH: TextTable = {
  'payments/{id}': 'The id of the payment: `pay_…`.',
  'refunds/{id}': 'The id of the refund: `ref_…`.',
  'payment-links/{id}': 'The id of the payment link: `lnk_…`.',
  'payouts/{id}': 'The id of the payout: `pot_…`.',
  'settlements/{id}': 'The id of the settlement: `stl_…`.',
  'events/{id}': 'The id of the event: `evt_…`.',
  'sinks/{id}': 'The id of the sink: `snk_…`.',
  'webhook-endpoints/{id}': 'The id of the webhook endpoint: `whe_…`.',
  'deliveries/{delivery_id}': 'The id of the attempt to repeat: `dlv_…`.',
  'sink/{token}': 'The token of the sink: the last part of its `url`.',
  'checkout/{token}': 'The token of the payment: the last part of its `checkout_url`.',
  'providers/{provider}': 'Name of the provider: `stripe`.',
  '{provider}/{token}': 'The token of the connection: the last part of its webhook URL.',
  'l/{code}': 'The `code` of the payment link.',
  'errors/{code}': 'The error code to explain.',
};

function withoutSecret({ secret: _, ...texts }: TextTable): TextTable {
  return texts;
}

/** What a schema is, or what one of its fields means; undefined where nobody has said it. */
export function textOf(schema: string, field?: string): string | undefined {
  const own = SCHEMAS[schema] ?? (schema.endsWith('Page') ? SCHEMAS.Page : undefined);
  return field === undefined
    ? own?.about
    : (own?.fields?.[field] ??
        (schema.endsWith('Request') ? BODY_IDS[field] : undefined) ??
        EVERYWHERE[field]);
}

/** What a parameter of a query means. */
export function queryText(name: string): string | undefined {
  return QUERY[name];
}

/** What a parameter of a path means: `{id}` of `/api/v1/payments/{id}` is that of a payment. */
export function pathText(path: string, name: string): string | undefined {
  const [place = ''] = path.match(new RegExp(`[^/]+/\\{${name}\\}`)) ?? [];
  return PATH[place];
}

/** Every text that is there, as `schema.field`, for the test that finds those which describe nothing. */
export const describedFields: readonly string[] = Object.entries(SCHEMAS).flatMap(
  ([name, { fields = {} }]) => [name, ...Object.keys(fields).map((field) => `${name}.${field}`)],
);
