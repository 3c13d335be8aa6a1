import { viewPayment } from '../contract/payment-view.ts';
import { newId } from '../domain/id.ts';
import { canChooseMethod } from '../domain/payment.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../domain/payment-method.ts';
import { paymentProviderEvent } from '../domain/provider-event.ts';
import { CHECKOUT_ACTIONS, type CheckoutAction, saidByButton } from '../domain/testkit/checkout-button.ts';
import { Problem } from '../errors/problem.ts';
import { providerFor } from '../providers/providers.ts';
import { type Change, commit } from '../store/commit.ts';
import { announce } from '../store/event.ts';
import type { PayerPage } from '../store/payer-page.ts';
import { recordPayment } from '../store/payment.ts';
import { readLinkOfEnded } from '../store/payment-link.ts';
import { applyNowOrLater, applyPaymentEvent } from './apply-provider-event.ts';
import { beginAttempt } from './open-payment.ts';

/** How often it is looked at anew, where somebody else was faster. */
const TRIES_MAX = 5;

type Form = Readonly<Record<string, string>>;

/**
 * Does what a payer asks for on the page of a payment: chooses a method or, in test mode, presses a button. Every write
 * is conditional on the payment as it was read, and a button is bound to the version that the page has shown, so that
 * twice is once. What is not possible any more changes nothing: the page shows what is.
 * @returns whether a payment was asked for that comes later
 */
export async function actOnCheckout(
  read: () => Promise<PayerPage>,
  form: Form,
  requestId: string,
): Promise<boolean> {
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    const { changes, isLater } = await decide(await read(), form, requestId);
    if (changes.length === 0 || (await commit(changes)).kind === 'committed') {
      return isLater;
    }
  }
  return false;
}

const NOTHING = { changes: [], isLater: false } as const;

async function decide(page: PayerPage, form: Form, requestId: string) {
  const method = PAYMENT_METHODS.find((name) => name === form.method);
  if (method !== undefined) {
    return { changes: await chooseMethod(page, method, requestId), isLater: false };
  }
  const action = CHECKOUT_ACTIONS.find((name) => name === form.action);
  const isCurrent = form.version === String(page.stored.version);
  return action === undefined || !isCurrent || page.world.mode !== 'test'
    ? NOTHING
    : press(page, action, requestId);
}

async function chooseMethod(page: PayerPage, method: PaymentMethod, requestId: string): Promise<Change[]> {
  const { world, stored, payment, nowMs } = page;
  const isServed = providerFor(world.mode).methods.has(method);
  if (!isServed || !canChooseMethod(payment) || payment.method === method) {
    return [];
  }
  const steps = [await beginAttempt(world, stored, method, nowMs)];
  return [...recordPayment(world, stored, steps), ...announce({ world, requestId }, steps, viewPayment)];
}

async function press({ world, stored, nowMs }: PayerPage, action: CheckoutAction, requestId: string) {
  const link = await readLinkOfEnded(world, stored);
  const cause = { world, requestId };
  const { outcome, delaySeconds } = saidByButton(action, stored, nowMs);
  const eventId = `page_${stored.id}_${stored.version}_${action}`;
  const word = paymentProviderEvent(stored, { eventId, actionId: newId('act', nowMs) }, { outcome });
  try {
    const settle = () => applyPaymentEvent(cause, stored, word, nowMs, link);
    const { changes } = await applyNowOrLater(cause, word, { nowMs, delaySeconds }, settle);
    return { changes, isLater: delaySeconds > 0 };
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_state') {
      return NOTHING;
    }
    throw error;
  }
}
