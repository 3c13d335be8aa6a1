import type * as v from 'valibot';
import { fieldsIn, formKeysOf, schemaAt } from '../../shared/contract/testkit/scenarios.ts';
import { toFieldErrors } from '../../shared/http/field-errors.ts';
import { nearestWord } from './nearest-word.ts';
import type { PartPath } from './positions.ts';
import { isReference } from './references.ts';

/** What is wrong with a part of a file. */
export interface PartError {
  readonly path: PartPath;
  readonly text: string;
}

/** Lists longer than this are not shown whole. */
const CHOICES_SHOWN = 12;
const QUOTED = /"([^"]+)"/g;

/**
 * Says what is wrong with a value, and which word was probably meant. A reference may stand for any value, so what it
 * will be is not checked here.
 * @param base where the value stands in the file
 */
export function explainIssues(
  schema: v.GenericSchema,
  issues: readonly v.BaseIssue<unknown>[],
  input: unknown,
  base: PartPath = [],
): PartError[] {
  return issues.flatMap((issue) => {
    const path = (issue.path ?? []).map(({ key }) => String(key));
    if (isReference(partAt(input, path))) {
      return [];
    }
    // An object of no known form begins with the key that gives it none.
    const [first] = issue.type === 'union' ? Object.keys(Object(issue.input)) : [];
    const at = first === undefined ? path : [...path, first];
    return [{ path: [...base, ...at], text: explain(schema, issue, path, input) }];
  });
}

function explain(
  schema: v.GenericSchema,
  issue: v.BaseIssue<unknown>,
  path: readonly string[],
  input: unknown,
): string {
  const field = path.at(-1) ?? '';
  const given = String(issue.input);
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    const parent = schemaAt(schema, input, path.slice(0, -1));
    return withNearest(
      `${field} is not a known field`,
      field,
      Object.keys((parent && fieldsIn(parent)) ?? {}),
    );
  }
  if (issue.type === 'picklist' && issue.input !== undefined) {
    const choices = [...String(issue.expected).matchAll(QUOTED)].map(([, choice]) => String(choice));
    const list = choices.length > CHOICES_SHOWN ? 'a known word' : `one of: ${choices.join(', ')}`;
    return withNearest(`${field} must be ${list}`, given, choices);
  }
  const union = issue.type === 'union' ? schemaAt(schema, input, path) : undefined;
  const keys = union === undefined ? [] : formKeysOf(union);
  if (keys.length > 0) {
    const [first = ''] = Object.keys(Object(issue.input));
    return withNearest(`must have one of: ${keys.join(', ')}`, first, keys);
  }
  const [error] = toFieldErrors(schema, [issue], undefined);
  return `${field} ${error?.message}.`.trim();
}

/** A sentence, and the word that was probably meant. */
export function withNearest(text: string, given: string, words: readonly string[]): string {
  const nearest = nearestWord(given, words);
  return nearest === undefined ? `${text}.` : `${text}. Did you mean ${nearest}?`;
}

function partAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, key) => Object(part)[key], value);
}
