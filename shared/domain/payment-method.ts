import type { NextAction } from './next-action.ts';

interface MethodRow {
  /** Minutes that a payer has where the merchant gives no time (contract §5). */
  readonly minutes: number;
  /** What the payer is asked to do. */
  readonly action: NextAction['type'];
}

/** THE TABLE OF METHODS. To add one: a row here, and what payers and the document read of it. */
export const METHODS = {
  promptpay: { minutes: 15, action: 'display_qr' },
  truemoney: { minutes: 20, action: 'redirect' },
  linepay: { minutes: 20, action: 'redirect' },
  shopeepay: { minutes: 20, action: 'redirect' },
  bank_transfer: { minutes: 1_440, action: 'bank_transfer' },
  direct_debit: { minutes: 15, action: 'redirect' },
  installment: { minutes: 60, action: 'redirect' },
} as const satisfies Record<string, MethodRow>;

type Methods = typeof METHODS;
export type PaymentMethod = keyof Methods;
/** Those for which a payer goes on in an app or on a site of somebody else's. */
export type RedirectMethod = {
  [Method in PaymentMethod]: Methods[Method]['action'] extends 'redirect' ? Method : never;
}[PaymentMethod];

export const PAYMENT_METHODS = Object.keys(METHODS) as readonly PaymentMethod[];
