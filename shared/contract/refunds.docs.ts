import { statesAllowing } from '../domain/machine.ts';
import { refundMachine } from '../domain/refund.ts';
import { statusesInWords } from './statuses-in-words.ts';

export const refundDocs = {
  operations: {
    requestRefund: [
      'Request a refund of a succeeded payment',
      'Without an amount, the remaining amount is refunded. The refunds of a payment never exceed its amount, however many are requested at once.',
    ],
    cancelRefund: [
      'Cancel a refund before its approval',
      `Possible only in ${statusesInWords(statesAllowing(refundMachine, 'cancel'))}, for 15 minutes after the request. The amount can be refunded again.`,
    ],
    getRefund: [
      'Retrieve a refund',
      'Returns its current state, with all previous statuses in `status_history`. If it failed, `failure_code` has the reason, and its amount can be refunded again.',
    ],
    listRefunds: [
      'List refunds, newest first',
      'Filters can be combined: by status, by payment, and by the time of the request.',
    ],
  },
  paths: {
    'refunds/{id}': 'The id of the refund: `ref_…`.',
  },
  queries: {
    payment_id: 'Only refunds of this payment.',
  },
  schemas: {
    Refund: {
      about: 'A refund of a payment, in full or in part.',
      id: 'The id of the refund.',
      payment_id: 'The refunded payment.',
      amount: 'The amount to refund.',
      reason: 'Reason in your own words; null if none was given.',
      reason_code:
        'Reason code: 1 requested by customer, 2 duplicate, 3 fraudulent, 4 not received, 5 not as described, 6 other. 9999, for tests: the refund is rejected at its approval.',
      failure_code: "The provider's code of the failure; null unless the refund failed with one.",
      succeeded_at: "Time at which the refund succeeded, on the merchant's clock; null until then.",
      status:
        "Status of the refund. `requested` becomes `approved` (or `rejected`) after 15 minutes on the merchant's clock, then `processing`, then `succeeded` or `failed`. `canceled`: the refund was canceled before its approval.",
      status_history:
        "All statuses of the refund, oldest first, at most 20, each with its time on the merchant's clock. Empty for refunds created before this field existed.",
    },
    RefundStatusAt: {
      about: 'A status of a refund, and when it began.',
      status: 'The status.',
      at: "Time at which the status began, on the merchant's clock.",
    },
    RequestRefundRequest: {
      about: 'The refund to request.',
      amount:
        'The amount to refund, in the currency of the payment. Default: the remaining amount; refunds in progress count as refunded.',
      reason: 'Reason in your own words.',
      reason_code:
        'Reason code: 1 requested by customer (default), 2 duplicate, 3 fraudulent, 4 not received, 5 not as described, 6 other. 9999, for tests: the refund is rejected at its approval.',
    },
    CancelRefundRequest: { about: 'Optional. The path already has the id.' },
  },
  events: {
    'refund.requested': 'A refund was requested. It can be canceled for 15 minutes.',
    'refund.approved': 'The refund is approved, and can no longer be canceled.',
    'refund.rejected': 'The refund was rejected: no money moves, and the amount can be refunded again.',
    'refund.processing': 'The refund was handed to the provider.',
    'refund.succeeded':
      'The money is on its way back to the payer. `refunded_minor` of the payment includes it.',
    'refund.failed': 'The provider could not refund it: the amount can be refunded again.',
    'refund.canceled': 'You canceled the refund before it was approved.',
  },
} as const;
