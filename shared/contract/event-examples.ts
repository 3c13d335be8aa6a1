import { DAY_MS } from '../domain/clock.ts';
import {
  deleteEndpoint,
  type EndpointChange,
  endpointStep,
  newEndpoint,
  noteAttempts,
  updateEndpoint,
} from '../domain/endpoint.ts';
import type { DomainEvent } from '../domain/event.ts';
import { derivedId } from '../domain/id.ts';
import {
  applyPaymentOutcome,
  cancelPayment,
  createPayment,
  requireAction,
  whenPaymentIsDue,
} from '../domain/payment.ts';
import { createPaymentLink, disablePaymentLink, overpayLink } from '../domain/payment-link.ts';
import { applyPayoutOutcome, createPayout } from '../domain/payout.ts';
import { applyRefundOutcome, cancelRefund, requestRefund, whenRefundIsDue } from '../domain/refund.ts';
import type { PaymentId } from '../domain/request-start.ts';
import type { EntityOf, EventType, EventTypeOf, ReportedName } from '../domain/resource.ts';
import { afterOf, type ResourceChange } from '../domain/resource-change.ts';
import { createSettlement } from '../domain/settlement.ts';
import { type EventObjectOf, eventBody, PING, pingBody } from './events.ts';
import { VIEW } from './views.ts';

/*
 * The example of each event is what the commands of the domain really make, so that it can show nothing else than a
 * receiver gets.
 */

const WORLD = { mode: 'test' } as const;
const SEQUENCE = 7;
const IDEMPOTENCY_KEY = '019a42fe-2800-7a3e-8000-000000000001';
const afterMinutes = (minutes: number) => Date.UTC(2026, 10, 2, 3, minutes);
const CREATED_AT_MS = afterMinutes(0);
const idOf = (prefix: Parameters<typeof derivedId>[0]) => derivedId(prefix, CREATED_AT_MS, 'example');
const thb = (minor: number) => ({ currency: 'THB', minor }) as const;

/** Changes of a resource of one kind: one of their steps makes the event. */
type Changes<Name extends ReportedName> = readonly Pick<
  ResourceChange<Name, EventTypeOf<Name>, EntityOf<Name>>,
  'resource' | 'steps'
>[];
type AnyChanges = { readonly [Name in ReportedName]: Changes<Name> }[ReportedName];

const opened = createPayment(
  // Cast: no provider is called with the id of an example.
  { id: idOf('pay') as PaymentId, number: 'P-000002', pageSecret: '', pageUrl: '' },
  {
    amount: thb(129_900),
    method: 'promptpay',
    reference: 'order-1042',
    description: 'Two tickets to Chiang Mai',
    customer: { email: 'somchai@example.com', name: 'Somchai Jaidee', phone: '+66812345678' },
    metadata: { cart: 'c_77' },
  },
  CREATED_AT_MS,
);
const QR = {
  payload:
    '00020101021230630016A00000067701011201150000000000000000220WA00E7T800000000000153037645802TH54071299.00630495EC',
  imageSvgUrl: 'https://pay.example.com/checkout/h7Gq2LmZh7Gq2LmZ/qr.svg',
};
const attempt = {
  id: idOf('att'),
  method: 'promptpay',
  nextAction: { type: 'display_qr', qr: QR },
  createdAtMs: CREATED_AT_MS,
} as const;
const chosen = requireAction(afterOf(opened), attempt, CREATED_AT_MS);
const awaited = afterOf(chosen);
const paid = applyPaymentOutcome(awaited, 'succeeded', afterMinutes(2));

const refundIdentity = { id: idOf('ref'), number: 'R-000001' };
const refundInput = { amount: thb(50_000), reason: 'One ticket was not used' };
const requested = requestRefund(refundIdentity, afterOf(paid), refundInput, afterMinutes(5));
const toReject = requestRefund(
  refundIdentity,
  afterOf(paid),
  { ...refundInput, reasonCode: 9999 },
  afterMinutes(5),
);
const approval = { kind: 'approve-refund', dueAtMs: afterMinutes(20) } as const;
const approved = whenRefundIsDue(afterOf(requested), approval);
const sent = approved.flatMap((change) =>
  whenRefundIsDue(afterOf(change), { kind: 'send-refund', dueAtMs: afterMinutes(21) }),
);
const ended = (outcome: 'succeeded' | 'failed') =>
  sent.map((change) =>
    applyRefundOutcome(afterOf(change), outcome, afterMinutes(30), { resultCode: 'account_closed' }),
  );

const linked = createPaymentLink(
  { id: idOf('lnk'), number: 'L-000002', code: 'k3v8w1x5za', url: 'https://pay.example.com/l/k3v8w1x5za' },
  { amount: { type: 'fixed', fixed: thb(35_000) }, description: 'Cooking class, one seat', maxUses: 1 },
  CREATED_AT_MS,
);
const link = afterOf(linked);

