import type { PaymentId } from './beginning.ts';
import { MINUTE_MS } from './clock.ts';
import { type Machine, nextState, notAllowed } from './machine.ts';
import type { Money } from './money.ts';
import type { NextAction } from './next-action.ts';
import { METHODS, type PaymentMethod } from './payment-method.ts';
import { afterOf, type Consequence, type ResourceChange, type Step } from './resource-change.ts';

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
/** Of payments that nobody has ended yet. */
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

/** The life of a payment (contract §5). Money truth wins: a success after expiry or cancel is still a success. */
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

/** Minutes that a payer has who has to choose the method first (contract §5). */
const EXPIRES_IN_MINUTES = 1_440;
export const EXPIRES_IN_MINUTES_MAX = 43_200;
const LONGEST_MINUTES = Math.max(...Object.values(METHODS).map(({ minutes }) => minutes));
/** How long a payment from a link holds its use while no method is chosen (contract §7). */
export const UNCHOSEN_MINUTES = 15;

/** How often a payer can choose a method: each choice is an event of the merchant's. */
const CHOICES_MAX = 10;

export interface Customer {
  readonly email: string | null;
  readonly name: string | null;
  readonly phone: string | null;
}

export type Metadata = Readonly<Record<string, string | number | boolean | null>>;

/** One try to collect a payment by one method. */
export interface PaymentAttempt {
  readonly id: string;
  readonly method: PaymentMethod;
  readonly nextAction: NextAction;
  readonly createdAtMs: number;
}

export interface Payment {
  readonly id: PaymentId;
  readonly number: string;
  /** Raised by every write: the condition under which the next write is allowed. */
  readonly version: number;
  readonly status: PaymentStatus;
  readonly amount: Money;
  readonly method: PaymentMethod | null;
  readonly attempt: PaymentAttempt | null;
  /** Whether the merchant left the method to the payer; payments of before this was kept are taken to be settled. */
  readonly isMethodOpen?: boolean;
  readonly checkoutUrl: string | null;
  /** Address of the payer's page, whether or not the merchant asked to be told. */
  readonly pageUrl: string;
  /** What makes the addresses of the payer's pages unguessable: see `page-token.ts`. */
  readonly pageSecret: string;
  readonly reference: string | null;
  readonly description: string | null;
  readonly customer: Customer;
  /** Stored for the provider's risk checks, never shown (contract §5). */
  readonly clientIp: string | null;
  /** When all that is known of the payer was erased, in real time. */
  readonly payerErasedAtMs?: number;
  readonly metadata: Metadata;
  readonly returnUrl: string | null;
  /** The payment link that it was made from. */
  readonly linkId: string | null;
  /** Its public code: where a payer whose payment has failed begins again. */
  readonly linkCode?: string;
  /** What the provider said when it failed. */
  readonly failureCode?: string;
  readonly late: boolean;
  /** Sum of the refunds that succeeded, in minor units. */
  readonly refundedMinor: number;
  /** What new refunds may still ask for, in minor units: the amount less every refund that is alive or succeeded. */
  readonly refundableMinor: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs: number;
  readonly succeededAtMs: number | null;
}

/** What a merchant asks for; everything that is left out has the default of contract §5. */
export interface PaymentOrder {
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
  readonly link?: { readonly id: string; readonly code: string } | undefined;
}

