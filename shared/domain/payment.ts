import { MINUTE_MS } from './clock.ts';
import type { ProviderAccount } from './connection.ts';
import { nextLookUpOf } from './look-up.ts';
import { type Machine, nextState, notAllowed } from './machine.ts';
import type { Money } from './money.ts';
import type { NextAction } from './next-action.ts';
import { METHODS, type PaymentMethod } from './payment-method.ts';
import type { PaymentId } from './request-start.ts';
import { afterOf, type Consequence, changeOf, type ResourceChange, type Step } from './resource-change.ts';

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
/** The statuses of payments that have not ended. */
export const OPEN_STATUSES: ReadonlySet<PaymentStatus> = new Set([
  'created',
  'requires_action',
  'processing',
]);

export type PaymentCommand =
  | 'require_action'
  | 'hold'
  | 'succeed'
  | 'fail'
  | 'mismatch'
  | 'cancel'
  | 'expire';

/** The life of a payment (contract §5). Money that arrived counts: a success after expiry or cancel is a success. */
export const paymentMachine: Machine<PaymentStatus, PaymentCommand> = {
  created: {
    require_action: 'requires_action',
    hold: 'processing',
    succeed: 'succeeded',
    fail: 'failed',
    mismatch: 'processing',
    cancel: 'canceled',
    expire: 'expired',
  },
  requires_action: {
    require_action: 'requires_action',
    hold: 'processing',
    succeed: 'succeeded',
    fail: 'failed',
    mismatch: 'processing',
    cancel: 'canceled',
    expire: 'expired',
  },
  processing: { succeed: 'succeeded', fail: 'failed', mismatch: 'processing' },
  succeeded: {},
  failed: {},
  expired: { succeed: 'succeeded' },
  canceled: { succeed: 'succeeded' },
};

/** Minutes until a payment expires whose payer has to choose the method first (contract §5). */
const EXPIRES_IN_MINUTES = 1_440;
export const EXPIRES_IN_MINUTES_MAX = 43_200;
const LONGEST_MINUTES = Math.max(...Object.values(METHODS).map(({ minutes }) => minutes));
/** How long a payment from a link holds its use while no method is chosen (contract §7). */
export const UNCHOSEN_MINUTES = 15;

/** How often a payer can choose a method: each choice sends a request to a live provider and the merchant an event. */
export const CHOICES_MAX = 10;

