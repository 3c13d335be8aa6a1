import { allOperations } from '../../../shared/contract/operations.ts';

export type Examples = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, unknown>>;

/** The shared examples by the name of their schema: responses that others repeat, or change in a few fields. */
type Written = ReadonlyMap<string, Fields>;

/** The module that holds the examples; Biome lays it out. */
export function sourceOf(examples: Examples): string {
  const written = writtenOnce(examples);
  const constants = [...written].map(([name, answer], place, all) => {
    return `const ${name} = ${sourceOfValue(answer, new Map(all.slice(0, place)))};`;
  });
  return `/* Answers of the running service, by operation. Made by \`npm run examples\`. */
${constants.join('\n\n')}

export const EXAMPLES: Readonly<Record<string, unknown>> = ${sourceOfFields(examples, written)};
`;
}

/**
 * The last response of each schema (the rows of a resource end with its retrieval), if another response is like it or
 * contains one that is. Pages are like each other, but differ by the items in them.
 */
function writtenOnce(examples: Examples): Written {
  const answers = new Map(
    allOperations.flatMap(({ id, success }) =>
      'schema' in success && !success.name.endsWith('Page')
        ? [[nameOf(success.name), examples[id] as Fields] as const]
        : [],
    ),
  );
  const others = Object.values(examples);
  const repeated = [...answers].filter(([, answer]) =>
    others.some((other) => other !== answer && holdsLike(other, answer)),
  );
  // The first of two with the same fields stands for both; one that contains another is longer, and comes after it.
  const distinct = repeated.filter(
    ([, answer], place) =>
      !repeated.slice(0, place).some(([, earlier]) => isLike(earlier, answer) && isLike(answer, earlier)),
  );
  return new Map(distinct.toSorted(([, a], [, b]) => JSON.stringify(a).length - JSON.stringify(b).length));
}

function nameOf(schema: string): string {
  return schema.slice(0, 1).toLowerCase() + schema.slice(1);
}

function holdsLike(value: unknown, answer: Fields): boolean {
  return (
    isFields(value) &&
    (isLike(value, answer) || Object.values(value).some((inner) => holdsLike(inner, answer)))
  );
}

/** Whether a value starts with the fields of a response, in their order: a spread keeps that order. */
function isLike(value: Fields, answer: Fields): boolean {
  const names = Object.keys(value);
  return Object.keys(answer).every((name, place) => names[place] === name);
}

function sourceOfValue(value: unknown, written: Written): string {
  if (Array.isArray(value)) {
    return `[${value.map((one) => sourceOfValue(one, written)).join(', ')}]`;
  }
  if (!isFields(value)) {
    return JSON.stringify(value);
  }
  const like = [...written].findLast(([, answer]) => isLike(value, answer));
  return like === undefined ? sourceOfFields(value, written) : sourceOfLike(value, like, written);
}

function sourceOfLike(value: Fields, [name, answer]: [string, Fields], written: Written): string {
  const differing = Object.entries(value).filter(
    ([field, inner]) => JSON.stringify(inner) !== JSON.stringify(answer[field]),
  );
  return differing.length === 0
    ? name
    : `{ ...${name}, ${fieldsSource(Object.fromEntries(differing), written)} }`;
}

function sourceOfFields(fields: Fields, written: Written): string {
  return `{ ${fieldsSource(fields, written)} }`;
}

function fieldsSource(fields: Fields, written: Written): string {
  return Object.entries(fields)
    .map(([name, inner]) => `${JSON.stringify(name)}: ${sourceOfValue(inner, written)}`)
    .join(', ');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
