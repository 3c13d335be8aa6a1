import { MINUTE_MS } from './clock.ts';
import type { ProviderAccount } from './connection.ts';
import { type LookUpReason, nextLookUpOf } from './look-up.ts';
import { type Machine, nextState, notAllowed, statesAllowing } from './machine.ts';
import type { Money } from './money.ts';
import type { NextAction } from './next-action.ts';
import { METHODS, type PaymentMethod } from './payment-method.ts';
import type { PaymentId } from './request-start.ts';
import {
  afterOf,
  type Consequence,
  changeOf,
  jobChange,
  nextVersion,
  type ResourceChange,
  type ResourceJob,
  type Step,
} from './resource-change.ts';
import { historyWith, type StatusHistory } from './status-history.ts';

export const PAYMENT_STATUSES = [
  'created',
  'requires_action',
  'failed',
  'processing',
  'succeeded',
  'expired',
  'canceled',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];
/** The commands of the machine, each with the event that reports it (contract §10). */
const EVENT_OF = {
  requireAction: 'payment.requires_action',
  hold: 'payment.processing',
  mismatch: 'payment.amount_mismatch',
  succeed: 'payment.succeeded',
  fail: 'payment.failed',
  expire: 'payment.expired',
  cancel: 'payment.canceled',
} as const;
type PaymentCommand = keyof typeof EVENT_OF;
export const PAYMENT_EVENTS = ['payment.created', ...Object.values(EVENT_OF)] as const;
type PaymentEvent = (typeof PAYMENT_EVENTS)[number];

const WHILE_UNPAID = {
  requireAction: 'requires_action',
  hold: 'processing',
  succeed: 'succeeded',
  fail: 'failed',
  mismatch: 'processing',
  cancel: 'canceled',
  expire: 'expired',
} as const;

/** The life of a payment (contract §5). Money that arrived counts: a success after expiry or cancel is a success. */
export const paymentMachine: Machine<PaymentStatus, PaymentCommand> = {
  created: WHILE_UNPAID,
  requires_action: WHILE_UNPAID,
  processing: { succeed: 'succeeded', fail: 'failed', mismatch: 'processing' },
  succeeded: {},
  failed: {},
  expired: { succeed: 'succeeded' },
  canceled: { succeed: 'succeeded' },
};

/** The statuses of payments that have not ended: an ended one may still be paid late, but cannot fail. */
export const OPEN_STATUSES: ReadonlySet<PaymentStatus> = new Set(statesAllowing(paymentMachine, 'fail'));
/** Why a payment at a live provider is looked up in each status (contract §15); null: it is not. */
const LOOKED_UP: Readonly<Record<PaymentStatus, LookUpReason | null>> = {
  created: null,
  requires_action: 'open',
  processing: 'processing',
  succeeded: null,
  failed: null,
  expired: 'late',
  canceled: 'late',
};

/** Minutes until a payment expires whose payer has to choose the method first (contract §5). */
export const EXPIRES_IN_MINUTES = 1_440;
export const EXPIRES_IN_MINUTES_MAX = 43_200;
const LONGEST_MINUTES = Math.max(...Object.values(METHODS).map(({ minutes }) => minutes));
/** How long a payment from a link holds its use while no method is chosen (contract §7). */
export const UNCHOSEN_MINUTES = 15;

/** How often a payer can choose a method: each choice sends a request to a live provider and the merchant an event. */
export const CHOICES_MAX = 10;

interface Customer {
  readonly email: string | null;
  readonly name: string | null;
  readonly phone: string | null;
}

export type Metadata = Readonly<Record<string, string | number | boolean | null>>;

/** A payment attempt: one try to collect a payment by one method. */
export interface PaymentAttempt {
  readonly id: string;
  readonly method: PaymentMethod;
  readonly nextAction: NextAction;
  readonly createdAtMs: number;
  /** The provider's own reference (live mode only). */
  readonly reference?: string;
  /** The account that it was created at, in live mode: its refunds are created there, too. */
  readonly account?: ProviderAccount;
}