export interface Customer {
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

export interface Payment {
  readonly id: PaymentId;
  readonly number: string;
  /** Raised by every write, and the condition of the next one (optimistic locking). */
  readonly version: number;
  readonly status: PaymentStatus;
  readonly amount: Money;
  readonly method: PaymentMethod | null;
  readonly attempt: PaymentAttempt | null;
  /** Set where the merchant left the method to the payer. Payments older than this field lack it: method settled. */
  readonly isMethodOpen?: boolean;
  readonly checkoutUrl: string | null;
  /** Address of the payer's page, whether or not the merchant asked for `checkout_url`. */
  readonly pageUrl: string;
  /** Makes the addresses of the payer's pages unguessable: see `page-token.ts`. */
  readonly pageSecret: string;
  readonly reference: string | null;
  readonly description: string | null;
  readonly customer: Customer;
  /** Set where the payer gave the e-mail, and so may correct it. Payments older than this field lack it. */
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
  readonly late: boolean;
  /** Sum of the refunds that succeeded, in minor units. */
  readonly refundedMinor: number;
  /** What new refunds may still take, in minor units: the amount less all open and succeeded refunds. */
  readonly refundableMinor: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs: number;
  readonly succeededAtMs: number | null;
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
  readonly expires_in_minutes?: number | undefined;
  readonly checkout?: boolean | undefined;
  readonly client_ip?: string | undefined;
  readonly metadata?: Metadata | undefined;
  readonly return_url?: string | undefined;
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
export function createPayment(identity: PaymentIdentity, order: PaymentInput, nowMs: number): PaymentChange {
  const byMethod = order.method === undefined ? EXPIRES_IN_MINUTES : METHODS[order.method].minutes;
  const expiresInMinutes = order.expires_in_minutes ?? byMethod;
  const wantsCheckout = order.checkout === true || order.method === undefined;
  const created: Payment = {
    id: identity.id,
    number: identity.number,
    version: 1,
    status: 'created',
    amount: order.amount,
    method: order.method ?? null,
    attempt: null,
    ...(order.method === undefined && { isMethodOpen: true }),
    checkoutUrl: wantsCheckout ? identity.pageUrl : null,
    pageUrl: identity.pageUrl,
    pageSecret: identity.pageSecret,
    reference: order.reference ?? null,
    description: order.description ?? null,
    customer: {
      email: order.customer?.email ?? null,
      name: order.customer?.name ?? null,
      phone: order.customer?.phone ?? null,
    },
    ...(identity.link && order.customer?.email !== undefined && { isEmailPayers: true }),
    clientIp: order.client_ip ?? null,
    metadata: order.metadata ?? {},
    returnUrl: order.return_url ?? null,
    ...(identity.isRehearsal && { isRehearsal: true }),
    linkId: identity.link?.id ?? null,
    ...(identity.link && { linkCode: identity.link.code }),
    late: false,
    refundedMinor: 0,
    refundableMinor: order.amount.minor,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs: nowMs + expiresInMinutes * MINUTE_MS,
    succeededAtMs: null,
  };
  return changePayment(null, [{ event: 'payment.created', previousStatus: null, after: created }]);
}

/**
 * Sets a payment's attempt, so that the payer has something to do. A payer to whom the merchant left the method may
 * choose again, up to `CHOICES_MAX` times.
 * @throws Problem `invalid_state` where the method can no longer be chosen
 */
export function requireAction(payment: Payment, attempt: PaymentAttempt, nowMs: number): PaymentChange {
  if (payment.status !== 'created' && !canChooseMethod(payment)) {
    throw notAllowed(paymentMachine, payment.status, 'require_action');
  }
  const expiresAtMs = expiryWith(payment, attempt.method, nowMs);
  const change = { method: attempt.method, attempt, expiresAtMs };
  return changePayment(payment, [step(payment, 'require_action', nowMs, change)]);
}

/** Whether the payer can choose a method, for the first time or again. */
export function canChooseMethod({ status, isMethodOpen, version }: Payment): boolean {
  // In these statuses only a choice raises the version.
  return (
    status === 'created' || (status === 'requires_action' && isMethodOpen === true && version <= CHOICES_MAX)
  );
}

/** Whether the payer can correct the e-mail by another choice: one that the merchant gave stays (contract §15). */
export function canCorrectEmail(payment: Payment): boolean {
  return payment.isEmailPayers === true && canChooseMethod(payment);
}

/** The payment with an e-mail that its payer entered: its next attempt is requested with it. */
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

/** Expires a payment; null before its time, and where the status does not allow it (being paid, paid, ended). */
export function expirePayment(payment: Payment, nowMs: number): PaymentChange | null {
  const isDue = nowMs >= payment.expiresAtMs && canExpire(payment);
  return isDue ? changePayment(payment, [step(payment, 'expire', payment.expiresAtMs)]) : null;
}

function canExpire({ status }: Payment): boolean {
  return paymentMachine[status].expire !== undefined;
}

/** The changes of the job `expire-payment`: none where the payment was paid or ended before, or got more time. */
export function whenPaymentIsDue(payment: Payment, dueAtMs: number): PaymentChange[] {
  const expired = expirePayment(payment, dueAtMs);
  return expired === null ? [] : [expired];
}

/**
 * The payment as of an instant: past its expiry it reads as expired, whether or not the job that records it has run
 * (contract §5).
 */
export function paymentAsOf(payment: Payment, nowMs: number): Payment {
  const expired = expirePayment(payment, nowMs);
  return expired === null ? payment : afterOf(expired);
}

/** Whether it reads as expired before its expiry is recorded. */
export function isExpiryUnseen(payment: Payment, nowMs: number): boolean {
  return paymentAsOf(payment, nowMs) !== payment;
}

/** The outcomes that a provider can report for a payment (contract §9). */
export const PAYMENT_OUTCOMES = ['succeeded', 'failed', 'pending', 'mismatch'] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

const COMMAND_OF: Readonly<Record<PaymentOutcome, PaymentCommand>> = {
  succeeded: 'succeed',
  failed: 'fail',
  pending: 'hold',
  mismatch: 'mismatch',
};

/**
 * Applies an outcome that the provider reported. A success after expiry or cancel is recorded as late.
 * @throws Problem `invalid_state` where the payment's status does not allow the outcome
 */
export function applyPaymentOutcome(
  payment: Payment,
  outcome: PaymentOutcome,
  nowMs: number,
  resultCode?: string,
): PaymentChange {
  const expired = expirePayment(payment, nowMs);
  const current = expired === null ? payment : afterOf(expired);
  const isLate = current.status === 'expired' || current.status === 'canceled';
  const success = { succeededAtMs: Math.max(nowMs, current.updatedAtMs), late: isLate };
  const failure = resultCode === undefined ? {} : { failureCode: resultCode };
  const change = outcome === 'succeeded' ? success : outcome === 'failed' ? failure : {};
  return changePayment(payment, [
    ...(expired?.steps ?? []),
    step(current, COMMAND_OF[outcome], nowMs, change),
  ]);
}

/** The events of a payment (contract §10). */
export const PAYMENT_EVENTS = [
  'payment.created',
  'payment.requires_action',
  'payment.processing',
  'payment.amount_mismatch',
  'payment.succeeded',
  'payment.failed',
  'payment.expired',
  'payment.canceled',
] as const;
type PaymentEvent = (typeof PAYMENT_EVENTS)[number];

export type PaymentChange = ResourceChange<'payment', PaymentEvent, Payment>;
type PaymentStep = Step<PaymentEvent, Payment>;

/** Joins two consecutive changes of a payment into one. */
export function joinPaymentChanges(first: PaymentChange, second: PaymentChange): PaymentChange {
  return changePayment(first.before, [...first.steps, ...second.steps]);
}

function changePayment(before: Payment | null, steps: readonly PaymentStep[]): PaymentChange {
  return changeOf('payment', before, steps, consequencesOf);
}

/** The effects of a payment's change on the day's balance and its link's uses, and when it expires. */
function consequencesOf(before: Payment | null, after: Payment): Consequence[] {
  const { status, amount, updatedAtMs } = after;
  const linkId = after.linkId ?? null;
  const { uses, taken } = usesChangedBy(before?.status ?? null, status);
  const isPaid = status === 'succeeded' && before?.status !== 'succeeded';
  return [
    ...(linkId !== null && (uses !== 0 || taken !== 0)
      ? [{ kind: 'link-use', linkId, uses, taken, isNew: before === null } as const]
      : []),
    ...(isPaid ? [{ kind: 'balance', atMs: updatedAtMs, amount } as const] : []),
    ...expiryChangedBy(before, after),
    ...lookUpChangedBy(before, after),
  ];
}

/** A payment at a live provider is looked up there from time to time, whether or not a notification comes. */
function lookUpChangedBy(before: Payment | null, after: Payment): Consequence[] {
  const isNews = before?.status !== after.status || before.attempt?.id !== after.attempt?.id;
  const job = isNews ? nextLookUpOf(after, after.updatedAtMs) : null;
  return job === null ? [] : [{ kind: 'job', job }];
}

function expiryChangedBy(before: Payment | null, after: Payment): Consequence[] {
  const jobOf = (payment: Payment | null) =>
    payment !== null && canExpire(payment)
      ? ({ kind: 'expire-payment', dueAtMs: payment.expiresAtMs, paymentId: payment.id } as const)
      : null;
  const [old, next] = [jobOf(before), jobOf(after)];
  return old?.dueAtMs === next?.dueAtMs
    ? []
    : [
        ...(old === null ? [] : [{ kind: 'superseded-job', job: old } as const]),
        ...(next === null ? [] : [{ kind: 'job', job: next } as const]),
      ];
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
  return {
    event: command === 'mismatch' ? 'payment.amount_mismatch' : `payment.${status}`,
    previousStatus: payment.status,
    after: {
      ...payment,
      ...change,
      status,
      version: payment.version + 1,
      // Never backwards, even if this machine's clock is behind: a payment's events sort by this time.
      updatedAtMs: Math.max(nowMs, payment.updatedAtMs),
    },
  };
}
