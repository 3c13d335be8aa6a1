export const settlementDocs = {
  operations: {
    getSettlement: [
      'Retrieve a settlement',
      'What a provider settles for one day in Asia/Bangkok: succeeded payments less succeeded refunds. `mismatched` means that the stated amount differs from the expected one: nothing is paid out.',
    ],
    listSettlements: [
      'List settlements, newest first',
      'At most one for each provider and day. Filters can be combined: by provider, by day, and by the time of creation.',
    ],
  },
  paths: {
    'settlements/{id}': 'The id of the settlement: `stl_…`.',
  },
  queries: {
    provider: 'Only settlements of this provider.',
    value_date: 'Only settlements of this day, YYYY-MM-DD in Asia/Bangkok.',
  },
  schemas: {
    SettlementStatus: {
      about:
        'Result of a settlement. `matched`: the provider stated the expected amount, and a payout was created. `mismatched`: it stated another amount, and no payout was created.',
    },
    Settlement: {
      about:
        "A provider's statement of what it owes up to a day, compared with the unsettled amount. It never changes.",
      id: 'The id of the settlement.',
      provider: 'The settling provider.',
      value_date: 'The last settled day, in Asia/Bangkok, up to its end.',
      expected: 'The expected amount: payments up to that day, less refunds. It is paid out if it matches.',
      stated: 'The amount that the provider stated; null if it stated none.',
      payout_id: 'The payout; null if none was created.',
      status: 'Result of the settlement.',
    },
  },
  events: {
    'settlement.matched': 'A provider settled a day with exactly the expected amount.',
    'settlement.mismatched':
      'A provider stated an amount for a day that differs from the expected one: compare `stated` with `expected`, and ask the provider.',
  },
} as const;