export interface Payment extends StatusHistory<PaymentStatus> {
  readonly id: PaymentId;
  readonly number: string;
  /** Raised by every write, and the condition of the next one (optimistic locking). */
  readonly version: number;
  readonly status: PaymentStatus;
  readonly amount: Money;
  readonly method: PaymentMethod | null;
  readonly attempt: PaymentAttempt | null;
  /** Set where the merchant left the method to the payer. */
  readonly isMethodOpen?: boolean;
  /** How often the payer has chosen, where the method is the payer's. */
  readonly choices?: number;
  readonly checkoutUrl: string | null;
  /** Address of the payer's page, whether or not the merchant asked for `checkout_url`. */
  readonly pageUrl: string;
  /** Makes the addresses of the payer's pages unguessable: see `page-token.ts`. */
  readonly pageSecret: string;
  readonly reference: string | null;
  readonly description: string | null;
  readonly customer: Customer;
  /** Set where the payer gave the email, and so may correct it. */
  readonly isEmailPayers?: true;
  /** Stored for the provider's risk checks, never shown (contract §5). */
  readonly clientIp: string | null;
  /** When the payer's data was erased, in real time. */
  readonly payerErasedAtMs?: number;
  readonly metadata: Metadata;
  readonly returnUrl: string | null;
  /** Set where no real money moves: it was made while a live world was connected to its provider's test mode. */
  readonly isRehearsal?: true;
  /** The payment link that it was made from. */
  readonly linkId: string | null;
  /** The link's public code: a payer whose payment failed starts again there. */
  readonly linkCode?: string;
  /** The provider's result code, where the payment failed. */
  readonly failureCode?: string;
  /** The money that came, where it was not the amount asked for. */
  readonly received?: Money;
  /** How often such money was reported, if more than once. */
  readonly mismatches?: number;
  readonly late: boolean;
  /** Sum of the refunds that succeeded, in minor units. */
  readonly refundedMinor: number;
  /** What new refunds may still take, in minor units: the amount less all open and succeeded refunds. */
  readonly refundableMinor: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs: number;
  readonly succeededAtMs: number | null;
  /** Set where somebody has dealt with what is unusual in it, such as late money (contract §18). */
  readonly handled?: { readonly atMs: number; readonly note: string | null };
}

/** A merchant's input. Fields that are left out get the defaults of contract §5. */
export interface PaymentInput {
  readonly amount: Money;
  readonly method?: PaymentMethod | undefined;
  readonly reference?: string | undefined;
  readonly description?: string | undefined;
  readonly customer?:
    | { email?: string | undefined; name?: string | undefined; phone?: string | undefined }
    | undefined;
  readonly expiresInMinutes?: number | undefined;
  readonly checkout?: boolean | undefined;
  readonly clientIp?: string | undefined;
  readonly metadata?: Metadata | undefined;
  readonly returnUrl?: string | undefined;
}

export interface PaymentIdentity {
  readonly id: PaymentId;
  readonly number: string;
  readonly pageSecret: string;
  readonly pageUrl: string;
  readonly isRehearsal?: boolean;
  readonly link?: { readonly id: string; readonly code: string } | undefined;
}

