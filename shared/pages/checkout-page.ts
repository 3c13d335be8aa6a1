import { canChooseMethod, canCorrectEmail, OPEN_STATUSES, type Payment } from '../domain/payment.ts';
import type { PaymentMethod, RedirectMethod } from '../domain/payment-method.ts';
import { CHECKOUT_ACTIONS } from '../domain/testkit/checkout-button.ts';
import type { World } from '../domain/world.ts';
import type { MethodTerms } from '../providers/provider.ts';
import { PROVIDER_STEP } from '../providers/simulated/simulated-provider.ts';
import { renderField } from './field.ts';
import { type Html, html } from './html.ts';
import type { Language } from './language.ts';
import { maskEmail } from './mask-email.ts';
import { renderPage } from './page.ts';
import { renderPayee } from './payee.ts';
import { failureText, formatMoney, formatTime, type Texts, textsOf } from './texts.ts';

export interface CheckoutView {
  readonly world: World;
  /** As it is stored, and as it truly is now. */
  readonly stored: Payment;
  readonly payment: Payment;
  readonly language: Language;
  readonly baseUrl: string;
  /** On the merchant's clock. */
  readonly nowMs: number;
  /** What the address asks for besides the page itself. */
  readonly step?: string | undefined;
  /** Whether a payment that comes late was just asked for. */
  readonly isLateComing: boolean;
  /** Those that the payer can choose from, and what each needs and can do. */
  readonly methods: ReadonlyMap<PaymentMethod, MethodTerms>;
  /** The e-mail address that was sent, and what is wrong with it. */
  readonly email?: string | undefined;
  readonly emailProblem?: EmailProblem | undefined;
  /** Whether the provider gave no clear answer to what was sent. */
  readonly isProviderAway?: boolean;
  /** Whether the payer has chosen too often. */
  readonly isChosenOut?: boolean;
}

export type EmailProblem = 'required' | 'email';

const PAYABLE = new Set(['created', 'requires_action']);
/** What can still be said about a payment in test mode: money may arrive after its time (contract §5). */
const SPEAKABLE = new Set([...OPEN_STATUSES, 'expired', 'canceled']);

/** The page on which a payer chooses how to pay, pays, and sees what became of it. */
export function renderCheckoutPage(view: CheckoutView): string {
  const { world, payment, language, step } = view;
  const texts = textsOf(language);
  const amount = formatMoney(payment.amount, language);
  const isOpen = OPEN_STATUSES.has(payment.status);
  const isTest = world.mode === 'test';
  const note = isTest ? texts.test : payment.isRehearsal && texts.rehearsal;
  const isAtProvider = step === PROVIDER_STEP && isTest && redirectOf(payment) !== null;
  const body = html`<main data-state="${payment.status}-${payment.version}"${isOpen ? html` data-open="1"` : null}>
${renderPayee(world, texts)}
${isAtProvider ? renderProviderStep(payment, amount, texts) : renderPayment(view, amount, texts)}
</main>`;
  return renderPage({
    language,
    title: `${amount} · ${texts.states[payment.status]}`,
    body,
    isLive: true,
    ...(note && { testNote: note }),
  });
}

