import { expect, test } from 'vitest';
import { faultText } from '../../../shared/console/act/fault-text.ts';
import { besideFields } from '../../../shared/console/act/faults.tsx';
import { BAHT } from '../../../shared/console/call/form-values.ts';
import { ENDPOINT_URL_FAULTS } from '../../../shared/domain/endpoint-url-faults.ts';

const SCHEMA = {
  properties: {
    amount: { type: 'string', format: BAHT },
    email: { type: 'string', format: 'email' },
    minutes: { type: 'integer' },
  },
};
const fault = (code: string, field: string, message = '') => ({ code, field, message });

test.each([
  ['required', 'email', 'is required', 'Enter a value.'],
  ['min', 'amount.minor', 'must be at least 2000', 'At least ฿20.00.'],
  ['max', 'minutes', 'must be at most 10080', 'At most 10,080.'],
  ['too_long', 'email', 'must have at most 254 characters', 'Enter at most 254 characters.'],
  ['type', 'amount', 'must be of type object', 'Enter an amount such as 1,299.50.'],
  ['type', 'minutes', 'must be a whole number', 'Enter a whole number.'],
  ['format', 'email', 'has an invalid format', 'Enter an email address such as name@example.com.'],
  [
    'conflict',
    'amount.min',
    'must not be greater than amount.max',
    'At most as much as the greatest amount.',
  ],
  ['forbidden', 'url', 'must be https', 'The address must begin with https://.'],
  [
    'forbidden',
    'url',
    'must name a host on the public internet',
    'Enter the address of a server on the public internet.',
  ],
  ['enum', 'email', 'must be one of "a" | "b"', 'Choose one of the values that are offered.'],
])('a field that is wrong by %s says so in words of people: %s', (code, field, message, said) => {
  expect(faultText(fault(code, field, message), SCHEMA)).toBe(said);
});

test.each(Object.values(ENDPOINT_URL_FAULTS))(
  'an endpoint’s address that is refused is so in words of people: %s',
  (message) => {
    expect(faultText(fault('forbidden', 'url', message), SCHEMA)).not.toBeNull();
  },
);

test.each([
  fault('max', 'since', 'must not be after 2026-11-27, tomorrow on the merchant’s clock'),
  fault('conflict', 'created_from', 'must not be after created_to'),
])('a field whose fault has no words keeps the message of the service: $message', (without) => {
  expect(faultText(without, SCHEMA)).toBeNull();
});

test('a refusal says beside its fields only what stands at none of them', () => {
  const problem = { title: 'Validation failed', code: 'validation_failed', detail: 'Correct the fields.' };
  const errors = [fault('required', 'email')];
  expect(besideFields(SCHEMA, { ...problem, errors })).toEqual({
    title: problem.title,
    code: problem.code,
    errors: [],
  });
  const other = fault('unknown', 'color');
  expect(besideFields(SCHEMA, { ...problem, errors: [...errors, other] })).toMatchObject({
    detail: problem.detail,
    errors: [other],
  });
});
