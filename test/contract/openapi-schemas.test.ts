import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DOCS, textOf } from '../../shared/contract/docs.ts';
import { allOperations, operations } from '../../shared/contract/operations.ts';
import { METHODS } from '../../shared/domain/payment-method.ts';
import { EVENT_TYPES, REPORTED_NAMES, RESOURCES } from '../../shared/domain/resource.ts';
import type { FieldErrorCode } from '../../shared/errors/field-error.ts';
import {
  describedAs,
  document,
  follow,
  parametersOf,
  type Schema,
  type Text,
  text,
} from '../support/tools/openapi-document.ts';

type Reference = { readonly $ref: string };

/** Not schemas, though they may look like one: examples and defaults. */
const VALUES = ['example', 'examples', 'default', 'enum', 'mapping'];

/** Every object of a part of the document, with the path to it. */
function* partsOf(part: unknown, index = '#'): Generator<readonly [string, Record<string, unknown>]> {
  if (typeof part !== 'object' || part === null) {
    return;
  }
  if (!Array.isArray(part)) {
    yield [index, part as Record<string, unknown>];
  }
  for (const [word, inner] of Object.entries(part)) {
    if (!VALUES.includes(word) || index.endsWith('/properties')) {
      yield* partsOf(inner, `${index}/${word}`);
    }
  }
}

/** Every schema of a part of the document, including referenced ones. */
function schemasIn(part: unknown, seen = new Set<string>()): [string, Schema][] {
  return [...partsOf(part)].flatMap(([index, schema]) => {
    const { $ref } = schema as Schema;
    if ($ref === undefined || !$ref.startsWith('#/components/schemas/')) {
      return [[index, schema as Schema]];
    }
    const isNew = !seen.has($ref);
    seen.add($ref);
    return isNew ? schemasIn(follow(schema as Reference), seen).map(([at, one]) => [$ref + at, one]) : [];
  });
}

const parts = [...partsOf(document)];
const schemas = Object.entries(document.components.schemas) as [string, Schema][];
const operationParts = allOperations.map(describedAs);
const requested = schemasIn(operationParts.map(({ requestBody }) => requestBody));
const answered = schemasIn(operationParts.map(({ responses }) => responses));

const WITH_STATUSES = REPORTED_NAMES.flatMap((name) => {
  const { machine } = RESOURCES[name];
  return machine === null
    ? []
    : [[name.charAt(0).toUpperCase() + name.slice(1), Object.keys(machine)] as const];
});

it.each(WITH_STATUSES)('the words of the status of a %s name each of its statuses', (object, statuses) => {
  const [, { properties }] = schemas.find(([name]) => name === object) as [string, Schema];
  const words = String(properties?.status?.description);
  expect(statuses.filter((status) => !words.includes(`\`${status}\``))).toEqual([]);
});

