export const PAYMENT_METHODS = [
  'promptpay',
  'truemoney',
  'linepay',
  'shopeepay',
  'bank_transfer',
  'direct_debit',
  'installment',
] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
