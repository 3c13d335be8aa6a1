import { describe, expect, it } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { fieldErrorsOf, refusalsOf } from '../support/world/refusals.ts';

const { requestRefund, cancelRefund } = operations;

describe('the body of Request Refund', () => {
  it.each<readonly [string, unknown]>([
    ['nothing', {}],
    ['an amount', { amount: { currency: 'THB', minor: 1 } }],
    ['a reason of 500 characters', { reason: 'r'.repeat(500) }],
    ['an empty reason', { reason: '' }],
    ...[1, 2, 3, 4, 5, 6, 9999].map((code) => [`the reason code ${code}`, { reason_code: code }] as const),
    ['the id of the path', { payment_id: 'pay_01h455vb4pex5vsknk084sn02q' }],
  ])('accepts %s', (_name, body) => {
    expect(refusalsOf(requestRefund, body)).toEqual([]);
  });

  it.each([
    ['another currency', { amount: { currency: 'USD', minor: 1 } }, ['amount.currency: enum']],
    ['half an amount', { amount: { minor: 1 } }, ['amount.currency: required']],
    ['nothing to give back', { amount: { currency: 'THB', minor: 0 } }, ['amount.minor: min']],
    [
      'a part of a satang',
      { amount: { currency: 'THB', minor: 0.5 } },
      ['amount.minor: min', 'amount.minor: type'],
    ],
    ['a bare number', { amount: 1 }, ['amount: type']],
    ['an amount of null', { amount: null }, ['amount: type']],
    ['a reason of 501 characters', { reason: 'r'.repeat(501) }, ['reason: too_long']],
    ['a reason of null', { reason: null }, ['reason: type']],
    ['a control character', { reason: '\u001b[2J' }, ['reason: format']],
    ['the reason code 0', { reason_code: 0 }, ['reason_code: enum']],
    ['the reason code 7', { reason_code: 7 }, ['reason_code: enum']],
    ['a reason code as text', { reason_code: '1' }, ['reason_code: enum']],
    ['an id that is no text', { payment_id: {} }, ['payment_id: type']],
    ['an unknown field', { refund_id: 'x' }, ['refund_id: unknown']],
    [
      'two faults',
      { amount: {}, note: 1 },
      ['amount.currency: required', 'amount.minor: required', 'note: unknown'],
    ],
  ])('refuses %s', (_name, body, refusals) => {
    expect(refusalsOf(requestRefund, body)).toEqual(refusals);
  });

  it.each(['__proto__', 'constructor'])('refuses the field %s', (name) => {
    expect(refusalsOf(requestRefund, `{"${name}":{"amount":1}}`)).toEqual([`${name}: unknown`]);
  });

  it('gets errors that repeat no sent value', () => {
    const MARKER = 'Zq7xMARKERw9';
    const body = {
      amount: MARKER,
      payment_id: [MARKER],
      reason: { MARKER },
      reason_code: MARKER,
      other: MARKER,
    };
    const errors = fieldErrorsOf(requestRefund, body);
    expect(errors).toHaveLength(5);
    expect(JSON.stringify(errors)).not.toContain(MARKER);
  });
});

describe('the body of Cancel Refund', () => {
  it.each([
    ['{}', []],
    ['{"refund_id":"ref_01h455vb4pex5vsknk084sn02q"}', []],
    ['{"refund_id":7}', ['refund_id: type']],
    ['{"payment_id":"pay_x"}', ['payment_id: unknown']],
  ])('%s is refused for %j', (body, refusals) => {
    expect(refusalsOf(cancelRefund, body)).toEqual(refusals);
  });
});
