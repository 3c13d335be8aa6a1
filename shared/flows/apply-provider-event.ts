import { viewPaymentLink } from '../contract/payment-link-view.ts';
import { viewPayment } from '../contract/payment-view.ts';
import { viewRefund } from '../contract/refund-view.ts';
import { lastOf } from '../domain/event.ts';
import { applyPaymentOutcome, type Payment, type PaymentStep, paymentAsOf } from '../domain/payment.ts';
import { overpayLink, type PaymentLink } from '../domain/payment-link.ts';
import type {
  PaymentProviderEvent,
  ProviderEvent,
  ProviderEventState,
  RefundProviderEvent,
} from '../domain/provider-event.ts';
import { applyRefundOutcome, type Refund } from '../domain/refund.ts';
import type { Change } from '../store/commit.ts';
import { announce, type Cause } from '../store/event.ts';
import { insertJob } from '../store/job.ts';
import { recordPayment } from '../store/payment.ts';
import { recordPaymentLink } from '../store/payment-link.ts';
import { insertProviderEvent } from '../store/provider-event.ts';
import { recordRefund } from '../store/refund.ts';
import { beginAttempt } from './open-payment.ts';

/* What a provider's word does: the same whether a request brings it or a job, when its delay is over. */

/** The payer of a payment without a method is taken to choose this one (contract §5). */
const METHOD_OF_CHOICE = 'promptpay';

/** The writes that a word comes to, and what has come of it then. */
export interface Settled {
  readonly changes: Change[];
  readonly state: ProviderEventState;
}

/**
 * @param link what `readLinkOfEnded` has found: the link that late money may overpay
 * @throws Problem `invalid_state` where the outcome cannot follow
 */
export async function applyPaymentEvent(
  cause: Cause,
  payment: Payment,
  word: PaymentProviderEvent,
  nowMs: number,
  link: PaymentLink | null = null,
): Promise<Settled> {
  const steps = await chooseMethod(cause, payment, nowMs);
  steps.push(...applyPaymentOutcome(lastOf(payment, steps), word.outcome, nowMs, word.resultCode));
  const told = announce(cause, steps, viewPayment);
  const linkSteps = link === null ? [] : overpayLink(link, nowMs);
  if (link === null || linkSteps.length === 0) {
    return { changes: [...recordPayment(cause.world, payment, steps), ...told], state: 'applied' };
  }
  const overpaid = recordPaymentLink(cause.world, link, linkSteps);
  const changes = [
    ...recordPayment(cause.world, payment, steps, overpaid),
    ...told,
    ...announce(cause, linkSteps, viewPaymentLink),
  ];
  return { changes, state: 'applied' };
}

async function chooseMethod({ world }: Cause, payment: Payment, nowMs: number): Promise<PaymentStep[]> {
  return paymentAsOf(payment, nowMs).status === 'created'
    ? [await beginAttempt(world, payment, METHOD_OF_CHOICE, nowMs)]
    : [];
}

/**
 * @throws Problem `invalid_state` where the outcome cannot follow
 */
export function applyRefundEvent(
  cause: Cause,
  refund: Refund,
  word: RefundProviderEvent,
  nowMs: number,
): Settled {
  const steps = applyRefundOutcome(refund, word.outcome, nowMs);
  const changes = [...recordRefund(cause.world, refund, steps), ...announce(cause, steps, viewRefund)];
  return { changes, state: lastOf(refund, steps).status === 'rejected' ? 'rejected' : 'applied' };
}

/** Lets a provider's word take effect now, or queues it for when its delay is over. */
export async function applyNowOrLater(
  { world }: Cause,
  word: ProviderEvent,
  { nowMs, delaySeconds = 0 }: { readonly nowMs: number; readonly delaySeconds?: number | undefined },
  settle: () => Settled | Promise<Settled>,
): Promise<Settled> {
  if (delaySeconds === 0) {
    const { changes, state } = await settle();
    return { changes: [insertProviderEvent(world, word, state), ...changes], state };
  }
  const dueAtMs = nowMs + delaySeconds * 1_000;
  return {
    changes: [
      insertProviderEvent(world, word, 'queued'),
      insertJob(world, { kind: 'apply-simulation', dueAtMs, word }),
    ],
    state: 'queued',
  };
}
