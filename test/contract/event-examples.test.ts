import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from '../../shared/contract/openapi.ts';
import type { OpenApiDocument } from '../../shared/contract/openapi-document.ts';
import { nameIn } from '../../shared/docs/service-document.ts';

interface ExampleEvent {
  readonly type: string;
  readonly data: {
    readonly object: Readonly<Record<string, unknown>>;
  };
}

const JSON_TYPE = 'application/json';
// As its readers get it.
const document: OpenApiDocument = JSON.parse(JSON.stringify(buildOpenApi('https://pay.example.com')));
const { schemas } = document.components;
const types = Object.keys(document.webhooks);
// The words of OpenAPI, such as discriminator, are unknown to JSON Schema.
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'document');

function exampleOf(type: string): ExampleEvent {
  return document.webhooks[type]?.post.requestBody?.content[JSON_TYPE]?.example as ExampleEvent;
}

function faultIn(type: string, value: unknown): string | null {
  const pointer = `#/webhooks/${type}/post/requestBody/content/application~1json/schema`;
  return ajv.validate({ $ref: `document${pointer}` }, value) ? null : ajv.errorsText();
}

describe.each(types)('the example of %s in the document', (type) => {
  it('is valid for its schema, and is of its type', () => {
    expect(faultIn(type, exampleOf(type))).toBeNull();
    expect(exampleOf(type).type).toBe(type);
  });

  it('has no field of the resource that the schema omits', () => {
    const { $ref = '' } = document.webhooks[type]?.post.requestBody?.content[JSON_TYPE]?.schema ?? {};
    const data = schemas[nameIn($ref)]?.properties?.data?.$ref ?? '';
    const resource = schemas[nameIn(data)]?.properties?.object?.$ref ?? '';
    const known = Object.keys(schemas[nameIn(resource)]?.properties ?? {});
    expect(known).toEqual(expect.arrayContaining(Object.keys(exampleOf(type).data.object)));
  });
});

it('a fault in an example is found', () => {
  const example = exampleOf('payment.succeeded');
  const object = { ...example.data.object, status: 'paid' };
  expect(faultIn('payment.succeeded', { ...example, data: { ...example.data, object } })).toMatch(/status/);
  expect(faultIn('payment.succeeded', undefined)).not.toBeNull();
});
