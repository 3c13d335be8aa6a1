export const payoutDocs = {
  getPayout: [
    'Retrieve a payout',
    'A payout brings the money of one settlement to the bank account. One that fails or is returned puts its amount back into the balance, and the next matched settlement pays it out again.',
  ],
  listPayouts: [
    'List payouts, newest first',
    'Each has the settlement that it pays out, so that a bank statement can be matched with the payments behind it.',
  ],
  'payouts/{id}': 'The id of the payout: `pot_…`.',
  Payout: {
    about: "A transfer of a settlement's amount to the merchant's account.",
    id: 'The id of the payout.',
    settlement_id: 'The settlement that is paid out.',
    provider: 'The paying provider.',
    amount: 'The amount of the payout.',
    return_reason: 'Why the bank returned the payout; null unless the status is `returned`.',
    status:
      'Status of the payout. `pending`: on its way. `paid`: it has arrived. `failed`: it did not arrive. `returned`: the bank returned it. The amount of a failed or returned payout is unsettled again and goes into the next payout.',
  },
  'payout.created': 'A settlement has led to a payout to your bank account.',
  'payout.paid': 'The bank has accepted the payout.',
  'payout.returned': 'The bank sent the payout back. `return_reason` says why.',
  'payout.failed': 'The payout could not be sent.',
} as const;
