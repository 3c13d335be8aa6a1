import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../shared/contract/examples.ts';
import {
  errorCodesOf,
  functionNameOf,
  hasSecret,
  type Operation,
  pathParamsOf,
} from '../../shared/contract/operation.ts';
import { allOperations, operations } from '../../shared/contract/operations.ts';
import { PERMISSIONS } from '../../shared/contract/permissions.ts';
import { isErrorCode } from '../../shared/errors/catalogue.ts';

/** The permission of each operation (contract §1). */
const MERCHANT_OPERATIONS = [
  ['payments.CreatePayment', 'POST', '/api/v1/payments', 'payment.create', 201],
  ['payments.CancelPayment', 'POST', '/api/v1/payments/{id}/cancel', 'payment.cancel', 200],
  ['payments.RequestRefund', 'POST', '/api/v1/payments/{id}/refunds', 'refund.request', 200],
  ['payments.CancelRefund', 'POST', '/api/v1/refunds/{id}/cancel', 'refund.cancel', 200],
  ['checkout.CreatePaymentLink', 'POST', '/api/v1/payment-links', 'paymentlink.create', 201],
  ['checkout.DisablePaymentLink', 'POST', '/api/v1/payment-links/{id}/disable', 'paymentlink.manage', 200],
] as const;

/** The operations of the test kit. */
const TESTKIT_OPERATIONS = [
  ['testkit.CreateWebhookSink', 'POST', '/api/v1/test/webhooks/sinks', 'simulate', 201],
  ['testkit.UpdateWebhookSink', 'PATCH', '/api/v1/test/webhooks/sinks/{id}', 'simulate', 200],
  ['testkit.SimulatePayment', 'POST', '/api/v1/test/payments/{id}/simulate', 'simulate', 200],
  ['testkit.SimulateRefund', 'POST', '/api/v1/test/refunds/{id}/simulate', 'simulate', 200],
  ['testkit.SimulatePayout', 'POST', '/api/v1/test/payouts/{id}/simulate', 'simulate', 200],
  ['testkit.SimulateSettlement', 'POST', '/api/v1/test/settlements/simulate', 'simulate', 200],
  ['testkit.SeedTestData', 'POST', '/api/v1/test/seed', 'seed', 200],
  ['testkit.PurgeTestData', 'POST', '/api/v1/test/data', 'reset', 200],
  ['testkit.AdvanceClock', 'POST', '/api/v1/test/clock/advance', 'simulate', 200],
] as const;

/** Contract §14. */
const ENDPOINT_OPERATIONS = [
  ['webhooks.CreateWebhookEndpoint', 'POST', '/api/v1/webhook-endpoints', 'webhook.manage', 201],
  ['webhooks.UpdateWebhookEndpoint', 'PATCH', '/api/v1/webhook-endpoints/{id}', 'webhook.manage', 200],
  ['webhooks.DeleteWebhookEndpoint', 'DELETE', '/api/v1/webhook-endpoints/{id}', 'webhook.manage', 200],
  [
    'webhooks.RotateWebhookSecret',
    'POST',
    '/api/v1/webhook-endpoints/{id}/rotate-secret',
    'webhook.manage',
    200,
  ],
  ['webhooks.SendTestEvent', 'POST', '/api/v1/webhook-endpoints/{id}/ping', 'webhook.manage', 200],
  ['webhooks.RecoverEvents', 'POST', '/api/v1/webhook-endpoints/{id}/recover', 'webhook.manage', 200],
  [
    'webhooks.RedeliverEvent',
    'POST',
    '/api/v1/webhook-endpoints/{id}/deliveries/{delivery_id}/redeliver',
    'webhook.manage',
    200,
  ],
] as const;

/** Contract §13: lists, and retrieval by id, with the permissions of §1. */
const READS = [
  ['/api/v1/payments', 'payment.read'],
  ['/api/v1/payments/{id}', 'payment.read'],
  ['/api/v1/refunds', 'refund.read'],
  ['/api/v1/refunds/{id}', 'refund.read'],
  ['/api/v1/payment-links', 'paymentlink.read'],
  ['/api/v1/payment-links/{id}', 'paymentlink.read'],
  ['/api/v1/payouts', 'payment.read'],
  ['/api/v1/payouts/{id}', 'payment.read'],
  ['/api/v1/settlements', 'payment.read'],
  ['/api/v1/settlements/{id}', 'payment.read'],
  ['/api/v1/events', 'event.read'],
  ['/api/v1/events/{id}', 'event.read'],
  ['/api/v1/webhook-endpoints', 'webhook.read'],
  ['/api/v1/webhook-endpoints/{id}', 'webhook.read'],
  ['/api/v1/webhook-endpoints/{id}/deliveries', 'webhook.read'],
] as const;

