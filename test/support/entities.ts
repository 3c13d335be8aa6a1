import type { PaymentId } from '../../shared/domain/beginning.ts';
import type { Delivery } from '../../shared/domain/delivery.ts';
import type { Payment } from '../../shared/domain/payment.ts';
import type { PaymentLink } from '../../shared/domain/payment-link.ts';
import type { Payout } from '../../shared/domain/payout.ts';
import type { Refund } from '../../shared/domain/refund.ts';
import type { Sink } from '../../shared/domain/testkit/sink.ts';
import { type World, worldIdOf } from '../../shared/domain/world.ts';

/** The instant at which these entities were made. */
export const CREATED_AT_MS = Date.UTC(2026, 10, 2, 3, 4, 5, 678);
const MINUTE_MS = 60_000;

/** A payment of 100 baht without a method, made a moment ago, with 15 minutes to pay. */
export function aPayment(changes: Partial<Payment> = {}): Payment {
  return {
    id: 'pay_01h455vb4pex5vsknk084sn02q' as PaymentId,
    number: 'P-000001',
    version: 1,
    status: 'created',
    amount: { currency: 'THB', minor: 10_000 },
    method: null,
    attempt: null,
    checkoutUrl: null,
    pageUrl: 'https://pay.example/checkout/token',
    pageSecret: 'aaaaaaaaaaaaaaaaaaaaaa',
    reference: null,
    description: null,
    customer: { email: null, name: null, phone: null },
    clientIp: null,
    metadata: {},
    returnUrl: null,
    linkId: null,
    late: false,
    refundedMinor: 0,
    refundableMinor: 10_000,
    createdAtMs: CREATED_AT_MS,
    updatedAtMs: CREATED_AT_MS,
    expiresAtMs: CREATED_AT_MS + 15 * MINUTE_MS,
    succeededAtMs: null,
    ...changes,
  };
}

/** A payment of 100 baht that was paid one minute after it was made. */
export function aPaidPayment(changes: Partial<Payment> = {}): Payment {
  const paidAtMs = CREATED_AT_MS + MINUTE_MS;
  return aPayment({ status: 'succeeded', succeededAtMs: paidAtMs, updatedAtMs: paidAtMs, ...changes });
}

export function aRefund(changes: Partial<Refund> = {}): Refund {
  return {
    id: 'ref_01h455vb4pex5vsknk084sn02q',
    number: 'R-000001',
    version: 1,
    paymentId: 'pay_01h455vb4pex5vsknk084sn02q',
    status: 'requested',
    amount: { currency: 'THB', minor: 2_500 },
    reason: null,
    reasonCode: 1,
    createdAtMs: CREATED_AT_MS,
    updatedAtMs: CREATED_AT_MS,
    succeededAtMs: null,
    ...changes,
  };
}

export function aPaymentLink(changes: Partial<PaymentLink> = {}): PaymentLink {
  return {
    id: 'lnk_01h455vb4pex5vsknk084sn02q',
    number: 'L-000001',
    version: 1,
    code: 'abcdefghjk',
    url: 'https://pay.example/l/abcdefghjk',
    status: 'active',
    amountType: 'fixed',
    amount: { currency: 'THB', minor: 35_000 },
    minAmount: null,
    maxAmount: null,
    currency: 'THB',
    collect: { email: 'optional', name: 'optional', phone: 'off' },
    description: null,
    maxUses: null,
    uses: 0,
    takenUses: 0,
    metadata: {},
    returnUrl: null,
    createdAtMs: CREATED_AT_MS,
    updatedAtMs: CREATED_AT_MS,
    expiresAtMs: null,
    ...changes,
  };
}

/** A payout of 100 baht that the bank has not spoken about yet. */
export function aPayout(changes: Partial<Payout> = {}): Payout {
  return {
    id: 'pot_01h455vb4pex5vsknk084sn02q',
    number: 'O-000001',
    version: 1,
    settlementId: 'stl_01h455vb4pex5vsknk084sn02q',
    provider: 'sim_provider',
    status: 'pending',
    amount: { currency: 'THB', minor: 10_000 },
    returnReason: null,
    createdAtMs: CREATED_AT_MS,
    updatedAtMs: CREATED_AT_MS,
    ...changes,
  };
}

/** A sink that has received nothing and answers 200. */
export function aSink(changes: Partial<Sink> = {}): Sink {
  return {
    id: 'snk_01h455vb4pex5vsknk084sn02q',
    slot: 1,
    version: 1,
    name: 'sink-1',
    token: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    failCount: 0,
    receivedCount: 0,
    respondStatus: 200,
    createdAtMs: CREATED_AT_MS,
    updatedAtMs: CREATED_AT_MS,
    ...changes,
  };
}

export function aWorld(changes: Partial<World> = {}): World {
  return {
    id: worldIdOf('demo', 'test'),
    merchant: 'demo',
    mode: 'test',
    epoch: 1,
    clockOffsetMs: 0,
    eventCount: 0,
    counts: { payment: 0, refund: 0, paymentLink: 0, payout: 0, settlement: 0 },
    ...changes,
  };
}

/** A delivery that its receiver took at once, of real time: a log of deliveries is kept for a while only. */
export function aDelivery(changes: Partial<Delivery> = {}): Delivery {
  return {
    id: 'dlv_01h455vb4pex5vsknk084sn02q',
    sinkId: 'snk_01h455vb4pex5vsknk084sn02q',
    eventId: 'evt_01h455vb4pex5vsknk084sn02q',
    resourceId: 'pay_01h455vb4pex5vsknk084sn02q',
    sequence: 1,
    body: '{}',
    attempt: 1,
    status: 'delivered',
    answeredStatus: 200,
    signatureVerdict: 'valid',
    requestHeaders: {},
    attemptedAtMs: Date.now(),
    nextAttemptAtMs: null,
    ...changes,
  };
}
