import { OPEN_REFUND_STATUSES } from '../../domain/refund.ts';
import { statusesInWords } from '../statuses-in-words.ts';

const SIMULATION_BODY = {
  delay_seconds:
    "Delay before the provider reports the outcome, in seconds on the merchant's clock. Default: 0, at once. The outcome is skipped if the status no longer allows it by then.",
  event_id:
    "The provider's id of the event, in printable ASCII. Repeating an id with the same content changes nothing and returns `replayed: true`; with different content, the request is refused. Default: a new id.",
  result_code:
    "The provider's result code. Default: `approved`, `declined`, `pending` or `amount_mismatch`, depending on the outcome.",
};

export const simulationDocs = {
  operations: {
    simulatePayment: [
      'Simulate the outcome of a payment',
      "With `delay_seconds`, the outcome takes effect later, on the merchant's clock, and is skipped if the status no longer allows it. A repeated `event_id` with the same content changes nothing and returns `replayed: true`.",
    ],
    simulateRefund: [
      'Simulate the outcome of a refund',
      `Possible in ${statusesInWords(OPEN_REFUND_STATUSES)}; the refund passes through every status in between. A refund with the reason code 9999 is rejected at its approval and ends there; the response has the outcome \`rejected\`.`,
    ],
    simulatePayout: [
      'Simulate the outcome of a payout',
      'The bank pays it, refuses it or returns it. `return_reason` is the reason for a return, by default `account_closed`. A paid payout can still be returned.',
    ],
    simulateSettlement: [
      'Simulate a settlement',
      'A provider settles what it owes up to a day in Asia/Bangkok. The outcome is `matched` (a payout is created), `mismatched` (the amount differs, no payout) or `empty` (nothing to settle). One settlement takes at most 9,007,199,254,740,991 satang; the rest stays for the next one.',
    ],
  },
  schemas: {
    SimulationResult: {
      about: 'Result of a simulation. Ids that do not apply are null.',
      outcome:
        'The outcome: the requested outcome if it took effect, `rejected` if the refund was rejected at its approval, `queued` during a delay, `skipped` if the status no longer allowed it; for a settlement `matched`, `mismatched` or `empty`.',
      payment_id: 'The simulated payment; null if the simulation was of something else.',
      payout_id: 'The simulated payout, or the payout that a settlement created; null if there is none.',
      refund_id: 'The simulated refund; null if the simulation was of something else.',
      provider_event_id: "The provider's id of the event.",
      replayed: 'True if the same simulation was received before, so nothing was changed.',
    },
    SimulatePaymentRequest: {
      about: 'The outcome that the provider reports for the payment.',
      ...SIMULATION_BODY,
      outcome:
        'The reported outcome: `succeeded`; `failed`; `pending`: the money is on its way; `mismatch`: the paid amount differs from the amount of the payment.',
      amount:
        "The paid amount. With `mismatch`, it must differ from the payment's amount; the default is one minor unit more. Otherwise it must equal the payment's amount, which is the default.",
    },
    SimulateRefundRequest: {
      about: 'The outcome that the provider reports for the refund.',
      ...SIMULATION_BODY,
      outcome: 'The reported outcome.',
    },
    SimulatePayoutRequest: {
      about: 'The outcome that the bank reports for the payout.',
      outcome:
        'The reported outcome. `paid`: the money has arrived. `failed`: it did not arrive. `returned`: the bank returned it, possibly after it had arrived.',
      return_reason: 'Why the bank returned the payout; only with `returned`. Default: `account_closed`.',
    },
    SimulateSettlementRequest: {
      about: 'The settlement that the provider reports.',
      amount: 'The amount that the provider states. Default: the expected amount.',
      provider: 'Name of the provider. Default: `sim_provider`.',
      value_date:
        "The last settled day, in Asia/Bangkok, up to its end; not in the future on the merchant's clock. Default: today on the merchant's clock.",
    },
    StatedAmount: {
      about: 'The amount that a provider states for many payments. It may exceed the maximum of one payment.',
    },
  },
} as const;
