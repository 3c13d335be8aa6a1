import { REFERENCE } from '../../shared/contract/testkit/scenarios.ts';

const EMBEDDED = /\$\{([A-Za-z][\w-]*)((?:\.[\w-]+)*)\}/g;
const WHOLE = /^\$(?:([A-Za-z][\w-]*)|\{([A-Za-z][\w-]*)((?:\.[\w-]+)*)\})$/;

/** A name that a step gave, and the fields that lead to a part of its result: no field is its id. */
export interface NameReference {
  readonly name: string;
  readonly fields: readonly string[];
}

/** Whether a whole value is a reference. */
export function isReference(value: unknown): boolean {
  return typeof value === 'string' && REFERENCE.test(value);
}

/** The references in a value, at any depth. */
export function referencesIn(value: unknown): NameReference[] {
  if (typeof value === 'string') {
    const whole = wholeReference(value);
    return whole === null
      ? [...value.matchAll(EMBEDDED)].map(([, name = '', fields = '']) => referenceOf(name, fields))
      : [whole];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(referencesIn) : [];
}

/**
 * A value with its references replaced. One that is the whole value keeps its type; one within a text becomes text.
 * @param lookUp finds what a reference stands for
 */
export function resolveReferences(value: unknown, lookUp: (reference: NameReference) => unknown): unknown {
  if (typeof value === 'string') {
    const whole = wholeReference(value);
    return whole === null
      ? value.replaceAll(EMBEDDED, (_, name, fields) => String(lookUp(referenceOf(name, fields))))
      : lookUp(whole);
  }
  if (Array.isArray(value)) {
    return value.map((inner) => resolveReferences(inner, lookUp));
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolveReferences(inner, lookUp)]))
    : value;
}

function wholeReference(text: string): NameReference | null {
  const [, short, name, fields = ''] = WHOLE.exec(text) ?? [];
  return short === undefined && name === undefined ? null : referenceOf(String(short ?? name), fields);
}

function referenceOf(name: string, fields: string): NameReference {
  return { name, fields: fields.split('.').filter((field) => field !== '') };
}
