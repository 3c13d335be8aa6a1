// @module-tag nightly
import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { type Client, newMerchant } from '../support/world/api.ts';
import { copyPayments } from '../support/world/many-payments.ts';
import { createPayment, moveClock } from '../support/world/resources.ts';

const HOUR = 3_600;

async function allEvents(api: Client, type: 'payment.expired') {
  const found: { sequence: number; timestamp: string }[] = [];
  let after: string | null = null;
  do {
    const query: Record<string, string> = { type, limit: '100', ...(after !== null && { after }) };
    const { json }: Awaited<ReturnType<typeof list>> = await list(api, query);
    found.push(...json.data);
    after = json.next_cursor;
  } while (after !== null);
  return found;
}

function list(api: Client, query: Record<string, string>) {
  return api(operations.listEvents, { query });
}

describe('many jobs', () => {
  test('all run once, and a move reports correctly how many did not fit into it', async () => {
    const { api, merchant } = await newMerchant();
    const { id } = await createPayment(api);
    await copyPayments(merchant, id, 1_999);
    const startedAt = Date.now();
    const first = await moveClock(api, HOUR);
    console.log(
      `a move with 2,000 payments to expire ran ${first.jobs_run} jobs in ${Date.now() - startedAt} ms`,
    );
    let expired = first.shifted.payments_expired;
    if (first.shifted.jobs_remaining === 0) {
      expect(expired).toBe(2_000);
    }
    for (
      let moves = 0;
      (await api(operations.getClock)).json.next_job_at !== null && moves < 20;
      moves += 1
    ) {
      expired += (await moveClock(api, 1)).shifted.payments_expired;
    }
    const events = await allEvents(api, 'payment.expired');
    expect(events).toHaveLength(2_000);
    expect(new Set(events.map(({ sequence }) => sequence)).size).toBe(2_000);
    const open = await api(operations.listPayments, { query: { status: 'requires_action' } });
    expect(open.json.data).toEqual([]);
    expect(expired).toBeLessThanOrEqual(2_000);
  }, 300_000);
});
