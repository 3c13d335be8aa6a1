/// <reference lib="dom" />

import { useState } from 'preact/hooks';
import { formatMoney, type ShownMoney } from '../../story/amounts.ts';
import type { Schema } from '../../story/read-operations.ts';
import { methodText } from '../../story/status-words.ts';
import {
  BAHT,
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
import { factName } from '../show/show-texts.ts';
import { actTexts } from './act-texts.ts';
import { BahtFault, BahtInput } from './baht-input.tsx';
import type { Faults } from './faults.tsx';
import { LinkAmountField } from './link-amount-field.tsx';

const { fields: texts, whole: wholeTexts } = actTexts;

interface FieldsProps {
  readonly schema: Schema;
  /** The prefix of the ids of all fields, unique in the page. */
  readonly id: string;
  readonly form: FormTexts;
  readonly onChange: (form: FormTexts) => void;
  /** Problems by the path of their field. */
  readonly faults: Faults;
  /** Whether fields and choices have the words of people, and not those of the API. */
  readonly isForPeople?: boolean;
  /** Suggestions for the value of a field, which may be another one. */
  readonly suggest?: ((name: string) => readonly string[]) | undefined;
  /** The only values of fields, in words, by the name of the field. */
  readonly choices?: Readonly<Record<string, readonly Choice[]>>;
  /** What an amount is at most: all of it is chosen first, or else a part is typed. */
  readonly whole?: ShownMoney;
}

/** A value that can be chosen, and what it is called. An empty one is left out of the request. */
export type Choice = readonly [value: string, label: string];

interface FieldProps extends FieldsProps {
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
  const element = at === null ? null : document.getElementById(`${id}.${at}`);
  const control = element?.matches('fieldset')
    ? (element.querySelector<HTMLElement>('input, button') ?? null)
    : element;
  control?.focus();
  return control !== null && control !== undefined;
}

function AnyField(props: FieldProps) {
  if (props.isForPeople === true && props.schema.properties?.fixed !== undefined) {
    return <LinkAmountField {...props} />;
  }
  if (props.schema.properties !== undefined) {
    return <ObjectFields {...props} />;
  }
  if (props.whole !== undefined && props.schema.format === BAHT) {
    return <PartField {...props} whole={props.whole} />;
  }
  return isMap(props.schema) ? <MapField {...props} /> : <ValueField {...props} />;
}

function ObjectFields(props: FieldProps) {
  const { schema, path, id } = props;
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
    <div class={props.isForPeople === true ? 'fields in-words' : 'fields'}>{inner}</div>
  ) : (
    <fieldset id={`${id}.${path}`}>
      <legend>
        <FieldName {...props} />
      </legend>
      <GroupHint {...props} />
      <div class="fields">{inner}</div>
    </fieldset>
  );
}

function GroupHint({ schema: { description }, isForPeople }: Pick<FieldsProps, 'schema' | 'isForPeople'>) {
  return description === undefined || isForPeople === true ? null : (
    <p class="hint">
      <Prose text={description} />
    </p>
  );
}

function FieldName({
  name,
  isRequired,
  isForPeople,
}: Pick<FieldProps, 'name' | 'isRequired' | 'isForPeople'>) {
  return (
    <>
      {isForPeople === true ? factName(name) : name}
      {isRequired && <span class="need"> {texts.required}</span>}
    </>
  );
}

