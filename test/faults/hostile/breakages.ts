import type { Schema } from './endpoints.ts';

/** A value that breaks a schema in exactly one way. */
export interface Breakage {
  readonly what: string;
  /** The field that the refusal must name, as a dotted path. */
  readonly field: string;
  readonly value: unknown;
}

const WRONG_FORMATS: Readonly<Record<string, readonly string[]>> = {
  email: ['a@', '@b.example', 'a b@c.example', 'a@b..example'],
  uri: ['javascript:alert(1)', '//x.example', 'ftp://x.example', 'https://', 'http://a b.example'],
  date: ['2026-02-30', '20260101', '2026-1-1', '2026-01-01T00:00:00Z'],
  'date-time': ['2026-01-01', '2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01 00:00:00'],
};

/**
 * Every way to break a value that the schema allows, one at a time.
 * @param bad is no value of any enumeration, format or pattern
 */
export function breakagesOf(schema: Schema, valid: unknown, bad: string, field = ''): Breakage[] {
  const variant = schema.oneOf?.find(({ properties }) => {
    const { type } = valid as { type?: string };
    return properties?.type?.enum?.some((member) => member === type);
  });
  if (variant !== undefined) {
    return breakagesOf(variant, valid, bad, field);
  }
  const of = (what: string, values: readonly unknown[]) => values.map((value) => ({ what, field, value }));
  if (schema.type === 'object') {
    // A whole body of null counts as an empty one (contract §2).
    const others = field === '' ? [bad, 7, true, [bad]] : [bad, 7, true, null, [bad]];
    return [...of('wrong type', others), ...brokenObjects(schema, valid, bad, field)];
  }
  if (schema.type === 'array') {
    const others = [bad, 7, true, null, { deeper: bad }];
    return [...of('wrong type', others), ...brokenLists(schema, valid, bad, field)];
  }
  const { enum: members, minimum = Number.NaN, maximum = Number.NaN, minLength = 0, maxLength } = schema;
  const formats = [schema.format, ...(schema.anyOf ?? []).map(({ format }) => format)];
  return [
    ...of('wrong type', wrongTypes(schema, bad)),
    ...(members === undefined ? [] : of('not a member', [bad, '', ` ${members[0]}`])),
    ...(Number.isNaN(minimum) ? [] : of('too small', [minimum - 1, -1e15])),
    ...(Number.isNaN(maximum) ? [] : of('too large', [maximum + 1, 1e300])),
    ...(schema.type === 'integer' ? of('not whole', [1.5]) : []),
    ...(minLength > 0 ? of('too short', ['']) : []),
    ...(maxLength === undefined ? [] : of('too long', [`${bad}${'x'.repeat(maxLength)}`])),
    ...formats.flatMap((format) =>
      format === undefined ? [] : of('wrong format', [bad, '', ...(WRONG_FORMATS[format] ?? [])]),
    ),
    ...of('against the pattern', breaking(schema.pattern, [`${bad} ü`, '', ...hidden(bad)])),
  ];
}

/** The characters of these that a pattern does not allow. */
function breaking(pattern: string | undefined, values: readonly string[]): readonly string[] {
  const matcher = new RegExp(pattern ?? '', 'u');
  return values.filter((value) => !matcher.test(value));
}

/** A text with an invisible character. */
function hidden(text: string): string[] {
  return ['\u0007', '\u200b', '\u202e', '\ufeff'].map((character) => `${text}${character}`);
}

function brokenLists(
  { items = {}, minItems = 0, maxItems }: Schema,
  valid: unknown,
  bad: string,
  field: string,
): Breakage[] {
  const [first = items.enum?.[0]] = (valid ?? []) as unknown[];
  const inside = breakagesOf(items, first, bad, `${field}.0`).map((breakage) => ({
    ...breakage,
    value: [breakage.value],
  }));
  return [
    ...inside,
    ...(minItems > 0 ? [{ what: 'too few', field, value: [] }] : []),
    ...(maxItems === undefined
      ? []
      : [{ what: 'too many', field, value: Array.from({ length: maxItems + 1 }, () => first) }]),
  ];
}

function brokenObjects(schema: Schema, valid: unknown, bad: string, field: string): Breakage[] {
  const { properties = {}, required = [], additionalProperties, propertyNames, maxProperties } = schema;
  const object = { ...(valid as Record<string, unknown>) };
  const at = (name: string) => (field === '' ? name : `${field}.${name}`);
  const inside = Object.entries(properties).flatMap(([name, inner]) =>
    breakagesOf(inner, object[name], bad, at(name))
      // Null for an optional field counts as left out (contract §2).
      .filter(({ field: broken, value }) => value !== null || broken !== at(name) || required.includes(name))
      .map((breakage) => ({ ...breakage, value: { ...object, [name]: breakage.value } })),
  );
  const missing = required.map((name) => {
    const { [name]: _, ...rest } = object;
    return { what: 'missing', field: at(name), value: rest };
  });
  if (typeof additionalProperties !== 'object') {
    const value = { ...object, surprise: bad };
    return [...inside, ...missing, { what: 'additional property', field: at('surprise'), value }];
  }
  const many = Object.fromEntries(Array.from({ length: (maxProperties ?? 0) + 1 }, (_, n) => [`k${n}`, n]));
  const long = 'k'.repeat((propertyNames?.maxLength ?? 0) + 1);
  return [
    { what: 'too many properties', field, value: many },
    { what: 'too long a name', field: at(long), value: { [long]: 1 } },
    { what: 'too short a name', field: at(''), value: { '': 1 } },
    ...breaking(propertyNames?.pattern, hidden('k')).map((name) => ({
      what: 'a name against the pattern',
      field: at(name),
      value: { [name]: 1 },
    })),
    ...(propertyNames?.not?.enum ?? []).map((name) => ({
      what: 'a name that is left out',
      field: at(name),
      value: { [name]: 1 },
    })),
    { what: 'wrong type', field: at('k'), value: { k: [bad] } },
    { what: 'wrong type', field: at('k'), value: { k: { deeper: bad } } },
  ];
}

function wrongTypes({ type, enum: members }: Schema, bad: string): unknown[] {
  const others = [null, [bad], { deeper: bad }];
  switch (members === undefined ? type : 'enum') {
    case 'enum':
      return [...others, true];
    case 'boolean':
      return [...others, 'true', 1];
    case 'integer':
    case 'number':
      return [...others, bad, '1', true];
    default:
      return [...others, 7, true];
  }
}
