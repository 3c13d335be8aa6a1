import type { EventView } from '../contract/events.ts';
import type { PaymentView } from '../contract/payments.ts';
import type { PayoutView } from '../contract/payouts.ts';
import type { RefundView } from '../contract/refunds.ts';
import type { SettlementView } from '../contract/settlements.ts';
import type { ViewOf } from '../contract/views.ts';
import type { WebhookEndpointView } from '../contract/webhook-endpoint-view.ts';
import { BALANCE_CURRENCY, bangkokDay } from '../domain/balance.ts';
import { canExpire, DELAY_SECONDS_MAX } from '../domain/payment.ts';
import {
  APPROVAL_AFTER_MS,
  OPEN_REFUND_STATUSES,
  REFUND_WINDOW_MS,
  refundMachine,
  SEND_AFTER_MS,
} from '../domain/refund.ts';
import type { EventTypeOf, ReportedName } from '../domain/resource.ts';
import { formatMoney } from './amounts.ts';
import { eventTypeOf } from './delivery-words.ts';
import { LISTS } from './lists.ts';
import { paymentNeed } from './needs-somebody.ts';
import type { BodyFieldsOf, FieldNameOf, OperationId, RowOf } from './operation-id.ts';
import { statusText } from './status-words.ts';
import { storyTexts } from './story-texts.ts';
import { timeTexts } from './time-texts.ts';
import { secondsText } from './times.ts';

/** The kinds of resources whose story is shown. */
const NAMES = ['payment', 'refund', 'paymentLink'] as const;
type StoryName = (typeof NAMES)[number];
export type StoryResource = ViewOf<StoryName>;
export type EventAttempt = RowOf<'webhooks.ListEventDeliveries'>;
type StoryRequest = RowOf<'testkit.ListRequests'>;

/** What the service says of a resource and of what belongs to it. A list that the key may not read is empty. */
export interface StoryReads {
  readonly resource: StoryResource;
  readonly refunds: readonly RefundView[];
  /** The events of the resource and its refunds, in any order. */
  readonly events: readonly EventView[];
  /** The attempts to deliver these events, in any order. */
  readonly deliveries: readonly EventAttempt[];
  /** Requests of the log, in any order. */
  readonly requests: readonly StoryRequest[];
  /** The merchant's own; null where they are not known. */
  readonly endpoints: readonly WebhookEndpointView[] | null;
  /** Those that may have taken what is in the story, in any order. */
  readonly settlements: readonly SettlementView[];
  readonly payouts: readonly PayoutView[];
}

/** Something that happened: what it was, the event that tells of it, and the attempts to deliver that. */
export interface StoryEntry {
  readonly at: string;
  readonly title: string;
  /** The status that it led to. */
  readonly status: string | null;
  /** The resource that it happened to. */
  readonly id: string;
  readonly note: string | null;
  readonly event: EventView | null;
  /** The request that caused it; null if it is not in the log, or the passing of time caused it. */
  readonly request: StoryRequest | null;
  readonly attempts: readonly EventAttempt[];
}

/** Something that will happen at a time unless something else happens before. */
export interface AheadEntry {
  readonly at: string;
  readonly title: string;
}

type WordOf<Type> = Type extends `${string}.${infer Word}` ? Word : never;
type Note<Name extends StoryName> = (resource: ViewOf<Name>) => string | null;
const noNote = () => null;
const failureNote = ({ failure_code: code }: PaymentView | RefundView) =>
  code && storyTexts.notes.resultCode(code);

/** What is said of each event beside its name, by the word after its dot. A type without a line does not compile. */
const NOTES: {
  readonly [Name in StoryName]: Readonly<Record<WordOf<EventTypeOf<Name>>, Note<Name>>>;
} = {
  payment: {
    created: noNote,
    requires_action: noNote,
    processing: noNote,
    amount_mismatch: ({ received, amount }) =>
      received && storyTexts.notes.otherAmount(formatMoney(received), formatMoney(amount)),
    succeeded: (payment) => (payment.late ? latenessOf(payment) : null),
    failed: failureNote,
    expired: noNote,
    canceled: noNote,
  },
  refund: {
    requested: ({ amount, number, reason }) =>
      [formatMoney(amount), number, reason].filter(Boolean).join(', '),
    approved: noNote,
    rejected: noNote,
    processing: noNote,
    succeeded: noNote,
    failed: failureNote,
    canceled: noNote,
  },
  paymentLink: { created: noNote, disabled: noNote, overpaid: noNote },
};