function ValueField(props: FieldProps) {
  const { schema, name, path, id, form, onChange, faults, isRequired, suggest, isForPeople } = props;
  const own = `${id}.${path}`;
  const text = form.texts[path] ?? '';
  const fault = faults[path];
  const choices = choicesOf(props);
  const items = schema.items?.enum?.map(String);
  const offered = choices === undefined ? (items ?? suggest?.(name)) : undefined;
  const write = (value: string) => onChange({ ...form, texts: { ...form.texts, [path]: value } });
  const control = {
    id: own,
    value: text,
    'aria-describedby': `${own}.hint ${own}.error`,
    'aria-invalid': fault === undefined ? ('false' as const) : ('true' as const),
  };
  return (
    <div class={isWide(name, schema) ? 'field wide' : 'field'}>
      <label for={own}>
        <FieldName {...props} />
      </label>
      {choices === undefined ? (
        <input
          {...control}
          type="text"
          class={isWide(name, schema) ? 'mono' : undefined}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          inputMode={isNumber(schema) ? 'numeric' : undefined}
          list={offered === undefined ? undefined : `${own}.list`}
          onInput={({ currentTarget }) => write(currentTarget.value)}
        />
      ) : (
        <select {...control} onChange={({ currentTarget }) => write(currentTarget.value)}>
          {choices.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
      {items !== undefined && <Choices items={items} text={text} onText={write} />}
      {offered !== undefined && (
        <Suggestions id={`${own}.list`} values={offered} text={text} isList={schema.type === 'array'} />
      )}
      <span class="hint" id={`${own}.hint`}>
        {schema.description !== undefined && isForPeople !== true && (
          <span class="block">
            <Prose text={schema.description} />
          </span>
        )}
        {hintOf(name, schema, isRequired, text, isForPeople)}
      </span>
      <span class="error" id={`${own}.error`} hidden={fault === undefined}>
        {fault}
      </span>
    </div>
  );
}

/** What can be chosen for a field; undefined where it is typed. */
function choicesOf({ name, schema, choices, isForPeople }: FieldProps): readonly Choice[] | undefined {
  const values = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
  const isMethod = isForPeople === true && name === 'method';
  return (
    choices?.[name] ??
    (values && [
      ['', texts.leftOut],
      ...values.map((each): Choice => [each, isMethod ? methodText(each) : each]),
    ])
  );
}

/** An amount that is taken whole, or a part of it that is typed. */
function PartField({
  name,
  path,
  id,
  form,
  onChange,
  faults,
  whole,
}: FieldProps & { readonly whole: ShownMoney }) {
  const [isPart, setPart] = useState(false);
  const own = `${id}.${path}`;
  const write = (text: string) => onChange({ ...form, texts: { ...form.texts, [path]: text } });
  const choose = (part: boolean) => {
    setPart(part);
    write(part ? '' : (whole.minor / 100).toFixed(2));
  };
  const fault = faults[path];
  return (
    <fieldset class="whole">
      <legend>{factName(name)}</legend>
      <label>
        <input type="radio" name={`${own}.of`} checked={!isPart} onChange={() => choose(false)} />
        {wholeTexts.all} {formatMoney(whole)}
      </label>
      <div class="tools">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: arrow keys choose it too, and go on to the other one */}
        <label onClick={({ detail }) => detail > 0 && focusSoon(own)}>
          <input type="radio" name={`${own}.of`} checked={isPart} onChange={() => choose(true)} />
          {wholeTexts.part}
        </label>
        <BahtInput
          id={own}
          label={wholeTexts.partAmount}
          text={form.texts[path] ?? ''}
          onText={write}
          fault={fault}
          isDisabled={!isPart}
        />
      </div>
      <BahtFault id={own} fault={fault} />
    </fieldset>
  );
}

interface SuggestionsProps {
  readonly id: string;
  readonly values: readonly string[];
  readonly text: string;
  /** Whether the text is a list: then they are suggested as its next item. */
  readonly isList: boolean;
}

function Suggestions({ id, values, text, isList }: SuggestionsProps) {
  const before = isList ? text.replace(/[^,]*$/, '') : '';
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={before + value} />
      ))}
    </datalist>
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
      <summary>{texts.choose}</summary>
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
function MapField(props: FieldProps) {
  const { name, path, id, form, onChange, faults } = props;
  const own = `${id}.${path}`;
  const rows = form.rows[path] ?? [];
  const write = (written: readonly FormRow[]) =>
    onChange({ ...form, rows: { ...form.rows, [path]: written } });
  const add = () => {
    const key = Math.max(0, ...rows.map((row) => row.key)) + 1;
    write([...rows, { key, name: '', value: '' }]);
    focusSoon(`${own}.${key}`);
  };
  return (
    <fieldset id={own}>
      <legend>
        <FieldName {...props} />
      </legend>
      <GroupHint {...props} />
      <div class="rows">
        {rows.map((row, index) => (
          <MapRow
            key={row.key}
            id={`${own}.${row.key}`}
            label={`${name} ${index + 1}`}
            row={row}
            onChange={(written) => write(rows.with(index, written))}
            onRemove={() => write(rows.toSpliced(index, 1))}
          />
        ))}
      </div>
      <span class="error" id={`${own}.error`} hidden={faults[path] === undefined}>
        {faults[path]}
      </span>
      <button type="button" class="small" onClick={add}>
        {texts.addTo(name)}
      </button>
    </fieldset>
  );
}

/** Focuses an element once it is there, and enabled. */
function focusSoon(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}

interface MapRowProps {
  readonly id: string;
  readonly label: string;
  readonly row: FormRow;
  readonly onChange: (row: FormRow) => void;
  readonly onRemove: () => void;
}

function MapRow({ id, label, row, onChange, onRemove }: MapRowProps) {
  return (
    <div class="row">
      <input
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        aria-label={texts.nameOf(label)}
        placeholder={texts.name}
        value={row.name}
        onInput={({ currentTarget }) => onChange({ ...row, name: currentTarget.value })}
      />
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        aria-label={texts.valueOf(label)}
        placeholder={texts.value}
        value={row.value}
        onInput={({ currentTarget }) => onChange({ ...row, value: currentTarget.value })}
      />
      <button type="button" class="quiet" aria-label={texts.remove(label)} onClick={onRemove}>
        ×
      </button>
    </div>
  );
}
