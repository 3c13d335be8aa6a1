import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../errors/problem.ts';
import type { Money } from './money.ts';
import type { Payment, PaymentOutcome } from './payment.ts';
import type { Refund, RefundOutcome } from './refund.ts';

/** An event that a provider reports, to take effect now or, queued, later. */
export type ProviderEvent = PaymentProviderEvent | RefundProviderEvent;

export interface ProviderEventIds {
  /** The provider's own id of the event: the same event under the same id changes nothing. */
  readonly eventId: string;
  readonly actionId: string;
}

interface Common extends ProviderEventIds {
  readonly targetId: string;
  readonly resultCode: string;
}

export interface PaymentProviderEvent extends Common {
  readonly about: 'payment';
  readonly outcome: PaymentOutcome;
  readonly amount: Money;
}

export interface RefundProviderEvent extends Common {
  readonly about: 'refund';
  readonly outcome: RefundOutcome;
}

const RESULT_CODE: Readonly<Record<PaymentOutcome, string>> = {
  succeeded: 'approved',
  failed: 'declined',
  pending: 'pending',
  mismatch: 'amount_mismatch',
};

interface Report<Outcome> {
  readonly outcome: Outcome;
  readonly resultCode?: string | undefined;
}

/** A provider's event about a payment. The amount defaults to the payment's; for `mismatch` to one minor unit more. */
export function paymentProviderEvent(
  payment: Payment,
  ids: ProviderEventIds,
  { outcome, resultCode, amount }: Report<PaymentOutcome> & { readonly amount?: Money | undefined },
): PaymentProviderEvent {
  // In a fixed order, since it is stored as text: a map comes back from the store in any order.
  const { currency, minor } = payment.amount;
  return {
    about: 'payment',
    ...ids,
    targetId: payment.id,
    outcome,
    resultCode: resultCode ?? RESULT_CODE[outcome],
    amount: amount ?? { currency, minor: minor + (outcome === 'mismatch' ? 1 : 0) },
  };
}

/** A provider's event about a refund. */
export function refundProviderEvent(
  refund: Refund,
  ids: ProviderEventIds,
  { outcome, resultCode }: Report<RefundOutcome>,
): RefundProviderEvent {
  return {
    about: 'refund',
    ...ids,
    targetId: refund.id,
    outcome,
    resultCode: resultCode ?? RESULT_CODE[outcome],
  };
}

/**
 * What became of a provider event: `queued` waits for its delay, `applied` took effect, `rejected` met a refund that
 * its approval rejected, `skipped` came when the status no longer allowed it.
 */
export type ProviderEventState = 'queued' | 'applied' | 'rejected' | 'skipped';

/** The outcome in the response of a simulation: the event's own where it took effect, else the state. */
export function outcomeOf(event: ProviderEvent, state: ProviderEventState): string {
  return state === 'applied' ? event.outcome : state;
}

/**
 * The stored event, where it is sent again.
 * @throws Problem `event_conflict` where the event under this id has another content now
 */
export function repeat(stored: ProviderEvent, sent: ProviderEvent): ProviderEvent {
  if (!isDeepStrictEqual(contentOf(stored), contentOf(sent))) {
    throw new Problem('event_conflict');
  }
  return stored;
}

/** @throws Problem `amount_mismatch` where the amount differs without the outcome `mismatch`, or the reverse */
export function requireFittingAmount(payment: Payment, { outcome, amount }: PaymentProviderEvent): void {
  const fits = amount.currency === payment.amount.currency && amount.minor === payment.amount.minor;
  if (fits === (outcome === 'mismatch')) {
    throw new Problem('amount_mismatch', { details: { expected_minor: payment.amount.minor } });
  }
}

/** What two events with one event id must have in common to be the same event. */
function contentOf({ actionId: _, ...content }: ProviderEvent): Omit<ProviderEvent, 'actionId'> {
  return content;
}
