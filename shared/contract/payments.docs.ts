import { statesAllowing } from '../domain/machine.ts';
import { EXPIRES_IN_MINUTES, paymentMachine } from '../domain/payment.ts';
import { METHODS, PAYMENT_METHODS } from '../domain/payment-method.ts';
import { wordList } from '../domain/word-list.ts';
import { statusesInWords } from './statuses-in-words.ts';

const MINUTES = Object.groupBy(PAYMENT_METHODS, (method) => METHODS[method].minutes);
/** `15 for promptpay and direct_debit, … and 1,440 for bank_transfer and without a method`. */
const DEFAULT_MINUTES = wordList(
  Object.entries(MINUTES).map(([minutes, methods = []]) => {
    const names = wordList(methods);
    const without = Number(minutes) === EXPIRES_IN_MINUTES ? ' and without a method' : '';
    return `${minutes.replace(/\B(?=(\d{3})+$)/g, ',')} for ${names}${without}`;
  }),
);

const PAYMENT = {
  id: 'The id of the payment.',
  amount: 'The amount to pay.',
  checkout_url: "URL of the payer's checkout page. Null if a method was given without `checkout: true`.",
  description: 'Description shown to the payer; null if none was given.',
  expires_at: "Time at which the payment expires, on the merchant's clock.",
  failure_code:
    "The provider's code of the failure, such as `insufficient_funds`; null unless the payment failed with one.",
  handled_at: 'When it was last marked as handled; null if it never was.',
  handled_note: 'The note given then; null if there is none.',
  late: 'True if the money arrived after the payment had expired or was canceled. The money is kept, and the status is `succeeded`.',
  metadata: 'The metadata given at creation.',
  method: 'Payment method; null until one is chosen.',
  next_action: 'The next step for the payer; null unless the status is `requires_action`.',
  payment_link_id: 'The payment link that the payment was created from; null if there is none.',
  received:
    'The amount that arrived instead of `amount`, while the payment is held because of it; otherwise null.',
  reference: 'Your own reference; null if none was given. It need not be unique.',
  refunded_minor: 'Sum of succeeded refunds, in minor units of the currency of `amount`.',
  rehearsal:
    "Present only in live mode, and only if true: the payment was created while your provider account was in the provider's own test mode. No money moves, so do not fulfill it.",
  return_url: 'URL to which the payer returns afterwards; null if none was given.',
  status:
    'Status of the payment. `created`: no method is chosen yet. `requires_action`: the payer must complete `next_action`. `processing`: money may be on its way. `succeeded`: the payment is paid. `failed`, `expired`, `canceled`: it was not paid.',
  status_history:
    "All statuses of the payment, oldest first, at most 20, each with its time on the merchant's clock. Empty for payments created before this field existed.",
  succeeded_at: "Time of payment, on the merchant's clock; null until then.",
};

const EXPIRES_AT = "Time at which this action expires, on the merchant's clock.";

