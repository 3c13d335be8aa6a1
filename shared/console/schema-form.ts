/// <reference lib="dom" />
import type { Elements } from './elements.ts';
import type { Schema } from './read-operations.ts';

/** A part of a form: its value, and the place for its problem. */
export interface FormField {
  readonly element: HTMLElement;
  /** Undefined: the request omits it. */
  read(): unknown;
  write(value: unknown): void;
  /** Shows a problem of the field at this path; false if there is no such field. Null clears all problems. */
  mark(path: readonly string[], message: string | null): boolean;
  /** Focuses the field at this path. */
  focus(path: readonly string[]): void;
}

interface FieldPlace {
  readonly name: string;
  /** Unique in the page. */
  readonly id: string;
  readonly isRequired: boolean;
  /** Suggestions for the value, which may be another one. */
  readonly suggest?: ((name: string) => readonly string[]) | undefined;
}

/** Makes forms from schemas. They validate nothing, so that users can see the refusals of the service. */
export function createSchemaForm({ el }: Pick<Elements, 'el'>) {
  /** @param id the prefix of the ids of all its fields */
  function rootForm(schema: Schema, id: string, suggest?: FieldPlace['suggest']): FormField {
    return schemaField(schema, { name: '', id, isRequired: true, suggest });
  }

  function schemaField(schema: Schema, place: FieldPlace): FormField {
    if (schema.properties !== undefined) {
      return objectField(schema, place);
    }
    return typeof schema.additionalProperties === 'object' ? mapField(place) : valueField(schema, place);
  }

  function objectField(schema: Schema, place: FieldPlace): FormField {
    const fields = Object.entries(schema.properties ?? {}).map(([name, inner]) => {
      const isRequired = schema.required?.includes(name) === true;
      const { suggest } = place;
      return [name, schemaField(inner, { name, id: `${place.id}.${name}`, isRequired, suggest })] as const;
    });
    const find = (path: readonly string[]) => fields.find(([name]) => name === path[0])?.[1];
    const inner = fields.map(([, field]) => field.element);
    const element =
      place.name === ''
        ? el('div', { class: 'fields' }, ...inner)
        : el(
            'fieldset',
            { id: place.id },
            el('legend', {}, place.name, place.isRequired && el('span', { class: 'need' }, ' required')),
            el('div', { class: 'fields' }, ...inner),
          );
    return {
      element,
      read: () => {
        const held = fields
          .map(([name, field]) => [name, field.read()])
          .filter(([, value]) => value !== undefined);
        return held.length === 0 && place.name !== '' ? undefined : Object.fromEntries(held);
      },
      write: (value) => {
        for (const [name, field] of fields) {
          field.write((value as Record<string, unknown> | undefined)?.[name]);
        }
      },
      mark: (path, message) => {
        if (message === null) {
          return fields.map(([, field]) => field.mark([], null)).some(Boolean);
        }
        // A problem of the whole object is shown at its first field.
        const target = path.length === 0 ? fields[0]?.[1] : find(path);
        return target?.mark(path.slice(1), message) ?? false;
      },
      focus: (path) => (find(path) ?? fields[0]?.[1])?.focus(path.slice(1)),
    };
  }

  function valueField(schema: Schema, { name, id, isRequired, suggest }: FieldPlace): FormField {
    const choices = schema.items?.enum?.map(String);
    const offer = choices === undefined ? suggest : () => choices;
    const control = controlFor(schema, id, offer !== undefined);
    const hint = el('span', { class: 'hint', id: `${id}.hint` }, hintOf(schema, isRequired));
    const error = el('span', { class: 'error', id: `${id}.error`, hidden: true });
    control.setAttribute('aria-describedby', `${id}.hint ${id}.error`);
    const list = el('datalist', { id: `${id}.list` });
    const fillList = () => {
      // For a list, suggests the next item.
      const before = schema.type === 'array' ? control.value.replace(/[^,]*$/, '') : '';
      list.replaceChildren(...(offer?.(name) ?? []).map((value) => el('option', { value: before + value })));
    };
    control.addEventListener('focus', fillList);
    control.addEventListener('input', fillList);
    if (name === 'minor') {
      control.addEventListener('input', () =>
        hint.replaceChildren(inBaht(control.value) ?? hintOf(schema, isRequired)),
      );
    }
    return {
      element: el(
        'div',
        { class: 'field' },
        el('label', { for: id }, name, isRequired && el('span', { class: 'need' }, ' required')),
        control,
        offer !== undefined && control instanceof HTMLInputElement && list,
        hint,
        error,
      ),
      read: () => (control.value === '' ? undefined : toValue(schema, control.value)),
      write: (value) => {
        control.value = value === undefined || value === null ? '' : String(value);
        control.dispatchEvent(new Event('input'));
      },
      mark: (path, message) => {
        error.hidden = message === null;
        error.textContent = message;
        control.setAttribute('aria-invalid', String(message !== null));
        return path.length === 0;
      },
      focus: () => control.focus(),
    };
  }

  function controlFor(schema: Schema, id: string, hasList: boolean): HTMLInputElement | HTMLSelectElement {
    const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum;
    if (choices !== undefined) {
      const options = choices.map((choice) => el('option', { value: String(choice) }, String(choice)));
      return el('select', { id }, el('option', { value: '' }, 'left out'), ...options);
    }
    return el('input', {
      id,
      type: 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      autocapitalize: 'off',
      ...(isNumber(schema) && { inputmode: 'numeric' }),
      ...(hasList && { list: `${id}.list` }),
    });
  }

  /** A map of names to short values. */
  function mapField({ name, id, isRequired }: FieldPlace): FormField {
    const rows = el('div', { class: 'rows' });
    const error = el('span', { class: 'error', id: `${id}.error`, hidden: true });
    let made = 0;
    const addRow = (key = '', value = ''): HTMLInputElement => {
      made += 1;
      const input = (part: string, text: string) => {
        const box = el('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' });
        box.setAttribute('aria-label', `${name} ${made}: ${part}`);
        box.setAttribute('placeholder', part);
        box.value = text;
        return box;
      };
      const first = input('name', key);
      const row = el('div', { class: 'row' }, first, input('value', value));
      const remove = () => row.remove();
      row.append(
        el(
          'button',
          { type: 'button', class: 'quiet', 'aria-label': `Remove ${name} ${made}`, click: remove },
          '×',
        ),
      );
      rows.append(row);
      return first;
    };
    const entries = () =>
      [...rows.children].map((row) => [...row.querySelectorAll('input')].map(({ value }) => value));
    return {
      element: el(
        'fieldset',
        { id },
        el('legend', {}, name, isRequired && el('span', { class: 'need' }, ' required')),
        rows,
        error,
        el('button', { type: 'button', class: 'small', click: () => addRow().focus() }, `Add to ${name}`),
      ),
      read: () => {
        const held = entries().filter(([key]) => key !== '');
        return held.length === 0
          ? undefined
          : Object.fromEntries(held.map(([key, value]) => [key, toScalar(value ?? '')]));
      },
      write: (value) => {
        rows.replaceChildren();
        for (const [key, held] of Object.entries((value as object | undefined) ?? {})) {
          addRow(key, typeof held === 'string' && toScalar(held) === held ? held : JSON.stringify(held));
        }
      },
      mark: (path, message) => {
        error.hidden = message === null;
        error.textContent = message === null ? '' : [...path, message].join(' ');
        return true;
      },
      focus: () => (rows.querySelector('input') ?? addRow()).focus(),
    };
  }

  /** Numbers as numbers. Other text is sent as typed, so that the service refuses it. */
  function toValue(schema: Schema, text: string): unknown {
    if (schema.type === 'boolean') {
      return text === 'true';
    }
    if (schema.type === 'array') {
      return text.split(',').map((one) => one.trim());
    }
    return isNumber(schema) && /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
  }

  /** `12`, `true`, `null` and `"12"` as in JSON, everything else as text. */
  function toScalar(text: string): unknown {
    const isJson = /^(-?\d+(\.\d+)?|true|false|null|"[^"\\]*")$/.test(text);
    return isJson ? JSON.parse(text) : text;
  }

  function isNumber({ type }: Schema): boolean {
    return type === 'integer' || type === 'number';
  }

  function hintOf(schema: Schema, isRequired: boolean): string {
    const { minimum, maximum, minLength, maxLength, format, type } = schema;
    const number = (value: number) => value.toLocaleString('en');
    const facts = [
      schema.enum === undefined && (format ?? type ?? 'text'),
      minimum !== undefined && maximum !== undefined && `${number(minimum)} to ${number(maximum)}`,
      maxLength !== undefined &&
        `${(minLength ?? 0) > 0 ? `${minLength} to` : 'up to'} ${number(maxLength)} characters`,
      type === 'array' && 'with commas in between',
      schema.default !== undefined && `${schema.default} by default`,
      !isRequired && 'optional',
    ];
    return facts.filter(Boolean).join(' · ');
  }

  function inBaht(text: string): string | null {
    return /^\d{1,12}$/.test(text)
      ? `satang: ${(Number(text) / 100).toLocaleString('en', { style: 'currency', currency: 'THB' })}`
      : null;
  }

  return { rootForm };
}

export type SchemaForm = ReturnType<typeof createSchemaForm>;
