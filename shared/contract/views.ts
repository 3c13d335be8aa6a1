import type * as v from 'valibot';
import { SECOND_MS, toTimestamp } from '../domain/clock.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { DomainEvent } from '../domain/event.ts';
import type { Money } from '../domain/money.ts';
import type { NextAction } from '../domain/next-action.ts';
import type { Payment } from '../domain/payment.ts';
import type { PaymentLink } from '../domain/payment-link.ts';
import type { Payout } from '../domain/payout.ts';
import { outcomeOf, type ProviderEvent, type ProviderEventState } from '../domain/provider-event.ts';
import type { Refund } from '../domain/refund.ts';
import type { RunCounts } from '../domain/run-counts.ts';
import type { Settlement } from '../domain/settlement.ts';
import type { Purge, PurgedContent } from '../domain/testkit/purge.ts';
import type { SeedCounts, SeedReport } from '../domain/testkit/seed.ts';
import { type Sink, sinkUrl } from '../domain/testkit/sink.ts';
import type { World } from '../domain/world.ts';
import type { eventAnswer } from './events.ts';
import type { paymentLinkAnswer } from './payment-links.ts';
import type { canceledPaymentAnswer, paymentAnswer } from './payments.ts';
import type { payoutAnswer } from './payouts.ts';
import type { refundAnswer } from './refunds.ts';
import type { settlementAnswer } from './settlements.ts';
import type { clockAdvanceAnswer, clockAnswer } from './testkit/clock.ts';
import type { resetAnswer } from './testkit/purging.ts';
import type { seedAnswer } from './testkit/seeding.ts';
import type { simulationAnswer } from './testkit/simulations.ts';
import type { deliveryAnswer, redeliveryAnswer, sinkAnswer } from './testkit/sinks.ts';
import { NEWEST_VERSION } from './versions.ts';

export type PaymentView = v.InferInput<typeof paymentAnswer>;
export type CanceledPaymentView = v.InferInput<typeof canceledPaymentAnswer>;
export type RefundView = v.InferInput<typeof refundAnswer>;
export type PaymentLinkView = v.InferInput<typeof paymentLinkAnswer>;

export type PayoutView = v.InferInput<typeof payoutAnswer>;
export type SettlementView = v.InferInput<typeof settlementAnswer>;
export type SimulationView = v.InferInput<typeof simulationAnswer>;
export type SinkView = v.InferInput<typeof sinkAnswer>;
export type DeliveryView = v.InferInput<typeof deliveryAnswer>;
export type RedeliveryView = v.InferInput<typeof redeliveryAnswer>;
export type EventView = v.InferInput<typeof eventAnswer>;

export type ClockView = v.InferInput<typeof clockAnswer>;
export type ClockAdvanceView = v.InferInput<typeof clockAdvanceAnswer>;

export type SeedView = v.InferInput<typeof seedAnswer>;
export type ResetView = v.InferInput<typeof resetAnswer>;

type Mode = Pick<World, 'mode'>;

export function viewPayment({ mode }: Mode, payment: Payment): PaymentView {
  return {
    ...viewCommon(mode, payment),
    customer_email: payment.customer.email,
    customer_name: payment.customer.name,
    customer_phone: payment.customer.phone,
  };
}

export function viewCanceledPayment(
  { mode }: Mode,
  payment: Payment,
  viewer: Viewer = EVERYBODY,
): CanceledPaymentView {
  const { email, name, phone } = payment.customer;
  return { ...asSeenBy(viewer, viewCommon(mode, payment)), customer: { email, name, phone } };
}

/** Who looks: a key, by its permissions. */
export interface Viewer {
  readonly permissions: readonly string[];
}

const EVERYBODY: Viewer = { permissions: ['payment.read'] };

/**
 * A resource as a key may see it. The addresses of a payer's pages are keys to them: they are left out for one that can
 * neither make nor read payments, so that what tells of a payment is no means to pay it (contract §15).
 */
