/*
 * What the OpenAPI document says of every schema and every field: unit, meaning, default, and when it is null. It stands
 * apart from the schemas because every function and the client carry those, and none but the document needs these texts.
 * A test fails for a field that has none, and for a text that has no field.
 */

type Texts = Readonly<Record<string, string>>;

interface SchemaText {
  readonly about: string;
  readonly fields?: Texts;
}

const MINOR = 'The amount in minor units: satang for THB, so 129900 is 1,299.00 baht.';
const SAME_ID = 'The id of the path once more; another one is refused. May be left out.';

/** Fields that mean the same wherever they stand. */
const EVERYWHERE: Texts = {
  mode: 'The world that it belongs to: `test` or `live`.',
  created_at: "When it was created, on the merchant's clock.",
  updated_at: "When it last changed, on the merchant's clock.",
  number:
    'A number for people: a letter and six digits or more (`P-000001`), counted per merchant and mode. Numbers may be left out.',
  action_id: 'The id of what was done by this call.',
};

/** Fields of bodies that repeat the id of the path. */
const BODY_IDS: Texts = {
  payment_id: SAME_ID,
  refund_id: SAME_ID,
  link_id: SAME_ID,
  payout_id: SAME_ID,
  sink_id: SAME_ID,
};

const SIMULATION_BODY: Texts = {
  delay_seconds:
    "Seconds on the merchant's clock to wait before the provider says it. 0, the default: now. What the state does not allow by then is skipped.",
  event_id:
    "The provider's own id of what it says, printable ASCII. The same id with the same content changes nothing and answers `replayed: true`; with other content it is refused. By default a new one.",
  result_code:
    "The provider's code for the result. By default `approved`, `declined`, `pending` or `amount_mismatch`, as the outcome has it.",
};

const PAYMENT: Texts = {
  id: 'The id of the payment.',
  amount: 'What the payer pays.',
  checkout_url:
    "The address of the payer's page. Null where a method was given and `checkout` was not asked for.",
  description: 'What the payment is for, as the payer sees it; null where none was given.',
  expires_at: "Until when it can be paid, on the merchant's clock.",
  late: 'Whether the money came after the payment had expired or was canceled. It is kept, and the status is `succeeded`.',
  metadata: 'What was given when it was created.',
  method: 'How the payer pays; null until one is chosen.',
  next_action: 'What the payer has to do now; null unless the status is `requires_action`.',
  payment_link_id: 'The payment link that it was made from; null where it was not.',
  reference: 'Your own reference; null where none was given. It need not be unique.',
  refunded_minor: 'The sum of the refunds that succeeded, in minor units of the currency of `amount`.',
  rehearsal:
    "Only in live mode, and only where it is true: the payment was made while your account at the provider was in the provider's own test mode. No money moves, so deliver nothing for it.",
  return_url: 'Where the payer goes afterwards; null where none was given.',
  status:
    'Where the payment stands. `created`: no method is chosen yet. `requires_action`: the payer has to do what `next_action` says. `processing`: money may be on its way. `succeeded`: it is paid. `failed`, `expired`, `canceled`: it was not paid.',
  succeeded_at: "When it was paid, on the merchant's clock; null until then.",
};

const AMOUNT_TYPE = '`fixed`: everybody pays the same amount. `open`: payers say how much, within bounds.';
const COLLECT = 'Whether payers have to say (`required`), may say (`optional`) or are not asked for (`off`)';
const PROFILE =
  '`small` is ten payments and what belongs to them, `month` 300 payments of the last 30 days, `e2e` one object in every state.';

const EXPIRES_AT = "Until when the payer can do this, on the merchant's clock.";

const SINK: Texts = {
  id: 'The id of the sink.',
  name: 'The name that it was given, or `sink-` and a number.',
  url: 'Where it receives: anybody who knows this address can send to it.',
  fail_count: 'How many of the next deliveries it still refuses; then it takes them again.',
  received_count: 'How many deliveries it has received, refused ones included.',
  respond_status:
    'The HTTP status with which it answers: of every delivery where `fail_count` is 0, else of those that it refuses.',
};

