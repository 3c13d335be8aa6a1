import type { Delivery } from '../domain/delivery.ts';
import type { Payment } from '../domain/payment.ts';

/* Erasure removes a payer's personal data and nothing else: amounts, times and the merchant's own texts stay. */

type JsonValue = Readonly<Record<string, unknown>>;

const NOBODY = { email: null, name: null, phone: null } as const;
/** The payer's fields in a payment as the API shows it; the response of a cancel nests them under `customer`. */
const FLAT = { customer_email: null, customer_name: null, customer_phone: null } as const;

/** The payment without its payer's data. `payerErasedAtMs` marks it as erased. */
export function withoutPayer(payment: Payment, realNowMs: number): Payment {
  return {
    ...payment,
    version: payment.version + 1,
    customer: NOBODY,
    clientIp: null,
    payerErasedAtMs: realNowMs,
  };
}

/** A payment as the API shows it, without the payer; null where it is another payment or holds nothing to erase. */
export function eraseFromView(shown: unknown, paymentId: string): JsonValue | null {
  if (typeof shown !== 'object' || shown === null || (shown as JsonValue).id !== paymentId) {
    return null;
  }
  const view = shown as JsonValue;
  const redacted = {
    ...view,
    ...('customer_email' in view && FLAT),
    ...('customer' in view && { customer: NOBODY }),
  };
  return JSON.stringify(redacted) === JSON.stringify(view) ? null : redacted;
}

/** The JSON body of an event without the payer; null where it holds nothing to erase. */
export function eraseFromEvent(body: string, paymentId: string): string | null {
  const event = JSON.parse(body) as { readonly data: { readonly object: unknown } };
  const object = eraseFromView(event.data.object, paymentId);
  return object === null ? null : JSON.stringify({ ...event, data: { ...event.data, object } });
}

/**
 * An attempt to deliver an event of a payment, without what others wrote: the stored response, which may repeat what was
 * sent, and the state of the trace. Null where neither is stored, or the event is about another resource.
 */
export function eraseFromDelivery(delivery: Delivery, paymentId: string): Delivery | null {
  const { responseStart, requestHeaders, ...others } = delivery;
  const { tracestate, ...headers } = requestHeaders;
  const isEmpty = responseStart === undefined && tracestate === undefined;
  return isEmpty || delivery.resourceId !== paymentId ? null : { ...others, requestHeaders: headers };
}

/** A saved response, without the payer; null where it holds nothing to erase. */
export function eraseFromResponse(saved: string, paymentId: string): string | null {
  const response = JSON.parse(saved) as { readonly contentType: string; readonly body: string };
  const body = response.contentType.includes('json')
    ? eraseFromView(JSON.parse(response.body), paymentId)
    : null;
  return body === null ? null : JSON.stringify({ ...response, body: JSON.stringify(body) });
}