function asSeenBy<Seen extends object>(viewer: Viewer, seen: Seen): Seen {
  const pages = ['checkout_url', 'next_action'].filter((name) => name in seen);
  return mayUsePages(viewer) ? seen : { ...seen, ...Object.fromEntries(pages.map((name) => [name, null])) };
}

function mayUsePages({ permissions }: Viewer): boolean {
  return permissions.includes('payment.create') || permissions.includes('payment.read');
}

function viewCommon(mode: string, payment: Payment) {
  return {
    id: payment.id,
    number: payment.number,
    amount: viewMoney(payment.amount),
    checkout_url: payment.checkoutUrl,
    created_at: toTimestamp(payment.createdAtMs),
    description: payment.description,
    expires_at: toTimestamp(payment.expiresAtMs),
    late: payment.late,
    metadata: payment.metadata,
    method: payment.method,
    mode,
    next_action: payment.status === 'requires_action' ? viewNextAction(payment) : null,
    reference: payment.reference,
    refunded_minor: payment.refundedMinor,
    payment_link_id: payment.linkId ?? null,
    return_url: payment.returnUrl,
    status: payment.status,
    succeeded_at: optionalTimestamp(payment.succeededAtMs),
  };
}

function viewNextAction(payment: Payment): PaymentView['next_action'] {
  const action: NextAction | undefined = payment.attempt?.nextAction;
  const expires_at = toTimestamp(payment.expiresAtMs);
  switch (action?.type) {
    case undefined:
      return null;
    case 'display_qr':
      return {
        type: action.type,
        qr: { payload: action.qr.payload, image_svg_url: action.qr.imageSvgUrl },
        expires_at,
      };
    case 'redirect':
      return { type: action.type, url: action.url, expires_at };
    case 'bank_transfer':
      return {
        type: action.type,
        bank_code: action.bankCode,
        account_number: action.accountNumber,
        account_name: action.accountName,
        reference: action.reference,
        amount: viewMoney(payment.amount),
        expires_at,
      };
  }
}

export function viewRefund({ mode }: Mode, refund: Refund): RefundView {
  return {
    id: refund.id,
    number: refund.number,
    payment_id: refund.paymentId,
    amount: viewMoney(refund.amount),
    reason: refund.reason,
    reason_code: refund.reasonCode,
    mode,
    created_at: toTimestamp(refund.createdAtMs),
    succeeded_at: optionalTimestamp(refund.succeededAtMs),
    status: refund.status,
  };
}

export function viewPaymentLink({ mode }: Mode, link: PaymentLink): PaymentLinkView {
  return {
    id: link.id,
    number: link.number,
    code: link.code,
    url: link.url,
    amount: link.amount && viewMoney(link.amount),
    amount_type: link.amountType,
    min_amount: link.minAmount && viewMoney(link.minAmount),
    max_amount: link.maxAmount && viewMoney(link.maxAmount),
    currency: link.currency,
    collect_email: link.collect.email,
    collect_name: link.collect.name,
    collect_phone: link.collect.phone,
    created_at: toTimestamp(link.createdAtMs),
    description: link.description,
    expires_at: optionalTimestamp(link.expiresAtMs),
    max_uses: link.maxUses,
    uses: link.uses,
    metadata: link.metadata,
    mode,
    return_url: link.returnUrl,
    status: link.status,
  };
}

/** In the order of the interface: a stored map comes back in any order. */
function viewMoney({ currency, minor }: Money): Money {
  return { currency, minor };
}

function optionalTimestamp(epochMs: number | null): string | null {
  return epochMs === null ? null : toTimestamp(epochMs);
}

export function viewPayout({ mode }: Mode, payout: Payout): PayoutView {
  return {
    id: payout.id,
    number: payout.number,
    settlement_id: payout.settlementId,
    provider: payout.provider,
    amount: viewMoney(payout.amount),
    mode,
    return_reason: payout.returnReason,
    created_at: toTimestamp(payout.createdAtMs),
    updated_at: toTimestamp(payout.updatedAtMs),
    status: payout.status,
  };
}

