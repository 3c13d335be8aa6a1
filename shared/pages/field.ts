import { type Html, html } from './html.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly isRequired: boolean;
  /** Shown beside the label, unless it is empty. */
  readonly hint: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The value that was sent, which stays in the field. */
  readonly value: string;
  /** Why the value is invalid, in the payer's words. */
  readonly problem: string | undefined;
}

/** A form field with its label, hint and problem, all associated with it for screen readers. */
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