const WEBHOOK_ENDPOINT: Texts = {
  id: 'The id of the endpoint.',
  url: 'Where events are sent to.',
  description: 'What it is for; null where nobody has said.',
  events:
    'Which events it gets: types (`payment.succeeded`), all of a resource (`payment.*`), or all there are (`*`).',
  status: 'Whether events are sent to it: `enabled` or `disabled`.',
  disabled_reason:
    'Why it is disabled; null where it is not. `requested`: its merchant wanted it so. `gone`: it answered 410. `failing`: all it answered for 5 days were failures.',
  previous_secret_expires_at:
    'Until when the secret before signs as well, in real time; null where there is none.',
  api_version: 'The version of the API in which its events are told.',
  last_success_at:
    "When it last took an event, on the merchant's clock, within the hour; null where it never has.",
  last_failure_at:
    "When an attempt last failed, on the merchant's clock, within the hour; null where none has.",
  failing_since:
    "The first failure since it last took an event, on the merchant's clock; null where none is. After 5 days, the next one disables it.",
  secret:
    'What signs its deliveries, as Standard Webhooks has it: `whsec_…`. The newest, where there are two.',
};

const WEBHOOK_ENDPOINT_WISH: Texts = {
  url: 'Where to send events: https, a public host, port 443 or one from 1024 on, without user name, password and fragment. In test mode, a service on your own machine takes http to that machine as well.',
  description: 'What it is for.',
  events: 'Which events to send: types, `payment.*` and the like, or `*`, the default, for all.',
};

const ATTEMPT: Texts = {
  id: 'The id of the attempt.',
  event_id: 'The event that it brought.',
  attempt: 'Which attempt to send this event there it was, from 1.',
  status:
    'What became of it. `delivered`: it was answered 2xx. `failed`: it was not; another attempt follows where `next_attempt_at` says so. `exhausted`: it was not, and it was the last one.',
  request_headers: 'The headers of the request, as they were sent, by their names in lower case.',
  body: 'The body of the request, as it was sent: the event as JSON text.',
  answered_status: 'The HTTP status of the answer; null where none came.',
  answered_body:
    'How the body of the answer began: 1 KB of it at most. Null where there was none, and of a sink that took the event.',
  failure: 'Why no whole answer came; null where one did, whatever its status.',
  duration_ms: 'How long it took in milliseconds, from the look-up of the name to the end of the answer.',
  attempted_at: "When it was tried, on the merchant's clock.",
  next_attempt_at: "When it is tried again, on the merchant's clock; null where it is not.",
};

const PAGE: Texts = {
  data: 'What is on this page, newest first.',
  has_more: 'Whether anything may follow after this page.',
  next_cursor: 'What to send as `after` for the next page; null on the last one.',
};

const COUNTS: Texts = {
  payments: 'How many payments.',
  refunds: 'How many refunds.',
  payment_links: 'How many payment links.',
  payouts: 'How many payouts.',
  settlements: 'How many settlements.',
  sinks: 'How many webhook sinks.',
};