/** A payment begins: `created`, waiting for a method. */
export function createPayment(identity: PaymentIdentity, order: PaymentOrder, nowMs: number): PaymentChange {
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
    clientIp: order.client_ip ?? null,
    metadata: order.metadata ?? {},
    returnUrl: order.return_url ?? null,
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
 * The payer's method is known: an attempt begins and the payer has something to do. A payer who was left the choice may
 * choose again, a bounded number of times.
 * @throws Problem `invalid_state` where the method is settled
 */
export function requireAction(payment: Payment, attempt: PaymentAttempt, nowMs: number): PaymentChange {
  if (payment.status !== 'created' && !canChooseMethod(payment)) {
    throw notAllowed(paymentMachine, payment.status, 'require_action');
  }
  const expiresAtMs = expiryWith(payment, attempt.method, nowMs);
  const change = { method: attempt.method, attempt, expiresAtMs };
  return changePayment(payment, [step(payment, 'require_action', nowMs, change)]);
}

/** Whether the payer can choose a method, for the first time or another one. */
export function canChooseMethod({ status, isMethodOpen, version }: Payment): boolean {
  // Until it is paid, nothing but a choice raises the version.
  return (
    status === 'created' || (status === 'requires_action' && isMethodOpen === true && version <= CHOICES_MAX)
  );
}

/**
 * Until when a payment can be paid by a method. One that was made from a link without a method has that method's own
 * time from the choice on (contract §7): never less than it had, for money may be on its way, and however often the
 * payer chooses, not longer than the first choice could give. All others keep the time that their merchant gave.
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
 * Ends a payment that nobody has paid yet.
 * @throws Problem `invalid_state` for every other one, also for one whose time is over
 */
export function cancelPayment(payment: Payment, nowMs: number): PaymentChange {
  return changePayment(payment, [step(paymentAsOf(payment, nowMs), 'cancel', nowMs)]);
}

/** Records that a payment's time is over: null before that, or where somebody is paying or has paid. */
export function expirePayment(payment: Payment, nowMs: number): PaymentChange | null {
  const isDue = nowMs >= payment.expiresAtMs && paymentMachine[payment.status].expire !== undefined;
  return isDue ? changePayment(payment, [step(payment, 'expire', payment.expiresAtMs)]) : null;
}

/** What is to be done when a payment's time should be over: nothing, where the state has gone on without it. */
export function whenPaymentIsDue(payment: Payment, dueAtMs: number): (PaymentChange | Consequence)[] {
  const { id: paymentId, status, expiresAtMs } = payment;
  if (expiresAtMs > dueAtMs && paymentMachine[status].expire !== undefined) {
    // The method that was chosen meanwhile gave it more time.
    return [{ kind: 'job', job: { kind: 'expire-payment', dueAtMs: expiresAtMs, paymentId } }];
  }
  const expired = expirePayment(payment, dueAtMs);
  return expired === null ? [] : [expired];
}

/**
 * The payment as it truly is at this instant: one that is due to expire reads as expired,
 * whether or not the job that records it has run (contract §5).
 */
export function paymentAsOf(payment: Payment, nowMs: number): Payment {
  const expired = expirePayment(payment, nowMs);
  return expired === null ? payment : afterOf(expired);
}

/** What a provider can say about a payment (contract §9). */
export const PAYMENT_OUTCOMES = ['succeeded', 'failed', 'pending', 'mismatch'] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

const COMMAND_OF: Readonly<Record<PaymentOutcome, PaymentCommand>> = {
  succeeded: 'succeed',
  failed: 'fail',
  pending: 'hold',
  mismatch: 'mismatch',
};

/**
 * What a payment becomes when its provider has spoken. A success after expiry or cancel is recorded as late.
 * @throws Problem `invalid_state` where the outcome cannot follow
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

/** What is told of a payment (contract §10). */
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

/** One change of what two are: of what was before the first one. */
export function joinPaymentChanges(first: PaymentChange, second: PaymentChange): PaymentChange {
  return changePayment(first.before, [...first.steps, ...second.steps]);
}

function changePayment(before: Payment | null, steps: readonly PaymentStep[]): PaymentChange {
  const [first, ...rest] = steps;
  if (first === undefined) {
    throw new Error('a change has a step');
  }
  const change = { resource: 'payment', before, steps: [first, ...rest] } as const;
  return { ...change, consequences: consequencesOf(before, afterOf(change)) };
}

/** What a payment's way means for the day's balance, for the uses of its link, and for its time. */
function consequencesOf(before: Payment | null, after: Payment): Consequence[] {
  const { id: paymentId, status, amount, updatedAtMs, expiresAtMs } = after;
  const linkId = after.linkId ?? null;
  const { uses, taken } = usesChangedBy(before?.status ?? null, status);
  const isPaid = status === 'succeeded' && before?.status !== 'succeeded';
  return [
    ...(linkId !== null && (uses !== 0 || taken !== 0)
      ? [{ kind: 'link-use', linkId, uses, taken, isNew: before === null } as const]
      : []),
    ...(isPaid ? [{ kind: 'balance', atMs: updatedAtMs, amount } as const] : []),
    ...(before === null
      ? [{ kind: 'job', job: { kind: 'expire-payment', dueAtMs: expiresAtMs, paymentId } } as const]
      : []),
  ];
}

/** What a payment's way from one status to another changes in the counts of its link; null: it begins. */
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
      // Time never runs backwards for one payment, whichever machine's clock is behind: its events sort by it.
      updatedAtMs: Math.max(nowMs, payment.updatedAtMs),
    },
  };
}
