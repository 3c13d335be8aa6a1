/// <reference lib="dom" />

import type { Schema } from '../../story/read-operations.ts';
import {
  type FormRow,
  type FormTexts,
  fieldAt,
  hintOf,
  isMap,
  isNumber,
  isWide,
  joinPath,
} from '../call/form-values.ts';
import { Prose } from '../show/linked-text.tsx';

interface FieldsProps {
  readonly schema: Schema;
  /** The prefix of the ids of all fields, unique in the page. */
  readonly id: string;
  readonly form: FormTexts;
  readonly onChange: (form: FormTexts) => void;
  /** Problems by the path of their field. */
  readonly faults: Readonly<Record<string, string>>;
  /** Suggestions for the value of a field, which may be another one. */
  readonly suggest?: ((name: string) => readonly string[]) | undefined;
}

interface PlacedProps extends FieldsProps {
  readonly name: string;
  readonly path: string;
  readonly isRequired: boolean;
}

/** A form for a schema. It validates nothing, so that users can see the refusals of the service. */
export function SchemaFields(props: FieldsProps) {
  return <ObjectFields {...props} name="" path="" isRequired={true} />;
}

/** Focuses the field that a problem names. */
export function focusField(schema: Schema, id: string, path: string): boolean {
  const at = fieldAt(schema, path);
  const place = at === null ? null : document.getElementById(`${id}.${at}`);
  const control = place?.matches('fieldset')
    ? (place.querySelector<HTMLElement>('input, button') ?? null)
    : place;
  control?.focus();
  return control !== null && control !== undefined;
}

function AnyField(props: PlacedProps) {
  if (props.schema.properties !== undefined) {
    return <ObjectFields {...props} />;
  }
  return isMap(props.schema) ? <MapField {...props} /> : <ValueField {...props} />;
}

function ObjectFields(props: PlacedProps) {
  const { schema, name, path, id, isRequired } = props;
  const inner = Object.entries(schema.properties ?? {}).map(([each, own]) => (
    <AnyField
      key={each}
      {...props}
      schema={own}
      name={each}
      path={joinPath(path, each)}
      isRequired={schema.required?.includes(each) === true}
    />
  ));
  return path === '' ? (
    <div class="fields">{inner}</div>
  ) : (
    <fieldset id={`${id}.${path}`}>
      <legend>
        {name}
        {isRequired && <Required />}
      </legend>
      <GroupHint schema={schema} />
      <div class="fields">{inner}</div>
    </fieldset>
  );
}

function GroupHint({ schema: { description } }: Pick<FieldsProps, 'schema'>) {
  return description === undefined ? null : (
    <p class="hint">
      <Prose text={description} />
    </p>
  );
}

function Required() {
  return <span class="need"> required</span>;
}

function ValueField(props: PlacedProps) {
  const { schema, name, path, id, form, onChange, faults, isRequired, suggest } = props;
  const own = `${id}.${path}`;
  const text = form.texts[path] ?? '';
  const fault = faults[path];
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
  const items = schema.items?.enum?.map(String);
  const offered = items ?? suggest?.(name);
  // For a list, suggests the next item.
  const before = schema.type === 'array' ? text.replace(/[^,]*$/, '') : '';
  const write = (value: string) => onChange({ ...form, texts: { ...form.texts, [path]: value } });
  const common = {
    id: own,
    'aria-describedby': `${own}.hint ${own}.error`,
    'aria-invalid': fault === undefined ? ('false' as const) : ('true' as const),
  };
  return (
    <div class={isWide(name, schema) ? 'field wide' : 'field'}>
      <label for={own}>
        {name}
        {isRequired && <Required />}
      </label>
      {choices === undefined ? (
        <input
          {...common}
          type="text"
          class={isWide(name, schema) ? 'mono' : undefined}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          inputMode={isNumber(schema) ? 'numeric' : undefined}
          list={offered === undefined ? undefined : `${own}.list`}
          value={text}
          onInput={({ currentTarget }) => write(currentTarget.value)}
        />
      ) : (
        <select {...common} value={text} onChange={({ currentTarget }) => write(currentTarget.value)}>
          <option value="">left out</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      )}
      {items !== undefined && <Choices items={items} text={text} onText={write} />}
      {offered !== undefined && choices === undefined && (
        <datalist id={`${own}.list`}>
          {offered.map((value) => (
            <option key={value} value={before + value} />
          ))}
        </datalist>
      )}
      <span class="hint" id={`${own}.hint`}>
        {schema.description !== undefined && (
          <span class="block">
            <Prose text={schema.description} />
          </span>
        )}
        {hintOf(name, schema, isRequired, text)}
      </span>
      <span class="error" id={`${own}.error`} hidden={fault === undefined}>
        {fault}
      </span>
    </div>
  );
}

interface ChoicesProps {
  readonly items: readonly string[];
  /** The chosen ones, separated by commas. */
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** The values that a list can have, to tick. The text beside it has the same ones. */
function Choices({ items, text, onText }: ChoicesProps) {
  const chosen = text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
  const turn = (item: string) =>
    onText((chosen.includes(item) ? chosen.filter((each) => each !== item) : [...chosen, item]).join(', '));
  return (
    <details class="choices">
      <summary>Choose from the list</summary>
      {items.map((item) => (
        <label key={item}>
          <input type="checkbox" checked={chosen.includes(item)} onChange={() => turn(item)} />
          {item}
        </label>
      ))}
    </details>
  );
}

/** A map of names to short values. */
function MapField({ schema, name, path, id, form, onChange, faults, isRequired }: PlacedProps) {
  const own = `${id}.${path}`;
  const rows = form.rows[path] ?? [];
  const write = (changed: readonly FormRow[]) =>
    onChange({ ...form, rows: { ...form.rows, [path]: changed } });
  const change = (row: FormRow) => write(rows.map((each) => (each.key === row.key ? row : each)));
  const add = () => {
    const key = Math.max(0, ...rows.map((row) => row.key)) + 1;
    write([...rows, { key, name: '', value: '' }]);
    // Once it is there.
    requestAnimationFrame(() => document.getElementById(`${own}.${key}`)?.focus());
  };
  return (
    <fieldset id={own}>
      <legend>
        {name}
        {isRequired && <Required />}
      </legend>
      <GroupHint schema={schema} />
      <div class="rows">
        {rows.map((row, place) => (
          <div class="row" key={row.key}>
            <input
              id={`${own}.${row.key}`}
              type="text"
              autocomplete="off"
              spellcheck={false}
              aria-label={`${name} ${place + 1}: name`}
              placeholder="name"
              value={row.name}
              onInput={({ currentTarget }) => change({ ...row, name: currentTarget.value })}
            />
            <input
              type="text"
              autocomplete="off"
              spellcheck={false}
              aria-label={`${name} ${place + 1}: value`}
              placeholder="value"
              value={row.value}
              onInput={({ currentTarget }) => change({ ...row, value: currentTarget.value })}
            />
            <button
              type="button"
              class="quiet"
              aria-label={`Remove ${name} ${place + 1}`}
              onClick={() => write(rows.filter(({ key }) => key !== row.key))}
            >
              ×
            </button>
          </div>
        ))}
      </div>
      <span class="error" id={`${own}.error`} hidden={faults[path] === undefined}>
        {faults[path]}
      </span>
      <button type="button" class="small" onClick={add}>
        Add to {name}
      </button>
    </fieldset>
  );
}