export function viewSettlement({ mode }: Mode, settlement: Settlement): SettlementView {
  return {
    id: settlement.id,
    number: settlement.number,
    provider: settlement.provider,
    value_date: settlement.valueDate,
    expected: viewMoney(settlement.expected),
    stated: settlement.stated && viewMoney(settlement.stated),
    payout_id: settlement.payoutId,
    mode,
    created_at: toTimestamp(settlement.createdAtMs),
    status: settlement.status,
  };
}

/** What a simulation did; ids that do not apply are null. */
export function viewSimulation(
  done: Pick<SimulationView, 'action_id' | 'outcome' | 'provider_event_id'> & Partial<SimulationView>,
): SimulationView {
  return {
    action_id: done.action_id,
    outcome: done.outcome,
    payment_id: done.payment_id ?? null,
    payout_id: done.payout_id ?? null,
    refund_id: done.refund_id ?? null,
    provider_event_id: done.provider_event_id,
    replayed: done.replayed ?? false,
  };
}

/** What came of a provider's word. */
export function viewProviderEvent(
  word: ProviderEvent,
  state: ProviderEventState,
  replayed: boolean,
): SimulationView {
  const { actionId, eventId, targetId } = word;
  const outcome = outcomeOf(word, state);
  const target = word.about === 'payment' ? { payment_id: targetId } : { refund_id: targetId };
  return viewSimulation({ action_id: actionId, provider_event_id: eventId, outcome, replayed, ...target });
}

export function viewSettled(settled: {
  readonly actionId: string;
  readonly providerEventId: string;
  readonly outcome: string;
  readonly payoutId: string | null;
  readonly replayed: boolean;
}): SimulationView {
  return viewSimulation({
    action_id: settled.actionId,
    provider_event_id: settled.providerEventId,
    outcome: settled.outcome,
    payout_id: settled.payoutId,
    replayed: settled.replayed,
  });
}

export function viewClock(
  world: Pick<World, 'clockOffsetMs'>,
  nowMs: number,
  nextAtMs: number | null,
): ClockView {
  return {
    now: toTimestamp(nowMs),
    offset_seconds: world.clockOffsetMs / SECOND_MS,
    next_job_at: optionalTimestamp(nextAtMs),
  };
}

export function viewAdvance(
  advance: {
    readonly actionId: string;
    readonly seconds: number;
    readonly fromMs: number;
    readonly toMs: number;
  },
  tally: RunCounts,
  jobsRemaining: number,
): ClockAdvanceView {
  return {
    action_id: advance.actionId,
    advanced_seconds: advance.seconds,
    jobs_run: tally.jobsRun,
    shifted: {
      from: toTimestamp(advance.fromMs),
      to: toTimestamp(advance.toMs),
      payments_expired: tally.paymentsExpired,
      refunds_approved: tally.refundsApproved,
      simulations_applied: tally.simulationsApplied,
      deliveries_attempted: tally.deliveriesAttempted,
      jobs_remaining: jobsRemaining,
    },
  };
}

/** What a seed has put into the world, now or earlier (contract §12). */
export function viewSeed(report: SeedReport): SeedView {
  const { fromMs, toMs, grossMinor, refundedMinor, currency } = report.summary;
  return {
    action_id: report.actionId,
    already_seeded: report.alreadySeeded,
    profile: report.profile,
    created: viewSeedCounts(report.created),
    ids: report.ids,
    skipped: viewSeedCounts(report.skipped),
    summary: {
      from: toTimestamp(fromMs),
      to: toTimestamp(toMs),
      gross_minor: grossMinor,
      refunded_minor: refundedMinor,
      currency,
    },
  };
}

