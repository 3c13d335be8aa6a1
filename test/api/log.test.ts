import { expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { clientOf } from '../support/api.ts';
import { startHost } from '../support/host.ts';

test('a log line says who did what with which outcome, and nothing about customers or keys', async () => {
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