const SCHEMAS: Readonly<Record<string, SchemaText>> = {
  /* --- pieces --- */
  Money: {
    about: 'An amount of money in minor units.',
    fields: { currency: 'The ISO 4217 code of the currency, such as `THB`.', minor: MINOR },
  },
  MoneyInput: {
    about: 'An amount of money in minor units, as requests say it.',
    fields: { currency: 'The ISO 4217 code of the currency.', minor: MINOR },
  },
  StatedAmount: {
    about: 'What a provider says that it owes for many payments: it may be more than one payment can be.',
    fields: { currency: 'The ISO 4217 code of the currency.', minor: MINOR },
  },
  Metadata: {
    about:
      'What the merchant keeps with a resource: names with a text, a number, true, false or null each. Empty where nothing was given.',
  },
  MetadataInput: {
    about:
      'What you want to keep with a resource: at most 50 names of up to 40 characters, with a text of up to 500 characters, a number, true, false or null each. It comes back in answers and events; payers do not see it.',
  },
  Problem: {
    about: 'Why a request was refused (RFC 9457). A request that is refused has changed nothing.',
    fields: {
      type: 'The address of a page that explains the code.',
      title: 'What happened, in the same words for every problem of this code.',
      status: 'The HTTP status of the answer.',
      code: 'What happened, for programs to decide by. New codes may be added.',
      detail: 'What to do about it, for people to read.',
      details:
        'More for programs, by code: such as `required`, the permission that is lacking. New fields may be added.',
      errors: 'What is wrong with each field, all at once; with the code `validation_failed` alone.',
      instance: '`urn:request:` and the id of the request, as in the header `X-Request-Id`.',
    },
  },
  FieldError: {
    about: 'What is wrong with one field of a request.',
    fields: {
      code: 'What is wrong: `required`, `type`, `format`, `too_long`, `too_short`, `min`, `max`, `enum`, `unknown`, `mismatch` or `conflict`. New codes may be added.',
      field: 'The dotted path of the field: `amount.minor`.',
      message:
        'What is expected, for people to read after the name of the field. It never repeats what was sent.',
    },
  },
  Page: { about: 'One page of a list.', fields: PAGE },

  Currency: { about: 'The ISO 4217 code of a currency that is taken.' },

  /* --- payments --- */
  PaymentMethod: { about: 'How a payer pays.' },
  Payment: {
    about: 'One amount that one payer is asked for.',
    fields: {
      ...PAYMENT,
      customer_email: "The payer's e-mail address; null where none was given.",
      customer_name: "The payer's name; null where none was given.",
      customer_phone:
        "The payer's telephone number in E.164 form (`+66812345678`); null where none was given.",
    },
  },
  CanceledPayment: {
    about: 'A payment as its cancelation answers it: the payer is one object here.',
    fields: { ...PAYMENT, customer: 'Who was to pay.' },
  },
  Customer: {
    about: 'Who pays.',
    fields: {
      email: 'The e-mail address; null where none was given.',
      name: 'The name; null where none was given.',
      phone: 'The telephone number in E.164 form (`+66812345678`); null where none was given.',
    },
  },
  CustomerInput: {
    about: 'Who pays, as far as you know.',
    fields: {
      email: 'The e-mail address, as a browser takes it.',
      name: 'The name.',
      phone:
        'The telephone number, in E.164 form (`+66812345678`) or as it is written in Thailand (`0812345678`).',
    },
  },
  NextAction: { about: 'What the payer has to do now: `type` says which of these it is.' },
  DisplayQrAction: {
    about: 'Show the payer a PromptPay QR, to be scanned with the app of a bank.',
    fields: { type: 'Which action this is.', qr: 'The QR to show.', expires_at: EXPIRES_AT },
  },
  PromptPayQr: {
    about: 'A PromptPay QR. No bank can pay one of test mode.',
    fields: {
      payload: 'The content of the QR (EMVCo), for drawing it yourself.',
      image_svg_url: 'The address of the QR as an SVG picture, to be put into an `img` element.',
    },
  },
  RedirectAction: {
    about: 'Send the payer to a page.',
    fields: {
      type: 'Which action this is.',
      url: 'The address to send the payer to.',
      expires_at: EXPIRES_AT,
    },
  },
  BankTransferAction: {
    about: 'Ask the payer to transfer the amount to an account.',
    fields: {
      type: 'Which action this is.',
      bank_code: 'The three-digit code of the bank in Thailand; `000`, which no bank has, in test mode.',
      account_number: 'The number of the account.',
      account_name: 'The name of its holder.',
      reference: 'What the payer must state with the transfer.',
      amount: 'What to transfer, to the satang.',
      expires_at: EXPIRES_AT,
    },
  },
  CreatePaymentRequest: {
    about: 'The payment that is wanted.',
    fields: {
      amount: 'What the payer is asked for.',
      method: 'How the payer pays. Left out, the payer chooses on the page at `checkout_url`.',
      reference: 'Your own reference, such as the number of an order. It need not be unique.',
      description: 'What the payment is for: the payer sees it.',
      customer: 'Who pays.',
      expires_in_minutes:
        "Minutes on the merchant's clock in which it can be paid. By default 15 for promptpay and direct_debit, 20 for truemoney, linepay and shopeepay, 60 for installment, and 1,440 for bank_transfer and where no method is given.",
      checkout: "Whether the payer's page is wanted though a method is given. False by default.",
      client_ip: "The payer's IPv4 or IPv6 address, for checks of risk. It is stored and never shown.",
      metadata: 'What you want to keep with it.',
      return_url:
        "Where the payer goes from the payer's page afterwards: an absolute http or https address without user name and password; in live mode, https.",
    },
  },
  CancelPaymentRequest: { about: 'Nothing need be said: the path has the id.' },

  /* --- refunds --- */
  Refund: {
    about: 'Money of a payment that goes back to the payer.',
    fields: {
      id: 'The id of the refund.',
      payment_id: 'The payment whose money goes back.',
      amount: 'How much goes back.',
      reason: 'Why, in words; null where none were given.',
      reason_code:
        'Why: 1 requested by the customer, 2 duplicate, 3 fraudulent, 4 not received, 5 not as described, 6 other. 9999 makes the approval reject it, for tests.',
      succeeded_at: "When the money went back, on the merchant's clock; null until then.",
      status:
        "Where the refund stands. `requested` becomes `approved` (or `rejected`) after 15 minutes on the merchant's clock, then `processing`, then `succeeded` or `failed`. `canceled`: it was taken back before its approval.",
    },
  },
  RequestRefundRequest: {
    about: 'The refund that is wanted.',
    fields: {
      amount:
        'How much goes back, in the currency of the payment. By default all that is left; refunds in progress count as refunded.',
      reason: 'Why, in words.',
      reason_code:
        'Why: 1 requested by the customer (the default), 2 duplicate, 3 fraudulent, 4 not received, 5 not as described, 6 other. 9999 makes the approval reject it, for tests.',
    },
  },
  CancelRefundRequest: { about: 'Nothing need be said: the path has the id.' },

  /* --- payment links --- */
  PaymentLinkAmountType: { about: AMOUNT_TYPE },
  CollectRule: { about: `${COLLECT}.` },
  PaymentLink: {
    about: 'A page that anybody who knows its address can pay on.',
    fields: {
      id: 'The id of the payment link.',
      code: 'What its address ends in: ten characters that nobody can guess.',
      url: 'The address of its page: for a message, a post or a printed QR.',
      amount: 'What everybody pays; null where the amount is open.',
      amount_type: AMOUNT_TYPE,
      min_amount: 'The least that can be paid; null where there is no such bound.',
      max_amount: 'The most that can be paid; null where none was given.',
      currency: 'The ISO 4217 code of the currency that is paid in.',
      collect_email: `${COLLECT} their e-mail address.`,
      collect_name: `${COLLECT} their name.`,
      collect_phone: `${COLLECT} their telephone number.`,
      description: 'What is paid for, as payers see it; null where none was given.',
      expires_at: "Until when it takes payments, on the merchant's clock; null: for ever.",
      max_uses: 'How many payments it takes; null: any number.',
      uses: 'How many payments from it have succeeded.',
      metadata: 'What was given when it was created.',
      return_url: 'Where payers go afterwards; null where none was given.',
      status:
        'Whether it is in use: `active`, or `disabled` by the merchant. One that is used up or past its end keeps its status and takes no payment.',
    },
  },
  PaymentLinkAmount: { about: 'What a payment link asks for: one amount, or an open one within bounds.' },
  FixedLinkAmount: {
    about: 'Everybody pays the same amount.',
    fields: {
      type: 'Which kind of amount this is.',
      currency: 'The ISO 4217 code of the currency; by default that of `fixed`.',
      fixed: 'What everybody pays.',
    },
  },
  OpenLinkAmount: {
    about: 'Payers say how much they pay, within bounds.',
    fields: {
      type: 'Which kind of amount this is.',
      currency: 'The ISO 4217 code of the currency; by default that of the bounds, else THB.',
      min: 'The least that can be paid; not more than `max`.',
      max: 'The most that can be paid; by default 1,000,000 baht.',
    },
  },
  PaymentLinkCollect: {
    about: 'What payers are asked for.',
    fields: {
      email: `${COLLECT} their e-mail address. \`optional\` by default.`,
      name: `${COLLECT} their name. \`optional\` by default.`,
      phone: `${COLLECT} their telephone number. \`off\` by default.`,
    },
  },
  CreatePaymentLinkRequest: {
    about: 'The payment link that is wanted.',
    fields: {
      amount: 'What it asks for.',
      collect: 'What payers are asked for.',
      description: 'What is paid for: payers see it.',
      expires_at:
        "Until when it takes payments: an instant in the future of the merchant's clock, at most one year ahead. By default for ever.",
      max_uses: 'How many payments it takes; by default any number.',
      metadata: 'What you want to keep with it.',
      return_url:
        'Where payers go afterwards: an absolute http or https address without user name and password; in live mode, https.',
    },
  },
  DisablePaymentLinkRequest: { about: 'Nothing need be said: the path has the id.' },

  /* --- payouts --- */
  Payout: {
    about: "Money of a settlement on its way to the merchant's account.",
    fields: {
      id: 'The id of the payout.',
      settlement_id: 'The settlement that it pays out.',
      provider: 'The provider that pays.',
      amount: 'How much is paid out.',
      return_reason: 'Why the bank sent it back; null unless the status is `returned`.',
      status:
        'Where the payout stands. `pending`: on its way. `paid`: it has arrived. `failed`: it never did. `returned`: the bank sent it back. What failed or was returned is unsettled again, and is in the next payout.',
    },
  },

  /* --- settlements --- */
  SettlementStatus: {
    about:
      'What came of a settlement. `matched`: the provider stated what was expected, and a payout was made. `mismatched`: it stated another amount, and nothing was paid out.',
  },
  Settlement: {
    about:
      "A provider's statement of what it owes up to a day, compared with what is unsettled. It never changes.",
    fields: {
      id: 'The id of the settlement.',
      provider: 'The provider that settles.',
      value_date: 'The day, in Asia/Bangkok, up to whose end it settles.',
      expected: 'What the payments up to that day came to, less refunds: what is paid out where it matches.',
      stated: 'What the provider stated; null where it stated nothing.',
      payout_id: 'The payout that was made; null where nothing was paid out.',
      status: 'What came of it.',
    },
  },

  /* --- events --- */
  EventPage: {
    about: 'One page of the list of events, or of what follows a sequence number.',
    fields: {
      ...PAGE,
      data: 'What is on this page: newest first, or oldest first with `after_sequence`.',
      next_sequence:
        'Only with `after_sequence`: what to send as that next. The last number that was looked at, so the one that was sent where nothing follows.',
      world:
        'Only with `after_sequence`: a name for the world that the events are of, the same with each of its keys. For programs that keep how far they are.',
    },
  },
  EventType: { about: 'What happened, to which kind of resource.' },
  Event: {
    about:
      'Something that happened to a resource, exactly as webhooks send it. What `data.object` holds for each type is said in the `webhooks` of this document.',
    fields: {
      id: 'The id of the event; webhooks send it as `webhook-id`. What comes twice has the same.',
      type: 'What happened.',
      timestamp: "When it happened, on the merchant's clock.",
      api_version: 'The version of the API in whose words it is told.',
      sequence: 'Its place among the events of this merchant and mode, from 1 and without gaps.',
      data: 'What it happened to.',
      request: 'The request that made it happen.',
    },
  },
  EventData: {
    about: 'What an event happened to.',
    fields: {
      object: 'The whole resource, as it was right afterwards.',
      previous_status: 'The status that it had before; null where it is new.',
    },
  },
  EventRequest: {
    about: 'The request that made an event happen.',
    fields: {
      id: 'The id of the request; null where no request but time did it.',
      idempotency_key: 'The `Idempotency-Key` of the request; null where it had none.',
    },
  },

  /* --- the test kit --- */
  SeedProfile: { about: `How much past the test world is given: ${PROFILE}` },
  SignatureVerdict: { about: 'Whether a receiver found a signature right; `unknown` where it did not say.' },
  SimulationResult: {
    about: 'What a simulation did. Ids that do not apply are null.',
    fields: {
      outcome:
        'What came of it: the outcome that was asked for where it took effect, `rejected` where the refund was rejected at its approval, `queued` while a delay lasts, `skipped` where the state did not allow it any more; of a settlement `matched`, `mismatched` or `empty`.',
      payment_id: 'The payment that it was about; null where it was about something else.',
      payout_id: 'The payout that it was about, or that a settlement made; null where there is none.',
      refund_id: 'The refund that it was about; null where it was about something else.',
      provider_event_id: "The provider's own id of what it said.",
      replayed: 'Whether the same had been said before, so that nothing was changed.',
    },
  },
  SimulatePaymentRequest: {
    about: 'What the provider says of the payment.',
    fields: {
      ...SIMULATION_BODY,
      outcome:
        'What the provider says. `succeeded`, `failed`; `pending`: the money is on its way; `mismatch`: another amount than that of the payment was paid.',
      amount:
        "What was paid. With `mismatch` it must differ from the payment's amount and is by default one minor unit more; else it must be the payment's own, and may be left out.",
    },
  },
  SimulateRefundRequest: {
    about: 'What the provider says of the refund.',
    fields: { ...SIMULATION_BODY, outcome: 'What the provider says.' },
  },
  SimulatePayoutRequest: {
    about: 'What the bank says of the payout.',
    fields: {
      outcome:
        'What the bank says. `paid`: the money has arrived. `failed`: it never did. `returned`: it was sent back, also after it had arrived.',
      return_reason: 'Why it came back: `account_closed` by default. With the outcome `returned` alone.',
    },
  },
  SimulateSettlementRequest: {
    about: 'What the provider settles.',
    fields: {
      amount: 'What the provider says that it owes. Left out, it is what the payments come to.',
      provider: 'The name of the provider: `sim_provider` by default.',
      value_date:
        "The day, in Asia/Bangkok, up to whose end payments are settled: by default the day of the merchant's clock, and none after it.",
    },
  },
  SeedCounts: { about: 'How many of each kind.', fields: COUNTS },
  SeedSummary: {
    about: 'What the payments of a seed come to.',
    fields: {
      from: 'When the first of them was created.',
      to: 'When the last of them was created.',
      gross_minor: 'The sum of those that succeeded, in minor units.',
      refunded_minor: 'The sum of their refunds that succeeded, in minor units.',
      currency: 'The ISO 4217 code of the currency of both sums.',
    },
  },
  SeedReport: {
    about: 'What a seed has put into the test world, now or earlier.',
    fields: {
      already_seeded: 'Whether this profile was there already, so that nothing was added.',
      profile: `The profile that was asked for: ${PROFILE}`,
      created: 'How many of each kind were made by this call.',
      ids: 'The ids of what is worth a look, by the name of the scenario: `payment.requires_action.promptpay`.',
      skipped: 'How many of each kind were there already.',
      summary: 'What the payments come to.',
    },
  },
  SeedTestDataRequest: {
    about: 'What the test world is to be filled with.',
    fields: { profile: `How much past it is given: ${PROFILE}` },
  },
  CountByKind: { about: 'How many of each kind, by its name.' },
  ResetReport: {
    about: 'What a purge has ended.',
    fields: {
      status: 'How the purge ended.',
      reason: 'Why there was a purge.',
      reset_at: 'When it took effect, in real time.',
      jobs_canceled: 'How many jobs will not run any more.',
      outbox_canceled: 'How many events will not be sent any more.',
      deleted: 'How many of each kind are gone.',
      kept: 'How many of each kind stay.',
      modules: 'Which parts of the service were reset.',
      sequences_reset: 'How far each kind had been counted before: its numbers begin again.',
    },
  },
  PurgeTestDataRequest: { about: 'Nothing is to be said.' },
  Clock: {
    about: "The merchant's clock: real time and an offset. It keeps flowing.",
    fields: {
      now: 'What it shows.',
      offset_seconds: 'How many seconds it is ahead of real time.',
      next_job_at: 'When the next job is due on it; null where none waits.',
    },
  },
  AdvanceClockRequest: {
    about: 'How far the clock is moved.',
    fields: { seconds: 'How many seconds ahead. In all, the clock can be two years ahead of real time.' },
  },
  ClockAdvanceResult: {
    about: 'What moving the clock did.',
    fields: {
      advanced_seconds: 'How many seconds the clock was moved.',
      jobs_run: 'How many jobs ran.',
      shifted: 'From when to when, and what the jobs did.',
    },
  },
  ClockShift: {
    about: 'What the jobs did that became due by moving the clock.',
    fields: {
      from: 'What the clock showed before.',
      to: 'What it shows afterwards.',
      payments_expired: 'How many payments expired.',
      refunds_approved: 'How many refunds were approved.',
      simulations_applied: 'How many outcomes that had been queued took effect.',
      deliveries_attempted: 'How many deliveries of events were tried.',
      jobs_remaining: 'How many due jobs did not fit into this call. They run at once in the background.',
    },
  },
  WebhookEndpoint: {
    about: 'A server of a merchant that events are sent to.',
    fields: withoutSecret(WEBHOOK_ENDPOINT),
  },
  WebhookEndpointWithSecret: {
    about: 'A webhook endpoint, with the secret that signs what it gets.',
    fields: WEBHOOK_ENDPOINT,
  },
  RetrievedWebhookEndpoint: {
    about: 'A webhook endpoint; to a key with `webhook.manage`, with its secret.',
    fields: WEBHOOK_ENDPOINT,
  },
  DeletedWebhookEndpoint: {
    about: 'What is left of a webhook endpoint that was deleted.',
    fields: { id: 'The id that it had.', deleted: 'Always true.' },
  },
  CreateWebhookEndpointRequest: { about: 'The endpoint that is wanted.', fields: WEBHOOK_ENDPOINT_WISH },
  UpdateWebhookEndpointRequest: {
    about: 'What is to change. What is not given stays.',
    fields: {
      ...WEBHOOK_ENDPOINT_WISH,
      enabled: 'False: nothing is sent to it any more. True: it gets what happens from then on.',
    },
  },
  WebhookSink: { about: 'A test receiver of webhooks that can be told to fail.', fields: SINK },
  WebhookSinkWithSecret: {
    about: 'A sink, with the secret that signs its deliveries.',
    fields: { ...SINK, secret: 'The secret of its signatures, as Standard Webhooks has it: `whsec_…`.' },
  },
  CreateWebhookSinkRequest: {
    about: 'The sink that is wanted.',
    fields: { name: 'A name for people; by default `sink-` and a number.' },
  },
  UpdateWebhookSinkRequest: {
    about: 'How the sink is to answer: `fail_count`, `respond_status` or both. What is not given stays.',
    fields: {
      fail_count:
        'How many of the next deliveries are refused; then `respond_status` is 200. 0: every delivery is answered `respond_status`.',
      respond_status:
        'The HTTP status to answer with. Where `fail_count` is more than 0 and this is a success, 500 is answered instead.',
    },
  },
  DeliveryFailure: {
    about:
      'Why no whole answer came. `address_forbidden`: the name leads to an address that nothing is sent to. `name_not_found`, `unreachable`, `tls_failed`: no connection came about. `connection_lost`, `timeout`, `invalid_answer`: one did.',
  },
  Delivery: {
    about: 'One attempt to deliver an event to a sink.',
    fields: {
      ...ATTEMPT,
      sink_id: 'The sink that it went to.',
      signature_verdict:
        'Whether the sink found the signature right: `valid`, `invalid`, or `unknown` where it did not say.',
    },
  },
  EndpointDelivery: {
    about: 'One attempt to send an event to a webhook endpoint.',
    fields: { ...ATTEMPT, endpoint_id: 'The endpoint that it went to.' },
  },
  RotateWebhookSecretRequest: {
    about: 'How long the secret before still counts.',
    fields: {
      overlap_hours: 'For how many hours of real time both secrets sign. 0: the one before ends at once.',
    },
  },
  SendTestEventRequest: { about: 'Nothing is to be said: the path has the id.' },
  RecoverEventsRequest: {
    about: 'From when on.',
    fields: { since: "An instant on the merchant's clock, at most 30 days back." },
  },
  RecoveredEvents: {
    about: 'What is queued again.',
    fields: {
      events_queued: 'How many events.',
      has_more: 'Whether there are others, for which another call is needed.',
      next_since: 'What to send as `since` then; null where there are no others.',
    },
  },
  RedeliverEventRequest: { about: 'Nothing is to be said: the path has the ids.' },
  EndpointRedelivery: {
    about: 'A delivery to a webhook endpoint that was asked for by hand.',
    fields: {
      endpoint_id: 'The endpoint that it goes to.',
      event_id: 'The event that it brings.',
      due_at: "When it goes out, on the merchant's clock: now.",
    },
  },
  RedeliverRequest: { about: 'Nothing is to be said: the path has the ids.' },
  Redelivery: {
    about: 'A delivery that was asked for by hand.',
    fields: {
      sink_id: 'The sink that it goes to.',
      event_id: 'The event that it brings.',
      due_at: "When it goes out, on the merchant's clock: now.",
    },
  },
};

