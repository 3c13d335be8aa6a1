import type * as v from 'valibot';
import { isCleanText, RESERVED_NAMES } from '../contract/fields.ts';
import type { FieldError, FieldErrorCode } from '../errors/field-error.ts';

/** A hostile body can hold thousands of errors, and a response with more than this helps no caller. */
const ERRORS_MAX = 50;
const FIELD_NAME_MAX_CHARS = 64;

const CODES: Readonly<Record<string, FieldErrorCode>> = {
  min_length: 'too_short',
  max_length: 'too_long',
  max_entries: 'too_long',
  min_value: 'min',
  max_value: 'max',
  picklist: 'enum',
  safe_integer: 'type',
};

/** Valibot's own messages begin with a capital letter. */
const OWN_MESSAGE = /^([a-z_]+): (.*)$/s;

type Issue = v.BaseIssue<unknown>;

/**
 * The errors of all fields (contract §2). Messages are built from what is expected, never from what was received, which
 * valibot's own messages quote.
 */
export function toFieldErrors(
  schema: v.GenericSchema,
  issues: readonly Issue[],
  input: unknown,
): FieldError[] {
  const errors = [...findUnseen(schema, input, []), ...issues.map(toFieldError)];
  const seen = new Set<string>();
  return errors
    .filter(({ code, field }) => !seen.has(`${code} ${field}`) && seen.add(`${code} ${field}`))
    .slice(0, ERRORS_MAX);
}

function toFieldError(issue: Issue): FieldError {
  const path = (issue.path ?? []).map(({ key }) => String(key));
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    return unknownField(path);
  }
  if (issue.path !== undefined && issue.input === undefined) {
    return { code: 'required', field: fieldName(path), message: 'is required' };
  }
  // A union (a metadata value) fails with the issues of all its members. A failed rule says more than a wrong type.
  const leaf = issue.issues?.find(({ kind }) => kind === 'validation') ?? issue;
  // The message of a rule of this service's own begins with the error code.
  const [, ownCode, message = ''] = OWN_MESSAGE.exec(leaf.message) ?? [];
  if (ownCode !== undefined) {
    return { code: ownCode as FieldErrorCode, field: fieldName(path), message };
  }
  const code = CODES[leaf.type] ?? (leaf.kind === 'schema' ? 'type' : 'format');
  return { code, field: fieldName(path), message: describe(code, leaf) };
}

function describe(code: FieldErrorCode, { type, requirement, expected, input }: Issue): string {
  const isList = type === 'max_entries' || Array.isArray(input);
  switch (code) {
    case 'too_short':
      return `must have at least ${Number(requirement)} ${isList ? 'entries' : 'character(s)'}`;
    case 'too_long':
      return `must have at most ${Number(requirement)} ${isList ? 'entries' : 'characters'}`;
    case 'min':
      return `must be at least ${Number(requirement)}`;
    case 'max':
      return `must be at most ${Number(requirement)}`;
    case 'enum':
      return `must be one of ${expected?.replace(/^\(|\)$/g, '')}`;
    case 'type':
      return type === 'safe_integer'
        ? 'must be a whole number'
        : `must be of type ${typeName(type, expected)}`;
    default:
      return requirement === isCleanText
        ? 'must not contain control, invisible or direction-changing characters'
        : 'has an invalid format';
  }
}

function typeName(type: string, expected: string | null): string {
  return type === 'union'
    ? String(expected).replace(/^\(|\)$/g, '')
    : type.replace(/^(strict_object|record)$/, 'object');
}

function unknownField(path: readonly string[]): FieldError {
  return { code: 'unknown', field: fieldName(path), message: 'is not a known field' };
}

function fieldName(path: readonly string[]): string {
  return path.map((name) => name.slice(0, FIELD_NAME_MAX_CHARS)).join('.');
}

/**
 * The errors that valibot misses: it reports only an object's first unknown field, takes inherited names for known
 * fields, drops some names from maps, and accepts lists as objects.
 */
function findUnseen(schema: v.GenericSchema, value: unknown, path: readonly string[]): FieldError[] {
  const { type, wrapped, entries } = schema as v.GenericSchema & Partial<SchemaParts>;
  if (wrapped !== undefined) {
    return findUnseen(wrapped, value, path);
  }
  if ((type !== 'strict_object' && type !== 'record') || typeof value !== 'object' || value === null) {
    return [];
  }
  if (Array.isArray(value)) {
    return [{ code: 'type', field: fieldName(path), message: 'must be of type object' }];
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = entries !== undefined && Object.hasOwn(entries, name) ? entries[name] : undefined;
    if (known !== undefined) {
      return findUnseen(known, inner, [...path, name]);
    }
    return type === 'strict_object' || RESERVED_NAMES.includes(name) ? [unknownField([...path, name])] : [];
  });
}

/** The inner schemas of objects (`entries`) and of optional fields (`wrapped`). */
export interface SchemaParts {
  readonly wrapped: v.GenericSchema;
  readonly entries: Readonly<Record<string, v.GenericSchema>>;
}
