import { expect, test } from 'vitest';
import { shortSchema } from '../../../infra/mcp/short-schema.ts';

const LONG_CLASS = `^[^${'\\u0000-\\u0008'.repeat(10)}]*$`;

test('a short schema leaves out what only a validator needs, at every depth', () => {
  const text = { type: 'string', minLength: 1, pattern: LONG_CLASS };
  const count = { type: 'integer', format: 'int64', minimum: 1, description: 'How many.' };
  const schema = {
    type: 'object',
    properties: {
      texts: { type: 'array', items: text },
      own: { type: 'object', propertyNames: { ...text, not: { enum: ['a'] } }, additionalProperties: count },
      either: { oneOf: [text, count] },
      day: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', format: 'date' },
    },
    additionalProperties: false,
  };
  const short = { type: 'string', minLength: 1 };
  const shortCount = { type: 'integer', minimum: 1, description: 'How many.' };
  expect(shortSchema(schema)).toEqual({
    type: 'object',
    properties: {
      texts: { type: 'array', items: short },
      own: { type: 'object', propertyNames: short, additionalProperties: shortCount },
      either: { oneOf: [short, shortCount] },
      day: schema.properties.day,
    },
    additionalProperties: false,
  });
});

test('a short schema keeps arguments that are named as words of schemas are', () => {
  const named = { type: 'string', description: 'An argument.' };
  const properties = { not: named, format: named, pattern: named, description: named };
  const schema = { type: 'object', properties: { inner: { type: 'object', properties }, ...properties } };
  expect(shortSchema(schema)).toEqual(schema);
});
