import type { Payment } from './payment.ts';

/* What a payer has told of themselves is taken out, and nothing else: amounts, times and the merchant's own words stay. */

type Json = Readonly<Record<string, unknown>>;

const NOBODY = { email: null, name: null, phone: null } as const;
/** The payer in a payment as the API shows it: flat, and nested where it was canceled. */
const FLAT = { customer_email: null, customer_name: null, customer_phone: null } as const;

/** A payment whose payer is erased: the instant says so, and that it is on record. */
export function erasePayer(payment: Payment, realNowMs: number): Payment {
  return {
    ...payment,
    version: payment.version + 1,
    customer: NOBODY,
    clientIp: null,
    payerErasedAtMs: realNowMs,
  };
}

/** A payment as the API shows it, without its payer; null where it is another one, or there is nothing to take out. */
export function eraseFromView(shown: unknown, paymentId: string): Json | null {
  if (typeof shown !== 'object' || shown === null || (shown as Json).id !== paymentId) {
    return null;
  }
  const view = shown as Json;
  const redacted = {
    ...view,
    ...('customer_email' in view && FLAT),
    ...('customer' in view && { customer: NOBODY }),
  };
  return JSON.stringify(redacted) === JSON.stringify(view) ? null : redacted;
}

/** The text of an event, as it is kept and sent, without the payer; null where there is nothing to take out. */
export function eraseFromEvent(body: string, paymentId: string): string | null {
  const event = JSON.parse(body) as { readonly data: { readonly object: unknown } };
  const object = eraseFromView(event.data.object, paymentId);
  return object === null ? null : JSON.stringify({ ...event, data: { ...event.data, object } });
}

/** An answer that is kept for a replay, without the payer; null where there is nothing to take out. */
export function eraseFromAnswer(saved: string, paymentId: string): string | null {
  const answer = JSON.parse(saved) as { readonly contentType: string; readonly body: string };
  const body = answer.contentType.includes('json') ? eraseFromView(JSON.parse(answer.body), paymentId) : null;
  return body === null ? null : JSON.stringify({ ...answer, body: JSON.stringify(body) });
}
