import * as v from 'valibot';
import { email, personName, phone } from '../contract/fields.ts';
import type { Language } from '../domain/language.ts';
import { parseAmount } from '../domain/parse-amount.ts';
import {
  amountBounds,
  type LinkPayer,
  type PaymentLink,
  takesAmount,
  type Unavailability,
} from '../domain/payment-link.ts';
import { isRehearsal, type World } from '../domain/world.ts';
import { renderField } from './field.ts';
import { html } from './html.ts';
import { renderPage } from './page.ts';
import { renderPayee } from './payee.ts';
import { formatMoney, formatTime, type ProblemName, type Texts, textsOf } from './texts.ts';

const COLLECTED = ['name', 'email', 'phone'] as const;
type Collected = (typeof COLLECTED)[number];
type LinkField = Collected | 'amount';

const SCHEMAS = { name: personName, email, phone } as const;
/** Browsers can fill in the fields (WCAG 1.3.5). */
const ATTRIBUTES = {
  name: { type: 'text', autocomplete: 'name' },
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
} as const;

/** The form of a link's page, validated by the rules of the link. */
export type ReadForm =
  | { readonly payer: LinkPayer; readonly problems: null }
  | { readonly payer: null; readonly problems: Problems };

type Problems = Readonly<Partial<Record<LinkField, ProblemName>>>;
type LinkForm = Readonly<Record<string, string>>;

/** @param leastMinor the minimum amount of the provider, in minor units */
export function readLinkForm(link: PaymentLink, form: LinkForm, leastMinor: number): ReadForm {
  const minor = link.amount === null ? parseAmount(form.amount ?? '') : link.amount.minor;
  const isTaken = minor !== null && (link.amount !== null || minor >= leastMinor);
  const isWithin = isTaken && takesAmount(link, { currency: link.currency, minor });
  const fields = COLLECTED.filter((name) => link.collect[name] !== 'off').map((name) => {
    const text = (form[name] ?? '').trim();
    return { name, text, read: v.safeParse(SCHEMAS[name], text) };
  });
  const wrong = fields.flatMap(({ name, text, read }) => {
    const isMissing = text === '' && link.collect[name] === 'required';
    return isMissing ? [[name, 'required']] : text !== '' && !read.success ? [[name, name]] : [];
  });
  const problems: Problems = { ...(!isWithin && { amount: 'amount' }), ...Object.fromEntries(wrong) };
  if (minor === null || Object.keys(problems).length > 0) {
    return { payer: null, problems };
  }
  const given = fields.filter(({ text }) => text !== '').map(({ name, read }) => [name, read.output]);
  return {
    payer: { amount: { currency: link.currency, minor }, customer: Object.fromEntries(given) },
    problems: null,
  };
}

export interface LinkView {
  readonly link: PaymentLink;
  readonly world: World;
  readonly language: Language;
  /** The minimum amount of the provider, in minor units. */
  readonly leastMinor: number;
  /** The idempotency key of the form. */
  readonly attempt: string;
  /** The form was sent, and can be sent again only after this many seconds. */
  readonly retryAfterSeconds?: number | null;
  /** The form that was sent and is invalid. */
  readonly form?: LinkForm;
  readonly problems?: Problems;
}

/** The page of a payment link, on which a payer fills in the required fields and continues to the payment. */
export function renderLinkPage({
  link,
  world,
  language,
  leastMinor,
  attempt,
  form = {},
  problems = {},
  retryAfterSeconds = null,
}: LinkView): string {
  const texts = textsOf(language);
  const money = (amount: PaymentLink['amount']) => amount && formatMoney(amount, language);
  const { least, most } = amountBounds(link);
  const inCurrency = (minor: number) => money({ currency: link.currency, minor });
  const from = leastMinor > least ? inCurrency(leastMinor) : money(link.minAmount);
  const bounds = texts.amountBetween(from, inCurrency(most));
  const field = (
    name: LinkField,
    label: string,
    isRequired: boolean,
    hint: string,
    attributes: Record<string, string>,
  ) => {
    const wrong = problems[name];
    const problem = wrong && texts.problems[wrong](label, bounds);
    return renderField({ name, label, isRequired, hint, attributes, value: form[name] ?? '', problem });
  };
  const collected = COLLECTED.filter((name) => link.collect[name] !== 'off').map((name) =>
    field(
      name,
      texts[name],
      link.collect[name] === 'required',
      link.collect[name] === 'optional' ? `(${texts.optional})` : '',
      ATTRIBUTES[name],
    ),
  );
  const body = html`<main>
${renderPayee(world, texts)}
<h1>${link.description ?? texts.payTo}</h1>
${link.amount === null ? null : html`<p class="amount">${money(link.amount)}</p>`}
${retryAfterSeconds !== null && html`<p class="state bad" role="status">${texts.tooMany(retryAfterSeconds)}</p>`}
<form method="post" novalidate>
<input type="hidden" name="attempt" value="${attempt}">
${link.amount === null && field('amount', texts.amount, true, bounds, { inputmode: 'decimal', autocomplete: 'transaction-amount' })}
${collected}
<button class="main">${texts.continue}</button>
</form>
</main>`;
  const title = link.description ?? texts.payTo;
  return renderPage({ language, title, body, testNote: noteOf(world, texts), keptQuery: {} });
}

/** The page of a link that accepts no payment. */
export function renderLinkEnd(
  { link, world, language }: Pick<LinkView, 'link' | 'world' | 'language'>,
  { reason, again }: { readonly reason: Unavailability; readonly again: { readonly atMs: number } | null },
): string {
  const texts = textsOf(language);
  const title = texts.unavailable[reason];
  const advice = texts.unavailableAdvice[reason];
  const time = again === null ? '' : texts.time(formatTime(again.atMs, language));
  const body = html`<main>
${renderPayee(world, texts)}
<h1>${link.description ?? texts.payTo}</h1>
<p class="state bad" role="status">${title}</p>
<p>${typeof advice === 'string' ? advice : advice(time)}</p>
</main>`;
  return renderPage({ language, title, body, testNote: noteOf(world, texts), keptQuery: {} });
}

function noteOf(world: World, texts: Texts): string | false {
  return world.mode === 'test' ? texts.test : isRehearsal(world) && texts.rehearsal;
}
