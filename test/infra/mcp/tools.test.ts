import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { KIT_TOOLS } from '../../../infra/mcp/kit-tools.ts';
import { inputSchemaOf, KEY_ARGUMENT } from '../../../infra/mcp/operation-schemas.ts';
import { toolsOf } from '../../../infra/mcp/tools.ts';
import { type Operation, pathParamsOf } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { operationsIn } from '../../../shared/docs/contents.ts';
import { documentAt } from '../../../shared/docs/service-document.ts';

const LIST_MAX_BYTES = 60_000;
/** What tools may say otherwise than the document, or not at all. */
const SHORTENED = ['description', 'pattern', 'format', 'not'];

const document = documentAt('https://api.example.com');
const tools = toolsOf(document);
const documented = operationsIn(document);
const keyed = Object.entries<Operation>(operations).filter(([, { permission }]) => permission !== null);
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

function toolOf(name: string) {
  const found = tools.get(name);
  if (found === undefined) {
    throw new Error(`no tool ${name}`);
  }
  return found.tool;
}

function operationOf(name: string) {
  const found = documented.get(name);
  if (found === undefined) {
    throw new Error(`no operation ${name}`);
  }
  return found;
}

/** What a schema says against a value. */
function errorsOf(schema: object | undefined, value: unknown): unknown {
  const validate = ajv.compile(schema ?? {});
  return validate(value) ? [] : validate.errors;
}

function fieldsOf(schema: object | undefined): string[] {
  return schema !== undefined && 'entries' in schema ? Object.keys(schema.entries as object) : [];
}

/** A schema without the words that may be shortened. */
function boundsOf(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema), (word, value) => (SHORTENED.includes(word) ? undefined : value));
}

test('every operation that takes a key has a tool, and no other one has', () => {
  expect([...tools.keys()]).toEqual(keyed.map(([name]) => name));
});

test('the list of all tools has at most 60,000 bytes', () => {
  const list = [...tools.values(), ...KIT_TOOLS.values()].map(({ tool }) => tool);
  expect(Buffer.byteLength(JSON.stringify({ tools: list }))).toBeLessThanOrEqual(LIST_MAX_BYTES);
});

describe.each(keyed)('the tool %s', (name, row) => {
  const { title, description = '', inputSchema, outputSchema, annotations } = toolOf(name);
  const argumentNames = [
    ...pathParamsOf(row),
    ...fieldsOf(row.query),
    ...fieldsOf(row.body).filter((field) => field !== row.bodyId),
    ...(row.idempotent ? [KEY_ARGUMENT] : []),
  ];

  test('takes the ids, the fields and the idempotency key of its row, each by a name of its own', () => {
    expect(new Set(argumentNames).size).toBe(argumentNames.length);
    // A DELETE has no body.
    const taken =
      row.method === 'DELETE'
        ? argumentNames.filter((field) => !fieldsOf(row.body).includes(field))
        : argumentNames;
    expect(Object.keys(inputSchema.properties ?? {}).toSorted()).toEqual(taken.toSorted());
    expect(inputSchema.required).toEqual(expect.arrayContaining(pathParamsOf(row)));
  });

  test('has the words of the document or their beginning, and words for each argument', () => {
    const { summary, description: whole } = operationOf(name);
    expect(title).toBe(summary);
    expect(`${summary}. ${whole}`.startsWith(description.replace(/ …$/, ''))).toBe(true);
    for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
      expect(schema, argument).toHaveProperty('description');
    }
  });

  test('has names and an input schema that the makers of models accept', () => {
    for (const word of [name, ...argumentNames]) {
      expect(word).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    }
    expect(Object.keys(inputSchema)).toEqual(['type', 'properties', 'required', 'additionalProperties']);
    expect(JSON.stringify(inputSchema)).not.toMatch(/"(\$ref|\$defs|not|discriminator)":/);
    expect(outputSchema).toBeUndefined();
  });

  test('keeps the types, the enumerations, the bounds and the required fields of the document', () => {
    const whole = inputSchemaOf(row, operationOf(name), document);
    expect(boundsOf(inputSchema)).toEqual(boundsOf(whole));
  });

  test('accepts the example of its row, and no argument that it does not have', () => {
    const ids = Object.fromEntries(pathParamsOf(row).map((id) => [id, 'x']));
    const given = { ...ids, ...row.example, ...(row.idempotent && { [KEY_ARGUMENT]: 'order-1042' }) };
    expect(errorsOf(inputSchema, given)).toEqual([]);
    expect(errorsOf(inputSchema, { ...given, unheard_of: 1 })).not.toEqual([]);
  });

  test('tells hosts whether it changes something', () => {
    expect(annotations?.readOnlyHint).toBe(!row.idempotent);
    expect(annotations?.destructiveHint).toBe(row.idempotent && row.success.status !== 201);
  });
});

test('a tool that deletes can be called again, and one that creates cannot', () => {
  const hints = (name: string) => toolOf(name).annotations;
  expect(hints('deleteTestWorld')).toMatchObject({ destructiveHint: true, idempotentHint: true });
  expect(hints('purgeTestData')).toMatchObject({ destructiveHint: true, idempotentHint: false });
  expect(hints('createPayment')).toMatchObject({ destructiveHint: false, idempotentHint: false });
});
