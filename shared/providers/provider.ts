import type { AttemptRequest } from '../domain/attempt-request.ts';
import type { Money } from '../domain/money.ts';
import type { NextAction } from '../domain/next-action.ts';
import type { PaymentMethod } from '../domain/payment-method.ts';
import type { ProviderAttempt } from '../domain/provider-attempt.ts';
import type { PaymentId } from '../domain/request-start.ts';

/**
 * A provider's answer. `refused`: this was not done, and asking for the same again gets the same. `unknown`: nobody
 * can tell whether it was done, so it is neither taken for refused nor for failed, but looked up until it is known.
 */
export type ProviderResult<State> =
  | { readonly kind: 'done'; readonly reported: State }
  /** `code`: the provider's own word for the reason. */
  | { readonly kind: 'refused'; readonly code: string }
  | {
      readonly kind: 'unknown';
      readonly why: UnknownReason;
      /** How long the provider asks to be left alone, in milliseconds. */
      readonly retryAfterMs?: number;
    };

/**
 * Why an outcome is unknown:
 * - `time-out`: no answer in time
 * - `connection`: none could be made, or it was lost
 * - `server`: the provider failed, or its answer cannot be understood
 * - `busy`: it has too much to do, or does this very thing at this moment
 * - `credentials`: it does not take our key, or this key does not see what another one did; somebody must look
 * - `key-reused`: we asked for two things under one key, which is a defect of ours; the first of them stands
 * - `account-not-connected`: it was not asked, for the account that this was made at is not connected
 */
export type UnknownReason =
  | 'time-out'
  | 'connection'
  | 'server'
  | 'busy'
  | 'credentials'
  | 'key-reused'
  | 'account-not-connected';

/** A payment attempt as its provider sees it. */
export type ProviderPaymentState = {
  /** Theirs. */
  readonly reference: string;
} & (
  | { readonly state: 'open'; readonly nextAction: NextAction }
  | { readonly state: 'processing' }
  | { readonly state: 'paid'; readonly received: Received }
  | { readonly state: 'failed'; readonly code: string }
  | { readonly state: 'canceled' }
);

/** What arrived. It need not be what was asked for, nor in a currency of ours. */
export interface Received {
  /** ISO 4217, in capitals. */
  readonly currency: string;
  readonly minor: number;
}

/**
 * A refund as its provider sees it. `open`: it waits for the payer, who has to say where the money goes. `succeeded`
 * is not always the last word: a bank may send money back later.
 */
export type ProviderRefundState = {
  /** Theirs. */
  readonly reference: string;
} & (
  | { readonly state: 'open' | 'processing' | 'succeeded' }
  | { readonly state: 'failed'; readonly code: string }
);

/** A request to pay money back. */
export interface RefundRequest {
  /** The provider's idempotency key: under one id it makes one refund. */
  readonly refundId: string;
  readonly paymentId: PaymentId;
  /** The provider's reference of the attempt that was paid. */
  readonly paymentReference: string;
  readonly amount: Money;
  /** The payer's, where it is known. */
  readonly email: string | null;
  /** It was asked for at no earlier time, in real time. */
  readonly sinceMs: number;
}

/** A refund that a provider was asked for, or may have been. */
export interface ProviderRefund extends Pick<RefundRequest, 'refundId' | 'paymentReference'> {
  /** The provider's own; null where no result is known. */
  readonly reference: string | null;
}

/** What a method needs at a provider, and can do there. */
export interface MethodTerms {
  /** Fields of an order that are optional in our contract, and required here. */
  readonly requires: readonly 'customer.email'[];
  /** The least that it takes, in minor units. */
  readonly minMinor: number;
  /** How money goes back: at once, by an e-mail in which the payer says where to, or not at all. */
  readonly refund: 'direct' | 'by-email' | null;
}

/** The port to a company that moves money. `provider-kinds.ts` knows all of them. */
export interface Provider {
  readonly name: string;
  readonly methods: ReadonlyMap<PaymentMethod, MethodTerms>;
  /**
   * Begins a payment attempt. Idempotent by `attemptId`, for ever: asked again, it answers for the attempt that it
   * began (as that is, or as it was when it began) and begins no second one.
   */
  initiate(ask: AttemptRequest): Promise<ProviderResult<ProviderPaymentState>>;
  /**
   * Stops a payment attempt, so that nobody can pay it any more. Where that is too late, the fact says what it is
   * instead: paid, or about to be. Null where it was never begun.
   */
  cancel(sent: ProviderAttempt): Promise<ProviderResult<ProviderPaymentState | null>>;
  /** Pays money back. Idempotent by `refundId`, as `begin` is by `attemptId`. */
  refund(ask: RefundRequest): Promise<ProviderResult<ProviderRefundState>>;
}

/**
 * A provider that is another company, of the live world: it remembers what it did, is asked for that, and tells of it.
 * The simulated one is none, for in test mode nobody but our own table knows what happened.
 */
export interface LiveProvider extends Provider {
  /** What has become of an attempt; null where it is not there: it was never begun, or what asked for it is on its way. */
  retrieve(sent: ProviderAttempt): Promise<ProviderResult<ProviderPaymentState | null>>;
  /** What has become of a refund; null where it is not there, as above. */
  retrieveRefund(sent: ProviderRefund): Promise<ProviderResult<ProviderRefundState | null>>;
  /** What a notice tells of; null where it is not from this provider, or too old. */
  parseNotification(raw: RawNotification): Promise<ProviderNotification | null>;
  /** Proves the credentials by a read. */
  verifyCredentials(): Promise<ProviderResult<Account>>;
}

/** A request that claims to come from a provider. */
export interface RawNotification {
  /** Their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Byte for byte as it came. */
  readonly body: string;
  /** Real time. */
  readonly nowMs: number;
}

/** A hint, surely from the provider, where to look. What is true is what it answers when it is asked. */
export interface ProviderNotification {
  /** The same, however often it is sent. */
  readonly id: string;
  /** Null where it is about nothing of ours. */
  readonly about: NotificationSubject | null;
}

export interface NotificationSubject {
  readonly kind: 'payment' | 'refund';
  /** Theirs. */
  readonly reference: string;
  /** That of the payment or the refund, where the notice says it. */
  readonly ourId: string | null;
  /** When it was made there, in real time, where the notice says it. */
  readonly madeAtMs?: number;
}

/** Whose credentials they are. */
export interface Account {
  /** Theirs. What one account was asked for cannot be looked up in another. */
  readonly reference: string;
  /** Whether no real money moves. */
  readonly isTest: boolean;
}

/** A company that a merchant's live world can be connected to. */
export interface ProviderKind {
  readonly methods: ReadonlyMap<PaymentMethod, MethodTerms>;
  /** The secrets that it needs, by their names, and the form of each. */
  readonly secrets: Readonly<Record<string, RegExp>>;
  /** @param secrets all that are named above, in their form */
  connect(secrets: Readonly<Record<string, string>>, apiUrl?: string): LiveProvider;
}
