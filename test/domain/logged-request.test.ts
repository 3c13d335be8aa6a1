import { describe, expect, it } from 'vitest';
import { loggedText, withoutBodies, withoutPageTokens } from '../../shared/domain/logged-request.ts';

const REQUEST = {
  id: 'req_1',
  atMs: 0,
  method: 'POST',
  path: '/api/v1/payments',
  operation: 'payments.CreatePayment',
  status: 201,
  code: null,
  durationMs: 1,
  keyId: 'key_1',
  idempotencyKey: null,
  isReplayed: false,
  requestBody: '{"customer":{"email":"payer@example.com"}}',
  responseBody: '{"id":"pay_1"}',
};

describe('the text that is logged of a request', () => {
  it.each([
    ['{"a":"pg_live_abcDEF123"}', '{"a":"pg_live_…"}'],
    ['Bearer pg_test_x, PG_TEST_y', 'Bearer pg_test_…, PG_TEST_…'],
    ['{"secret":"whsec_a+b/c=="}', '{"secret":"whsec_…"}'],
    ['sk_live_1 rk_test_2', 'sk_live_… rk_test_…'],
    ['no secret: pg_tests', 'no secret: pg_tests'],
  ])('has no secret: %s', (text, logged) => {
    expect(loggedText(text)).toBe(logged);
  });

  it('ends with a whole character', () => {
    expect(loggedText('กขค', 7)).toBe('กข');
    expect(loggedText('abc', 2)).toBe('ab');
  });

  it("can be shown without the addresses of payers' pages", () => {
    expect(withoutPageTokens('{"u":"https://a.example/checkout/t0k3n/qr.svg","v":"/checkout/other"}')).toBe(
      '{"u":"https://a.example/checkout/…/qr.svg","v":"/checkout/…"}',
    );
  });
});

describe('the erasure of a payer', () => {
  it('leaves no body of a request that is about the payment', () => {
    expect(withoutBodies(REQUEST, 'pay_1')).toEqual({ ...REQUEST, requestBody: null, responseBody: null });
    const withoutBody = { ...REQUEST, requestBody: null };
    expect(withoutBodies(withoutBody, 'pay_1')).toEqual({ ...withoutBody, responseBody: null });
    const read = { ...REQUEST, path: '/api/v1/payments/pay_1/cancel', responseBody: null };
    expect(withoutBodies(read, 'pay_1')).toMatchObject({ requestBody: null, responseBody: null });
  });

  it('changes no request of another payment, and none twice', () => {
    expect(withoutBodies(REQUEST, 'pay_2')).toBeNull();
    expect(
      withoutBodies({ ...REQUEST, path: 'pay_1', requestBody: null, responseBody: null }, 'pay_1'),
    ).toBeNull();
  });
});