/** Contract §10 and §11: the reads of the test kit. */
const TESTKIT_READS = [
  '/api/v1/test/clock',
  '/api/v1/test/webhooks/sinks',
  '/api/v1/test/webhooks/sinks/{id}',
  '/api/v1/test/webhooks/sinks/{id}/deliveries',
] as const;

/** The kinds of access to the table that allow changes. */

/** Called by deliveries, which have no Idempotency-Key: each one that is received counts (contract §10). */
const RECEIVERS = [
  'testkit.ReceiveAtSink',
  'providers.ReceiveNotification',
  'checkout.ActOnCheckout',
  'checkout.PayByLink',
];

/** The optional ids of bodies, which must equal the id in the path (contract §2). */
const BODY_IDS = [
  ['payments.CancelPayment', 'payment_id'],
  ['payments.RequestRefund', 'payment_id'],
  ['payments.CancelRefund', 'refund_id'],
  ['checkout.DisablePaymentLink', 'link_id'],
  ['testkit.UpdateWebhookSink', 'sink_id'],
  ['testkit.SimulatePayment', 'payment_id'],
  ['testkit.SimulateRefund', 'refund_id'],
  ['testkit.SimulatePayout', 'payout_id'],
] as const;

/** The error codes of single operations (contract §2, §5–11). */
const OWN_CODES = [
  ['payments.CreatePayment', 'live_mode_unavailable'],
  ['payments.CancelPayment', 'payment_not_found invalid_state provider_refused provider_unavailable'],
  [
    'payments.RequestRefund',
    'payment_not_found invalid_state refund_amount_exceeded refund_window_closed refund_unavailable',
  ],
  ['payments.CancelRefund', 'refund_not_found invalid_state'],
  ['checkout.DisablePaymentLink', 'payment_link_not_found'],
  ['payouts.GetPayout', 'payout_not_found'],
  ['settlements.GetSettlement', 'settlement_not_found'],
  ['events.GetEvent', 'event_not_found'],
  ['webhooks.CreateWebhookEndpoint', 'endpoint_limit_reached'],
  ['webhooks.UpdateWebhookEndpoint', 'webhook_endpoint_not_found endpoint_limit_reached'],
  ['webhooks.DeleteWebhookEndpoint', 'webhook_endpoint_not_found'],
  ['webhooks.SendTestEvent', 'webhook_endpoint_not_found invalid_state'],
  ['webhooks.RecoverEvents', 'webhook_endpoint_not_found invalid_state'],
  ['webhooks.RedeliverEvent', 'webhook_endpoint_not_found delivery_not_found invalid_state'],
  ['testkit.UpdateWebhookSink', 'sink_not_found test_mode_only'],
  ['testkit.Redeliver', 'sink_not_found delivery_not_found'],
  [
    'testkit.SimulatePayment',
    'payment_not_found invalid_state event_conflict amount_mismatch test_mode_only',
  ],
  ['testkit.SimulateRefund', 'refund_not_found invalid_state event_conflict test_mode_only'],
  ['testkit.SimulatePayout', 'payout_not_found invalid_state test_mode_only'],
  ['testkit.SimulateSettlement', 'settlement_exists test_mode_only'],
  ['testkit.AdvanceClock', 'clock_busy test_mode_only'],
] as const;

/** Handles the paths that no operation has. */
const WITHOUT_OPERATION = ['answer-unknown-route.ts'];
const functionFiles = readdirSync('functions').filter((name) => name.endsWith('.ts'));

function rowOf(id: string) {
  const row = allOperations.find((candidate) => candidate.id === id);
  if (row === undefined) {
    throw new Error(`no row ${id}`);
  }
  return row;
}