export const paymentDocs = {
  operations: {
    createPayment: [
      'Create a payment',
      'With a method, the status is `requires_action` at once, and `next_action` says what to show the payer. Without a method, the status is `created`, and the payer chooses one on the page at `checkout_url`.',
    ],
    cancelPayment: [
      'Cancel an unpaid payment',
      `Possible in ${statusesInWords(statesAllowing(paymentMachine, 'cancel'))}. The payer can no longer pay it. Money that still arrives is kept: the payment becomes \`succeeded\` with \`late: true\`, and can be refunded. Only this response has \`customer\` as an object.`,
    ],
    markPaymentHandled: [
      'Mark a payment as handled',
      'For a payment that needs somebody: money that came late, or of another amount. It records that somebody has dealt with it, so that the dashboard and reports no longer ask for it. Nothing else changes, and there is no event. Repeat it to replace the note.',
    ],
    getPayment: [
      'Retrieve a payment',
      "Returns its state at this moment of the merchant's clock, with all previous statuses in `status_history`. To learn of changes, use webhooks instead of polling.",
    ],
    listPayments: [
      'List payments, newest first',
      'A page filtered by status or method examines a limited number of payments: it may have fewer than `limit` although `has_more` is true. Continue with `next_cursor`.',
    ],
  },
  paths: {
    'payments/{id}': 'The id of the payment: `pay_…`.',
  },
  queries: {
    method: 'Only payments with this method.',
    reference: 'Only payments with exactly this reference.',
    reference_prefix: 'Only payments whose reference begins with this, which has at least 3 characters.',
    amount_minor: 'Only payments of exactly this amount, in minor units.',
    customer_email: 'Only payments with this email of the payer, in upper or lower case.',
    number: 'Only the payment with exactly this number, such as `P-000042`.',
  },
  schemas: {
    PaymentMethod: { about: 'Payment method.' },
    Payment: {
      about: 'A payment of one amount by one payer.',
      ...PAYMENT,
      customer_email: "The payer's email address; null if none was given.",
      customer_name: "The payer's name; null if none was given.",
      customer_phone: "The payer's phone number in E.164 format (`+66812345678`); null if none was given.",
    },
    CanceledPayment: {
      about: 'A canceled payment, in the response to its cancelation. Here the payer is one object.',
      ...PAYMENT,
      customer: 'The payer.',
    },
    PaymentStatusAt: {
      about: 'A status of a payment, and when it began.',
      status: 'The status.',
      at: "Time at which the status began, on the merchant's clock.",
    },
    Customer: {
      about: 'The payer.',
      email: 'Email address; null if none was given.',
      name: 'Name; null if none was given.',
      phone: 'Phone number in E.164 format (`+66812345678`); null if none was given.',
    },
    CustomerInput: {
      about: 'The payer, as far as known.',
      email: 'Email address, as a browser accepts it.',
      name: 'Name of the payer.',
      phone:
        'Phone number in E.164 format (`+66812345678`) or as Thai people write it (`081-234-5678`, `+66 (0)81 234 5678`): spaces, hyphens, dots, parentheses and Thai digits are accepted. Stored as E.164.',
    },
    NextAction: { about: 'The next step for the payer; `type` names which one.' },
    DisplayQrAction: {
      about: 'Show the payer a PromptPay QR code to scan with a banking app.',
      type: 'The type of action.',
      qr: 'The QR code to show.',
      expires_at: EXPIRES_AT,
    },
    PromptPayQr: {
      about: 'A PromptPay QR code. A code of test mode cannot be paid with a banking app.',
      payload: 'Content of the QR code (EMVCo), to draw it yourself.',
      image_svg_url: 'URL of the QR code as an SVG image, for an `img` element.',
    },
    RedirectAction: {
      about: 'Redirect the payer to a page.',
      type: 'The type of action.',
      url: 'URL to which to redirect the payer.',
      expires_at: EXPIRES_AT,
    },
    BankTransferAction: {
      about: 'Ask the payer to transfer the amount to an account.',
      type: 'The type of action.',
      bank_code: 'Three-digit Thai bank code; in test mode `000`, which belongs to no bank.',
      account_number: 'Account number.',
      account_name: 'Name of the account holder.',
      reference: 'Reference that the payer must state with the transfer.',
      amount: 'The exact amount to transfer.',
      expires_at: EXPIRES_AT,
    },
    CreatePaymentRequest: {
      about: 'The payment to create.',
      amount: 'The amount to pay.',
      method: 'Payment method. If omitted, the payer chooses one on the page at `checkout_url`.',
      reference: 'Your own reference, such as an order number. It need not be unique.',
      description: 'Description shown to the payer.',
      customer: 'The payer.',
      expires_in_minutes: `Minutes until the payment expires, on the merchant's clock. Default: ${DEFAULT_MINUTES}.`,
      checkout: 'Whether to create a checkout page although a method is given. Default: false.',
      client_ip: "The payer's IPv4 or IPv6 address, for risk checks. It is stored and never returned.",
      metadata: 'Your own data on the resource.',
      return_url:
        'URL to which the payer returns from the checkout page: absolute http or https, without user name and password; in live mode, https.',
    },
    MarkPaymentHandledRequest: {
      about: 'What was done, if you want to say.',
      note: 'A note to colleagues. Payers never see it.',
    },
    CancelPaymentRequest: { about: 'Optional. The path already has the id.' },
  },
  events: {
    'payment.created': 'A payment was created, by your request or by a payer on the page of a payment link.',
    'payment.requires_action':
      'The payer must act: scan a QR code, confirm in a wallet, or transfer money. `next_action` has the details.',
    'payment.processing':
      'Money may be on its way: the provider has not decided yet. Do not fulfill the order, and do not ask the payer to pay again.',
    'payment.amount_mismatch':
      'The money that arrived differs from the requested amount. It is held, and the payment stays in `processing`; `received` is the amount that arrived.',
    'payment.succeeded':
      'The payment is paid: fulfill the order now. With `late: true`, the money came after the payment had expired or was canceled; fulfill the order, or refund it.',
    'payment.failed':
      'The payment was not paid. `failure_code` has the code of the provider, if there is one.',
    'payment.expired':
      'The time to pay is over. Money that still arrives is kept, and makes the payment `succeeded` with `late: true`.',
    'payment.canceled': 'You canceled the payment: the payer can no longer pay it.',
  },
} as const;