function noteOf(resource: StoryResource, what: string): string | null {
  // The notes are those of the resource's own kind; a status may have none.
  const notes = NOTES[nameOf(resource)] as Readonly<Record<string, Note<StoryName> | undefined>>;
  return notes[what]?.(resource) ?? null;
}

function nameOf(resource: StoryResource): StoryName {
  // Cast: only resources of these kinds have a story.
  return NAMES.find((name) => isA(name, resource)) as StoryName;
}

/** Whether a resource is of a kind: its id says so. */
export function isA<Name extends StoryName>(
  name: Name,
  resource: Pick<StoryResource, 'id'>,
): resource is ViewOf<Name> {
  return resource.id.startsWith(`${LISTS[name].prefix}_`);
}

/** What has happened to a resource, oldest first. */
export function past(reads: StoryReads): StoryEntry[] {
  const { resource, refunds } = reads;
  const entries = [resource, ...refunds].flatMap((one) => entriesOf(one, reads));
  return [...entries, ...settlementEntries(reads)].toSorted((one, other) =>
    one.at < other.at ? -1 : one.at > other.at ? 1 : 0,
  );
}

/**
 * The settlement that took what succeeded at a time: the earliest matched one that was made after it, for its day or a
 * later one (contract §8). Null if none has yet.
 */
export function settlementOf(
  succeededAt: string,
  settlements: readonly SettlementView[],
): SettlementView | null {
  const day = bangkokDay(Date.parse(succeededAt));
  const [earliest = null] = settlements
    .filter(
      ({ status, value_date: date, created_at: at }) =>
        status === 'matched' && date >= day && at >= succeededAt,
    )
    .toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1));
  return earliest;
}

/** When a payment or a refund succeeded; null if it did not, or is a link. */
export function succeededAtOf(resource: StoryResource): string | null {
  return 'succeeded_at' in resource ? resource.succeeded_at : null;
}

/** The settlements that took what is in the story, and what became of their payouts. */
function settlementEntries({ resource, refunds, settlements, payouts }: StoryReads): StoryEntry[] {
  const settled = [resource, ...refunds].flatMap((one) => {
    const at = succeededAtOf(one);
    return at === null ? [] : [{ number: one.number, settlement: settlementOf(at, settlements) }];
  });
  const taken = Map.groupBy(settled, ({ settlement }) => settlement);
  const made = [...taken].flatMap(([settlement, content]) => {
    if (settlement === null) {
      return [];
    }
    const { id, expected, created_at: at } = settlement;
    const numbers = content.map(({ number }) => number);
    return [
      moneyEntry(id, 'settlement', 'matched', at, storyTexts.notes.settled(numbers, formatMoney(expected))),
    ];
  });
  // Settlements may share a payout: each is told once.
  const payoutIds = new Set([...taken.keys()].map((settlement) => settlement?.payout_id));
  return [...made, ...payouts.filter(({ id }) => payoutIds.has(id)).flatMap(payoutEntries)];
}

function payoutEntries(payout: PayoutView): StoryEntry[] {
  const { id, status, created_at: createdAt, updated_at: updatedAt, amount, return_reason: reason } = payout;
  const begun = moneyEntry(id, 'payout', 'pending', createdAt, formatMoney(amount));
  const note = reason ? storyTexts.notes.returnReason(reason) : null;
  return status === 'pending' ? [begun] : [begun, moneyEntry(id, 'payout', status, updatedAt, note)];
}

function moneyEntry(
  id: string,
  name: 'settlement' | 'payout',
  status: string,
  at: string,
  note: string | null,
): StoryEntry {
  const title = titleOfStep(name, status, status);
  return { at, title, status, id, note, event: null, request: null, attempts: [] };
}