const QUERY: Texts = {
  limit: 'How many a page holds at most.',
  after: 'The `next_cursor` of the page before; left out, the list begins.',
  after_sequence:
    'Those after this sequence number, oldest first: 0, or the `next_sequence` of the page before. Not with `after`.',
  status: 'Those with this status alone.',
  method: 'Those with this method alone.',
  reference: 'Those with exactly this reference alone.',
  provider: 'Those of this provider alone.',
  value_date: 'Those of this day alone, YYYY-MM-DD in Asia/Bangkok.',
  payment_id: 'Those of this payment alone.',
  type: 'Those of this type alone.',
  resource_id: 'Those of this resource alone, of whatever kind.',
};

/** Parameters of paths, by what stands before them. */
const PATH: Texts = {
  'payments/{id}': 'The id of the payment: `pay_…`.',
  'refunds/{id}': 'The id of the refund: `ref_…`.',
  'payment-links/{id}': 'The id of the payment link: `lnk_…`.',
  'payouts/{id}': 'The id of the payout: `pot_…`.',
  'settlements/{id}': 'The id of the settlement: `stl_…`.',
  'events/{id}': 'The id of the event: `evt_…`.',
  'sinks/{id}': 'The id of the sink: `snk_…`.',
  'webhook-endpoints/{id}': 'The id of the webhook endpoint: `whe_…`.',
  'deliveries/{delivery_id}': 'The id of the attempt that is repeated: `dlv_…`.',
  'sink/{token}': 'The token of the sink, as its `url` ends.',
  'checkout/{token}': 'The token of the payment, as its `checkout_url` ends.',
  'providers/{provider}': 'The name of the provider: `stripe`.',
  '{provider}/{token}': 'The token of the connection, as the address ends that was entered at the provider.',
  'l/{code}': 'The `code` of the payment link.',
  'errors/{code}': 'The code that is to be explained.',
};

function withoutSecret({ secret: _, ...texts }: Texts): Texts {
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
