export const payoutDocs = {
  operations: {
    getPayout: [
      'Retrieve a payout',
      'A payout transfers the money of a settlement to the bank account. If it fails or is returned, its amount is unsettled again, and the next matched settlement pays it out again.',
    ],
    listPayouts: [
      'List payouts, newest first',
      'Each has the id of its settlement, so that you can match a bank statement with payments.',
    ],
  },
  paths: {
    'payouts/{id}': 'The id of the payout: `pot_…`.',
  },
  schemas: {
    Payout: {
      about: "A transfer of a settlement's amount to the merchant's account.",
      id: 'The id of the payout.',
      settlement_id: 'The settlement that is paid out; of a seeded month, the last one of its week.',
      provider: 'The paying provider.',
      amount: 'The amount of the payout.',
      return_reason: 'Why the bank returned the payout; null unless the status is `returned`.',
      status:
        'Status of the payout. `pending`: on its way. `paid`: it has arrived. `failed`: it did not arrive. `returned`: the bank returned it. The amount of a failed or returned payout is unsettled again and goes into the next payout.',
    },
  },
  events: {
    'payout.created': 'A matched settlement created a payout to your bank account.',
    'payout.paid': 'The bank has accepted the payout.',
    'payout.returned': 'The bank returned the payout. `return_reason` has the reason.',
    'payout.failed': 'The payout could not be sent.',
  },
} as const;
