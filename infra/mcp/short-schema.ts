/*
 * What an agent reads before it chooses a tool costs it on every turn: types, enumerations, bounds and required fields
 * stay, and what only a validator needs is left out.
 */

/** A longer pattern is a class of characters, of which the description says what matters. */
const PATTERN_MAX_CHARS = 40;
/** The bounds say the same. */
const SIZES: readonly unknown[] = ['int32', 'int64'];

/** What the arguments of many tools say, in fewer words than the document has for people. */
const SHORT_WORDS: Readonly<Record<string, string>> = {
  limit: 'Items on a page.',
  after: '`next_cursor` of the page before.',
  created_from: 'Created then or later.',
  created_to: 'Created before then.',
};

/** What becomes of a word of a schema: undefined leaves it out. Every other word stays as it is. */
const SHORTENED: ReadonlyMap<string, (value: unknown) => unknown> = new Map([
  ['properties', (fields: unknown) => ofEach(Object(fields), shortened)],
  ['items', shortened],
  ['additionalProperties', shortened],
  ['propertyNames', shortened],
  ['oneOf', (forms: unknown) => (forms as unknown[]).map(shortened)],
  ['anyOf', (forms: unknown) => (forms as unknown[]).map(shortened)],
  ['format', (format: unknown) => (SIZES.includes(format) ? undefined : format)],
  ['pattern', (pattern: unknown) => (String(pattern).length > PATTERN_MAX_CHARS ? undefined : pattern)],
  // Names that no host would send, and a word that several hosts refuse.
  ['not', () => undefined],
]);

/** The schema of arguments, as tools show it. It accepts all that the whole one accepts. */
export function shortSchema<Schema extends { readonly properties?: object | undefined }>(
  schema: Schema,
): Schema {
  const properties = ofEach({ ...schema.properties }, (field, name) => {
    const short = shortened(field) as object;
    return Object.hasOwn(SHORT_WORDS, name) ? { ...short, description: SHORT_WORDS[name] } : short;
  });
  return { ...schema, properties };
}

/** @param schema an object, or false where nothing else is allowed */
function shortened(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  return ofEach({ ...schema }, (value, word) => {
    const shorten = SHORTENED.get(word);
    return shorten === undefined ? value : shorten(value);
  });
}

/** What a function makes of each value, without those that it leaves out. */
function ofEach(
  values: Readonly<Record<string, unknown>>,
  make: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  const made = Object.entries(values).map(([name, value]) => [name, make(value, name)] as const);
  return Object.fromEntries(made.filter(([, value]) => value !== undefined));
}
