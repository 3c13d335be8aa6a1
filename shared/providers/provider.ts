import type { AttemptRequest } from '../domain/attempt-request.ts';
import type { Money } from '../domain/money.ts';
import type { NextAction } from '../domain/next-action.ts';
import type { PaymentMethod } from '../domain/payment-method.ts';
import type { ProviderAttempt } from '../domain/provider-attempt.ts';
import type { PaymentId } from '../domain/request-start.ts';

/**
 * A provider's result. `refused`: it was not done, and the same request gets the same result again. `unknown`: it may
 * have been done, so it counts neither as refused nor as failed, and is looked up until the outcome is known.
 */
export type ProviderResult<State> =
  | { readonly kind: 'done'; readonly reported: State }
  /** `code`: the provider's own word for the reason. */
  | { readonly kind: 'refused'; readonly code: string }
  | {
      readonly kind: 'unknown';
      readonly why: UnknownReason;
      /** How long the provider asks us to wait, in milliseconds. */
      readonly retryAfterMs?: number;
    };

/**
 * Why an outcome is unknown:
 * - `time-out`: no response in time
 * - `connection`: none could be made, or it was lost
 * - `server`: the provider failed, or its response cannot be understood
 * - `busy`: the provider is overloaded, or is processing the same request right now
 * - `credentials`: it rejects our key, or this key does not see what another one created; an operator must look
 * - `key-reused`: two different requests had one idempotency key, which is a defect of this service; the first counts
 * - `account-not-connected`: no request was sent, since the account that this was created at is not connected
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
  /** The provider's own. */
  readonly reference: string;
} & (
  | { readonly state: 'open'; readonly nextAction: NextAction }
  | { readonly state: 'processing' }
  | { readonly state: 'paid'; readonly received: ReceivedMoney }
  | { readonly state: 'failed'; readonly code: string }
  | { readonly state: 'canceled' }
);

/** The money that arrived. It may differ from the requested amount, and be in any currency. */
interface ReceivedMoney {
  /** ISO 4217, in capitals. */
  readonly currency: string;
  readonly minor: number;
}

/**
 * A refund as its provider sees it. `open`: it waits until the payer names an account. `succeeded` is not
 * always final: a bank may send money back later.
 */
export type ProviderRefundState = {
  /** The provider's own. */
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
  /** The earliest time of a request for this refund, in real time. */
  readonly sinceMs: number;
}

/** A refund that was requested from a provider, or may have been. */
export interface ProviderRefund extends Pick<RefundRequest, 'refundId' | 'paymentReference'> {
  /** The provider's own; null where no result is known. */
  readonly reference: string | null;
}

/** The requirements and abilities of a method at a provider. */
export interface MethodTerms {
  /** Input fields that are optional in our contract, and required by this provider. */
  readonly requires: readonly 'customer.email'[];
  /** The smallest amount that it accepts, in minor units. */
  readonly minMinor: number;
  /** How money goes back: at once, by an email to the payer, who names an account, or not at all. */
  readonly refund: 'direct' | 'by-email' | null;
}

/** The port to a company that moves money. `provider-kinds.ts` lists all of them. */
export interface Provider {
  readonly name: string;
  readonly methods: ReadonlyMap<PaymentMethod, MethodTerms>;
  /**
   * Starts a payment attempt. Idempotent by `attemptId`, for ever: a repeated request returns the attempt that it
   * started (as it is now, or as it was at its start) and starts no second one.
   */
  initiate(request: AttemptRequest): Promise<ProviderResult<ProviderPaymentState>>;
  /**
   * Cancels a payment attempt, so that it can no longer be paid. Where that is too late, the reported state is
   * another one: paid, or about to be. Null where it was never started.
   */
  cancel(sent: ProviderAttempt): Promise<ProviderResult<ProviderPaymentState | null>>;
  /** Pays money back. Idempotent by `refundId`, for ever. */
  refund(request: RefundRequest): Promise<ProviderResult<ProviderRefundState>>;
}

/**
 * A provider that is another company, for live worlds: it stores what it did, can be queried, and sends notifications.
 * The simulated one is none: in test mode, our own table alone stores what happened.
 */
export interface LiveProvider extends Provider {
  /** The state of an attempt; null where the provider has none: it was never started, or its request is on its way. */
  retrieve(sent: ProviderAttempt): Promise<ProviderResult<ProviderPaymentState | null>>;
  /** The state of a refund; null where the provider has none, as above. */
  retrieveRefund(sent: ProviderRefund): Promise<ProviderResult<ProviderRefundState | null>>;
  /** The content of a notification; null where it is not from this provider, or too old. */
  parseNotification(raw: RawNotification): Promise<ProviderNotification | null>;
  /** Verifies the credentials by a read. */
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

/** A verified hint from the provider to retrieve a state. Only the retrieved state counts. */
export interface ProviderNotification {
  /** Does not change, however often it is sent. */
  readonly id: string;
  /** Null where it is about no payment or refund of this service. */
  readonly about: NotificationSubject | null;
}

export interface NotificationSubject {
  readonly kind: 'payment' | 'refund';
  /** The provider's own. */
  readonly reference: string;
  /** That of the payment or the refund, where the notification has it. */
  readonly ourId: string | null;
  /** When the provider created it, in real time, where the notification has it. */
  readonly madeAtMs?: number;
}

/** The account that credentials belong to. */
export interface Account {
  /** The provider's own. Objects of one account cannot be looked up in another. */
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