/** Creates a payment, with status `created`, waiting for its first attempt. */
export function createPayment(identity: PaymentIdentity, input: PaymentInput, nowMs: number): PaymentChange {
  const byMethod = input.method === undefined ? EXPIRES_IN_MINUTES : METHODS[input.method].minutes;
  const expiresInMinutes = input.expiresInMinutes ?? byMethod;
  const wantsCheckout = input.checkout === true || input.method === undefined;
  const created: Payment = {
    id: identity.id,
    number: identity.number,
    version: 1,
    status: 'created',
    amount: input.amount,
    method: input.method ?? null,
    attempt: null,
    ...(input.method === undefined && { isMethodOpen: true }),
    checkoutUrl: wantsCheckout ? identity.pageUrl : null,
    pageUrl: identity.pageUrl,
    pageSecret: identity.pageSecret,
    reference: input.reference ?? null,
    description: input.description ?? null,
    customer: {
      email: input.customer?.email ?? null,
      name: input.customer?.name ?? null,
      phone: input.customer?.phone ?? null,
    },
    ...(identity.link && input.customer?.email !== undefined && { isEmailPayers: true }),
    clientIp: input.clientIp ?? null,
    metadata: input.metadata ?? {},
    returnUrl: input.returnUrl ?? null,
    ...(identity.isRehearsal && { isRehearsal: true }),
    linkId: identity.link?.id ?? null,
    ...(identity.link && { linkCode: identity.link.code }),
    late: false,
    refundedMinor: 0,
    refundableMinor: input.amount.minor,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs: nowMs + expiresInMinutes * MINUTE_MS,
    succeededAtMs: null,
    ...historyWith({}, 'created', nowMs),
  };
  return changePayment(null, [{ event: 'payment.created', previousStatus: null, after: created }]);
}

/**
 * Sets a payment's attempt, so that the payer has something to do. A payer to whom the merchant left the method may
 * choose again, up to `CHOICES_MAX` times.
 * @throws Problem `invalid_state` where the method can no longer be chosen
 */
export function requireAction(payment: Payment, attempt: PaymentAttempt, nowMs: number): PaymentChange {
  if (!canChooseMethod(payment)) {
    throw notAllowed(paymentMachine, payment.status, 'requireAction');
  }
  const expiresAtMs = expiryWith(payment, attempt.method, nowMs);
  const counted = payment.isMethodOpen === true && { choices: choicesOf(payment) + 1 };
  const change = { method: attempt.method, attempt, expiresAtMs, ...counted };
  return changePayment(payment, [step(payment, 'requireAction', nowMs, change)]);
}

/** Whether the payer can choose a method, for the first time or again. */
export function canChooseMethod(payment: Payment): boolean {
  return payment.status === 'created' || (isChoosable(payment) && !hasNoChoiceLeft(payment));
}

/** Whether a payer who could choose again has used up the choices. */
export function hasNoChoiceLeft(payment: Payment): boolean {
  return isChoosable(payment) && choicesOf(payment) >= CHOICES_MAX;
}

function isChoosable({ status, isMethodOpen }: Payment): boolean {
  return status === 'requires_action' && isMethodOpen === true;
}

/** How often the payer has chosen a method: never, where the merchant has. */
export function choicesOf({ choices = 0 }: Payment): number {
  return choices;
}

/**
 * Raised by whatever changes what a payer's page shows and its buttons act on: another status, another choice, money of
 * another amount. Changes for other reasons leave it.
 */
export function turnOf(payment: Payment): number {
  return payment.statusHistory.length + choicesOf(payment) + mismatchesOf(payment);
}

function mismatchesOf({ received, mismatches = 1 }: Payment): number {
  return received === undefined ? 0 : mismatches;
}

/** Whether the payer can correct the email by another choice: one that the merchant gave stays (contract §15). */
export function canCorrectEmail(payment: Payment): boolean {
  return payment.isEmailPayers === true && canChooseMethod(payment);
}

/** The payment with an email that its payer entered: its next attempt is requested with it. */
export function withPayersEmail(payment: Payment, email: string): Payment {
  return { ...payment, customer: { ...payment.customer, email }, isEmailPayers: true };
}

/**
 * When a payment expires if its payer chooses this method. A payment from a link then gets the method's own time from
 * now on (contract §7): never less than it had, since money may be on its way, and never more than the longest method
 * at the latest first choice, however often the payer chooses. Other payments keep the time that their merchant set.
 */
export function expiryWith(
  { linkId, createdAtMs, expiresAtMs }: Payment,
  method: PaymentMethod,
  nowMs: number,
): number {
  if ((linkId ?? null) === null) {
    return expiresAtMs;
  }
  const latest = createdAtMs + (UNCHOSEN_MINUTES + LONGEST_MINUTES) * MINUTE_MS;
  return Math.max(expiresAtMs, Math.min(nowMs + METHODS[method].minutes * MINUTE_MS, latest));
}

