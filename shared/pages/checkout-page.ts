import { CHECKOUT_ACTIONS } from '../domain/checkout.ts';
import { OPEN_STATUSES, type Payment } from '../domain/payment.ts';
import { PAYMENT_METHODS } from '../domain/payment-method.ts';
import type { World } from '../domain/world.ts';
import { type Html, html } from './html.ts';
import type { Language } from './language.ts';
import { renderPage } from './page.ts';
import { formatMoney, formatTime, type Texts, textsOf } from './texts.ts';

export interface CheckoutView {
  readonly world: World;
  /** As it is stored, and as it truly is now. */
  readonly stored: Payment;
  readonly payment: Payment;
  readonly language: Language;
  /** On the merchant's clock. */
  readonly nowMs: number;
  /** Whether a payment that comes late was just asked for. */
  readonly isLateComing: boolean;
}

const PAYABLE = new Set(['created', 'requires_action']);
/** What can still be said about a payment in test mode: money may arrive after its time (contract §5). */
const SPEAKABLE = new Set([...OPEN_STATUSES, 'expired', 'canceled']);

/** The page on which a payer chooses how to pay, pays, and sees what became of it. */
export function renderCheckoutPage(view: CheckoutView): string {
  const { world, stored, payment, language, isLateComing } = view;
  const texts = textsOf(language);
  const amount = formatMoney(payment.amount, language);
  const isOpen = OPEN_STATUSES.has(payment.status);
  const tone = payment.status === 'succeeded' ? 'good' : isOpen ? '' : 'bad';
  const body = html`<main data-state="${payment.status}-${payment.version}"${isOpen ? html` data-open="1"` : null}>
<h1>${payment.description ?? texts.payTo}</h1>
<p class="amount">${amount}</p>
<p class="soft">${texts.reference}: ${payment.reference ?? payment.number}</p>
<p class="state ${tone}" role="status">${texts.states[payment.status]}</p>
${payment.late && html`<p>${texts.paidLate}</p>`}
${isLateComing && isOpen && html`<p>${texts.lateIsComing}</p>`}
${PAYABLE.has(payment.status) && renderTimeLeft(payment, view, texts)}
${payment.status === 'created' && renderMethods(texts)}
${payment.status === 'requires_action' && renderAction(payment, amount, texts)}
${!isOpen && payment.returnUrl !== null && html`<p><a class="button main" href="${payment.returnUrl}" rel="noreferrer">${texts.back}</a></p>`}
${world.mode === 'test' && SPEAKABLE.has(payment.status) && renderTestButtons(stored, isOpen, texts)}
</main>`;
  return renderPage({
    language,
    title: `${amount} · ${texts.states[payment.status]}`,
    body,
    isLive: true,
    ...(world.mode === 'test' && { testNote: texts.test }),
  });
}

function renderTimeLeft({ expiresAtMs }: Payment, { language, nowMs }: CheckoutView, texts: Texts): Html {
  const until = texts.until(formatTime(expiresAtMs, language));
  return html`<p class="soft">${texts.timeLeft} <strong data-until="${expiresAtMs}" data-now="${nowMs}"></strong> <time datetime="${new Date(expiresAtMs).toISOString()}">${until}</time></p>`;
}

function renderMethods(texts: Texts): Html {
  return html`<form method="post"><h2>${texts.chooseMethod}</h2>
${PAYMENT_METHODS.map((method) => html`<button name="method" value="${method}">${texts.methods[method]}</button>`)}
</form>`;
}

function renderAction({ attempt, method }: Payment, amount: string, texts: Texts): Html | null {
  const action = attempt?.nextAction;
  switch (action?.type) {
    case 'display_qr':
      return html`<p>${texts.scan}</p><img class="qr" src="${action.qr.imageSvgUrl}" alt="${texts.qrOf(amount)}" width="272" height="272">`;
    case 'redirect':
      return html`<p>${texts.redirect(method === null ? '' : texts.methods[method])}</p>`;
    case 'bank_transfer':
      return html`<p>${texts.transfer}</p><dl>
<dt>${texts.bank}</dt><dd>${action.bankCode}</dd>
<dt>${texts.account}</dt><dd>${action.accountNumber}</dd>
<dt>${texts.accountName}</dt><dd>${action.accountName}</dd>
<dt>${texts.reference}</dt><dd>${action.reference}</dd>
</dl>`;
    default:
      return null;
  }
}

function renderTestButtons({ version }: Payment, isOpen: boolean, texts: Texts): Html {
  // After its time only money can come.
  const actions = isOpen ? CHECKOUT_ACTIONS : (['late'] as const);
  return html`<form method="post"><fieldset><legend>${texts.testButtons}</legend>
<input type="hidden" name="version" value="${version}">
${actions.map((action) => html`<button name="action" value="${action}"${action === 'pay' ? html` class="main"` : null}>${texts.actions[action]}</button>`)}
</fieldset></form>`;
}
