import { describe, expect, onTestFinished, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { type Client, newMerchant } from '../support/world/api.ts';
import {
  createPayment,
  eventsOf,
  moveClock,
  paymentNow,
  simulate,
  worldOf,
} from '../support/world/resources.ts';

const { Leases } = await import('../../shared/store/scheduler/lease.ts');
const { leaseKey } = await import('../../shared/store/table/keys.ts');

const MINUTE = 60;
const YEAR = 31_622_400;
/** By how much the clock of a target on another machine may differ. */
const SKEW_MS = 1_000;

describe('the clock', () => {
  test('runs what becomes due in due order, each at its own time', async () => {
    const { api } = await newMerchant();
    const paidLate = await createPayment(api);
    const paidInTime = await createPayment(api);
    const abandoned = await createPayment(api);
    const { headers } = await simulate(api, paidLate.id, {
      outcome: 'succeeded',
      delay_seconds: 20 * MINUTE,
    });
    await simulate(api, paidInTime.id, { outcome: 'succeeded', delay_seconds: 10 * MINUTE });
    const { shifted, advanced_seconds, jobs_run } = await moveClock(api, 60 * MINUTE);
    expect(advanced_seconds).toBe(60 * MINUTE);
    expect(shifted).toMatchObject({ payments_expired: 2, simulations_applied: 2, jobs_remaining: 0 });
    // Two outcomes and two expiries: the payment that was paid in time does not wait for its own any more.
    expect(jobs_run).toBe(4);
    expect(Date.parse(shifted.to) - Date.parse(shifted.from)).toBe(60 * MINUTE * 1_000);

    const inTime = await paymentNow(api, paidInTime.id);
    expect(inTime).toMatchObject({ status: 'succeeded', late: false });
    const requestedAtMs = Date.parse(String(inTime.succeeded_at)) - 10 * MINUTE * 1_000;
    expect(requestedAtMs).toBeGreaterThanOrEqual(Date.parse(String(headers.get('pg-clock'))));
    expect(requestedAtMs).toBeLessThanOrEqual(Date.parse(shifted.from));
    const late = await paymentNow(api, paidLate.id);
    expect(late).toMatchObject({ status: 'succeeded', late: true });
    const events = await eventsOf(api, paidLate.id);
    expect(events.map(({ type }) => type).slice(-2)).toEqual(['payment.expired', 'payment.succeeded']);
    expect(events.at(-2)?.timestamp).toBe(paidLate.expires_at);
    expect((await paymentNow(api, abandoned.id)).status).toBe('expired');
  });

  test('skips a delayed outcome that the state does not allow any more', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api);
    await simulate(api, id, { outcome: 'failed', delay_seconds: 60 });
    await simulate(api, id, { outcome: 'succeeded' });
    const { shifted } = await moveClock(api, 120);
    expect(shifted.simulations_applied).toBe(0);
    expect((await paymentNow(api, id)).status).toBe('succeeded');
  });

  test('is read with what it will do next', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const before = (await api(operations.getClock)).json;
    expect(before).toMatchObject({ offset_seconds: 0, next_job_at: null });
    const payment = await createPayment(api);
    const requestedAtMs = Date.now();
    const moved = await api(operations.advanceClock, { body: { seconds: 5 } });
    const aheadMs = Date.parse(String(moved.headers.get('pg-clock'))) - 5_000;
    expect(aheadMs).toBeGreaterThan(requestedAtMs - SKEW_MS);
    expect(aheadMs).toBeLessThan(Date.now() + SKEW_MS);
    const after = (await api(operations.getClock)).json;
    expect(after).toMatchObject({ offset_seconds: 5, next_job_at: payment.expires_at });
  });

  test('moves once for two requests with one key, and one at a time', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const sent = { body: { seconds: 100 }, idempotencyKey: 'k' };
    await api(operations.advanceClock, sent);
    await api(operations.advanceClock, sent);
    expect((await api(operations.getClock)).json.offset_seconds).toBe(100);
    for (let index = 0; index < 40; index += 1) {
      await createPayment(api);
    }
    const moves = await Promise.all([advanceRaw(api), advanceRaw(api), advanceRaw(api)]);
    const done = moves.filter(({ status }) => status === 200).length;
    expect(moves.filter(({ problem }) => problem.code === 'clock_busy')).toHaveLength(3 - done);
    expect((await api(operations.getClock)).json.offset_seconds).toBe(100 + done * 3_600);
  });

  test('is busy while another move is under way', { tags: 'slow' }, async () => {
    const { api, merchant } = await newMerchant();
    const key = leaseKey(await worldOf(merchant));
    const leases = new Leases(60_000);
    onTestFinished(() => leases.close());
    expect(await leases.take(key, { mustExist: false })).toBe(true);
    const { problem } = await advanceRaw(api);
    expect(problem.code).toBe('clock_busy');
    await leases.release(key);
    expect((await advanceRaw(api)).status).toBe(200);
    expect((await api(operations.getClock)).json.offset_seconds).toBe(3_600);
  });

  test('moves at most two years ahead', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    await moveClock(api, YEAR);
    await moveClock(api, YEAR);
    const { problem } = await api(operations.advanceClock, { body: { seconds: 1 } });
    expect(problem.errors).toMatchObject([{ field: 'seconds', code: 'max' }]);
  });

  test("of one merchant does not move another's", { tags: 'slow' }, async () => {
    const [one, two] = [await newMerchant(), await newMerchant()];
    const { id } = await createPayment(two.api);
    await moveClock(one.api, YEAR);
    expect((await paymentNow(two.api, id)).status).toBe('requires_action');
    expect((await two.api(operations.getClock)).json.offset_seconds).toBe(0);
  });
});

function advanceRaw(api: Client) {
  return api(operations.advanceClock, { body: { seconds: 3_600 } });
}
