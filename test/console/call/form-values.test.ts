import { describe, expect, test } from 'vitest';
import { faultsOf } from '../../../shared/console/act/faults.tsx';
import {
  EMPTY_FORM,
  fieldAt,
  hintOf,
  isWide,
  toTexts,
  toValue,
} from '../../../shared/console/call/form-values.ts';
import { buildOpenApi } from '../../../shared/contract/openapi.ts';
import { readOperations, type Schema } from '../../../shared/story/read-operations.ts';

const MONEY: Schema = {
  properties: {
    currency: { type: 'string', enum: ['THB'] },
    minor: { type: 'integer', minimum: 1, maximum: 9 },
  },
  required: ['currency', 'minor'],
};
const SCHEMA: Schema = {
  properties: {
    amount: MONEY,
    checkout: { type: 'boolean' },
    events: { type: 'array', items: { type: 'string' } },
    reference: { type: 'string', maxLength: 255 },
    metadata: { type: 'object', additionalProperties: {} },
  },
};

describe('a form of the dashboard', () => {
  test.each<[string, unknown]>([
    [
      'numbers, flags and lists',
      { amount: { currency: 'THB', minor: 5 }, checkout: false, events: ['a', 'b'] },
    ],
    ['names and values', { metadata: { n: 1, t: 'x', b: true, nil: null, digits: '12', yes: 'true' } }],
    ['nothing', {}],
  ])('holds %s and gives back the same', (_name, value) => {
    expect(toValue(SCHEMA, toTexts(SCHEMA, value))).toEqual(value);
  });

  test('sends text that is no number as it is typed, so that the service refuses it', () => {
    const form = { ...EMPTY_FORM, texts: { 'amount.minor': 'many', 'amount.currency': 'THB' } };
    expect(toValue(SCHEMA, form)).toEqual({ amount: { currency: 'THB', minor: 'many' } });
  });

  test('leaves out what is empty, objects without a field too', () => {
    expect(toValue(SCHEMA, { texts: { 'amount.minor': '', reference: '' }, rows: {} })).toEqual({});
  });

  test.each([
    ['amount.minor', 'amount.minor'],
    ['amount', 'amount.currency'],
    ['metadata.cart', 'metadata'],
    ['events.2', 'events'],
    ['unknown', null],
    ['amount.unknown', null],
  ])('shows a problem of %s at %s', (field, at) => {
    expect(fieldAt(SCHEMA, field)).toBe(at);
  });

  test('has a place for each problem that a refusal names', () => {
    const errors = [
      { code: 'min', field: 'amount.minor', message: 'must be at least 1' },
      { code: 'unknown', field: 'unknown', message: 'is unknown' },
    ];
    expect(faultsOf(SCHEMA, { title: 'Invalid', code: 'validation_failed', errors })).toEqual({
      'amount.minor': 'must be at least 1',
    });
    expect(faultsOf(SCHEMA, null)).toEqual({});
  });

  test('says what a field takes', () => {
    const minor = MONEY.properties?.minor ?? {};
    expect(hintOf('minor', minor, true, '')).toBe('integer · 1 to 9');
    expect(hintOf('minor', minor, true, '500')).toBe('satang: ฿5.00');
    expect(hintOf('reference', { type: 'string', maxLength: 255 }, false, '')).toBe(
      'string · up to 255 characters · optional',
    );
  });

  test('gives ids and addresses the whole width', () => {
    expect([isWide('id', {}), isWide('payment_id', {}), isWide('url', { format: 'uri' })]).toEqual([
      true,
      true,
      true,
    ]);
    expect(isWide('minor', { type: 'integer' })).toBe(false);
  });

  test('gives back every example of the document', () => {
    const operations = readOperations(buildOpenApi('https://api.example.com'));
    const withExample = operations.filter(({ body }) => body !== null);
    expect(withExample.length).toBeGreaterThan(15);
    for (const { id, body, example } of withExample) {
      expect(toValue(body ?? {}, toTexts(body ?? {}, example)), id).toEqual(example);
    }
  });
});
