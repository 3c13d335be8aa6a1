import { formatMoney } from './amounts.ts';
import type { AnyJson } from './any-json.ts';
import { eventTypeOf } from './delivery-words.ts';
import { bangkokDay, lengthOfTime } from './times.ts';

/** What the service says of a resource and of what belongs to it. A list that the key may not read is empty. */
export interface StoryReads {
  /** A payment, a refund or a payment link. */
  readonly resource: AnyJson;
  readonly refunds: readonly AnyJson[];
  /** Of the resource and its refunds, in any order. */
  readonly events: readonly AnyJson[];
  /** The attempts to deliver these events, in any order. */
  readonly deliveries: readonly AnyJson[];
  /** Requests of the log, in any order. */
  readonly requests: readonly AnyJson[];
  /** The merchant's own; null where they are not known. */
  readonly endpoints: readonly AnyJson[] | null;
  /** Those that may have taken what is in the story, in any order. */
  readonly settlements: readonly AnyJson[];
  readonly payouts: readonly AnyJson[];
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
  readonly event: AnyJson | null;
  /** The request that caused it; null if it is not in the log, or the passing of time caused it. */
  readonly request: AnyJson | null;
  readonly attempts: readonly AnyJson[];
}

/** Something that will happen at a time unless something else happens before. */
export interface AheadEntry {
  readonly at: string;
  readonly title: string;
}

const NAMES: Readonly<Record<string, string>> = { pay: 'Payment', ref: 'Refund', lnk: 'Payment link' };
/** How long a refund waits for its approval, and after that for being sent (contract §6). */
const APPROVAL_MS = 15 * 60_000;
const SENDING_MS = 60_000;
const UNPAID = /^(created|requires_action)$/;

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
export function settlementOf(succeededAt: string, settlements: readonly AnyJson[]): AnyJson {
  const day = bangkokDay(new Date(succeededAt));
  const [earliest = null] = settlements
    .filter(
      ({ status, value_date: date, created_at: at }) =>
        status === 'matched' && date >= day && at >= succeededAt,
    )
    .toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1));
  return earliest;
}

/** The settlements that took what is in the story, and what became of their payouts. */
function settlementEntries({ resource, refunds, settlements, payouts }: StoryReads): StoryEntry[] {
  const settled = [resource, ...refunds].filter(({ succeeded_at: at }) => at);
  const taken = Map.groupBy(settled, ({ succeeded_at: at }) => settlementOf(at, settlements));
  return [...taken].flatMap(([settlement, content]) => {
    if (settlement === null) {
      return [];
    }
    const { id, expected, created_at: at, payout_id: payoutId } = settlement;
    const numbers = content.map(({ number }) => number).join(' and ');
    const made = moneyEntry(
      id,
      'Settlement',
      'matched',
      at,
      `${numbers} in it, ${formatMoney(expected)} in all`,
    );
    const payout = payouts.find((one) => one.id === payoutId);
    return [made, ...(payout === undefined ? [] : payoutEntries(payout))];
  });
}

function payoutEntries(payout: AnyJson): StoryEntry[] {
  const { id, status, created_at: createdAt, updated_at: updatedAt, amount, return_reason: reason } = payout;
  const begun = moneyEntry(id, 'Payout', 'pending', createdAt, `${formatMoney(amount)} on its way`);
  const note = reason ? `Return reason ${reason}` : null;
  return status === 'pending' ? [begun] : [begun, moneyEntry(id, 'Payout', status, updatedAt, note)];
}

function moneyEntry(id: string, name: string, status: string, at: string, note: string | null): StoryEntry {
  return { at, title: `${name} ${status}`, status, id, note, event: null, request: null, attempts: [] };
}

