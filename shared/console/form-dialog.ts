/// <reference lib="dom" />
import type { AnyJson } from './gate.ts';
import type { SchemaForm } from './schema-form.ts';
import type { SharedParts } from './shared-parts.ts';

interface FormDialogParts extends SharedParts {
  readonly schemaForm: SchemaForm;
}

interface Question {
  readonly label: string;
  /** The resource that the operation changes. */
  readonly about?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}

export type FormDialog = ReturnType<typeof createFormDialog>;

/** A dialog for the input of an operation, which sends it. */
export function createFormDialog(parts: FormDialogParts) {
  const { elements, dialogs, schemaForm, answerView, calls, knownIds } = parts;
  const { el, prose } = elements;

  /** The response of the operation, or null if the user canceled. After a refusal, the form stays, with the reason. */
  async function askForInput(operationId: string, question: Question): Promise<AnyJson> {
    const { label, about, params = {}, values = {} } = question;
    const { method, summary, description, body } = calls.operationOf(operationId);
    const field = schemaForm.rootForm(body ?? { properties: {} }, 'dialog');
    field.write(values);
    const refusal = el('div', { role: 'alert' });
    let answered: AnyJson = null;
    let isSending = false;

    const refuse = (reason: HTMLElement) => {
      refusal.replaceChildren(reason);
      refusal.scrollIntoView({ block: 'nearest' });
    };
    const send = async () => {
      const answer = await calls.call(operationId, {
        params,
        body: body === null ? undefined : field.read(),
      });
      const { status, json } = answer;
      knownIds.remember(answer);
      if (status < 300) {
        answered = json;
        form.closest('dialog')?.close();
        return;
      }
      const errors: { field: string; message: string }[] = json?.errors ?? [];
      for (const { field: name, message } of errors) {
        field.mark(name.split('.'), message);
      }
      refuse(answerView.showProblem(json, (name) => field.focus(name.split('.'))));
    };
    const submit = async (event: Event) => {
      event.preventDefault();
      if (isSending) {
        return;
      }
      isSending = true;
      form.setAttribute('aria-busy', 'true');
      refusal.replaceChildren();
      field.mark([], null);
      try {
        await send();
      } catch (error) {
        refuse(el('p', { class: 'problem' }, error instanceof Error ? error.message : String(error)));
      } finally {
        isSending = false;
        form.removeAttribute('aria-busy');
      }
    };
    const form = el(
      'form',
      { novalidate: true, autocomplete: 'off', submit },
      about !== undefined && el('p', {}, el('code', {}, about)),
      el('p', { class: 'hint' }, ...prose(description)),
      field.element,
      refusal,
      el(
        'div',
        { class: 'tools' },
        dialogs.closeButton('Cancel'),
        el('button', { type: 'submit', class: method === 'DELETE' ? 'danger' : 'primary' }, label),
      ),
    );
    await dialogs.openDialog(summary, [form]);
    return answered;
  }

  return { askForInput };
}
