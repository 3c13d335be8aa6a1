import type { Language } from '../domain/language.ts';
import {
  CHOICES_MAX,
  canChooseMethod,
  canCorrectEmail,
  hasNoChoiceLeft,
  OPEN_STATUSES,
  type Payment,
  turnOf,
} from '../domain/payment.ts';
import type { PaymentMethod, RedirectMethod } from '../domain/payment-method.ts';
import { CHECKOUT_ACTIONS } from '../domain/testkit/checkout-button.ts';
import { payeeOf, type World } from '../domain/world.ts';
import type { MethodTerms } from '../providers/provider.ts';
import { PROVIDER_STEP } from '../providers/simulated/simulated-provider.ts';
import { bankNameOf } from './bank-names.ts';
import { renderField } from './field.ts';
import { type Html, html } from './html.ts';
import { inLanguage } from './language.ts';
import { PROMPTPAY_MARK, renderMethodMark } from './marks.ts';
import { maskEmail } from './mask-email.ts';
import { renderPage } from './page.ts';
import { renderPayee } from './payee.ts';
import { failureText, formatMoney, formatTime, type Texts, textsOf } from './texts.ts';

export interface CheckoutView {
  readonly world: World;
  /** The payment as stored, before changes that are due by now; `payment` includes them. */
  readonly stored: Payment;
  readonly payment: Payment;
  readonly language: Language;
  /** The language that the page's address names. */
  readonly namedLanguage: Language | undefined;
  readonly isInLine: boolean;
  readonly baseUrl: string;
  /** On the merchant's clock. */
  readonly nowMs: number;
  /** The step in the address of the page. */
  readonly step?: string | undefined;
  /** Whether the payer has just requested a late payment. */
  readonly isLateComing: boolean;
  /** The methods that the payer can choose from, with their terms. */
  readonly methods: ReadonlyMap<PaymentMethod, MethodTerms>;
  /** The email address that was sent, and why it is invalid. */
  readonly email?: string | undefined;
  readonly emailProblem?: EmailProblem | undefined;
  /** Whether the outcome of the form at the provider is unknown. */
  readonly isProviderAway?: boolean;
  /** Whether the payer has used up the number of choices. */
  readonly isChosenOut?: boolean;
}

type EmailProblem = 'required' | 'email';

const PAYABLE = new Set(['created', 'requires_action']);
/** The statuses with buttons in test mode: money may arrive after the payment has ended (contract §5). */
const SPEAKABLE = new Set([...OPEN_STATUSES, 'expired', 'canceled']);

/** The page on which a payer chooses a method, pays, and sees the result. */
export function renderCheckoutPage(view: CheckoutView): string {
  const { world, payment, language, step } = view;
  const texts = textsOf(language);
  const amount = formatMoney(payment.amount, language);
  const isOpen = OPEN_STATUSES.has(payment.status);
  const isTest = world.mode === 'test';
  const isAtProvider = step === PROVIDER_STEP && isTest && redirectOf(payment) !== null;
  const body = html`<main data-state="${payment.status}-${turnOf(payment)}"${isOpen ? html` data-open="1"` : null}>
${renderPayee(world, texts)}
${isAtProvider ? renderProviderStep(view, amount, texts) : renderPayment(view, amount, texts)}
</main>
${isTest && !isAtProvider && SPEAKABLE.has(payment.status) && renderTestPanel(view.stored, isOpen, texts)}`;
  return renderPage({
    language,
    title: `${amount} · ${stateText(view, texts)}`,
    body,
    isLive: true,
    testNote: isTest ? texts.test : payment.isRehearsal && texts.rehearsal,
    keptQuery: isAtProvider ? { step: PROVIDER_STEP } : {},
  });
}