/**
 * What a step is called.
 * @param what the word of its event; its status, where it has no event
 * @param snapshot the resource as it was then
 */
function titleOfStep(name: ReportedName, what: string, status: string, snapshot: object = {}): string {
  const steps: Readonly<Record<string, Readonly<Record<string, string>>>> = storyTexts.steps;
  return steps[name]?.[what] ?? statusText(name, status, snapshot);
}

/** The statuses of a resource with their events, and events without a status of their own. */
function entriesOf(resource: StoryResource, reads: StoryReads): StoryEntry[] {
  const left = reads.events
    .filter(({ data }) => data.object.id === resource.id)
    .toSorted((one, other) => one.sequence - other.sequence);
  const history = 'status_history' in resource ? resource.status_history : [];
  const statuses = history.map(({ status, at }) => {
    const named = left.findIndex(({ type }) => type.endsWith(`.${status}`));
    const index = named < 0 ? left.findIndex(({ timestamp }) => timestamp === at) : named;
    const [event = null] = index < 0 ? [] : left.splice(index, 1);
    return entryOf(resource, { at, status, event }, reads);
  });
  const others = left.map((event) =>
    entryOf(resource, { at: event.timestamp, status: event.data.object.status, event }, reads),
  );
  const all = [...statuses, ...others];
  return all.length > 0
    ? all
    : [entryOf(resource, { at: resource.created_at, status: resource.status, event: null }, reads)];
}

interface Happening {
  readonly at: string;
  readonly status: string;
  readonly event: EventView | null;
}

function entryOf(resource: StoryResource, { at, status, event }: Happening, reads: StoryReads): StoryEntry {
  const what = event === null ? status : event.type.slice(event.type.indexOf('.') + 1);
  const snapshot: object = event?.data.object ?? resource;
  return {
    at,
    title: titleOfStep(nameOf(resource), what, status, snapshot),
    status,
    id: resource.id,
    note: noteOf(resource, what),
    event,
    request: reads.requests.find(({ id }) => id === event?.request.id) ?? null,
    attempts: reads.deliveries
      .filter(({ event_id: id }) => id === event?.id)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  };
}

/** What had ended a payment whose money came late, in words. */
function latenessOf({ status_history: history }: PaymentView): string {
  const { afterCancellation, afterExpiry } = storyTexts.notes;
  return history.some(({ status }) => status === 'canceled') ? afterCancellation : afterExpiry;
}

