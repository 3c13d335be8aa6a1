import type { Change } from '../domain/change.ts';
import { SECOND_MS } from '../domain/clock.ts';
import { applyPaymentOutcome, joinPaymentChanges, type Payment, paymentAsOf } from '../domain/payment.ts';
import { overpayLink, type PaymentLink } from '../domain/payment-link.ts';
import {
  type PaymentProviderEvent,
  type ProviderEvent,
  type ProviderEventState,
  type RefundProviderEvent,
  repeat,
} from '../domain/provider-event.ts';
import { applyRefundOutcome, type Refund } from '../domain/refund.ts';
import { afterOf } from '../domain/resource-change.ts';
import type { World } from '../domain/world.ts';
import { findProviderEvent, type StoredProviderEvent } from '../store/events/provider-event.ts';
import { chooseMethod } from './create-payment-at-provider.ts';

/* Applies provider events, from a request at once or from a job after a delay. */

/** The method that a payment without one gets when a provider event arrives (contract §5). */
const METHOD_OF_CHOICE = 'promptpay';

/** The changes that a provider event causes, and the state of the event after them. */
export interface EventEffect {
  readonly changes: readonly Change[];
  readonly state: ProviderEventState;
}

/**
 * @param link the result of `readLinkOfEnded`: the link that late money may overpay
 * @throws Problem `invalid_state` if the payment's status does not allow the outcome
 */
export async function applyPaymentEvent(
  world: World,
  payment: Payment,
  event: PaymentProviderEvent,
  nowMs: number,
  link: PaymentLink | null,
): Promise<EventEffect> {
  const apply = (current: Payment) => applyPaymentOutcome(current, event.outcome, nowMs, event);
  const isChosen = paymentAsOf(payment, nowMs).status !== 'created';
  const choice = isChosen ? null : await chooseMethod(world, payment, METHOD_OF_CHOICE, nowMs);
  // Late money has a method as well: the statistics of a day count by it.
  const change =
    choice === null
      ? apply({ ...payment, method: payment.method ?? METHOD_OF_CHOICE })
      : joinPaymentChanges(choice, apply(afterOf(choice)));
  const overpaid = link && overpayLink(link, nowMs);
  if (overpaid === null) {
    return { changes: [change], state: 'applied' };
  }
  // `overpaid` counts the use itself, beyond `maxUses`.
  const consequences = change.consequences.filter(({ kind }) => kind !== 'link-use');
  return { changes: [{ ...change, consequences }, overpaid], state: 'applied' };
}

/**
 * @throws Problem `invalid_state` if the refund's status does not allow the outcome
 */
export function applyRefundEvent(refund: Refund, event: RefundProviderEvent, nowMs: number): EventEffect {
  const change = applyRefundOutcome(refund, event.outcome, nowMs, event);
  return { changes: [change], state: afterOf(change).status === 'rejected' ? 'rejected' : 'applied' };
}

/** Applies a provider event now, or queues it until its delay is over. */
export async function applyNowOrLater(
  event: ProviderEvent,
  { nowMs, delaySeconds = 0 }: { readonly nowMs: number; readonly delaySeconds?: number | undefined },
  apply: () => EventEffect | Promise<EventEffect>,
): Promise<EventEffect> {
  if (delaySeconds === 0) {
    const { changes, state } = await apply();
    return { changes: [{ kind: 'provider-event', event, state }, ...changes], state };
  }
  const dueAtMs = nowMs + delaySeconds * SECOND_MS;
  return {
    changes: [
      { kind: 'provider-event', event, state: 'queued' },
      { kind: 'job', job: { kind: 'apply-simulation', dueAtMs, event } },
    ],
    state: 'queued',
  };
}

/** The result of reporting a provider event. */
export interface ReportEffect extends EventEffect {
  readonly event: ProviderEvent;
  /** Whether it was reported before. In that case nothing changes. */
  readonly isRepeated: boolean;
}

/**
 * Applies a reported provider event, unless its id is known. The event and its target are read concurrently, not as one
 * snapshot. If the target refuses the event, the same event may have been applied in between, so it is looked up once
 * more (contract §9: the event is looked up before the state).
 * @param known the result of the first look-up
 * @throws Problem `event_conflict` if the known event has other content; everything that `apply` throws
 */
export async function applyOnce(
  world: World,
  event: ProviderEvent,
  known: StoredProviderEvent | null,
  apply: () => Promise<EventEffect>,
): Promise<ReportEffect> {
  const repeated = ({ event: stored, state }: StoredProviderEvent): ReportEffect => ({
    event: repeat(stored, event),
    state,
    isRepeated: true,
    changes: [],
  });
  if (known !== null) {
    return repeated(known);
  }
  try {
    return { ...(await apply()), event, isRepeated: false };
  } catch (refusal) {
    const since = await findProviderEvent(world, event.eventId);
    if (since === null) {
      throw refusal;
    }
    return repeated(since);
  }
}