function renderPayment(view: CheckoutView, amount: string, texts: Texts): Html {
  const { payment, isLateComing, isChosenOut = false } = view;
  const { status } = payment;
  const isOpen = OPEN_STATUSES.has(status);
  const isMismatch = mismatchOf(payment) !== null;
  const tone = status === 'succeeded' ? 'good' : isOpen && !isMismatch ? '' : 'bad';
  return html`<h1>${payment.description ?? texts.payTo}</h1>
<p class="amount">${amount}</p>
${renderCodes(payment, texts)}
<p class="state ${tone}" role="status">${stateText(view, texts)}</p>
${status === 'processing' && !isMismatch && html`<p>${texts.processing} <span data-live hidden>${texts.updatesItself}</span></p><noscript><p>${texts.reload}</p></noscript>`}${isMismatch && renderMismatch(view, amount, texts)}
${status === 'failed' && html`<p>${failureText(payment.failureCode, texts)}</p>`}
${(status === 'expired' || status === 'canceled') && html`<p>${texts.paidAlready}</p>`}
${payment.late && html`<p>${texts.paidLate}</p>`}${status === 'succeeded' && renderReceipt(view, texts)}
${isLateComing && isOpen && html`<p>${texts.lateIsComing}</p>`}${(isOpen || status === 'succeeded') && renderKeptEmail(payment, texts)}${renderRefunds(view, texts)}
${PAYABLE.has(status) && renderTimeLeft(payment, view, texts)}
${view.isProviderAway === true && PAYABLE.has(status) && html`<p class="bad" role="alert">${texts.problemPages.busy.advice}</p>`}${(isChosenOut || hasNoChoiceLeft(payment)) && renderNoChoiceLeft(view, texts)}${status === 'created' && !isChosenOut && renderMethods(view, null, texts)}
${status === 'requires_action' && renderAction(view, amount, texts)}
${status === 'requires_action' && canChooseMethod(payment) && view.methods.size > 1 && html`<details><summary>${texts.otherMethod}</summary>${renderMethods(view, payment.method, texts)}</details>`}${status === 'requires_action' && canCorrectEmail(payment) && renderCorrection(view, texts)}
${(!isOpen || (status === 'created' && isChosenOut)) && renderNext(view, texts)}`;
}

/** The payment's state in words: money of another amount, and a single method, have words of their own. */
function stateText(view: CheckoutView, texts: Texts): string {
  const { payment } = view;
  if (mismatchOf(payment) !== null) {
    return texts.mismatch.state;
  }
  const isChoice = payment.status !== 'created' || !hasOneMethod(view);
  return texts.states[isChoice ? payment.status : 'requires_action'];
}

function hasOneMethod({ methods }: CheckoutView): boolean {
  return methods.size === 1;
}

/** The money that came and is not the amount asked for, until that is there. */
function mismatchOf({ status, received }: Payment): Payment['amount'] | null {
  return status === 'processing' && received !== undefined ? received : null;
}

/** One code names the payment on its page, in a transfer and to the shop; beside it, the merchant's own reference. */
function renderCodes(payment: Payment, texts: Texts): Html {
  return html`<p class="soft">${texts.code}: <strong>${codeOf(payment)}</strong></p>
${payment.reference !== null && html`<p class="soft">${texts.shopReference}: ${payment.reference}</p>`}`;
}

function codeOf({ number, attempt }: Payment): string {
  const action = attempt?.nextAction;
  return action?.type === 'bank_transfer' ? action.reference : number;
}

function renderMismatch({ world, payment, language }: CheckoutView, amount: string, texts: Texts): Html {
  const { received, asked, advice } = texts.mismatch;
  return html`<dl><dt>${received}</dt><dd>${formatMoney(mismatchOf(payment) ?? payment.amount, language)}</dd>
<dt>${asked}</dt><dd>${amount}</dd></dl>
<p>${advice(payeeOf(world))}</p>`;
}

function renderReceipt({ payment, language }: CheckoutView, texts: Texts): Html {
  const { succeededAtMs, method } = payment;
  return html`<dl>
${succeededAtMs !== null && html`<dt>${texts.paidAt}</dt><dd>${texts.time(formatTime(succeededAtMs, language))}</dd>`}
${method !== null && html`<dt>${texts.paidBy}</dt><dd>${texts.methods[method]}</dd>`}
</dl>`;
}

function renderTimeLeft({ expiresAtMs }: Payment, { language, nowMs }: CheckoutView, texts: Texts): Html {
  const until = texts.until(formatTime(expiresAtMs, language));
  return html`<p class="soft">${texts.timeLeft} <strong data-until="${expiresAtMs}" data-now="${nowMs}" data-unit="${texts.minutesUnit}"></strong> <time datetime="${new Date(expiresAtMs).toISOString()}">${until}</time></p>`;
}

