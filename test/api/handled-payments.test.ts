import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { clientOf, newMerchant } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import { createPaidPayment, createPayment, moveClock, passTime } from '../support/world/resources.ts';
import { quietItems } from '../support/world/stored-items.ts';

describe('marking a payment as handled', () => {
  test('changes nothing else of it, and makes no event', async () => {
    const { api, merchant } = await newMerchant();
    const { id } = await createPaidPayment(api);
    const read = async () => (await api(operations.getPayment, { params: { id } })).json;
    const eventsOf = async () => {
      // All that happened is published by then.
      await quietItems(merchant);
      return (await api(operations.listEvents, { query: { resource_id: id } })).json.data.length;
    };
    const [before, events] = [await read(), await eventsOf()];
    expect(before).toMatchObject({ handled_at: null, handled_note: null });
    const { status, json } = await api(operations.markPaymentHandled, {
      params: { id },
      body: { note: 'ตรวจสอบแล้ว' },
    });
    expect(status).toBe(200);
    const { handled_at: at } = json;
    expect(json).toEqual({ ...before, handled_at: at, handled_note: 'ตรวจสอบแล้ว' });
    expect(Date.parse(String(at))).toBeGreaterThanOrEqual(Date.parse(before.created_at));
    expect(await read()).toEqual(json);
    expect(await eventsOf()).toBe(events);
  });

  test('takes another note, or none', async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api);
    const note = async (body: object) => {
      const { json } = await api(operations.markPaymentHandled, { params: { id }, body });
      return json.handled_note;
    };
    expect(await note({ note: 'first' })).toBe('first');
    expect(await note({ note: 'second' })).toBe('second');
    expect(await note({})).toBeNull();
    expect(await note({ note: 'n'.repeat(500) })).toHaveLength(500);
  });

  test('after the end of its time leaves the time of its expiry as it is', async () => {
    const { api, merchant } = await newMerchant();
    const { id, expires_at } = await createPayment(api, { expires_in_minutes: 1 });
    await passTime(merchant, 90_000);
    await api(operations.markPaymentHandled, { params: { id }, body: {} });
    await moveClock(api, 1);
    const { json } = await api(operations.getPayment, { params: { id } });
    expect(json.status_history.at(-1)).toEqual({ status: 'expired', at: expires_at });
  });

  test('refuses a note of more than 500 characters', async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api);
    const body = { note: 'n'.repeat(501) };
    const { status, problem } = await api(operations.markPaymentHandled, { params: { id }, body });
    expect([status, problem.errors?.map(({ field, code }) => [field, code])]).toEqual([
      422,
      [['note', 'too_long']],
    ]);
  });

  test('shows a payment whose time is over as expired, and lets it expire as ever', async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api, { expires_in_minutes: 1 });
    await api(operations.markPaymentHandled, { params: { id }, body: {} });
    await api(operations.advanceClock, { body: { seconds: 61 } });
    const { json } = await api(operations.markPaymentHandled, { params: { id }, body: { note: 'late' } });
    expect(json).toMatchObject({ status: 'expired', handled_note: 'late' });
    const { json: listed } = await api(operations.listEvents, { query: { resource_id: id } });
    expect(listed.data.map(({ type }) => type)).toContain('payment.expired');
  });

  test('shows the pages of payers only to a key that may see them', async () => {
    const { api, merchant } = await newMerchant();
    const { id } = await createPayment(api, { checkout: true });
    const { secret } = await newKey({ merchant, permissions: ['refund.request'] });
    const { json } = await clientOf(secret)(operations.markPaymentHandled, { params: { id }, body: {} });
    expect([json.checkout_url, json.next_action]).toEqual([null, null]);
  });
});
