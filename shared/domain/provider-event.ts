import { Problem } from '../errors/problem.ts';
import type { Money } from './money.ts';
import type { Payment, PaymentOutcome } from './payment.ts';
import type { Refund, RefundOutcome } from './refund.ts';

/** How far ahead an outcome can be queued, on the merchant's clock (contract §9). */
export const DELAY_SECONDS_MAX = 604_800;

/** What a provider says: the same whether it is said now or queued for later. */
export type ProviderEvent = PaymentProviderEvent | RefundProviderEvent;

interface Word {
  /** The provider's own id of what it says; saying the same again changes nothing. */
  readonly eventId: string;
  readonly actionId: string;
  readonly targetId: string;
  readonly resultCode: string;
}

export interface PaymentProviderEvent extends Word {
  readonly about: 'payment';
  readonly outcome: PaymentOutcome;
  readonly amount: Money;
}

export interface RefundProviderEvent extends Word {
  readonly about: 'refund';
  readonly outcome: RefundOutcome;
}

const RESULT_CODE: Readonly<Record<PaymentOutcome, string>> = {
  succeeded: 'approved',
  failed: 'declined',
  pending: 'pending',
  mismatch: 'amount_mismatch',
};

export interface ProviderEventIds {
  readonly eventId: string;
  readonly actionId: string;
}

interface Said<Outcome> {
  readonly outcome: Outcome;
  readonly result_code?: string | undefined;
}

/** What a provider says of a payment; the amount is the payment's own, or just another one where it does not match. */
export function paymentProviderEvent(
  payment: Payment,
  ids: ProviderEventIds,
  { outcome, result_code, amount }: Said<PaymentOutcome> & { readonly amount?: Money | undefined },
): PaymentProviderEvent {
  return {
    about: 'payment',
    ...ids,
    targetId: payment.id,
    outcome,
    resultCode: result_code ?? RESULT_CODE[outcome],
    amount: amount ?? {
      ...payment.amount,
      minor: payment.amount.minor + (outcome === 'mismatch' ? 1 : 0),
    },
  };
}

/** What a provider says of a refund. */
export function refundProviderEvent(
  refund: Refund,
  ids: ProviderEventIds,
  { outcome, result_code }: Said<RefundOutcome>,
): RefundProviderEvent {
  return {
    about: 'refund',
    ...ids,
    targetId: refund.id,
    outcome,
    resultCode: result_code ?? RESULT_CODE[outcome],
  };
}

/**
 * What came of a word: it waits for its time, it took effect, it came upon a refund that its approval rejected, or the
 * state did not allow it any more when it was due.
 */
export type ProviderEventState = 'queued' | 'applied' | 'rejected' | 'skipped';

/** The outcome of a simulation, as its answer says it: that of the word only where it took effect. */
export function outcomeOf(word: ProviderEvent, state: ProviderEventState): string {
  return state === 'applied' ? word.outcome : state;
}

/**
 * What was said before, where the same is said again.
 * @throws Problem `event_conflict` where the event id now says something else
 */
export function repeat(said: ProviderEvent, word: ProviderEvent): ProviderEvent {
  if (!saysTheSame(said, word)) {
    throw new Problem('event_conflict');
  }
  return said;
}

/**
 * @throws Problem `amount_mismatch` where the amount differs though the outcome does not say so, or the other way round
 */
export function requireFittingAmount(payment: Payment, { outcome, amount }: PaymentProviderEvent): void {
  const fits = amount.currency === payment.amount.currency && amount.minor === payment.amount.minor;
  if (fits === (outcome === 'mismatch')) {
    throw new Problem('amount_mismatch');
  }
}

/** Whether two words say the same of the same thing, so that the second one is a repetition. */
export function saysTheSame(one: ProviderEvent, other: ProviderEvent): boolean {
  return contentOf(one) === contentOf(other);
}

function contentOf(word: ProviderEvent): string {
  const { about, targetId, outcome, resultCode } = word;
  return JSON.stringify([
    about,
    targetId,
    outcome,
    resultCode,
    word.about === 'payment' ? [word.amount.currency, word.amount.minor] : null,
  ]);
}
