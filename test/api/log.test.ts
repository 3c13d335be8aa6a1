// @module-tag slow
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { clientOf } from '../support/world/api.ts';
import { startHost } from '../support/world/host.ts';
import { newTraceparent } from '../support/world/traceparents.ts';

test('a log line has the caller, operation and outcome, and nothing about customers or keys', async () => {
  const host = await startHost({ env: { POWERTOOLS_LOG_LEVEL: 'DEBUG' } });
  try {
    const api = clientOf(host.key, host.baseUrl);
    const customer = { email: 'secret@example.com', name: 'Somchai Hidden', phone: '+66899999999' };
    const body = { amount: { currency: 'THB', minor: 777 }, customer, description: 'private words' };
    const { headers, json } = await api(operations.createPayment, { body, idempotencyKey: 'private-key' });
    await api(operations.createPayment, { body: { ...body, amount: 'wrong' } });
    await api(operations.cancelPayment, { params: { id: json.id } });
    await api(operations.cancelPayment, { params: { id: json.id } });

    const lines = host
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    const requests = lines.filter(({ message }) => message === 'request');
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'INFO',
        request_id: headers.get('x-request-id'),
        merchant: 'demo',
        mode: 'test',
        operation: 'payments.CreatePayment',
        status: 201,
        outcome: 'done',
      }),
    );
    expect(requests.map(({ outcome }) => outcome)).toEqual([
      'done',
      'validation_failed',
      'done',
      'invalid_state',
    ]);
    const logs = JSON.stringify(lines);
    for (const hidden of [...Object.values(customer), host.key, host.key.slice(8), 'private', 'Bearer']) {
      expect(logs).not.toContain(hidden);
    }
  } finally {
    await host.stop();
  }
});

test("one log line ties the gateway's and the function's request id to key and resource", async () => {
  const host = await startHost({ env: { POWERTOOLS_LOG_LEVEL: 'INFO' } });
  try {
    const api = clientOf(host.key, host.baseUrl);
    const body = { amount: { currency: 'THB', minor: 777 } };
    const { json: payment } = await api(operations.createPayment, { body });
    await api(operations.simulatePayment, { params: { id: payment.id }, body: { outcome: 'succeeded' } });
    const { json: refund } = await api(operations.requestRefund, { params: { id: payment.id } });
    await api(operations.cancelRefund, { params: { id: refund.id } });
    await api(operations.getPayment, { params: { id: payment.id } });
    // A caller may send anything instead of an id.
    await api(operations.getPayment, { params: { id: host.key } });
    await fetch(payment.checkout_url ?? '');

    const lines = host
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
      .filter(({ message }) => message === 'request');
    const logged = lines.map(({ operation, resource_id: about, created_id: made }) => [
      operation,
      about,
      made,
    ]);
    expect(logged).toEqual([
      ['payments.CreatePayment', undefined, payment.id],
      ['testkit.SimulatePayment', payment.id, undefined],
      ['payments.RequestRefund', payment.id, refund.id],
      ['payments.CancelRefund', refund.id, undefined],
      ['payments.GetPayment', payment.id, undefined],
      ['payments.GetPayment', undefined, undefined],
      ['checkout.GetCheckoutPage', undefined, undefined],
    ]);
    for (const line of lines) {
      expect(line.gateway_request_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(line.function_request_id).toMatch(/^[0-9a-f-]{36}$/);
    }
    const [first, ...others] = lines.filter(({ operation }) => operation !== 'checkout.GetCheckoutPage');
    expect(first.key_id).toMatch(/^key_/);
    expect(new Set(others.map(({ key_id: keyId }) => keyId))).toEqual(new Set([first.key_id]));
    // A caller's address is in the gateway's log alone, a token of a page nowhere.
    const logs = JSON.stringify(lines);
    for (const hidden of ['127.0.0.1', '::1', payment.checkout_url?.split('/').at(-1) ?? '', host.key]) {
      expect(logs).not.toContain(hidden);
    }
  } finally {
    await host.stop();
  }
});

test('of requests that are served at once, each line has the trace of its own request alone', async () => {
  const host = await startHost({ env: { POWERTOOLS_LOG_LEVEL: 'INFO' } });
  try {
    const api = clientOf(host.key, host.baseUrl);
    const made = Array.from({ length: 30 }, () => newTraceparent());
    const sent = await Promise.all(
      made.map(async ({ traceId, traceparent }, nth) => {
        const body = { amount: { currency: 'THB', minor: nth % 2 === 0 ? 777 : -1 } };
        const { headers } = await api(operations.createPayment, { body, headers: { traceparent } });
        return [headers.get('x-request-id'), traceId];
      }),
    );
    const logged = () =>
      host
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.includes('payments.CreatePayment'))
        .map((line) => JSON.parse(line));
    await expect.poll(logged).toHaveLength(sent.length);
    const traces = new Map(logged().map(({ request_id: id, trace_id: traceId }) => [id, traceId]));
    expect(sent.map(([id]) => [id, traces.get(id)])).toEqual(sent);
    // What names an invocation could be that of another request.
    expect(logged().every((line) => line.cold_start === undefined)).toBe(true);
  } finally {
    await host.stop();
  }
});

test('the log line of a refused key names its id, so that a leaked key can be found', async () => {
  const host = await startHost({ env: { POWERTOOLS_LOG_LEVEL: 'INFO' } });
  try {
    const create = ['create', '--merchant', 'acme', '--preset', 'merchant', '--allow-ip', '203.0.113.0/24'];
    const args = ['infra/pg/pg.ts', 'admin', 'keys', ...create, '--json', '--dir', host.dir];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { id, key } = JSON.parse(stdout);
    expect((await clientOf(key, host.baseUrl)(operations.listPayments)).status).toBe(403);
    const lineOf = () => host.output().match(/^\{.*payments\.ListPayments.*\}$/m)?.[0] ?? '{}';
    await expect.poll(lineOf).not.toBe('{}');
    expect(JSON.parse(lineOf())).toMatchObject({
      status: 403,
      outcome: 'ip_not_allowed',
      merchant: 'acme',
      key_id: id,
    });
    expect(host.output()).not.toContain(key);
  } finally {
    await host.stop();
  }
});