/**
 * Cancels a payment that is not paid yet.
 * @throws Problem `invalid_state` for every other payment, one whose time is over included
 */
export function cancelPayment(payment: Payment, nowMs: number): PaymentChange {
  return changePayment(payment, [step(paymentAsOf(payment, nowMs), 'cancel', nowMs)]);
}

/** Whether it is unpaid, so that time ends it. */
export function canExpire({ status }: Pick<Payment, 'status'>): boolean {
  return paymentMachine[status].expire !== undefined;
}

/** The expiry of a payment: none where it is being paid, was paid or ended before, or got more time. */
export function whenPaymentIsDue(payment: Payment, nowMs: number): PaymentChange[] {
  const isDue = nowMs >= payment.expiresAtMs && canExpire(payment);
  return isDue ? [changePayment(payment, [step(payment, 'expire', payment.expiresAtMs)])] : [];
}

/**
 * The payment as of an instant: past its expiry it reads as expired, whether or not the job that records it has run
 * (contract §5).
 */
export function paymentAsOf(payment: Payment, nowMs: number): Payment {
  const [expired] = whenPaymentIsDue(payment, nowMs);
  return expired === undefined ? payment : afterOf(expired);
}

/** Whether it reads as expired before its expiry is recorded. */
export function isExpiryUnseen(payment: Payment, nowMs: number): boolean {
  return paymentAsOf(payment, nowMs) !== payment;
}

/** The outcomes that a provider can report for a payment (contract §9). */
export const PAYMENT_OUTCOMES = ['succeeded', 'failed', 'pending', 'mismatch'] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];
/** How far ahead an outcome can be queued, on the merchant's clock (contract §9). */
export const DELAY_SECONDS_MAX = 604_800;

const COMMAND_OF: Readonly<Record<PaymentOutcome, PaymentCommand>> = {
  succeeded: 'succeed',
  failed: 'fail',
  pending: 'hold',
  mismatch: 'mismatch',
};

/** What a provider reports beside an outcome. */
interface PaymentReport {
  readonly resultCode?: string;
  readonly amount?: Money;
}

/**
 * Applies an outcome that the provider reported. A success after expiry or cancel is recorded as late.
 * @throws Problem `invalid_state` where the payment's status does not allow the outcome
 */
export function applyPaymentOutcome(
  payment: Payment,
  outcome: PaymentOutcome,
  nowMs: number,
  report: PaymentReport = {},
): PaymentChange {
  const current = paymentAsOf(payment, nowMs);
  return changePayment(payment, [
    ...whenPaymentIsDue(payment, nowMs).flatMap(({ steps }) => steps),
    step(current, COMMAND_OF[outcome], nowMs, recordOf(outcome, report, current, nowMs)),
  ]);
}

/** What a payment records of an outcome. */
function recordOf(
  outcome: PaymentOutcome,
  { resultCode, amount }: PaymentReport,
  payment: Payment,
  nowMs: number,
): Partial<Payment> {
  const { status, updatedAtMs } = payment;
  const mismatches = mismatchesOf(payment) + 1;
  switch (outcome) {
    case 'succeeded': {
      const late = status === 'expired' || status === 'canceled';
      return { succeededAtMs: Math.max(nowMs, updatedAtMs), late };
    }
    case 'failed':
      return resultCode === undefined ? {} : { failureCode: resultCode };
    case 'mismatch':
      return amount === undefined ? {} : { received: amount, ...(mismatches > 1 && { mismatches }) };
    default:
      return {};
  }
}

/** A note of the merchant on a payment: no step of its life, and no event. */
export interface PaymentNote {
  readonly kind: 'payment-note';
  readonly before: Payment;
  readonly after: Payment;
}