/** What will happen next if nothing else does, soonest first. Nothing that is over by now is in it. */
export function ahead({ resource, refunds, deliveries }: StoryReads, now: Date): AheadEntry[] {
  const { paymentExpires, linkExpires, attempt } = storyTexts.ahead;
  const endsAt = expiryOf(resource);
  const title = isA('payment', resource) ? paymentExpires : linkExpires;
  const expiry = endsAt === null ? [] : [{ at: endsAt, title }];
  const ofRefunds = [...(isA('refund', resource) ? [resource] : []), ...refunds].flatMap(nextOfRefund);
  const attempts = awaitingNext(deliveries).map(({ at, one }) => ({
    at,
    title: attempt(one.attempt + 1, eventTypeOf(one)),
  }));
  return [...expiry, ...ofRefunds, ...attempts]
    .filter(({ at }) => Date.parse(at) > now.getTime())
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** When time ends a payment that is unpaid, or a link that is active. */
function expiryOf(resource: StoryResource): string | null {
  if (isA('payment', resource)) {
    return canExpire(resource) ? resource.expires_at : null;
  }
  return isA('paymentLink', resource) && resource.status === 'active' ? resource.expires_at : null;
}

function nextOfRefund({
  number,
  status,
  status_history: history,
  created_at: created,
}: RefundView): AheadEntry[] {
  const since = Date.parse(history.at(-1)?.at ?? created);
  const at = (afterMs: number) => new Date(since + afterMs).toISOString();
  const { refundApproved, refundSent } = storyTexts.ahead;
  if (status === 'requested') {
    return [{ at: at(APPROVAL_AFTER_MS), title: refundApproved(number) }];
  }
  return status === 'approved' ? [{ at: at(SEND_AFTER_MS), title: refundSent(number) }] : [];
}

/** Whether one of these attempts will be followed by another. */
export function hasAttemptAhead(deliveries: readonly EventAttempt[]): boolean {
  return awaitingNext(deliveries).length > 0;
}

/** The attempts that will be followed by another, and were not yet. */
function awaitingNext(deliveries: readonly EventAttempt[]) {
  const same = ['event_id', 'endpoint_id', 'sink_id'] as const;
  const isAfter = (later: EventAttempt, one: EventAttempt) =>
    same.every((name) => later[name] === one[name]) && later.id > one.id;
  return deliveries.flatMap((one) => {
    const { next_attempt_at: at } = one;
    return at === null || deliveries.some((other) => isAfter(other, one)) ? [] : [{ at, one }];
  });
}

/** Whether the event of an attempt can be sent to its receiver again: not to an endpoint that is disabled, or gone. */
export function canRedeliver(
  { endpoint_id: id }: Pick<EventAttempt, 'endpoint_id'>,
  endpoints: readonly Pick<WebhookEndpointView, 'id' | 'status'>[] | null,
): boolean {
  return (
    id === null || endpoints === null || endpoints.some((one) => one.id === id && one.status === 'enabled')
  );
}

/** Whether an event tells of something that the story shows, or may lead to it. */
export function concerns(
  { type, data: { object } }: Pick<EventView, 'type' | 'data'>,
  reads: StoryReads,
): boolean {
  const { resource, refunds, settlements, payouts, deliveries } = reads;
  const shown = [resource, ...refunds, ...payouts].map(({ id }) => id);
  const receivers = deliveries.map(({ endpoint_id: id }) => id);
  const isWaiting = [resource, ...refunds].some((one) => {
    const at = succeededAtOf(one);
    return at !== null && settlementOf(at, settlements) === null;
  });
  return (
    [...shown, ...receivers].includes(object.id) ||
    ('payment_id' in object && object.payment_id === resource.id) ||
    ('payment_link_id' in object && object.payment_link_id === resource.id) ||
    (isWaiting && type === 'settlement.matched')
  );
}

/** How far the clock must be moved so that an instant is past, in whole seconds. */
export function secondsTo(at: string, now: Date): number {
  return Math.max(1, Math.ceil((Date.parse(at) - now.getTime()) / 1_000) + 1);
}

/** The time between two entries in words; null if it is not worth a word. */
export function gapText(before: string, after: string): string | null {
  const seconds = Math.round((Date.parse(after) - Date.parse(before)) / 1_000);
  if (seconds < 1) {
    return null;
  }
  return timeTexts.later(secondsText(seconds));
}

interface StoryActionOf<Id extends OperationId> {
  readonly label: string;
  readonly operationId: Id;
  readonly body: BodyFieldsOf<Id>;
  /** What is reported when it is done. */
  readonly done: string;
  /** The fields to ask for, in a dialog; without them, it is done at once. */
  readonly asks?: readonly FieldNameOf<Id>[];
}

/** Something that can be done now. */
export type StoryAction = {
  [Id in StoryOperation]: StoryActionOf<Id>;
}[StoryOperation];
type StoryOperation =
  | 'testkit.SimulatePayment'
  | 'testkit.SimulateRefund'
  | 'payments.CancelPayment'
  | 'payments.MarkPaymentHandled'
  | 'payments.CancelRefund'
  | 'payments.RequestRefund'
  | 'checkout.DisablePaymentLink';

const { actions, done } = storyTexts;
/** The result codes that payers are told in words. A provider may have others. */
export const RESULT_CODES = ['declined', 'insufficient_funds', 'limit_exceeded', 'timeout', 'payer_canceled'];

/** What can be done with a resource in its state, in test mode by the provider too. @param refunds of a payment */
export function possibleNow(
  resource: StoryResource,
  refunds: readonly RefundView[],
  now: Date,
): StoryAction[] {
  if (isA('payment', resource)) {
    return [...paymentActions(resource, refunds, now), ...handledAction(resource)];
  }
  if (isA('refund', resource)) {
    return refundActions(resource.status);
  }
  const operationId = 'checkout.DisablePaymentLink';
  return resource.status === 'active'
    ? [{ label: actions.disable, operationId, body: {}, done: done.linkDisabled }]
    : [];
}

function simulatePayment(label: string, body: BodyFieldsOf<'testkit.SimulatePayment'>): StoryAction {
  const asks = body.outcome === 'failed' ? { asks: ['result_code'] as const } : {};
  return { label, operationId: 'testkit.SimulatePayment', body, done: done.reported, ...asks };
}

function simulateRefund(label: string, body: BodyFieldsOf<'testkit.SimulateRefund'>): StoryAction {
  const asks = body.outcome === 'failed' ? { asks: ['result_code'] as const } : {};
  return { label, operationId: 'testkit.SimulateRefund', body, done: done.reported, ...asks };
}

function refundActions(status: RefundView['status']): StoryAction[] {
  const outcomes = [
    simulateRefund(actions.succeed, { outcome: 'succeeded' }),
    simulateRefund(actions.fail, { outcome: 'failed', result_code: 'declined' }),
  ];
  const operationId = 'payments.CancelRefund';
  const cancel = { label: actions.cancel, operationId, body: {}, done: done.refundCanceled } as const;
  return [
    ...(OPEN_REFUND_STATUSES.has(status) ? outcomes : []),
    ...(refundMachine[status].cancel === undefined ? [] : [cancel]),
  ];
}

function paymentActions(payment: PaymentView, refunds: readonly RefundView[], now: Date): StoryAction[] {
  const { status, expires_at: expiresAt } = payment;
  const succeed = simulatePayment(actions.succeed, { outcome: 'succeeded' });
  const fail = simulatePayment(actions.fail, { outcome: 'failed', result_code: 'insufficient_funds' });
  const mismatch = simulatePayment(actions.payOtherAmount, { outcome: 'mismatch' });
  const late = { outcome: 'succeeded', delay_seconds: secondsTo(expiresAt, now) } as const;
  if (canExpire(payment)) {
    return [
      succeed,
      fail,
      simulatePayment(actions.hold, { outcome: 'pending' }),
      mismatch,
      ...(late.delay_seconds <= DELAY_SECONDS_MAX ? [simulatePayment(actions.payLate, late)] : []),
      { label: actions.cancel, operationId: 'payments.CancelPayment', body: {}, done: done.paymentCanceled },
    ];
  }
  if (status === 'processing') {
    return [succeed, fail, mismatch];
  }
  if (status === 'expired' || status === 'canceled') {
    return [simulatePayment(actions.payLate, { outcome: 'succeeded' })];
  }
  return status === 'succeeded' ? refundAction(payment, refunds, now) : [];
}

function handledAction(payment: PaymentView): StoryAction[] {
  const operationId = 'payments.MarkPaymentHandled';
  return paymentNeed(payment) === null
    ? []
    : [{ label: actions.markHandled, operationId, body: {}, done: done.markedHandled, asks: ['note'] }];
}

/** A refund of what is left: neither refunded nor about to be. */
function refundAction(payment: PaymentView, refunds: readonly RefundView[], now: Date): StoryAction[] {
  const { amount, refunded_minor: refunded, succeeded_at: succeededAt } = payment;
  const underWay = refunds.filter(({ status }) => OPEN_REFUND_STATUSES.has(status));
  const left = underWay.reduce((rest, refund) => rest - refund.amount.minor, amount.minor - refunded);
  if (left <= 0 || succeededAt === null || now.getTime() > Date.parse(succeededAt) + REFUND_WINDOW_MS) {
    return [];
  }
  return [
    {
      label: actions.refund,
      operationId: 'payments.RequestRefund',
      body: { amount: { currency: BALANCE_CURRENCY, minor: left } },
      done: done.refundRequested,
      asks: ['amount', 'reason'],
    },
  ];
}
