import type { NextAction } from './next-action.ts';

interface MethodRow {
  /** Minutes until the payment expires, where the merchant sets no time (contract §5). */
  readonly minutes: number;
  /** The kind of next action that the payer gets. */
  readonly action: NextAction['type'];
}

/** THE TABLE OF METHODS. To add a method: a row here, and its texts for payers and for the OpenAPI document. */
export const METHODS = {
  promptpay: { minutes: 15, action: 'display_qr' },
  truemoney: { minutes: 20, action: 'redirect' },
  linepay: { minutes: 20, action: 'redirect' },
  shopeepay: { minutes: 20, action: 'redirect' },
  bank_transfer: { minutes: 1_440, action: 'bank_transfer' },
  direct_debit: { minutes: 15, action: 'redirect' },
  installment: { minutes: 60, action: 'redirect' },
} as const satisfies Record<string, MethodRow>;

type MethodTable = typeof METHODS;
export type PaymentMethod = keyof MethodTable;
/** Methods for which the payer is sent to another company's app or site. */
export type RedirectMethod = {
  [Method in PaymentMethod]: MethodTable[Method]['action'] extends 'redirect' ? Method : never;
}[PaymentMethod];

export const PAYMENT_METHODS = Object.keys(METHODS) as readonly PaymentMethod[];