function renderPayment(view: CheckoutView, amount: string, texts: Texts): Html {
  const { world, stored, payment, isLateComing, isChosenOut = false } = view;
  const { status } = payment;
  const isOpen = OPEN_STATUSES.has(status);
  const tone = status === 'succeeded' ? 'good' : isOpen ? '' : 'bad';
  return html`<h1>${payment.description ?? texts.payTo}</h1>
<p class="amount">${amount}</p>
<p class="soft">${texts.reference}: ${payment.reference ?? payment.number}</p>
<p class="state ${tone}" role="status">${texts.states[status]}</p>
${status === 'failed' && html`<p>${failureText(payment.failureCode, texts)}</p>`}
${status === 'expired' && html`<p>${texts.paidAlready}</p>`}
${payment.late && html`<p>${texts.paidLate}</p>`}
${isLateComing && isOpen && html`<p>${texts.lateIsComing}</p>`}${(isOpen || status === 'succeeded') && renderKeptEmail(payment, texts)}${renderRefunds(view, texts)}
${PAYABLE.has(status) && renderTimeLeft(payment, view, texts)}
${view.isProviderAway === true && PAYABLE.has(status) && html`<p class="bad" role="alert">${texts.problemPages.busy.advice}</p>`}${status === 'created' && !isChosenOut && html`<h2>${texts.chooseMethod}</h2>${renderMethods(view, null, texts)}`}
${status === 'requires_action' && renderAction(payment, amount, texts)}
${status === 'requires_action' && canChooseMethod(payment) && view.methods.size > 1 && html`<details><summary>${texts.otherMethod}</summary>${renderMethods(view, payment.method, texts)}</details>`}${status === 'requires_action' && canCorrectEmail(payment) && renderCorrection(view, texts)}
${(!isOpen || (status === 'created' && isChosenOut)) && renderNext(view, texts)}
${world.mode === 'test' && SPEAKABLE.has(status) && renderTestButtons(stored, isOpen, texts)}`;
}

function renderTimeLeft({ expiresAtMs }: Payment, { language, nowMs }: CheckoutView, texts: Texts): Html {
  const until = texts.until(formatTime(expiresAtMs, language));
  return html`<p class="soft">${texts.timeLeft} <strong data-until="${expiresAtMs}" data-now="${nowMs}"></strong> <time datetime="${new Date(expiresAtMs).toISOString()}">${until}</time></p>`;
}

/** @param chosen the one that is no choice any more */
function renderMethods(view: CheckoutView, chosen: Payment['method'], texts: Texts): Html {
  const methods = [...view.methods].filter(([method]) => method !== chosen);
  const asking = view.payment.customer.email === null ? methods.filter(needsEmail) : [];
  const isAsked = asking.length > 0;
  const corrects = chosen === null && canCorrectEmail(view.payment);
  return html`<form method="post"${(isAsked || corrects) && html` novalidate`}>
${isAsked && renderEmail(view, asking.length === methods.length, texts)}${corrects && renderFolded(view, renderEmail(view, false, texts), texts)}${methods.map(([method]) => html`<button name="method" value="${method}">${texts.methods[method]}</button>`)}
</form>`;
}

function needsEmail([, { requires }]: readonly [PaymentMethod, MethodTerms]): boolean {
  return requires.includes('customer.email');
}

function renderEmail({ email, emailProblem }: CheckoutView, isRequired: boolean, texts: Texts): Html {
  return renderField({
    name: 'email',
    label: texts.email,
    isRequired,
    hint: texts.emailWhy,
    attributes: { type: 'email', autocomplete: 'email' },
    value: email ?? '',
    problem: emailProblem && texts.problems[emailProblem],
  });
}

/** The address that is kept: only its payer need recognise it, whoever else has the page's address. */
function renderKeptEmail(payment: Payment, texts: Texts): Html | null {
  const { email } = payment.customer;
  const isFixed = PAYABLE.has(payment.status) && !canCorrectEmail(payment);
  return email === null
    ? null
    : html`
<p class="soft">${texts.email}: <strong>${maskEmail(email)}</strong>${isFixed && html` ${texts.emailIsFixed}`}</p>`;
}

/** A correction of the e-mail by itself, which begins another attempt by the same method. */
function renderCorrection(view: CheckoutView, texts: Texts): Html {
  const form = html`<form method="post" novalidate>
<p>${texts.correctionBegins}</p>
${renderEmail(view, true, texts)}<button name="method" value="${view.payment.method}">${texts.correctEmail}</button>
</form>`;
  return renderFolded(view, form, texts);
}

