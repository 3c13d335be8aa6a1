export const reportDocs = {
  getBalance: [
    'Retrieve the balance',
    'What you are owed and what was paid out. Payments and refunds count from the moment they succeed; money moves from `unsettled` to `pending` by a settlement that matched, and from there to `paid_out` when the payout is paid. A payout that comes back is unsettled again. The three are read one after another, not at one moment.',
  ],
  getDailyStatistics: [
    'Retrieve statistics by day',
    'Payments that succeeded and refunds that did, for each day in Asia/Bangkok, oldest first. Days without any are listed too.',
  ],
  '?from': 'The first day: YYYY-MM-DD, in Asia/Bangkok. Default: the 30th day up to `to`.',
  '?to':
    "The last day, included: at most the 92nd from `from` on. Default: today on the merchant's clock, or that 92nd day.",
  Balance: {
    about: "A merchant's money that is not settled, on its way, and paid out.",
    unsettled: 'Succeeded payments less succeeded refunds, of all days not settled yet. It can be negative.',
    pending: 'Payouts on their way to the bank.',
    paid_out: 'Payouts that the bank has paid.',
    as_of: "Time of the request, on the merchant's clock.",
  },
  Tally: {
    about: 'How many there were, and their sum.',
    count: 'How many.',
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
} as const;
