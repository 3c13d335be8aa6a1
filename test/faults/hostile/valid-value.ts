import fc from 'fast-check';
import type { Schema } from './endpoints.ts';

const KEYS_MAX = 5;
const UNSEEN_BEYOND = /(?=[\u{10000}-\u{10ffff}])\p{Cf}/u;
const SPEAKS = new Set(
  // Rules across fields (`dependentSchemas`) are not followed: their refusals are among the listed rules.
  'description discriminator oneOf dependentSchemas type enum properties required additionalProperties propertyNames maxProperties items minItems maxItems anyOf minimum maximum minLength maxLength format pattern default not'.split(
    ' ',
  ),
);

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  // No domain in brackets and no quoted name, which the format has and a browser's email field has not.
  email: fc.stringMatching(/^[A-Za-z0-9_+'&-]{1,20}(\.[a-z0-9]{1,8})?@[a-z0-9]{1,20}(\.[a-z]{2,6})?$/),
  uri: fc.webUrl({ withQueryParameters: true, withFragments: true }),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
  date: fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }).map(dayOf),
  'date-time': fc
    .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
};

/** Values that a schema of the document allows, some of them strange. */
export function validValue(schema: Schema): fc.Arbitrary<unknown> {
  const unknown = Object.keys(schema).filter((word) => !SPEAKS.has(word));
  if (unknown.length > 0) {
    throw new Error(`the document says ${unknown.join(', ')} now: say here what that lets through`);
  }
  if (schema.enum !== undefined) {
    return fc.constantFrom(...schema.enum);
  }
  if (schema.anyOf !== undefined) {
    const { anyOf, ...common } = schema;
    return fc.oneof(...anyOf.map((one) => validValue({ ...common, ...one })));
  }
  if (schema.oneOf !== undefined) {
    return fc.oneof(...schema.oneOf.map(validValue));
  }
  switch (schema.type) {
    case 'object':
      return validObject(schema);
    case 'array':
      return fc.array(validValue(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? KEYS_MAX, KEYS_MAX),
      });
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9 });
    case 'number':
      return fc.double({
        noNaN: true,
        noDefaultInfinity: true,
        ...{ min: schema.minimum ?? -Number.MAX_VALUE, max: schema.maximum ?? Number.MAX_VALUE },
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return validText(schema);
  }
}

function validObject({
  properties = {},
  required = [],
  additionalProperties,
  propertyNames,
}: Schema): fc.Arbitrary<unknown> {
  if (typeof additionalProperties === 'object') {
    const names = validText(propertyNames ?? {});
    return fc.dictionary(names, validValue(additionalProperties), { maxKeys: KEYS_MAX });
  }
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, validValue(schema)]),
  );
  return fc.record(members, { requiredKeys: [...required] });
}

function validText({ format, pattern, not, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  const known = format === undefined ? undefined : FORMATS[format];
  if (known !== undefined) {
    return known;
  }
  const matcher = new RegExp(pattern ?? '', 'u');
  // A pattern that lists allowed characters, and not excluded ones.
  if (pattern !== undefined && !pattern.startsWith('^[^')) {
    return fc.stringMatching(matcher);
  }
  // Requirements that the document does not state: whole characters, none beyond four hexadecimal digits that
  // are invisible, and lengths in UTF-16 units.
  return fc.oneof(
    fc
      .string({ unit: 'grapheme', minLength, maxLength })
      .filter((text) => text.length >= minLength && text.length <= maxLength && !not?.enum.includes(text))
      .filter((text) => matcher.test(text) && !UNSEEN_BEYOND.test(text)),
    fc.constant('x'.repeat(maxLength)),
  );
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