describe('the table of operations', () => {
  it.each([...MERCHANT_OPERATIONS, ...ENDPOINT_OPERATIONS])(
    'has %s as %s %s for %s, with status %i',
    (id, method, path, permission, status) => {
      expect(rowOf(id)).toMatchObject({ method, path, permission, success: { status }, idempotent: true });
    },
  );

  it.each(TESTKIT_OPERATIONS)(
    'has %s as %s %s for %s, with status %i, in test mode only',
    (id, method, path, permission, status) => {
      const answered = { success: { status }, idempotent: true, mode: 'test' };
      expect(rowOf(id)).toMatchObject({ method, path, permission, ...answered });
    },
  );

  it('keeps the whole test kit away from live data', () => {
    const reaching = allOperations.filter(
      (row) => row.path.startsWith('/api/v1/test/') && row.mode !== 'test',
    );
    expect(reaching).toEqual([]);
  });

  it.each(TESTKIT_READS)('lets GET %s be read with simulate, without an Idempotency-Key', (path) => {
    const rows = allOperations.filter((row) => row.method === 'GET' && row.path === path);
    const answered = { success: { status: 200 }, idempotent: false, mode: 'test' };
    expect(rows).toMatchObject([{ permission: 'simulate', ...answered }]);
  });

  it.each(READS)('lets GET %s be read with %s, without an Idempotency-Key', (path, permission) => {
    const rows = allOperations.filter((row) => row.method === 'GET' && row.path === path);
    expect(rows).toMatchObject([{ permission, success: { status: 200 }, idempotent: false, mode: 'any' }]);
  });

  it('makes every operation that changes something idempotent, and no other', () => {
    const rows = allOperations.filter(({ id }) => !RECEIVERS.includes(id));
    expect(rows.filter((row) => row.idempotent !== (row.method !== 'GET'))).toEqual([]);
    expect(rows.filter((row) => row.idempotent !== isWriting(row))).toEqual([]);
  });

  it.each(RECEIVERS)('lets any caller with its address call %s, with no limit', (id) => {
    expect(rowOf(id)).toMatchObject({ method: 'POST', permission: null, idempotent: false });
    expect(isWriting(rowOf(id))).toBe(true);
  });

  it('requires a provider only for creating a payment', () => {
    const needing = allOperations.filter(({ mode }) => mode === 'provider').map(({ id }) => id);
    expect(needing).toEqual(['payments.CreatePayment']);
  });

  it.each(BODY_IDS)('of %s compares the body field %s with the id of the path', (id, bodyId) => {
    expect(rowOf(id)).toMatchObject({ bodyId, path: expect.stringContaining('{id}') });
  });

  it.each(OWN_CODES)('says that %s can return %s', (id, codes) => {
    expect(errorCodesOf(rowOf(id))).toEqual(expect.arrayContaining(codes.split(' ')));
  });

  it('has every id, and every method of an address, only once', () => {
    const ids = allOperations.map(({ id }) => id);
    const addresses = allOperations.map(
      ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('names every row by its id', () => {
    const expected = Object.values(operations).map(({ id }) =>
      id.replace(/^\w+\.(\w)/, (_all, first) => first.toLowerCase()),
    );
    expect(Object.keys(operations)).toEqual(expected);
  });
});

describe.each(allOperations)('the operation $id', (row) => {
  it('has a permission that exists or none, and parameters with different names', () => {
    expect([null, 'any', ...PERMISSIONS]).toContain(row.permission);
    expect(new Set(pathParamsOf(row)).size).toBe(pathParamsOf(row).length);
  });

  it('names every error code once, and only codes that have a page', () => {
    const codes = errorCodesOf(row);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.filter((code) => !isErrorCode(code))).toEqual([]);
  });

  it('has a body if it changes something, with an example', () => {
    expect(row.body !== undefined).toBe(row.idempotent);
    expect(row.example !== undefined).toBe(row.body !== undefined);
  });

  it('is known to have a secret in its response exactly if its example has one', () => {
    const example = JSON.stringify(EXAMPLES[row.id] ?? null);
    expect(hasSecret(row)).toBe(/"(?:whsec_|pg_test_|pg_live_)/.test(example));
  });

  it('has a function', () => {
    expect(functionFiles).toContain(`${functionNameOf(row)}.ts`);
  });
});

describe.each(functionFiles)('functions/%s', (name) => {
  it('belongs to an operation', () => {
    expect([...allOperations.map((row) => `${functionNameOf(row)}.ts`), ...WITHOUT_OPERATION]).toContain(
      name,
    );
  });
});

/** Whether the function of a row changes anything that is stored. */
function isWriting({ changes = [] }: Operation): boolean {
  return changes.length > 0;
}
