import type { AttemptRequest } from '../../../shared/domain/attempt-request.ts';
import { newId } from '../../../shared/domain/id.ts';
import type { ProviderAttempt } from '../../../shared/domain/provider-attempt.ts';
import type { PaymentId } from '../../../shared/domain/request-start.ts';
import type { RefundRequest } from '../../../shared/providers/provider.ts';

/** A request to initiate an attempt of a new payment. */
export function newAttemptRequest(more: Partial<AttemptRequest> = {}): AttemptRequest {
  const nowMs = Date.now();
  return {
    paymentId: newId('pay', nowMs) as PaymentId,
    number: 'P-000001',
    attemptId: newId('att', nowMs),
    method: 'promptpay',
    amount: { currency: 'THB', minor: 129_900 },
    expiresAtMs: nowMs + 900_000,
    sinceMs: nowMs,
    email: 'somchai@example.com',
    pages: {
      checkoutUrl: 'https://pay.example/checkout/t',
      qrSvgUrl: 'https://pay.example/checkout/t/qr.svg',
    },
    ...more,
  };
}

/** The attempt of a request that was sent. */
export function sentBy(request: AttemptRequest, reference: string | null = null): ProviderAttempt {
  return { ...request, reference, untilMs: Date.now() };
}

/** A request to pay back an attempt that was paid. */
export function newRefundRequest(
  request: AttemptRequest,
  paymentReference: string,
  more: Partial<RefundRequest> = {},
): RefundRequest {
  const { paymentId, amount, email } = request;
  const nowMs = Date.now();
  return {
    refundId: newId('ref', nowMs),
    paymentId,
    paymentReference,
    amount,
    email,
    sinceMs: nowMs,
    ...more,
  };
}