function renderFolded({ emailProblem }: CheckoutView, content: Html, texts: Texts): Html {
  return html`<details${emailProblem !== undefined && html` open`}><summary>${texts.correctEmail}</summary>${content}</details>`;
}

/** What a payer has to know of being paid back, where the provider has to ask by e-mail where to. */
function renderRefunds({ payment, methods, language }: CheckoutView, texts: Texts): Html | null {
  const { method, status, amount, refundedMinor, refundableMinor } = payment;
  const isByEmail = method !== null && methods.get(method)?.refund === 'by-email';
  if (!isByEmail || (status !== 'requires_action' && status !== 'succeeded')) {
    return null;
  }
  const money = (minor: number) => formatMoney({ ...amount, minor }, language);
  const underWay = amount.minor - refundedMinor - refundableMinor;
  return html`${refundedMinor > 0 && html`<p>${texts.refunded(money(refundedMinor))}</p>`}
${underWay > 0 && html`<p>${texts.refundUnderWay(money(underWay))}</p>`}
${underWay === 0 && refundableMinor > 0 && html`<p class="soft">${texts.refundByEmail}</p>`}`;
}

function renderAction({ attempt, method }: Payment, amount: string, texts: Texts): Html | null {
  const action = attempt?.nextAction;
  switch (action?.type) {
    case 'display_qr':
      return html`<p>${texts.scan}</p><img class="qr" src="${action.qr.imageSvgUrl}" alt="${texts.qrOf(amount)}" width="272" height="272">`;
    case 'redirect': {
      const { doThis, goOn } = texts.redirects[method as RedirectMethod];
      return html`<p>${doThis}</p><p><a class="button main" href="${action.url}" rel="noreferrer">${goOn}</a></p>`;
    }
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

/** What a payer does next where there is nothing to pay here any more. */
function renderNext({ payment, baseUrl }: CheckoutView, texts: Texts): Html {
  const { status, returnUrl, linkCode } = payment;
  const isPaid = status === 'succeeded';
  const again = isPaid || linkCode === undefined ? null : `${baseUrl}/l/${linkCode}`;
  const advice = returnUrl === null ? texts.askShop : texts.tryAtShop;
  return html`${!isPaid && again === null && html`<p>${advice}</p>`}
${again !== null && html`<p><a class="button main" href="${again}">${texts.tryAgain}</a></p>`}
${returnUrl !== null && html`<p><a class="button${again === null ? ' main' : ''}" href="${returnUrl}" rel="noreferrer">${texts.back}</a></p>`}`;
}

/** The method that a payer goes somewhere else for, while there is something to do. */
function redirectOf({ status, attempt, method }: Payment): RedirectMethod | null {
  const isThere = status === 'requires_action' && attempt?.nextAction.type === 'redirect';
  return isThere ? (method as RedirectMethod) : null;
}

/** What stands in test mode for the app or the site of a wallet or a bank. */
function renderProviderStep(payment: Payment, amount: string, texts: Texts): Html {
  const method = texts.methods[redirectOf(payment) as RedirectMethod];
  return html`<h1>${method}</h1>
<p class="soft">${texts.simulated}</p>
<p class="amount">${amount}</p>
<p class="soft">${texts.reference}: ${payment.reference ?? payment.number}</p>
<form method="post">
<input type="hidden" name="version" value="${payment.version}">
<button name="action" value="pay" class="main">${texts.confirm}</button>
<button name="action" value="fail">${texts.decline}</button>
</form>
<p><a class="button" href="?">${texts.backToPayment}</a></p>`;
}

function renderTestButtons({ version }: Payment, isOpen: boolean, texts: Texts): Html {
  // After its time only money can come.
  const actions = isOpen ? CHECKOUT_ACTIONS : (['late'] as const);
  return html`<form method="post"><fieldset><legend>${texts.testButtons}</legend>
<input type="hidden" name="version" value="${version}">
${actions.map((action) => html`<button name="action" value="${action}">${texts.actions[action]}</button>`)}
</fieldset></form>`;
}
