import { BALANCE_CURRENCY } from '../../domain/balance.ts';
import { parseAmount } from '../../domain/parse-amount.ts';
import { grouped, inBaht, isMoney } from '../../story/amounts.ts';
import type { Schema } from '../../story/read-operations.ts';
import { callTexts } from './call-texts.ts';

/** What a form holds: texts by the path of their field (`amount.minor`), and rows of names and values for maps. */
export interface FormTexts {
  readonly texts: Readonly<Record<string, string>>;
  readonly rows: Readonly<Record<string, readonly FormRow[]>>;
}

export interface FormRow {
  /** Unique in its form, so that a row keeps its elements. */
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

export const EMPTY_FORM: FormTexts = { texts: {}, rows: {} };

export function isMap(schema: Schema): boolean {
  return schema.properties === undefined && typeof schema.additionalProperties === 'object';
}

export function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The format of a field for money, which people type in baht. */
export const BAHT = 'baht';

/** The schema of a form for people: each amount is one field in baht, in place of a currency and minor units. */
export function inBahtFields(schema: Schema): Schema {
  const { properties, description } = schema;
  if (properties === undefined) {
    return schema;
  }
  if ('minor' in properties && 'currency' in properties) {
    return { type: 'string', format: BAHT, ...(description !== undefined && { description }) };
  }
  const inner = Object.entries(properties).map(([name, each]) => [name, inBahtFields(each)]);
  return { ...schema, properties: Object.fromEntries(inner) };
}

/** The texts of a form that shows this value. */
export function toTexts(schema: Schema, value: unknown, path = ''): FormTexts {
  if (isMap(schema)) {
    const entries = Object.entries((value as object | null | undefined) ?? {});
    return { texts: {}, rows: { [path]: entries.map(([name, held], key) => toRow(key, name, held)) } };
  }
  if (schema.properties !== undefined) {
    const held = (value ?? {}) as Record<string, unknown>;
    const inner = Object.entries(schema.properties).map(([name, each]) =>
      toTexts(each, held[name], joinPath(path, name)),
    );
    return {
      texts: Object.assign({}, ...inner.map(({ texts }) => texts)),
      rows: Object.assign({}, ...inner.map(({ rows }) => rows)),
    };
  }
  const text = schema.format === BAHT && isMoney(value) ? (value.minor / 100).toFixed(2) : value;
  return {
    texts: text === undefined || text === null ? {} : { [path]: String(text) },
    rows: {},
  };
}

function toRow(key: number, name: string, held: unknown): FormRow {
  const isPlain = typeof held === 'string' && toScalar(held) === held;
  return { key, name, value: isPlain ? held : JSON.stringify(held) };
}

/** The value that a form holds; undefined: the request omits it. The form as a whole is an object even if it is empty. */
export function toValue(schema: Schema, form: FormTexts, path = ''): unknown {
  if (isMap(schema)) {
    const held = (form.rows[path] ?? []).filter(({ name }) => name !== '');
    return held.length === 0
      ? undefined
      : Object.fromEntries(held.map(({ name, value }) => [name, toScalar(value)]));
  }
  if (schema.properties !== undefined) {
    const held = Object.entries(schema.properties)
      .map(([name, inner]) => [name, toValue(inner, form, joinPath(path, name))] as const)
      .filter(([, value]) => value !== undefined);
    return held.length === 0 && path !== '' ? undefined : Object.fromEntries(held);
  }
  const text = form.texts[path] ?? '';
  return text === '' ? undefined : readText(schema, text);
}

/** Numbers as numbers. Other text is sent as typed, so that the service refuses it. */
function readText(schema: Schema, text: string): unknown {
  if (schema.format === BAHT) {
    const minor = parseAmount(text);
    return minor === null ? text : { currency: BALANCE_CURRENCY, minor };
  }
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

export function isNumber({ type }: Schema): boolean {
  return type === 'integer' || type === 'number';
}

/** The path of the field that shows a problem of this path: a whole object shows it at its first field. */
export function fieldAt(schema: Schema, path: string): string | null {
  let at = '';
  let field: Schema = schema;
  for (const step of path.split('.').filter((each) => each !== '')) {
    if (isMap(field)) {
      return at;
    }
    const inner = field.properties?.[step];
    if (inner === undefined) {
      // A problem of an item of a list belongs to the list.
      return field.properties === undefined && at !== '' ? at : null;
    }
    at = joinPath(at, step);
    field = inner;
  }
  while (field.properties !== undefined) {
    const [first] = Object.entries(field.properties);
    if (first === undefined) {
      return null;
    }
    at = joinPath(at, first[0]);
    field = first[1];
  }
  return at === '' ? null : at;
}

/** The types of values that say nothing to people. */
const PLAIN_KINDS: readonly string[] = ['string', 'text', 'integer', 'int32', 'int64', 'number'];

/** What a field takes, in words. @param text what it holds */
export function hintOf(
  name: string,
  schema: Schema,
  isRequired: boolean,
  text: string,
  isForPeople = false,
): string {
  const { minimum, maximum, minLength = 0, maxLength, format, type } = schema;
  const { kinds, ...texts } = callTexts.hint;
  const kind = format ?? type ?? 'text';
  const known: Readonly<Record<string, string>> = kinds;
  const baht = name === 'minor' ? inBaht(text) : null;
  const facts = [
    schema.enum === undefined && !(isForPeople && PLAIN_KINDS.includes(kind)) && (known[kind] ?? kind),
    minimum !== undefined && maximum !== undefined && texts.range(grouped(minimum), grouped(maximum)),
    maxLength !== undefined && texts.characters(minLength > 0 ? minLength : null, grouped(maxLength)),
    type === 'array' && texts.withCommas,
    schema.default !== undefined && texts.byDefault(String(schema.default)),
    !isRequired && texts.optional,
  ];
  return baht ?? facts.filter(Boolean).join(' · ');
}

/** Whether a field needs the whole width: it holds an id, an address or a long text. */
export function isWide(name: string, { maxLength = 0, format }: Schema): boolean {
  return name === 'id' || name.endsWith('_id') || /^(uri|url)$/.test(format ?? '') || maxLength >= 500;
}
