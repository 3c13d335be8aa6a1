import type { PaymentMethod } from '../domain/payment-method.ts';
import { Html, html } from './html.ts';

/** Pictures of the methods, drawn for these pages: no company's logo. */
const STROKES: Readonly<Record<PaymentMethod, string>> = {
  promptpay: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 14h2v6h-6',
  truemoney: 'M4 7h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H4zM4 7l11-3v3M16 13h.5',
  linepay: 'M12 4c5 0 8 3 8 6.5 0 4-5 7-8 9v-3c-5 0-8-2.5-8-6S7 4 12 4zM9 10.5h6',
  shopeepay: 'M5 8h14l-1 12H6zM9 8a3 3 0 0 1 6 0M9 13h6',
  bank_transfer: 'M4 10l8-6 8 6zM6 10v7M10 10v7M14 10v7M18 10v7M4 20h16',
  direct_debit: 'M4 9l8-5 8 5zM5 12h10M12 9l3 3-3 3M19 18H9M12 15l-3 3 3 3',
  installment: 'M5 6h14v14H5zM5 10h14M9 4v3M15 4v3M9 14h.5M12 14h.5M15 14h.5M9 17h.5',
};

/** The picture of a method, beside its name. */
export function renderMethodMark(method: PaymentMethod): Html {
  return html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"><path d="${STROKES[method]}"/></svg>`;
}

/** The sign of PromptPay in words, drawn for these pages: on white, as the QR under it. */
export const PROMPTPAY_MARK = new Html(
  '<svg class="promptpay" viewBox="0 0 150 40" width="150" height="40" role="img" aria-label="PromptPay"><rect x="1" y="1" width="148" height="38" rx="6" fill="#fff" stroke="#14427a" stroke-width="2"/><text x="12" y="17" font-size="11" font-weight="600" fill="#14427a" font-family="system-ui, sans-serif">พร้อมเพย์</text><text x="12" y="33" font-size="15" font-weight="700" fill="#14427a" font-family="system-ui, sans-serif">Prompt<tspan fill="#1b6d5a">Pay</tspan></text><path d="M116 29a10 10 0 1 1 10 1M126 12v18M119 22h14" fill="none" stroke="#1b6d5a" stroke-width="3" stroke-linecap="round"/></svg>',
);