/**
 * Records that somebody has dealt with a payment: nothing else changes, and a later note replaces an earlier one. It is no
 * step, so an expiry that is recorded after it keeps its own time.
 */
export function markHandled(before: Payment, note: string | null, nowMs: number): PaymentNote {
  const handled = { atMs: nowMs, note };
  return { kind: 'payment-note', before, after: { ...before, handled, version: before.version + 1 } };
}

export type PaymentChange = ResourceChange<'payment', PaymentEvent, Payment>;
type PaymentStep = Step<PaymentEvent, Payment>;

/** Joins two consecutive changes of a payment into one. */
export function joinPaymentChanges(first: PaymentChange, second: PaymentChange): PaymentChange {
  return changePayment(first.before, [...first.steps, ...second.steps]);
}

function changePayment(before: Payment | null, steps: PaymentChange['steps']): PaymentChange {
  return changeOf('payment', before, steps, consequencesOf);
}

/** The effects of a payment's change on the day's balance and its link's uses, and when it expires. */
function consequencesOf(before: Payment | null, after: Payment): Consequence[] {
  const { status, amount, method, updatedAtMs } = after;
  const linkId = after.linkId ?? null;
  const { uses, taken } = usesChangedBy(before?.status ?? null, status);
  const isPaid = status === 'succeeded' && before?.status !== 'succeeded';
  return [
    ...(linkId !== null && (uses !== 0 || taken !== 0)
      ? [{ kind: 'link-use', linkId, uses, taken, newPaymentId: before === null ? after.id : null } as const]
      : []),
    ...(isPaid
      ? [{ kind: 'balance', atMs: updatedAtMs, amount, ...(method && { countedAs: method }) } as const]
      : []),
    ...expiryChangedBy(before, after),
    ...lookUpChangedBy(before, after),
  ];
}

/** A payment at a live provider is looked up there from time to time, whether or not a notification comes. */
function lookUpChangedBy(before: Payment | null, after: Payment): Consequence[] {
  const isNews = before?.status !== after.status || before.attempt?.id !== after.attempt?.id;
  return isNews ? jobChange(null, nextPaymentLookUpOf(after, after.updatedAtMs)) : [];
}

/** The next look-up of a payment at its live provider, or null where none follows. @param fromMs it comes later than this */
export function nextPaymentLookUpOf(payment: Payment, fromMs: number): ResourceJob | null {
  const reason = LOOKED_UP[payment.status];
  return reason === null ? null : nextLookUpOf(payment, reason, fromMs);
}

function expiryChangedBy(before: Payment | null, after: Payment): Consequence[] {
  const jobOf = (payment: Payment | null) =>
    payment !== null && canExpire(payment)
      ? ({ kind: 'expire-payment', dueAtMs: payment.expiresAtMs, paymentId: payment.id } as const)
      : null;
  const [old, next] = [jobOf(before), jobOf(after)];
  return old?.dueAtMs === next?.dueAtMs ? [] : jobChange(old, next);
}

/** How a change of status changes the counts of the payment's link. `before` is null for a new payment. */
export function usesChangedBy(
  before: PaymentStatus | null,
  after: PaymentStatus,
): { readonly uses: number; readonly taken: number } {
  const usesOf = (status: PaymentStatus | null) => (status === 'succeeded' ? 1 : 0);
  const takenOf = (status: PaymentStatus | null) =>
    status !== null && OPEN_STATUSES.has(status) ? 1 : usesOf(status);
  return { uses: usesOf(after) - usesOf(before), taken: takenOf(after) - takenOf(before) };
}

function step(
  payment: Payment,
  command: PaymentCommand,
  nowMs: number,
  change: Partial<Payment> = {},
): PaymentStep {
  const status = nextState(paymentMachine, payment.status, command);
  const after = nextVersion(payment, { ...change, status }, nowMs);
  return {
    event: EVENT_OF[command],
    previousStatus: payment.status,
    after: { ...after, ...historyWith(payment, status, after.updatedAtMs) },
  };
}
