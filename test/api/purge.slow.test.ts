// @module-tag nightly
import { describe, expect, test, vi } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { newMerchant } from '../support/world/api.ts';
import { copyPayments } from '../support/world/many-payments.ts';
import { createPayment } from '../support/world/resources.ts';
import { leftOver } from '../support/world/stored-items.ts';

describe('a purge', () => {
  test('of 10,000 payments counts them all, and deletes them in the background', async () => {
    const { api, merchant } = await newMerchant();
    const { id } = await createPayment(api);
    await copyPayments(merchant, id, 9_999);
    const startedAt = Date.now();
    const { json } = await api(operations.purgeTestData);
    console.log(`a purge of 10,000 payments answered after ${Date.now() - startedAt} ms`);
    expect(json.deleted.payments).toBe(10_000);
    expect((await api(operations.listPayments)).json.data).toEqual([]);
    await vi.waitUntil(async () => (await leftOver(merchant)) === 0, { timeout: 500_000, interval: 2_000 });
  }, 600_000);
});

describe('a deletion in the background', () => {
  test('delays no new event', async () => {
    const { api, merchant } = await newMerchant();
    const { id } = await createPayment(api);
    await copyPayments(merchant, id, 4_999);
    await api(operations.purgeTestData);
    await createPayment(api);
    await vi.waitUntil(async () => (await api(operations.listEvents)).json.data.length > 0, {
      timeout: 500_000,
    });
    expect(await leftOver(merchant)).toBeGreaterThan(0);
    // The deletion is not a job of the merchant: a second purge does not count it.
    const { json } = await api(operations.purgeTestData);
    expect(json).toMatchObject({ jobs_canceled: 1, deleted: { payments: 1 } });
  }, 600_000);
});
