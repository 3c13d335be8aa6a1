export const payoutDocs = {
  getPayout: 'Retrieve a payout',
  listPayouts: 'List payouts, newest first',
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
} as const;