/** @param chosen the current method, which cannot be chosen again */
function renderMethods(view: CheckoutView, chosen: Payment['method'], texts: Texts): Html {
  const methods = [...view.methods].filter(([method]) => method !== chosen).toSorted(byPromptPayFirst);
  const asking = view.payment.customer.email === null ? methods.filter(needsEmail) : [];
  const isAsked = asking.length > 0;
  const corrects = chosen === null && canCorrectEmail(view.payment);
  const only = hasOneMethod(view);
  const isFilled = (method: PaymentMethod) => only || (method === 'promptpay' && chosen === null);
  return html`<form method="post" class="methods"${(isAsked || corrects) && html` novalidate`}>
${isAsked && renderEmail(view, asking.length === methods.length, texts)}${corrects && renderFolded(view, renderEmail(view, false, texts), texts)}${methods.map(([method]) => html`<button name="method" value="${method}"${isFilled(method) && html` class="main"`}>${renderMethodMark(method)}${only ? texts.payWith(texts.methods[method]) : texts.methods[method]}</button>`)}
</form>`;
}

/** Most payers in Thailand pay by it. All others keep their order. */
function byPromptPayFirst(
  [one]: readonly [PaymentMethod, unknown],
  [other]: readonly [PaymentMethod, unknown],
) {
  return Number(other === 'promptpay') - Number(one === 'promptpay');
}

/** Why the payer cannot choose again, and the way to pay that is left. */
function renderNoChoiceLeft({ payment, isChosenOut }: CheckoutView, texts: Texts): Html {
  const rest = payment.status === 'requires_action' && ` ${texts.payAsChosen}`;
  return html`<p class="bad"${isChosenOut === true && html` role="alert"`}>${texts.noChoiceLeft(CHOICES_MAX)}${rest}</p>`;
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
    problem: emailProblem && texts.problems[emailProblem](texts.email),
  });
}

/** The stored address, masked: its payer can recognise it, and others with the page's address cannot read it. */
function renderKeptEmail(payment: Payment, texts: Texts): Html | null {
  const { email } = payment.customer;
  const isFixed = PAYABLE.has(payment.status) && !canCorrectEmail(payment);
  return email === null
    ? null
    : html`
<p class="soft">${texts.email}: <strong>${maskEmail(email)}</strong>${isFixed && html` ${texts.emailIsFixed}`}</p>`;
}

/** A form to correct the email, which starts another attempt by the same method. */
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

/** What was refunded or is on its way; and a note if the provider has to ask the payer by email for an account. */
function renderRefunds({ payment, methods, language }: CheckoutView, texts: Texts): Html | null {
  const { method, status, amount, refundedMinor, refundableMinor } = payment;
  const isByEmail = method !== null && methods.get(method)?.refund === 'by-email';
  if (status !== 'succeeded' && !(isByEmail && status === 'requires_action')) {
    return null;
  }
  const money = (minor: number) => formatMoney({ ...amount, minor }, language);
  const underWayText = isByEmail ? texts.refundUnderWayByEmail : texts.refundUnderWay;
  const underWay = amount.minor - refundedMinor - refundableMinor;
  return html`${refundedMinor > 0 && html`<p>${texts.refunded(money(refundedMinor))}</p>`}
${underWay > 0 && html`<p>${underWayText(money(underWay))}</p>`}
${isByEmail && underWay === 0 && refundableMinor > 0 && html`<p class="soft">${texts.refundByEmail}</p>`}`;
}

function renderAction(view: CheckoutView, amount: string, texts: Texts): Html | null {
  const { attempt, method } = view.payment;
  const action = attempt?.nextAction;
  switch (action?.type) {
    case 'display_qr':
      return renderQr(view, action.qr.imageSvgUrl, amount, texts);
    case 'redirect': {
      const { doThis, goOn } = texts.redirects[method as RedirectMethod];
      return html`<p>${doThis}</p><p><a class="button main" href="${ownInLanguage(action.url, view)}" rel="noreferrer">${goOn}</a></p>`;
    }
    case 'bank_transfer': {
      const baht = (view.payment.amount.minor / 100).toFixed(2);
      return html`<p>${texts.transfer}</p><dl>
<dt>${texts.bank}</dt><dd>${bankNameOf(action.bankCode, view.language)}</dd>
<dt>${texts.accountName}</dt><dd>${action.accountName}</dd>
${renderCopied(texts.account, action.accountNumber, action.accountNumber, texts)}
${renderCopied(texts.transferAmount, amount, baht, texts)}
${renderCopied(texts.code, action.reference, action.reference, texts)}
</dl>
<p>${texts.transferNote}</p>
<p class="soft" aria-live="polite" data-copied="${texts.copied}"></p>`;
    }
    default:
      return null;
  }
}

