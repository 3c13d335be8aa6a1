import { describe, expect, it } from 'vitest';
import {
  errorCodesOf,
  functionNameOf,
  type Operation,
  pathParamsOf,
} from '../../shared/contract/operation.ts';

const page: Operation = {
  id: 'service.GetPage',
  method: 'GET',
  path: '/page',
  permission: null,
  mode: 'any',
  idempotent: false,
  success: { status: 200, contentType: 'text/html' },
  errors: [],
};

const ALWAYS = [
  'rate_limited',
  'internal_error',
  'temporarily_unavailable',
  'malformed_request',
  'request_timeout',
  'expectation_failed',
  'misdirected_request',
  'headers_too_large',
];
const KEYED = [
  'authentication_missing',
  'api_key_invalid',
  'api_key_revoked',
  'api_key_expired',
  'ip_not_allowed',
  'permission_denied',
  'version_invalid',
  // A query parameter that the operation does not have.
  'validation_failed',
];
const CHANGING = [
  'idempotency_key_missing',
  'idempotency_key_invalid',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'unsupported_media_type',
  'body_too_large',
  'malformed_json',
];

describe('the error codes of an operation', () => {
  it.each([
    ['is public', {}, ALWAYS],
    ['requires a key', { permission: 'payment.read' }, [...ALWAYS, ...KEYED]],
    ['changes something', { idempotent: true }, [...ALWAYS, ...CHANGING]],
    ['exists in test mode only', { mode: 'test' }, [...ALWAYS, 'test_mode_only']],
    [
      'requires a provider',
      { mode: 'provider' },
      [...ALWAYS, 'live_mode_unavailable', 'method_unavailable', 'provider_refused', 'provider_unavailable'],
    ],
    ['adds its own', { errors: ['refund_not_found'] }, [...ALWAYS, 'refund_not_found']],
  ] as const)('that %s are what contract §2 says', (_name, fields, codes) => {
    expect(errorCodesOf({ ...page, ...fields } as Operation).toSorted()).toEqual([...codes].toSorted());
  });
});

describe('the function of an operation', () => {
  it.each([
    ['payments.CreatePayment', 'create-payment'],
    ['checkout.DisablePaymentLink', 'disable-payment-link'],
    ['checkout.GetPaymentQr', 'get-payment-qr'],
    ['testkit.SeedTestData', 'seed-test-data'],
  ] as const)('%s is %s', (id, name) => {
    expect(functionNameOf({ id })).toBe(name);
  });
});

describe('the parameters of a path', () => {
  it.each([
    ['/api/v1/payments', []],
    ['/api/v1/payments/{id}', ['id']],
    ['/sinks/{id}/deliveries/{delivery_id}/redeliver', ['id', 'delivery_id']],
  ] as const)('%s are %j', (path, names) => {
    expect(pathParamsOf({ path })).toEqual(names);
  });
});
