import { describe, expect, test } from 'vitest';
import { answerLines } from '../../../infra/commands/answers.ts';
import type { Client } from '../../../shared/client/client.ts';
import type { OperationName } from '../../../shared/client/method.ts';
import { EXAMPLES } from '../../../shared/contract/examples.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';

/** Responses as the running service gave them. */
const recorded = (name: keyof typeof operations) => EXAMPLES[operations[name].id] as object;
const client = {
  getPayment: async () => recorded('getPayment'),
  getRefund: async () => recorded('getRefund'),
  getPayout: async () => recorded('getPayout'),
} as unknown as Client;

const KEYED = Object.entries<Operation>(operations).filter(([, { permission }]) => permission !== null);
const CHANGING = KEYED.filter(([, { idempotent }]) => idempotent).map(([name]) => name as OperationName);
const LINES_MAX = 3;

async function answerOf(name: OperationName, more: object = {}): Promise<readonly string[]> {
  return (await answerLines(name, { ...recorded(name), ...more }, client)) ?? [];
}

describe('what pg answers to a command that changes something', () => {
  test.each(CHANGING)('%s: one to three lines, in Bangkok time, with no word of JSON', async (name) => {
    const lines = await answerOf(name);
    expect(lines.length).toBeGreaterThanOrEqual(1);
    expect(lines.length).toBeLessThanOrEqual(LINES_MAX);
    const text = lines.join('\n');
    expect(text).not.toMatch(/undefined|null|NaN|\[object|[{}]|\dT\d\d:|^\s*$/m);
  });

  test('what only reads is shown as a record', () => {
    const reading = KEYED.filter(([, { idempotent }]) => !idempotent);
    for (const [name] of reading) {
      expect(answerLines(name as OperationName, {}, client), name).toBeUndefined();
    }
  });

  test('a payment is told with its number, amount, status and id, and where it is paid', async () => {
    expect(await answerOf('createPayment', { checkout_url: 'http://pay/checkout/1' })).toEqual([
      'Created P-000002  1,299.00 THB  requires_action  pay_01k92fwa00e7t8000000000001  order-1042',
      'Checkout page: http://pay/checkout/1',
      expect.stringMatching(/^To pay: https:.*\/qr\.svg$/),
    ]);
  });

  test('a ping says whether it arrived, how fast, and if not why', async () => {
    expect(await answerOf('sendTestEvent', { answered_status: 204, duration_ms: 20 })).toEqual([
      'delivered: 204 in 20 ms',
    ]);
    const failed = { status: 'failed', answered_status: 503, duration_ms: 9 };
    expect(await answerOf('sendTestEvent', failed)).toEqual([
      'failed: 503 in 9 ms',
      'Failed: the response was 503, and only 2xx accepts an event.',
    ]);
    const lost = { ...failed, answered_status: null, failure: 'unreachable' };
    expect(await answerOf('sendTestEvent', lost)).toEqual([
      'no response in 9 ms',
      'Failed: its server does not respond.',
    ]);
  });

  test('a simulation says what it led to, and that it has not yet where it is delayed', async () => {
    expect(await answerOf('simulatePayment')).toEqual([
      'succeeded: P-000002  10.00 THB  requires_action  pay_01k92fwa00e7t8000000000001',
    ]);
    expect((await answerOf('simulateRefund', { outcome: 'queued' }))[0]).toMatch(
      /^queued: it takes effect later, on the merchant's clock: R-\d+ /,
    );
    expect((await answerOf('simulatePayout'))[0]).toMatch(/^paid: O-\d+ /);
    const empty = { outcome: 'empty', payout_id: null };
    expect(await answerOf('simulateSettlement', empty)).toEqual(['empty: there is nothing to settle']);
  });

  test('a simulation is told where its resource cannot be read', async () => {
    const forbidden = { getPayment: async () => Promise.reject(new Error('no')) } as unknown as Client;
    expect(await answerLines('simulatePayment', recorded('simulatePayment'), forbidden)).toEqual([
      'succeeded: pay_01k92fwa00e7t8000000000002',
    ]);
  });

  test('a move of the clock says what it ran', async () => {
    const shifted = {
      from: '2026-11-02T03:00:00.000Z',
      to: '2026-11-02T17:30:00.000Z',
      payments_expired: 2,
      refunds_approved: 0,
      simulations_applied: 1,
      deliveries_attempted: 0,
      jobs_remaining: 0,
    };
    expect(await answerOf('advanceClock', { shifted })).toEqual([
      'The clock shows 2026-11-03 00:30:00 (Bangkok), before 2026-11-02 10:00:00 (Bangkok).',
      'payments expired: 2, outcomes applied: 1.',
    ]);
    expect((await answerOf('advanceClock'))[1]).toBe('Nothing was due.');
  });

  test('secrets that are shown once are there whole', async () => {
    for (const name of ['createWebhookEndpoint', 'rotateWebhookSecret', 'createTestWorld'] as const) {
      const { secret, key } = recorded(name) as { secret?: string; key?: string };
      expect(String(await answerOf(name)), name).toContain(secret ?? key);
    }
  });

  test('nothing from outside steers the terminal', async () => {
    const evil = '\u001b[31mx\u0007\n';
    for (const name of [
      'createPayment',
      'createWebhookEndpoint',
      'createTestWorld',
      'updateWebhookSink',
    ] as const) {
      const more = {
        name: evil,
        url: evil,
        reference: evil,
        id: evil,
        status: evil,
        key: evil,
        secret: evil,
      };
      expect(String(await answerOf(name, more)), name).not.toMatch(/\p{Cc}/u);
    }
  });
});
