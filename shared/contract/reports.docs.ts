export const reportDocs = {
  operations: {
    getBalance: [
      'Retrieve the balance',
      'What you are owed and what was paid out. Payments and refunds count from the moment they succeed. A matched settlement moves money from `unsettled` to `pending`, and its payout moves it to `paid_out` once paid. The amount of a failed or returned payout is unsettled again. The three sums are read one after another, not at one moment.',
    ],
    getDailyStatistics: [
      'Retrieve statistics by day',
      'Succeeded payments and succeeded refunds of each day in Asia/Bangkok, oldest first. Days without any are included.',
    ],
  },
  queries: {
    from: 'The first day: YYYY-MM-DD, in Asia/Bangkok. Default: 29 days before `to`.',
    to: "The last day, inclusive: at most 91 days after `from`. Default: today on the merchant's clock, or 91 days after `from` if that is earlier.",
  },
  schemas: {
    Balance: {
      about: "A merchant's money that is not settled, on its way, and paid out.",
      unsettled:
        'Succeeded payments less succeeded refunds, of all days not settled yet. It can be negative.',
      pending: 'Payouts on their way to the bank.',
      paid_out: 'Payouts that the bank has paid.',
      as_of: "Time of the request, on the merchant's clock.",
    },
    Tally: {
      about: 'A number of payments or refunds, and the sum of their amounts.',
      count: 'Their number.',
      amount: 'The sum of their amounts.',
    },
    DailyStatistics: {
      about: 'What succeeded on one day.',
      date: 'The day: YYYY-MM-DD, in Asia/Bangkok.',
      paid: 'Payments that succeeded on the day, late ones included.',
      refunded: 'Refunds that succeeded on the day.',
      by_method: 'The payments by method. Methods without a payment are left out.',
    },
    DailyStatisticsList: { about: 'Statistics by day.', data: 'The days, oldest first.' },
  },
} as const;