describe('for generators of clients, the document', () => {
  it('states the width of every integer: 64 bits for money and values above 2^31', () => {
    const integers = parts.filter(([, { type }]) => type === 'integer') as unknown as [string, Schema][];
    expect(integers.length).toBeGreaterThan(40);
    const wrong = integers.filter(([index, { format, maximum = 0, enum: members = [] }]) => {
      const isLarge =
        /minor$|sequence$/.test(index) || maximum >= 2 ** 31 || members.some((one) => Number(one) >= 2 ** 31);
      return format !== 'int64' && (isLarge || format !== 'int32');
    });
    expect(wrong).toEqual([]);
    expect(
      parts.filter(([, { type, format }]) => type === 'number' && format === undefined).length,
    ).toBeLessThan(3);
  });

  it('describes every schema and every field', () => {
    const fields = parts.filter(
      ([index]) => /\/properties\/\w+$/.test(index) && !/\/properties\/properties$/.test(index),
    );
    expect(fields.length).toBeGreaterThan(300);
    expect(fields.filter(([, field]) => !isSaid(field)).map(([index]) => index)).toEqual([]);
    const silent = schemas.flatMap(([name, schema]) => [
      ...(isSaid(schema) ? [] : [name]),
      ...Object.entries(schema.properties ?? {}).flatMap(([field, inner]) =>
        isSaid(inner) ? [] : [`${name}.${field}`],
      ),
    ]);
    expect(silent).toEqual([]);
  });

  it('has the fields of an object only in a schema with a name', () => {
    const indexes = parts.filter(([, part]) => typeof part.properties === 'object').map(([index]) => index);
    expect(
      indexes.filter((index) => !/^#\/components\/schemas\/\w+(\/dependentSchemas\/\w+)?$/.test(index)),
    ).toEqual([]);
  });

  it('describes every parameter and every header', () => {
    const { parameters, headers } = document.components as unknown as Record<string, Record<string, Text>>;
    const inPlace = operationParts.flatMap((row) => row.parameters).filter((one) => !('$ref' in one));
    const all = [...inPlace, ...Object.values({ ...parameters }), ...Object.values({ ...headers })];
    expect(all.length).toBeGreaterThan(50);
    expect(all.filter((one) => !isSaid(one as Text))).toEqual([]);
  });

  it.each(Object.entries(METHODS))('says how long a payer has with %s', (method, { minutes }) => {
    const said = textOf('CreatePaymentRequest', 'expires_in_minutes');
    expect(said).toMatch(new RegExp(`\\b${minutes.toLocaleString('en')} for [a-z_, ]*\\b${method}\\b`));
  });

  it('describes no operation, schema, field or parameter that does not exist', () => {
    const named = Object.entries(DOCS.schemas).flatMap(([name, fields]) =>
      Object.keys(fields).map((field) => `${name}.${field}`),
    );
    const described = { ...DOCS, schemas: Object.fromEntries(named.map((name) => [name, name])) };
    const existing: Readonly<Record<keyof typeof DOCS, readonly (string | undefined)[]>> = {
      operations: Object.keys(operations),
      schemas: schemas.flatMap(([schema, { properties = {} }]) =>
        [schema, schema.replace(/.+Page$/, 'Page'), '*'].flatMap((name) =>
          ['about', ...Object.keys(properties)].map((field) => `${name}.${field}`),
        ),
      ),
      queries: allOperations.flatMap((row) => parametersOf(row, 'query').map(({ name }) => name)),
      paths: allOperations.flatMap(({ path }) =>
        [...path.matchAll(/(?=\/([^/]+\/\{\w+\}))/g)].map(([, segment]) => segment),
      ),
      events: [...EVENT_TYPES, 'webhook.ping'],
    };
    const unknown = Object.entries(existing).flatMap(([kind, names]) =>
      Object.keys(described[kind as keyof typeof DOCS]).filter((name) => !names.includes(name)),
    );
    expect(named.length).toBeGreaterThan(350);
    expect(unknown).toEqual([]);
  });

  it('lists every code of a field error, as the contract does', () => {
    const codes = Object.keys(FIELD_ERROR_CODES).map((code) => `\`${code}\``);
    const [last] = codes.slice(-1);
    expect(textOf('FieldError', 'code')).toContain(`: ${codes.slice(0, -1).join(', ')} or ${last}.`);
    expect(readFileSync('shared/CONTRACT.md', 'utf8')).toContain(`one of the codes ${codes.join(', ')}.`);
  });

  it('lets responses have further fields, and requests none', () => {
    const objects = (all: [string, Schema][]) =>
      all.filter(([index, { properties }]) => properties !== undefined && !/dependentSchemas/.test(index));
    expect(objects(requested).length).toBeGreaterThan(15);
    expect(
      objects(requested).filter(([, { additionalProperties }]) => additionalProperties !== false),
    ).toEqual([]);
    expect(objects(answered).length).toBeGreaterThan(25);
    expect(objects(answered).filter(([, { additionalProperties }]) => additionalProperties !== true)).toEqual(
      [],
    );
    const { details } = document.components.schemas.Problem?.properties ?? {};
    expect(details).toMatchObject({ type: 'object', additionalProperties: true });
  });

  it('has one money schema for every amount', () => {
    const inline = parts.filter(([, { properties }]) => Object.hasOwn((properties as object) ?? {}, 'minor'));
    expect(inline.map(([index]) => index).toSorted()).toEqual([
      '#/components/schemas/Money',
      '#/components/schemas/MoneyInput',
      '#/components/schemas/StatedAmount',
    ]);
    const amounts = schemas.flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([field, schema]) =>
        /(^|_)amount$/.test(field) && name !== 'CreatePaymentLinkRequest'
          ? [[`${name}.${field}`, schema]]
          : [],
      ),
    );
    expect(amounts.length).toBeGreaterThan(8);
    const others = amounts.filter(
      ([, schema]) => !/"#\/components\/schemas\/(Money(Input)?|StatedAmount)"/.test(JSON.stringify(schema)),
    );
    expect(others).toEqual([]);
  });

  it('has no schema that is known to break client generators', () => {
    const choices = parts.filter(([, part]) => 'anyOf' in part || 'oneOf' in part);
    expect(
      choices.filter(([, { type, properties }]) => type !== undefined && properties === undefined),
    ).toEqual([]);
    expect(parts.filter(([, part]) => 'const' in part)).toEqual([]);
    const enums = parts.filter(([index, part]) => Array.isArray(part.enum) && !/\/not$/.test(index));
    expect(enums.filter(([, { type }]) => typeof type !== 'string')).toEqual([]);
    const dates = parts.filter(
      ([index, { format }]) => format === 'date' && !index.startsWith('#/components/schemas/'),
    );
    expect(dates).toEqual([]);
  });

  it("names the discriminator of every union of responses, and each value's meaning", () => {
    const choices = schemas.filter(([, { oneOf }]) => oneOf !== undefined);
    expect(choices.map(([name]) => name)).toEqual(
      expect.arrayContaining(['NextAction', 'PaymentLinkAmount']),
    );
    for (const [, { oneOf = [], discriminator }] of choices) {
      const { propertyName = '', mapping = {} } = discriminator ?? {};
      expect(Object.values(mapping).toSorted()).toEqual(oneOf.map(({ $ref }) => $ref).toSorted());
      for (const [value, $ref] of Object.entries(mapping)) {
        expect(follow<Schema>({ $ref }).properties?.[propertyName]).toMatchObject({ enum: [value] });
      }
    }
  });

  it('has no external reference that a generator would have to fetch', () => {
    const outside = parts.filter(
      ([, { $ref, externalValue }]) =>
        externalValue !== undefined || ($ref !== undefined && !/^#\//.test(String($ref))),
    );
    expect(outside).toEqual([]);
    expect(text).not.toContain('"externalValue"');
  });

  it('has no two named enumerations that share a value: generated Go constants would clash', () => {
    const values = schemas.flatMap(([, one]) => one.enum ?? []);
    expect(values).toContain('promptpay');
    expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
  });

  it('has no example of an Idempotency-Key: a tool would send it for two different requests', () => {
    const { parameters } = document.components as unknown as Record<string, Record<string, object>>;
    const { IdempotencyKey = {} } = parameters ?? {};
    expect(JSON.stringify(IdempotencyKey)).not.toMatch(/"(example|examples|default)"/);
    expect(
      new RegExp((IdempotencyKey as { schema: { pattern: string } }).schema.pattern).test(randomUUID()),
    ).toBe(true);
  });
});

/** All of them: one that is missing here does not compile. */
const FIELD_ERROR_CODES: Readonly<Record<FieldErrorCode, true>> = {
  required: true,
  type: true,
  format: true,
  too_long: true,
  too_short: true,
  min: true,
  max: true,
  enum: true,
  unknown: true,
  mismatch: true,
  conflict: true,
  forbidden: true,
};

function isSaid({ description = '' }: Text): boolean {
  return /^[^\s].*[.:]$|`$/.test(description) && description.length > 8;
}