/** A value to type elsewhere. The script shows the button; without it, a tap selects the value. */
function renderCopied(label: string, shown: string, value: string, texts: Texts): Html {
  return html`<dt>${label}</dt><dd><span>${shown}</span><button type="button" class="copy" data-copy="${value}" aria-label="${texts.copy(label)}" hidden>${texts.copyShort}</button></dd>`;
}

/** The QR for the camera of another device, and how to pay with the picture on the payer's own phone. */
function renderQr(view: CheckoutView, svgUrl: string, amount: string, texts: Texts): Html {
  const pngUrl = svgUrl.replace(/\.svg$/, '.png');
  const outside = new URLSearchParams({
    ...(view.namedLanguage && { lang: view.namedLanguage }),
    // LINE opens a link with this in the phone's own browser.
    openExternalBrowser: '1',
  });
  return html`<section class="thai-qr"><h2>${texts.thaiQr}</h2>${PROMPTPAY_MARK}
<img class="qr" src="${svgUrl}" alt="${texts.qrOf(amount)}" width="272" height="272"></section>
<p>${texts.scan}</p>
<section class="phone"><h2>${texts.samePhone}</h2>
${view.isInLine && html`<p class="state">${texts.inLine} <a href="?${outside.toString()}">${texts.openOutside}</a></p>`}
<p><a class="button" href="${pngUrl}">${texts.saveQr}</a></p>
<ol>${texts.saveSteps.map((step) => html`<li>${step}</li>`)}</ol></section>`;
}

/** In test mode, the provider's step is a page of ours, which keeps the language. */
function ownInLanguage(url: string, { baseUrl, namedLanguage }: CheckoutView): string {
  return url.startsWith(`${baseUrl}/`) ? inLanguage(url, namedLanguage) : url;
}

/** The next step of a payer once there is nothing more to pay here. */
function renderNext(view: CheckoutView, texts: Texts): Html {
  const { payment, baseUrl } = view;
  const { status, returnUrl, linkCode } = payment;
  const isPaid = status === 'succeeded';
  const again = isPaid || linkCode === undefined ? null : ownInLanguage(`${baseUrl}/l/${linkCode}`, view);
  const advice = returnUrl === null ? texts.askShop : texts.tryAtShop;
  return html`${!isPaid && again === null && html`<p>${advice}</p>`}
${again !== null && html`<p><a class="button main" href="${again}">${texts.tryAgain}</a></p>`}
${returnUrl !== null && html`<p><a class="button${again === null ? ' main' : ''}" href="${returnUrl}" rel="noreferrer">${texts.back}</a></p>`}`;
}

/** The method that sends the payer to another site or app, while that is still open. */
function redirectOf({ status, attempt, method }: Payment): RedirectMethod | null {
  const isThere = status === 'requires_action' && attempt?.nextAction.type === 'redirect';
  return isThere ? (method as RedirectMethod) : null;
}

/** In test mode, the replacement for the app or the site of a wallet or a bank. */
function renderProviderStep({ payment, namedLanguage }: CheckoutView, amount: string, texts: Texts): Html {
  const method = texts.methods[redirectOf(payment) as RedirectMethod];
  return html`<h1>${method}</h1>
<p class="soft">${texts.simulated}</p>
<p class="amount">${amount}</p>
${renderCodes(payment, texts)}
<form method="post">
<input type="hidden" name="version" value="${turnOf(payment)}">
<button name="action" value="pay" class="main">${texts.confirm}</button>
<button name="action" value="fail">${texts.decline}</button>
</form>
<p><a class="button" href="?${namedLanguage === undefined ? null : `lang=${namedLanguage}`}">${texts.backToPayment}</a></p>`;
}

/** What the payer's page has only in test mode: below it, and on a phone a bar at its foot, which the script folds. */
function renderTestPanel(stored: Payment, isOpen: boolean, texts: Texts): Html {
  // After the payment has ended, only a late payment is possible.
  const actions = isOpen ? CHECKOUT_ACTIONS : (['late'] as const);
  return html`<aside aria-label="${texts.testButtons}"><details class="panel" open><summary>${texts.testButtons}</summary>
<form method="post" class="outcomes"><input type="hidden" name="version" value="${turnOf(stored)}">
${actions.map((action) => html`<button name="action" value="${action}">${texts.actions[action]}</button>`)}
</form></details></aside>`;
}
