import { MINUTE_MS, toTimestamp } from '../domain/clock.ts';
import type { EventType } from '../domain/resource.ts';
import { PING } from './events.ts';
import { EXAMPLES } from './examples.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How the recorded example of a resource becomes the one that an event reports. */
interface ReportedResource {
  /** The operation whose recorded response is the resource. */
  readonly of: string;
  /** The statuses of the resource, each with the minute after its creation in which the resource got it. */
  readonly statuses: readonly (readonly [status: string, minute: number])[];
  readonly changes?: Fields;
  /** Set where no request caused the event. */
  readonly isByTime?: true;
}

const PAYMENT = 'payments.CreatePayment';
const REFUND = 'payments.GetRefund';
const LINK = 'checkout.GetPaymentLink';
const PAYOUT = 'payouts.GetPayout';
const SETTLEMENT = 'settlements.GetSettlement';
const ENDPOINT = 'webhooks.UpdateWebhookEndpoint';

const REQUIRES_ACTION = [['created', 0] as const, ['requires_action', 0] as const];
const APPROVED = [['requested', 0] as const, ['approved', 15] as const];
const PROCESSING = [...APPROVED, ['processing', 16] as const];
const PENDING = ['pending', 0] as const;
const ENABLED = ['enabled', 0] as const;

const REPORTED: Readonly<Record<EventType, ReportedResource>> = {
  'payment.created': { of: PAYMENT, statuses: [['created', 0]] },
  'payment.requires_action': { of: PAYMENT, statuses: REQUIRES_ACTION },
  'payment.processing': { of: PAYMENT, statuses: [...REQUIRES_ACTION, ['processing', 2]] },
  'payment.amount_mismatch': {
    of: PAYMENT,
    statuses: [...REQUIRES_ACTION, ['processing', 2]],
    changes: { received: { currency: 'THB', minor: 129_000 } },
  },
  'payment.succeeded': { of: PAYMENT, statuses: [...REQUIRES_ACTION, ['succeeded', 2]] },
  'payment.failed': {
    of: PAYMENT,
    statuses: [...REQUIRES_ACTION, ['failed', 2]],
    changes: { failure_code: 'insufficient_funds' },
  },
  'payment.expired': { of: PAYMENT, statuses: [...REQUIRES_ACTION, ['expired', 15]], isByTime: true },
  'payment.canceled': { of: PAYMENT, statuses: [...REQUIRES_ACTION, ['canceled', 2]] },
  'refund.requested': { of: REFUND, statuses: [['requested', 0]] },
  'refund.approved': { of: REFUND, statuses: APPROVED, isByTime: true },
  'refund.rejected': {
    of: REFUND,
    statuses: [
      ['requested', 0],
      ['rejected', 15],
    ],
    changes: { reason_code: 9999 },
    isByTime: true,
  },
  'refund.processing': { of: REFUND, statuses: PROCESSING, isByTime: true },
  'refund.succeeded': { of: REFUND, statuses: [...PROCESSING, ['succeeded', 18]] },
  'refund.failed': {
    of: REFUND,
    statuses: [...PROCESSING, ['failed', 18]],
    changes: { failure_code: 'account_closed' },
  },
  'refund.canceled': {
    of: REFUND,
    statuses: [
      ['requested', 0],
      ['canceled', 2],
    ],
  },
  'payment_link.created': { of: LINK, statuses: [['active', 0]] },
  'payment_link.disabled': {
    of: LINK,
    statuses: [
      ['active', 0],
      ['disabled', 2],
    ],
  },
  'payment_link.overpaid': {
    of: LINK,
    statuses: [
      ['active', 0],
      ['active', 20],
    ],
    changes: { max_uses: 1, uses: 2 },
  },
  'payout.created': { of: PAYOUT, statuses: [PENDING] },
  'payout.paid': { of: PAYOUT, statuses: [PENDING, ['paid', 60]] },
  'payout.returned': {
    of: PAYOUT,
    statuses: [PENDING, ['returned', 60]],
    changes: { return_reason: 'account_closed' },
  },
  'payout.failed': { of: PAYOUT, statuses: [PENDING, ['failed', 60]] },
  'settlement.matched': { of: SETTLEMENT, statuses: [['matched', 0]] },
  'settlement.mismatched': {
    of: SETTLEMENT,
    statuses: [['mismatched', 0]],
    changes: { stated: { currency: 'THB', minor: 120_000 }, payout_id: null },
  },
  'webhook_endpoint.created': { of: ENDPOINT, statuses: [ENABLED], changes: { disabled_reason: null } },
  'webhook_endpoint.updated': { of: ENDPOINT, statuses: [ENABLED, ['disabled', 2]] },
  'webhook_endpoint.deleted': {
    of: ENDPOINT,
    statuses: [ENABLED, ['enabled', 2]],
    changes: { disabled_reason: null },
  },
  'webhook_endpoint.disabled': {
    of: ENDPOINT,
    statuses: [ENABLED, ['disabled', 7_200]],
    changes: {
      disabled_reason: 'failing',
      failing_since: '2026-11-02T03:00:00.000Z',
      last_failure_at: '2026-11-07T03:00:00.000Z',
    },
    isByTime: true,
  },
};

/** The example of an event as a receiver gets it: a recorded resource in the status that the event reports. */
export function eventExample(type: EventType | typeof PING): unknown {
  if (type === PING) {
    return JSON.parse(String(recordedBy('webhooks.SendTestEvent').body));
  }
  const { of, statuses, changes, isByTime } = REPORTED[type];
  const resource = recordedBy(of);
  const createdAtMs = Date.parse(String(resource.created_at));
  const history = statuses.map(([status, minute]) => ({
    status,
    at: toTimestamp(createdAtMs + minute * MINUTE_MS),
  }));
  const { status, at } = history.at(-1) ?? {};
  const object = {
    ...resource,
    ...(status !== 'requires_action' && 'next_action' in resource && { next_action: null }),
    ...('updated_at' in resource && { updated_at: at }),
    ...(status === 'succeeded' && { succeeded_at: at }),
    ...changes,
    status,
    ...('status_history' in resource && { status_history: history }),
  };
  const event = recordedBy('events.GetEvent');
  return {
    ...event,
    type,
    timestamp: at,
    data: { object, previous_status: history.at(-2)?.status ?? null },
    request: isByTime ? { id: null, idempotency_key: null } : event.request,
  };
}

function recordedBy(operation: string): Fields {
  return EXAMPLES[operation] as Fields;
}
