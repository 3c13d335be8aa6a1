import { formatMoney } from './amounts.ts';
import type { AnyJson } from './gate.ts';
import { lengthOfTime } from './times.ts';

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
  readonly settlement: AnyJson;
  readonly payout: AnyJson;
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
  const { resource, refunds, settlement, payout } = reads;
  const entries = [resource, ...refunds].flatMap((one) => entriesOf(one, reads));
  const later = [
    moneyEntry(settlement, 'Settlement', settlement?.created_at),
    moneyEntry(payout, 'Payout', payout?.updated_at),
  ];
  return [...entries, ...later.flatMap((entry) => entry ?? [])].toSorted((one, other) =>
    one.at < other.at ? -1 : one.at > other.at ? 1 : 0,
  );
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
  if (status === 'failed' && resource.failure_code) {
    return `Result code ${resource.failure_code}`;
  }
  if (status === 'amount_mismatch' && resource.received) {
    return `${formatMoney(resource.received)} came instead of ${formatMoney(resource.amount)}`;
  }
  return status === 'succeeded' && resource.late === true ? 'The money came after the expiry' : null;
}

function moneyEntry(resource: AnyJson, name: string, at: string | undefined): StoryEntry | null {
  if (!resource || at === undefined) {
    return null;
  }
  const money = resource.amount ?? resource.stated ?? resource.expected;
  return {
    at,
    title: `${name} ${String(resource.status).replaceAll('_', ' ')}`,
    status: resource.status,
    id: resource.id,
    note: money ? `${formatMoney(money)} in all` : null,
    event: null,
    request: null,
    attempts: [],
  };
}

/** What will happen next if nothing else does, soonest first. Nothing that is over by now is in it. */
export function ahead({ resource, refunds, deliveries }: StoryReads, now: Date): AheadEntry[] {
  const isUnpaid = resource.id.startsWith('pay_') && UNPAID.test(resource.status);
  const expiry =
    isUnpaid || (resource.id.startsWith('lnk_') && resource.status === 'active' && resource.expires_at)
      ? [{ at: resource.expires_at, title: `${NAMES[resource.id.slice(0, 3)]} expires` }]
      : [];
  const ofRefunds = [...(resource.id.startsWith('ref_') ? [resource] : []), ...refunds].flatMap(nextOfRefund);
  const attempts = deliveries
    .filter((one) => one.next_attempt_at !== null && !deliveries.some((other) => isAfter(other, one)))
    .map((one) => ({
      at: one.next_attempt_at,
      title: `Attempt ${one.attempt + 1} to deliver ${typeOf(one)}`,
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

/** Whether an attempt was made after another one to deliver the same event to the same receiver. */
function isAfter(later: AnyJson, one: AnyJson): boolean {
  const isSame = ['event_id', 'endpoint_id', 'sink_id'].every((name) => later[name] === one[name]);
  return isSame && later.id > one.id;
}

function typeOf({ body }: AnyJson): string {
  return /"type":"([a-z_.]+)"/.exec(body)?.[1] ?? 'the event';
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

/** Something that can be done now, at once. */
export interface StoryAction {
  readonly label: string;
  readonly operationId: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** What is reported when it is done. */
  readonly done: string;
}

const simulatePayment = (label: string, body: StoryAction['body']): StoryAction => ({
  label,
  operationId: 'testkit_SimulatePayment',
  body,
  done: 'The provider has reported it.',
});

/** What can be done with a resource in its state, in test mode by the provider too. */
export function possibleNow(resource: AnyJson, now: Date): StoryAction[] {
  const { id, status } = resource;
  switch (id.slice(0, 3)) {
    case 'pay':
      return paymentActions(resource, now);
    case 'ref':
      return [
        ...(status === 'requested'
          ? [
              {
                label: 'Cancel',
                operationId: 'payments_CancelRefund',
                body: {},
                done: 'The refund is canceled.',
              },
            ]
          : []),
        ...(/^(requested|approved|processing)$/.test(status)
          ? [
              simulateRefund('Succeed', { outcome: 'succeeded' }),
              simulateRefund('Fail', { outcome: 'failed', result_code: 'account_closed' }),
            ]
          : []),
      ];
    case 'lnk':
      return status === 'active'
        ? [
            {
              label: 'Disable',
              operationId: 'checkout_DisablePaymentLink',
              body: {},
              done: 'The link is disabled.',
            },
          ]
        : [];
    default:
      return [];
  }
}

function simulateRefund(label: string, body: StoryAction['body']): StoryAction {
  return { label, operationId: 'testkit_SimulateRefund', body, done: 'The provider has reported it.' };
}

function paymentActions(
  { status, amount, expires_at: expiresAt, refunded_minor: refunded }: AnyJson,
  now: Date,
) {
  const succeed = simulatePayment('Succeed', { outcome: 'succeeded' });
  const fail = simulatePayment('Fail', { outcome: 'failed', result_code: 'insufficient_funds' });
  const mismatch = simulatePayment('Pay another amount', { outcome: 'mismatch' });
  if (UNPAID.test(status)) {
    return [
      succeed,
      fail,
      simulatePayment('Pending', { outcome: 'pending' }),
      mismatch,
      simulatePayment('Pay late', { outcome: 'succeeded', delay_seconds: secondsTo(expiresAt, now) }),
      { label: 'Cancel', operationId: 'payments_CancelPayment', body: {}, done: 'The payment is canceled.' },
    ];
  }
  if (status === 'processing') {
    return [succeed, fail, mismatch];
  }
  if (status === 'expired' || status === 'canceled') {
    return [simulatePayment('Pay late', { outcome: 'succeeded' })];
  }
  return status === 'succeeded' && refunded < amount.minor
    ? [
        {
          label: 'Refund in full',
          operationId: 'payments_RequestRefund',
          body: {},
          done: 'The refund is requested.',
        },
      ]
    : [];
}