const settled = {
  id: idOf('stl'),
  number: 'S-000001',
  provider: 'sim_provider',
  valueDate: '2026-11-02',
  expected: thb(129_900),
  actionId: idOf('act'),
  providerEventId: idOf('pev'),
  createdAtMs: CREATED_AT_MS,
};
const payout = createPayout(settled, { id: idOf('pot'), number: 'O-000001' }, [], 0n);
const payoutEnded = (outcome: 'paid' | 'returned' | 'failed') => [
  applyPayoutOutcome(afterOf(payout), outcome, undefined, afterMinutes(60)),
];

const endpoint = newEndpoint(
  { id: idOf('whe'), slot: 1, url: 'https://shop.example.com/webhooks', secret: '' },
  CREATED_AT_MS,
);
const failures = [0, 5].map((days) => ({
  status: 'failed',
  responseStatus: 503,
  attemptedAtMs: CREATED_AT_MS + days * DAY_MS,
}));

/** What a request makes. */
const BY_REQUEST = {
  'payment.created': [opened],
  'payment.requires_action': [chosen],
  'payment.processing': [applyPaymentOutcome(awaited, 'pending', afterMinutes(2))],
  'payment.amount_mismatch': [
    applyPaymentOutcome(awaited, 'mismatch', afterMinutes(2), { amount: thb(129_000) }),
  ],
  'payment.succeeded': [paid],
  'payment.failed': [
    applyPaymentOutcome(awaited, 'failed', afterMinutes(2), { resultCode: 'insufficient_funds' }),
  ],
  'payment.canceled': [cancelPayment(awaited, afterMinutes(2))],
  'refund.requested': [requested],
  'refund.succeeded': ended('succeeded'),
  'refund.failed': ended('failed'),
  'refund.canceled': [cancelRefund(afterOf(requested), afterMinutes(7))],
  'payment_link.created': [linked],
  'payment_link.disabled': [disablePaymentLink(link, afterMinutes(2))].filter((change) => change !== null),
  'payment_link.overpaid': [overpayLink({ ...link, uses: 1, takenUses: 1 }, afterMinutes(20))].filter(
    (change) => change !== null,
  ),
  'payout.created': [payout],
  'payout.paid': payoutEnded('paid'),
  'payout.returned': payoutEnded('returned'),
  'payout.failed': payoutEnded('failed'),
  'settlement.matched': [
    createSettlement({ ...settled, status: 'matched', stated: null, payoutId: idOf('pot') }, CREATED_AT_MS),
  ],
  'settlement.mismatched': [
    createSettlement(
      { ...settled, status: 'mismatched', stated: thb(120_000), payoutId: null },
      CREATED_AT_MS,
    ),
  ],
  'webhook_endpoint.created': changesOf({
    kind: 'endpoint',
    before: null,
    after: endpoint,
    event: 'webhook_endpoint.created',
  }),
  'webhook_endpoint.updated': changesOf(updateEndpoint(endpoint, { enabled: false }, afterMinutes(2))),
  'webhook_endpoint.deleted': changesOf(deleteEndpoint(endpoint, afterMinutes(2))),
} satisfies { readonly [Type in EventType]?: AnyChanges };

/** What happens when its time has come. */
const BY_TIME = {
  'payment.expired': whenPaymentIsDue(awaited, awaited.expiresAtMs),
  'refund.approved': approved,
  'refund.rejected': whenRefundIsDue(afterOf(toReject), approval),
  'refund.processing': sent,
  'webhook_endpoint.disabled': changesOf(noteAttempts(endpoint, failures)),
} satisfies { readonly [Type in EventType]?: AnyChanges };

const CHANGES: { readonly [Type in EventType]: AnyChanges } = { ...BY_REQUEST, ...BY_TIME };

/** The example of an event as a receiver gets it. */
export function eventExample(type: EventType | typeof PING): unknown {
  if (type === PING) {
    return JSON.parse(
      pingBody(WORLD, idOf('evt'), idOf('whe'), CREATED_AT_MS, {
        id: idOf('req'),
        idempotency_key: IDEMPOTENCY_KEY,
      }),
    );
  }
  const event = eventsOf(CHANGES[type]).find((one) => one.type === type);
  if (event === undefined) {
    throw new Error(`the example of ${type} makes no such event`);
  }
  // The type of an event's object follows from the event's type.
  const typed = event as DomainEvent<EventType, EventObjectOf<EventType>>;
  return JSON.parse(eventBody(WORLD, typed, idOf('evt'), SEQUENCE));
}

function eventsOf<Name extends ReportedName>(changes: Changes<Name>): DomainEvent[] {
  return changes.flatMap(({ resource, steps }) =>
    steps.map(({ event: type, previousStatus, after }) => ({
      type,
      resourceId: after.id,
      occurredAtMs: after.updatedAtMs,
      previousStatus,
      object: VIEW[resource](WORLD, after),
      request:
        type in BY_TIME
          ? { id: null, idempotencyKey: null }
          : { id: idOf('req'), idempotencyKey: IDEMPOTENCY_KEY },
    })),
  );
}

function changesOf(change: EndpointChange | null): Changes<'webhookEndpoint'> {
  const step = change && endpointStep(change);
  return step === null ? [] : [{ resource: 'webhookEndpoint', steps: [step] }];
}
