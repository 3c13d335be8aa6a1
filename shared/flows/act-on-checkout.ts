import { VIEW } from '../contract/views.ts';
import type { Change } from '../domain/change.ts';
import { newId } from '../domain/id.ts';
import { canChooseMethod } from '../domain/payment.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../domain/payment-method.ts';
import { paymentProviderEvent } from '../domain/provider-event.ts';
import { CHECKOUT_ACTIONS, type CheckoutAction, saidByButton } from '../domain/testkit/checkout-button.ts';
import { isProblem } from '../errors/problem.ts';
import { commit } from '../store/commit.ts';
import type { PayerPage } from '../store/payer-page.ts';
import { readLinkOfEnded } from '../store/payment-link.ts';
import { writesOf } from '../store/writes.ts';
import { applyNowOrLater, applyPaymentEvent } from './apply-provider-event.ts';
import { chooseMethod } from './open-payment.ts';
import { providerFor } from './provider-for.ts';

/** How often a form is decided again after a conflict. */
const TRIES_MAX = 5;

type Form = Readonly<Record<string, string>>;

interface Decision {
  readonly changes: readonly Change[];
  readonly isLater: boolean;
}

/**
 * Handles a form of the payer's page: the payer chooses a method or, in test mode, presses a button. Every write is
 * conditional on the payment as it was read, and a button is bound to the version that the page showed, so a form that
 * is sent twice takes effect once. A form that is no longer possible changes nothing: the page then shows why.
 * @returns whether the button's outcome comes later
 */
export async function actOnCheckout(
  read: () => Promise<PayerPage>,
  form: Form,
  requestId: string,
): Promise<boolean> {
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    const page = await read();
    const { changes, isLater } = await decide(page, form);
    const writes = writesOf({ world: page.world, requestId }, changes, VIEW);
    if (writes.length === 0 || (await commit(writes)).kind === 'committed') {
      return isLater;
    }
  }
  return false;
}

const NOTHING = { changes: [], isLater: false } as const;

async function decide(page: PayerPage, form: Form): Promise<Decision> {
  const method = PAYMENT_METHODS.find((name) => name === form.method);
  if (method !== undefined) {
    return { changes: await choose(page, method), isLater: false };
  }
  const action = CHECKOUT_ACTIONS.find((name) => name === form.action);
  const isCurrent = form.version === String(page.stored.version);
  return action === undefined || !isCurrent || page.world.mode !== 'test' ? NOTHING : press(page, action);
}

async function choose(page: PayerPage, method: PaymentMethod): Promise<Change[]> {
  const { world, stored, payment, nowMs } = page;
  const isServed = (await providerFor(world)).methods.has(method);
  return !isServed || !canChooseMethod(payment) || payment.method === method
    ? []
    : [await chooseMethod(world, stored, method, nowMs)];
}

async function press({ world, stored, nowMs }: PayerPage, action: CheckoutAction): Promise<Decision> {
  const link = await readLinkOfEnded(world, stored);
  const { outcome, delaySeconds } = saidByButton(action, stored, nowMs);
  const eventId = `page_${stored.id}_${stored.version}_${action}`;
  const event = paymentProviderEvent(stored, { eventId, actionId: newId('act', nowMs) }, { outcome });
  try {
    const apply = () => applyPaymentEvent(world, stored, event, nowMs, link);
    const { changes } = await applyNowOrLater(event, { nowMs, delaySeconds }, apply);
    return { changes, isLater: delaySeconds > 0 };
  } catch (error) {
    if (isProblem(error, 'invalid_state')) {
      return NOTHING;
    }
    throw error;
  }
}
