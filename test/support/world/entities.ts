import type { Delivery } from '../../../shared/domain/delivery.ts';
import { type Endpoint, newEndpoint } from '../../../shared/domain/endpoint.ts';
import type { Payment } from '../../../shared/domain/payment.ts';
import type { PaymentId } from '../../../shared/domain/request-start.ts';
import { type EntityOf, perResource, type ResourceName } from '../../../shared/domain/resource.ts';
import type { Sink } from '../../../shared/domain/testkit/sink.ts';
import { worldIdOf } from '../../../shared/domain/world.ts';
import type { StoredWorld } from '../../../shared/store/worlds/world.ts';

/** The instant at which these entities were made. */
export const CREATED_AT_MS = Date.UTC(2026, 10, 2, 3, 4, 5, 678);
const MINUTE_MS = 60_000;
const BAHT_100 = { currency: 'THB', minor: 10_000 } as const;
const MADE = { version: 1, createdAtMs: CREATED_AT_MS, updatedAtMs: CREATED_AT_MS };

/** Resources as they are when they are new. */
export const ENTITIES = {
  /** 100 baht without a method, with 15 minutes to pay. */
  payment: {
    ...MADE,
    id: 'pay_01h455vb4pex5vsknk084sn02q' as PaymentId,
    number: 'P-000001',
    status: 'created',
    statusHistory: [{ status: 'created', atMs: CREATED_AT_MS }],
    amount: BAHT_100,
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
    expiresAtMs: CREATED_AT_MS + 15 * MINUTE_MS,
    succeededAtMs: null,
  },
  refund: {
    ...MADE,
    id: 'ref_01h455vb4pex5vsknk084sn02q',
    number: 'R-000001',
    paymentId: 'pay_01h455vb4pex5vsknk084sn02q',
    status: 'requested',
    statusHistory: [{ status: 'requested', atMs: CREATED_AT_MS }],
    amount: { currency: 'THB', minor: 2_500 },
    reason: null,
    reasonCode: 1,
    succeededAtMs: null,
  },
  paymentLink: {
    ...MADE,
    id: 'lnk_01h455vb4pex5vsknk084sn02q',
    number: 'L-000001',
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
    heldBy: null,
    metadata: {},
    returnUrl: null,
    expiresAtMs: null,
  },
  /** The bank has not spoken about it yet. */
  payout: {
    ...MADE,
    id: 'pot_01h455vb4pex5vsknk084sn02q',
    number: 'O-000001',
    settlementId: 'stl_01h455vb4pex5vsknk084sn02q',
    provider: 'sim_provider',
    status: 'pending',
    amount: BAHT_100,
    returnReason: null,
  },
  settlement: {
    ...MADE,
    id: 'stl_01h455vb4pex5vsknk084sn02q',
    number: 'S-000001',
    provider: 'sim_provider',
    valueDate: '2026-11-02',
    status: 'matched',
    expected: BAHT_100,
    stated: BAHT_100,
    payoutId: 'pot_01h455vb4pex5vsknk084sn02q',
    actionId: 'act_01h455vb4pex5vsknk084sn02q',
    providerEventId: 'evt_1',
  },
} satisfies { readonly [Name in ResourceName]?: EntityOf<Name> };

/** Makes one like a model, but for some fields. */
function like<Model>(model: Model) {
  return (changes: Partial<Model> = {}): Model => ({ ...model, ...changes });
}

export const aPayment = like<Payment>(ENTITIES.payment);
export const aRefund = like<EntityOf<'refund'>>(ENTITIES.refund);
export const aPaymentLink = like<EntityOf<'paymentLink'>>(ENTITIES.paymentLink);
export const aPayout = like<EntityOf<'payout'>>(ENTITIES.payout);

/** A payment of 100 baht that was paid one minute after it was made. */
export function aPaidPayment(changes: Partial<Payment> = {}): Payment {
  const paidAtMs = CREATED_AT_MS + MINUTE_MS;
  return aPayment({ status: 'succeeded', succeededAtMs: paidAtMs, updatedAtMs: paidAtMs, ...changes });
}

/** An endpoint of a sink, which gets everything. */
export const anEndpoint = like<Endpoint>(
  newEndpoint(
    {
      id: 'snk_01h455vb4pex5vsknk084sn02q',
      slot: 17,
      url: '/sink/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    },
    CREATED_AT_MS,
  ),
);

/** A sink that has received nothing and responds with 200: that endpoint delivers to it. */
export const aSink = like<Sink>({
  ...MADE,
  id: 'snk_01h455vb4pex5vsknk084sn02q',
  slot: 17,
  name: 'sink-1',
  token: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  failCount: 0,
  receivedCount: 0,
  respondStatus: 200,
});

export const aWorld = like<StoredWorld>({
  id: worldIdOf('demo', 'test'),
  merchant: 'demo',
  mode: 'test',
  epoch: 1,
  clockOffsetMs: 0,
  clockVersion: 0,
  movedToMs: null,
  eventBlock: null,
  backloggedEndpoints: new Set(),
  backlogVersion: 0,
  undeletedEpoch: null,
  forkSource: null,
  provider: null,
  counts: perResource(() => 0),
});

/** A delivery that its receiver took at once, of real time: a log of deliveries is kept for a while only. */
export function aDelivery(changes: Partial<Delivery> = {}): Delivery {
  return {
    id: 'dlv_01h455vb4pex5vsknk084sn02q',
    endpointId: 'snk_01h455vb4pex5vsknk084sn02q',
    eventId: 'evt_01h455vb4pex5vsknk084sn02q',
    resourceId: 'pay_01h455vb4pex5vsknk084sn02q',
    sequence: 1,
    firstSequence: 1,
    attempt: 1,
    status: 'delivered',
    responseStatus: 200,
    signatureVerdict: 'valid',
    requestHeaders: {},
    attemptedAtMs: Date.now(),
    nextAttemptAtMs: null,
    ...changes,
  };
}

/** A resource after a step to another status. */
export function became<Entity extends Payment | EntityOf<'refund'>>(
  entity: Entity,
  status: Entity['status'],
  atMs: number,
): Entity {
  const statusHistory = [...entity.statusHistory, { status, atMs }];
  return { ...entity, status, version: entity.version + 1, updatedAtMs: atMs, statusHistory };
}