/** The statuses of a resource with their events, and events without a status of their own. */
function entriesOf(resource: AnyJson, reads: StoryReads): StoryEntry[] {
  const left = reads.events
    .filter(({ data }) => data.object.id === resource.id)
    .toSorted((one, other) => one.sequence - other.sequence);
  const history: readonly AnyJson[] = resource.status_history ?? [];
  const statuses = history.map(({ status, at }) => {
    const named = left.findIndex(({ type }) => type.endsWith(`.${status}`));
    const place = named < 0 ? left.findIndex(({ timestamp }) => timestamp === at) : named;
    const [event = null] = place < 0 ? [] : left.splice(place, 1);
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
  readonly event: AnyJson | null;
}

function entryOf(resource: AnyJson, { at, status, event }: Happening, reads: StoryReads): StoryEntry {
  const what: string = event === null ? status : event.type.slice(event.type.indexOf('.') + 1);
  return {
    at,
    title: `${NAMES[resource.id.slice(0, 3)] ?? resource.id} ${what.replaceAll('_', ' ')}`,
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

function noteOf(resource: AnyJson, status: string): string | null {
  if (status === 'requested') {
    const { amount, number, reason } = resource;
    return [formatMoney(amount), number, reason].filter(Boolean).join(', ');
  }
  if (status === 'failed' && resource.failure_code) {
    return `Result code ${resource.failure_code}`;
  }
  if (status === 'amount_mismatch' && resource.received) {
    return `${formatMoney(resource.received)} came instead of ${formatMoney(resource.amount)}`;
  }
  return status === 'succeeded' && resource.late === true ? `The money came after ${endOf(resource)}` : null;
}

/** What had ended a payment whose money came late. */
function endOf({ status_history: history }: AnyJson): string {
  const isCanceled = history.some(({ status }: AnyJson) => status === 'canceled');
  return isCanceled ? 'the cancellation' : 'the expiry';
}

/** What will happen next if nothing else does, soonest first. Nothing that is over by now is in it. */
export function ahead({ resource, refunds, deliveries }: StoryReads, now: Date): AheadEntry[] {
  const isUnpaid = resource.id.startsWith('pay_') && UNPAID.test(resource.status);
  const expiry =
    isUnpaid || (resource.id.startsWith('lnk_') && resource.status === 'active' && resource.expires_at)
      ? [{ at: resource.expires_at, title: `${NAMES[resource.id.slice(0, 3)]} expires` }]
      : [];
  const ofRefunds = [...(resource.id.startsWith('ref_') ? [resource] : []), ...refunds].flatMap(nextOfRefund);
  const attempts = awaitingNext(deliveries).map((one) => ({
    at: one.next_attempt_at,
    title: `Attempt ${one.attempt + 1} to deliver ${eventTypeOf(one)}`,
  }));
  return [...expiry, ...ofRefunds, ...attempts]
    .filter(({ at }) => Date.parse(at) > now.getTime())
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function nextOfRefund({
  number,
  status,
  status_history: history,
  created_at: created,
}: AnyJson): AheadEntry[] {
  const since = Date.parse(history.at(-1)?.at ?? created);
  const at = (afterMs: number) => new Date(since + afterMs).toISOString();
  if (status === 'requested') {
    return [{ at: at(APPROVAL_MS), title: `Refund ${number} is approved` }];
  }
  return status === 'approved'
    ? [{ at: at(SENDING_MS), title: `Refund ${number} is sent to the provider` }]
    : [];
}

/** Whether one of these attempts will be followed by another. */
export function hasAttemptAhead(deliveries: readonly AnyJson[]): boolean {
  return awaitingNext(deliveries).length > 0;
}

/** The attempts that will be followed by another, and were not yet. */
function awaitingNext(deliveries: readonly AnyJson[]): readonly AnyJson[] {
  const isAfter = (later: AnyJson, one: AnyJson) =>
    ['event_id', 'endpoint_id', 'sink_id'].every((name) => later[name] === one[name]) && later.id > one.id;
  return deliveries.filter(
    (one) => one.next_attempt_at !== null && !deliveries.some((other) => isAfter(other, one)),
  );
}

/** Whether the event of an attempt can be sent to its receiver again: not to an endpoint that is disabled, or gone. */
export function canRedeliver({ endpoint_id: id }: AnyJson, endpoints: StoryReads['endpoints']): boolean {
  return (
    id === null || endpoints === null || endpoints.some((one) => one.id === id && one.status === 'enabled')
  );
}

/** Whether an event tells of something that the story shows, or may lead to it. */
export function concerns({ type, data: { object } }: AnyJson, reads: StoryReads): boolean {
  const { resource, refunds, settlements, payouts, deliveries } = reads;
  const shown = [resource, ...refunds, ...payouts].map(({ id }) => id);
  const receivers = deliveries.map(({ endpoint_id: id }) => id);
  const isWaiting = [resource, ...refunds].some(
    ({ succeeded_at: at }) => at && settlementOf(at, settlements) === null,
  );
  return (
    [...shown, ...receivers].includes(object.id) ||
    [object.payment_id, object.payment_link_id].includes(resource.id) ||
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
  return `${seconds < 60 ? `${seconds} s` : lengthOfTime(seconds)} later`;
}

/** Something that can be done now. */
export interface StoryAction {
  readonly label: string;
  readonly operationId: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** What is reported when it is done. */
  readonly done: string;
  /** The fields to ask for, in a dialog; without them, it is done at once. */
  readonly asks?: readonly string[];
}

/** The longest delay of a simulated outcome (contract §9). */
const DELAY_SECONDS_MAX = 604_800;
/** How long a payment can be refunded (contract §6). */
const REFUND_WINDOW_MS = 180 * 86_400_000;
const REPORTED = 'The provider has reported it.';
/** The result codes that payers are told in words. A provider may have others. */
export const RESULT_CODES = ['declined', 'insufficient_funds', 'limit_exceeded', 'timeout', 'payer_canceled'];

/** What can be done with a resource in its state, in test mode by the provider too. @param refunds of a payment */
export function possibleNow(resource: AnyJson, refunds: readonly AnyJson[], now: Date): StoryAction[] {
  const { id, status } = resource;
  switch (id.slice(0, 3)) {
    case 'pay':
      return paymentActions(resource, refunds, now);
    case 'ref':
      return refundActions(status);
    case 'lnk':
      return status === 'active'
        ? [
            {
              label: 'Disable',
              operationId: 'checkout.DisablePaymentLink',
              body: {},
              done: 'The link is disabled.',
            },
          ]
        : [];
    default:
      return [];
  }
}

function simulate(what: 'Payment' | 'Refund', label: string, body: StoryAction['body']): StoryAction {
  const asks = body.outcome === 'failed' ? { asks: ['result_code'] } : {};
  return { label, operationId: `testkit.Simulate${what}`, body, done: REPORTED, ...asks };
}

function refundActions(status: string): StoryAction[] {
  const outcomes = [
    simulate('Refund', 'Succeed', { outcome: 'succeeded' }),
    simulate('Refund', 'Fail', { outcome: 'failed', result_code: 'declined' }),
  ];
  const operationId = 'payments.CancelRefund';
  const cancel = { label: 'Cancel', operationId, body: {}, done: 'The refund is canceled.' };
  if (status === 'requested') {
    return [...outcomes, cancel];
  }
  return status === 'approved' || status === 'processing' ? outcomes : [];
}

function paymentActions(payment: AnyJson, refunds: readonly AnyJson[], now: Date): StoryAction[] {
  const { status, expires_at: expiresAt } = payment;
  const succeed = simulate('Payment', 'Succeed', { outcome: 'succeeded' });
  const fail = simulate('Payment', 'Fail', { outcome: 'failed', result_code: 'insufficient_funds' });
  const mismatch = simulate('Payment', 'Pay another amount', { outcome: 'mismatch' });
  const late = { outcome: 'succeeded', delay_seconds: secondsTo(expiresAt, now) };
  if (UNPAID.test(status)) {
    return [
      succeed,
      fail,
      simulate('Payment', 'Pending', { outcome: 'pending' }),
      mismatch,
      ...(late.delay_seconds <= DELAY_SECONDS_MAX ? [simulate('Payment', 'Pay late', late)] : []),
      { label: 'Cancel', operationId: 'payments.CancelPayment', body: {}, done: 'The payment is canceled.' },
    ];
  }
  if (status === 'processing') {
    return [succeed, fail, mismatch];
  }
  if (status === 'expired' || status === 'canceled') {
    return [simulate('Payment', 'Pay late', { outcome: 'succeeded' })];
  }
  return status === 'succeeded' ? refundAction(payment, refunds, now) : [];
}

/** Of what is left: neither refunded nor about to be. */
function refundAction(payment: AnyJson, refunds: readonly AnyJson[], now: Date): StoryAction[] {
  const { amount, refunded_minor: refunded, succeeded_at: succeededAt } = payment;
  const underWay = refunds.filter(({ status }) => /^(requested|approved|processing)$/.test(status));
  const left = underWay.reduce((rest, refund) => rest - refund.amount.minor, amount.minor - refunded);
  if (left <= 0 || now.getTime() > Date.parse(succeededAt) + REFUND_WINDOW_MS) {
    return [];
  }
  return [
    {
      label: 'Refund',
      operationId: 'payments.RequestRefund',
      body: { amount: { ...amount, minor: left } },
      done: 'The refund is requested.',
      asks: ['amount', 'reason'],
    },
  ];
}
