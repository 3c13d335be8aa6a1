import * as v from 'valibot';
import { email } from '../contract/fields.ts';
import { VIEW } from '../contract/views.ts';
import type { Change } from '../domain/change.ts';
import { newId } from '../domain/id.ts';
import {
  canChooseMethod,
  canCorrectEmail,
  hasNoChoiceLeft,
  type Payment,
  type PaymentAttempt,
  turnOf,
  withPayersEmail,
} from '../domain/payment.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../domain/payment-method.ts';
import { paymentProviderEvent } from '../domain/provider-event.ts';
import { CHECKOUT_ACTIONS, type CheckoutAction, outcomeOfButton } from '../domain/testkit/checkout-button.ts';
import { isProblem } from '../errors/problem.ts';
import type { PayerPage } from '../store/money/payer-page.ts';
import { readLinkOfEnded } from '../store/money/payment-link.ts';
import { commit } from '../store/table/commit.ts';
import { writesOf } from '../store/writes.ts';
import { applyNowOrLater, applyPaymentEvent } from './apply-provider-event.ts';
import { chooseMethod } from './create-payment-at-provider.ts';
import { readTerms } from './read-terms.ts';

/** How many times a form is decided when its commits conflict. */
const TRIES_MAX = 5;

type FormFields = Readonly<Record<string, string>>;

interface FormDecision {
  readonly changes: readonly Change[];
  readonly isLater: boolean;
  /** Why the email address is invalid, if the method needs one. */
  readonly emailProblem?: 'required' | 'email';
  /** The outcome at the provider is unknown: sending the same form again retries the same attempt. */
  readonly isProviderAway?: true;
  /** The payer has used up the number of choices. */
  readonly isChosenOut?: true;
}

/**
 * Handles a form of the payer's page: the payer chooses a method or, in test mode, presses a button. Every write is
 * conditional on the payment as it was read, and a button is bound to the turn that the page showed, so a form that is
 * sent twice takes effect once. A form that is no longer possible changes nothing: the page then shows why.
 * @throws Problem `provider_refused`
 */
export async function actOnCheckout(
  read: () => Promise<PayerPage>,
  form: FormFields,
  requestId: string,
): Promise<Omit<FormDecision, 'changes'>> {
  const begun = new Map<string, PaymentAttempt>();
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    const page = await read();
    const { changes, ...acted } = await decide(page, form, begun);
    const writes = writesOf({ world: page.world, requestId }, changes, VIEW);
    if (writes.length === 0 || (await commit(writes)).kind === 'committed') {
      return acted;
    }
  }
  return { isLater: false };
}

const NOTHING = { changes: [], isLater: false } as const;

/** @param begun the attempts that this form has started: a decision that is made again counts no further choice */
async function decide(
  page: PayerPage,
  form: FormFields,
  begun: Map<string, PaymentAttempt>,
): Promise<FormDecision> {
  const method = PAYMENT_METHODS.find((name) => name === form.method);
  if (method !== undefined) {
    return choose(page, method, form, begun);
  }
  const action = CHECKOUT_ACTIONS.find((name) => name === form.action);
  const isCurrent = form.version === String(turnOf(page.stored));
  return action === undefined || !isCurrent || page.world.mode !== 'test' ? NOTHING : press(page, action);
}

async function choose(
  page: PayerPage,
  method: PaymentMethod,
  form: FormFields,
  begun: Map<string, PaymentAttempt>,
): Promise<FormDecision> {
  const { world, stored, payment, nowMs } = page;
  const terms = (await readTerms(world)).get(method);
  if (terms !== undefined && hasNoChoiceLeft(payment) && !isAsChosen(payment, method, form)) {
    return { ...NOTHING, isChosenOut: true };
  }
  if (terms === undefined || !canChooseMethod(payment)) {
    return NOTHING;
  }
  const isNeeded = terms.requires.includes('customer.email') && stored.customer.email === null;
  const given = readEmail(stored, form, isNeeded, method);
  if ('emailProblem' in given) {
    return { ...NOTHING, ...given };
  }
  if (payment.method === method && given.payment.customer.email === stored.customer.email) {
    return NOTHING;
  }
  try {
    const chosen = await chooseMethod(world, given.payment, method, nowMs, begun);
    return { changes: [chosen], isLater: false };
  } catch (error) {
    if (isProblem(error, 'provider_unavailable')) {
      return { ...NOTHING, isProviderAway: true };
    }
    if (isProblem(error, 'invalid_state')) {
      return { ...NOTHING, isChosenOut: true };
    }
    throw error;
  }
}

/** Whether a form asks for what the payment has already: it was sent twice. */
function isAsChosen(payment: Payment, method: PaymentMethod, { email = '' }: FormFields): boolean {
  return payment.method === method && ['', payment.customer.email].includes(email.trim());
}

/** The payment with the email that the form sent: the first one, or an optional correction. */
function readEmail(
  stored: Payment,
  form: FormFields,
  isNeeded: boolean,
  method: PaymentMethod,
): { readonly payment: Payment } | Required<Pick<FormDecision, 'emailProblem'>> {
  const text = (form.email ?? '').trim();
  const canCorrect = canCorrectEmail(stored);
  // A form sends the current method again only to correct the email.
  const isForIt = canCorrect && form.email !== undefined && stored.method === method;
  if (!(isNeeded || isForIt || (canCorrect && text !== ''))) {
    return { payment: stored };
  }
  const read = v.safeParse(email, text);
  return read.success
    ? { payment: withPayersEmail(stored, read.output) }
    : { emailProblem: text === '' ? 'required' : 'email' };
}

async function press({ world, stored, nowMs }: PayerPage, action: CheckoutAction): Promise<FormDecision> {
  const link = await readLinkOfEnded(world, stored);
  const { outcome, delaySeconds } = outcomeOfButton(action, stored, nowMs);
  const eventId = `page_${stored.id}_${turnOf(stored)}_${action}`;
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
