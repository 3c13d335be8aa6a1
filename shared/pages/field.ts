import { type Html, html } from './html.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly isRequired: boolean;
  /** Said beside the label, where it is not empty. */
  readonly hint: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** What was sent, to be kept. */
  readonly value: string;
  /** What is wrong with it, in the payer's words. */
  readonly problem: string | undefined;
}

/** A field of a form with its label, its hint, and what is wrong with it, all tied to it for those who hear a page. */
export function renderField({ name, label, isRequired, hint, attributes, value, problem }: Field): Html {
  const described = [hint !== '' && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ');
  const all = {
    ...attributes,
    ...(isRequired && { required: '' }),
    ...(problem && { 'aria-invalid': 'true' }),
    ...(described !== '' && { 'aria-describedby': described }),
  };
  return html`<div><label for="${name}">${label}</label>${hint !== '' && html` <span class="soft" id="${name}-hint">${hint}</span>`}
<input id="${name}" name="${name}" value="${value}"${Object.entries(all).map(([key, text]) => html` ${key}="${text}"`)}>
${problem !== undefined && html`<p class="bad" id="${name}-problem">${problem}</p>`}</div>`;
}
