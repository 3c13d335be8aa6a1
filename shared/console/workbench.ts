/// <reference lib="dom" />
import type { GateAnswer, GateRequest } from './gate.ts';
import type { ConsoleOperation, Parameter, Schema } from './read-operations.ts';
import type { FormField, SchemaForm } from './schema-form.ts';
import type { SharedParts } from './shared-parts.ts';

interface WorkbenchParts extends SharedParts {
  readonly schemaForm: SchemaForm;
  readonly newIdempotencyKey: () => string;
  /** Whether the user confirms that the test world is deleted. */
  readonly confirmErasure: () => Promise<boolean>;
}

/** The form of an operation, and its response. */
export interface Bench {
  readonly element: HTMLElement;
  /** Puts values into path and query. Other fields are filled with known ids. */
  show(values: Readonly<Record<string, string>>): void;
}

/** Makes the form of an operation from its description. */
export function createWorkbench(parts: WorkbenchParts) {
  const { el, prose } = parts.elements;
  const { gate, schemaForm, answerView, calls, knownIds, announce, onChange } = parts;
  const { newIdempotencyKey, confirmErasure } = parts;

  function openBench(operation: ConsoleOperation): Bench {
    const prefix = operation.id;
    const isErasing = operation.permission === 'reset';
    const inPath = pathForm(operation);
    const inQuery = parameterForm(operation, 'query', knownIds.idsFor);
    const body = operation.body === null ? null : bodyEditor(operation.body, operation.example, prefix);
    const key = operation.isIdempotent ? keyEditor(prefix) : null;
    const version = operation.permission === null ? null : versionField(operation, prefix);
    const outcome = el('section', { class: 'outcome-area', 'aria-label': 'Answer' });
    const sendButton = el('button', { type: 'submit', class: 'primary' }, 'Send');
    const form = el(
      'form',
      { class: 'bench-form', novalidate: true, autocomplete: 'off' },
      inPath.field !== null && part('Path', inPath.field.element),
      inQuery !== null && part('Query', inQuery.element),
      body?.element,
      (key !== null || version !== null) &&
        part('Headers', el('div', { class: 'fields' }, key?.element, version?.element)),
      el('div', { class: 'send' }, sendButton, el('span', { class: 'hint' }, 'Ctrl + Enter')),
    );

    const request = (): GateRequest => {
      const query = (inQuery?.read() ?? {}) as Record<string, unknown>;
      const text = body?.read();
      return {
        method: operation.method,
        path: calls.addressOf(operation, inPath.read(), query),
        headers: {
          ...(key !== null && { 'Idempotency-Key': key.read() }),
          ...(version !== null && version.read() !== '' && { 'PG-Version': version.read() }),
          ...(text !== undefined && { 'Content-Type': 'application/json' }),
        },
        body: text,
        isKeyed: operation.permission !== null,
      };
    };

    const fields = [inPath.field, inQuery, body?.field ?? null].filter((field) => field !== null);

    const send = async (sent: GateRequest): Promise<void> => {
      inPath.use();
      for (const field of fields) {
        field.mark([], null);
      }
      sendButton.disabled = true;
      outcome.setAttribute('aria-busy', 'true');
      try {
        show(await gate.send(sent));
      } catch (error) {
        refuse(error instanceof Error ? error.message : String(error), sent);
      } finally {
        sendButton.disabled = false;
        outcome.removeAttribute('aria-busy');
      }
    };

    const show = (answer: GateAnswer): void => {
      if (isErasing && answer.status < 300) {
        knownIds.forget();
      } else {
        knownIds.remember(answer);
      }
      key?.used(answer.request.headers['Idempotency-Key'] ?? '');
      const { errors = [] } = (answer.json ?? {}) as { errors?: { field: string; message: string }[] };
      for (const { field, message } of answer.status >= 400 ? errors : []) {
        fields.some((each) => each.mark(field.split('.'), message));
      }
      outcome.replaceChildren(
        answerView.showAnswer(answer, {
          repeat: operation.isIdempotent ? () => void send(answer.request) : null,
          goTo: (name, message) => {
            const path = name.split('.');
            body?.showForm();
            (fields.find((field) => field.mark(path, message)) ?? fields[0])?.focus(path);
          },
        }),
      );
      scrollTo(outcome);
      announce(`Response ${answer.status} after ${answer.durationMs} milliseconds.`);
      if (operation.method !== 'GET') {
        onChange();
      }
    };

    const refuse = (message: string, sent: GateRequest): void => {
      const again = () => void send(sent);
      outcome.replaceChildren(
        el(
          'div',
          { class: 'problem' },
          el('p', {}, message),
          gate.isOpen() &&
            el('button', { type: 'button', class: 'small', click: again }, 'Same request again'),
        ),
      );
      scrollTo(outcome);
      announce(message);
    };

    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const name = inPath.names.find((each) => inPath.read()[each] === undefined);
      if (name !== undefined) {
        inPath.field?.mark([name], 'is required in the URL');
        inPath.field?.focus([name]);
        return;
      }
      const sent = request();
      if (!isErasing || !gate.isOpen() || (await confirmErasure())) {
        void send(sent);
      }
    });
    form.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        form.requestSubmit();
      }
    });

    return {
      element: el('article', { class: 'bench' }, header(operation), form, outcome),
      show: (values) => inPath.fill(values, false),
    };
  }

  /** The form may be long, so the response is scrolled into view. */
  function scrollTo(outcome: HTMLElement): void {
    if (outcome.getBoundingClientRect().top > 0.6 * innerHeight) {
      outcome.scrollIntoView({ block: 'start' });
    }
  }

  function header(operation: ConsoleOperation): HTMLElement {
    const { method, path, summary, description, permission } = operation;
    return el(
      'header',
      { class: 'bench-head' },
      el('h2', { tabindex: -1 }, summary),
      el(
        'p',
        { class: 'address' },
        el('span', { class: `method m-${method.toLowerCase()}` }, method),
        ' ',
        el('code', {}, path),
      ),
      description !== '' && el('p', {}, ...prose(description)),
      el(
        'p',
        { class: 'hint' },
        ...(permission === null
          ? ['No key is needed, and none is sent.']
          : ['Permission ', el('code', {}, permission)]),
      ),
    );
  }

  function part(title: string, ...inner: (Node | false | undefined)[]): HTMLElement {
    return el('section', { class: 'part' }, el('h3', {}, title), ...inner);
  }

  /** The fields of the path, filled with the latest known ids, but never over text that the user has typed. */
  function pathForm(operation: ConsoleOperation) {
    const { path } = operation;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
    const before = (name: string) => names.slice(0, names.indexOf(name)).map((each) => read()[each]);
    const suggest = (name: string) => knownIds.idsAt(path, name, before(name));
    const field = parameterForm(operation, 'path', suggest);
    let filled: Readonly<Record<string, unknown>> = {};
    const read = () => (field?.read() ?? {}) as Record<string, unknown>;
    const fill = (given: Readonly<Record<string, string>>, keepsEmpty: boolean): void => {
      const held = read();
      const isTyped = (name: string) =>
        held[name] !== filled[name] && (keepsEmpty || held[name] !== undefined);
      const typed = names.filter(isTyped).map((name) => [name, held[name]]);
      const chosen: Record<string, unknown> = { ...Object.fromEntries(typed), ...given };
      // The last parameter first, since a delivery determines its sink.
      for (const name of names.filter((each) => !(each in chosen)).toReversed()) {
        chosen[name] = knownIds.idsAt(path, name, Object.values(chosen))[0];
        filled = { ...filled, [name]: chosen[name] };
      }
      filled = { ...filled, ...given };
      field?.write(chosen);
    };
    // The other fields follow the typed value: the deliveries of another sink.
    field?.element.addEventListener('change', () => fill({}, true));
    return {
      names,
      field,
      read,
      fill,
      /** After sending, the values no longer count as typed by the user. */
      use: () => {
        filled = read();
      },
    };
  }

  function parameterForm(
    operation: ConsoleOperation,
    where: Parameter['in'],
    suggest: (name: string) => readonly string[],
  ): FormField | null {
    const parameters = operation.parameters.filter((parameter) => parameter.in === where);
    if (parameters.length === 0) {
      return null;
    }
    const schema: Schema = {
      properties: Object.fromEntries(parameters.map(({ name, schema: inner }) => [name, inner])),
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
    };
    return schemaForm.rootForm(schema, `${operation.id}.${where}`, suggest);
  }

  /** A body as a form or as text. The text can hold values that a form cannot, such as a wrong type. */
  function bodyEditor(schema: Schema, example: unknown, prefix: string) {
    const field = schemaForm.rootForm(schema, `${prefix}.body`, knownIds.idsFor);
    if (Object.keys(schema.properties ?? {}).length === 0) {
      field.element.append(el('p', { class: 'hint' }, 'The body has no fields.'));
    }
    const text = el('textarea', {
      'aria-label': 'Body as JSON',
      rows: 12,
      spellcheck: 'false',
      hidden: true,
    });
    const problem = el('p', { class: 'error', hidden: true });
    const asForm = el('button', { type: 'button', class: 'small', 'aria-pressed': 'true' }, 'Form');
    const asText = el('button', { type: 'button', class: 'small', 'aria-pressed': 'false' }, 'JSON');
    const turn = (isText: boolean) => {
      text.hidden = !isText;
      field.element.hidden = isText;
      problem.hidden = true;
      asText.setAttribute('aria-pressed', String(isText));
      asForm.setAttribute('aria-pressed', String(!isText));
    };
    const showForm = () => {
      if (text.hidden) {
        return;
      }
      try {
        field.write(JSON.parse(text.value));
        turn(false);
      } catch {
        problem.textContent = 'This is not JSON, so the form cannot show it. You can still send it.';
        problem.hidden = false;
      }
    };
    const write = (value: unknown) => {
      field.write(value);
      text.value = JSON.stringify(value, null, 2);
    };
    asForm.addEventListener('click', showForm);
    asText.addEventListener('click', () => {
      if (text.hidden) {
        text.value = JSON.stringify(field.read(), null, 2);
        turn(true);
      }
    });
    write(example);
    const tools = el(
      'div',
      { class: 'tools' },
      el('button', { type: 'button', class: 'small', click: () => write(example) }, 'Example'),
      el('button', { type: 'button', class: 'small', click: () => write({}) }, 'Clear'),
      el('span', { class: 'switch', role: 'group', 'aria-label': 'Edit the body as' }, asForm, asText),
    );
    const element = el(
      'section',
      { class: 'part' },
      el('div', { class: 'part-head' }, el('h3', {}, 'Body'), tools),
      field.element,
      text,
      problem,
    );
    return {
      element,
      field,
      showForm,
      read: () => (text.hidden ? JSON.stringify(field.read()) : text.value),
    };
  }

  /** An idempotency key that is new for each request, and can be kept to see a replay. */
  function keyEditor(prefix: string) {
    const id = `${prefix}.idempotency-key`;
    const input = el('input', { id, type: 'text', autocomplete: 'off', spellcheck: 'false', class: 'mono' });
    let last = '';
    const useLast = el('button', { type: 'button', class: 'small', disabled: true }, 'Last key');
    useLast.addEventListener('click', () => {
      input.value = last;
    });
    const renew = () => {
      input.value = newIdempotencyKey();
    };
    renew();
    const element = el(
      'div',
      { class: 'field wide' },
      el('label', { for: id }, 'Idempotency-Key', el('span', { class: 'need' }, ' required')),
      el(
        'div',
        { class: 'row' },
        input,
        el('button', { type: 'button', class: 'small', click: renew }, 'New key'),
        useLast,
      ),
      el(
        'span',
        { class: 'hint' },
        'Changes after every call. Send the same request with the last key to see a replay.',
      ),
    );
    const used = (key: string) => {
      last = key;
      useLast.disabled = false;
      renew();
    };
    return { element, read: () => input.value, used };
  }

  function versionField({ parameters }: ConsoleOperation, prefix: string) {
    const id = `${prefix}.version`;
    const example = parameters.find(({ name }) => name === 'PG-Version')?.example ?? '';
    const input = el('input', { id, type: 'text', autocomplete: 'off', placeholder: example });
    const element = el(
      'div',
      { class: 'field' },
      el('label', { for: id }, 'PG-Version'),
      input,
      el('span', { class: 'hint' }, "date · the key's own by default"),
    );
    return { element, read: () => input.value.trim() };
  }

  return { openBench };
}
