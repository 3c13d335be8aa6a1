import type { ShownMoney } from '../../shared/story/amounts.ts';
import { formatMoney } from '../terminal/baht.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { coloured } from '../terminal/lines.ts';

/** What identifies a resource to a person, as far as it has it. */
interface NamedResource {
  readonly id: string;
  readonly number?: string;
  readonly amount?: ShownMoney | null;
  readonly status?: string;
  readonly reference?: string | null;
  /** Of a refund. */
  readonly payment_id?: string;
}

/** A resource in a line: `P-000001  20.00 THB  requires_action  pay_…  order-1042`. */
export function resourceLine(resource: NamedResource): string {
  const { id, number, amount, status, reference, payment_id: paymentId } = resource;
  const known = [
    number && cleanText(number),
    amount && formatMoney(amount),
    status && coloured(cleanText(status)),
  ];
  const more = [reference && cleanText(reference), paymentId && `of ${cleanText(paymentId)}`];
  return [...known, cleanText(id), ...more].filter(Boolean).join('  ');
}