function viewSeedCounts(counts: SeedCounts): SeedView['created'] {
  const { payments, refunds, paymentLinks: payment_links, payouts, settlements, sinks } = counts;
  return { payments, refunds, payment_links, payouts, settlements, sinks };
}

/** What a purge has ended (contract §12). */
export function viewReset(purge: Purge, content: PurgedContent): ResetView {
  const { counts, eventCount } = purge;
  return {
    action_id: purge.actionId,
    status: 'completed',
    reason: 'requested',
    reset_at: toTimestamp(purge.resetAtMs),
    jobs_canceled: content.jobs,
    outbox_canceled: content.outbox,
    deleted: {
      payments: content.payments,
      refunds: content.refunds,
      payment_links: content.paymentLinks,
      payouts: content.payouts,
      settlements: content.settlements,
      events: content.events,
      sinks: content.sinks,
    },
    kept: { api_keys: content.apiKeys },
    modules: {
      payments: 'reset',
      checkout: 'reset',
      payouts: 'reset',
      events: 'reset',
      testkit: 'reset',
      clock: 'reset',
    },
    sequences_reset: {
      payments: counts.payment,
      refunds: counts.refund,
      payment_links: counts.paymentLink,
      payouts: counts.payout,
      settlements: counts.settlement,
      events: eventCount,
    },
  };
}

/** @param baseUrl where the service answers */
export function viewSink({ mode }: Mode, sink: Sink, baseUrl: string): SinkView {
  return {
    id: sink.id,
    name: sink.name,
    url: sinkUrl(sink, baseUrl),
    mode,
    fail_count: sink.failCount,
    received_count: sink.receivedCount,
    respond_status: sink.respondStatus,
    created_at: toTimestamp(sink.createdAtMs),
    updated_at: toTimestamp(sink.updatedAtMs),
  };
}

/** An attempt; who may not use the payers' pages sees of what was sent what `viewEvent` shows. */
export function viewDelivery(delivery: Delivery, viewer: Viewer): DeliveryView {
  return {
    id: delivery.id,
    sink_id: delivery.sinkId,
    event_id: delivery.eventId,
    attempt: delivery.attempt,
    status: delivery.status,
    request_headers: delivery.requestHeaders,
    body: mayUsePages(viewer) ? delivery.body : JSON.stringify(viewEvent(delivery, viewer)),
    answered_status: delivery.answeredStatus,
    signature_verdict: delivery.signatureVerdict,
    attempted_at: toTimestamp(delivery.attemptedAtMs),
    next_attempt_at: optionalTimestamp(delivery.nextAttemptAtMs),
  };
}

export function viewRedelivery({ sinkId, eventId }: Delivery, dueAtMs: number): RedeliveryView {
  return { sink_id: sinkId, event_id: eventId, due_at: toTimestamp(dueAtMs) };
}

/** An event as it was sent: the body was final when it left the outbox. */
export function viewEvent({ body }: { readonly body: string }, viewer: Viewer): EventView {
  const event = JSON.parse(body) as EventView;
  return { ...event, data: { ...event.data, object: asSeenBy(viewer, event.data.object) } };
}

/** An event's body as webhooks send it: made once, when it gets its sequence number (contract §10). */
export function eventBody({ mode }: Mode, event: DomainEvent, sequence: number): string {
  return JSON.stringify({
    id: event.id,
    type: event.type,
    timestamp: toTimestamp(event.occurredAtMs),
    mode,
    api_version: NEWEST_VERSION,
    sequence,
    data: { object: event.object, previous_status: event.previousStatus },
    request: { id: event.request.id, idempotency_key: event.request.idempotencyKey },
  } satisfies EventView);
}

/** A page of a list (contract §13). */
export function viewPage<Entity, View>(
  page: { readonly data: readonly Entity[]; readonly nextCursor: string | null },
  view: (entity: Entity) => View,
): { data: View[]; has_more: boolean; next_cursor: string | null } {
  return { data: page.data.map(view), has_more: page.nextCursor !== null, next_cursor: page.nextCursor };
}
