import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { newMerchant } from '../support/world/api.ts';
import { createPayment, moveClock, worldOf } from '../support/world/resources.ts';
import { storedItems } from '../support/world/stored-items.ts';

const { callTable } = await import('../../shared/store/table/client.ts');
const { insertJob } = await import('../../shared/store/scheduler/job.ts');
const { readParkedJobs } = await import('../../shared/store/scheduler/parked.ts');

const HOUR = 3_600;

function itemOf(change: ReturnType<typeof insertJob>) {
  return 'put' in change ? change.put.item : {};
}

function put(item: Record<string, unknown>) {
  return callTable('PutItem', { Item: item });
}

async function storedPayment(merchant: string, id: string) {
  return (await storedItems(merchant)).find((item) => item.id === id && item.sk === 'PAYMENT');
}

describe('a job that fails', () => {
  test('is retried with pauses, then parked where an operator sees it, and stops no other job', {
    tags: 'slow',
  }, async () => {
    const { api, merchant } = await newMerchant();
    const world = await worldOf(merchant);
    const unreadable = insertJob(world, { kind: 'expire-payment', dueAtMs: Date.now(), paymentId: 'pay_x' });
    await put({ ...itemOf(unreadable), job: '{not json' });
    const { id: broken } = await createPayment(api);
    await put({ ...(await storedPayment(merchant, broken)), data: Buffer.from('not packed') });
    const { id } = await createPayment(api);
    const early = await moveClock(api, HOUR);
    expect(early.shifted).toMatchObject({ payments_expired: 1, jobs_remaining: 0 });
    expect((await api(operations.getPayment, { params: { id } })).json.status).toBe('expired');
    const parkedOf = async () => (await readParkedJobs()).filter(({ worldId }) => worldId === world.id);
    expect(await parkedOf()).toMatchObject([
      { kind: 'expire-payment', job: '{not json', reason: 'SyntaxError' },
    ]);
    expect((await api(operations.getClock)).json).toMatchObject({
      next_job_at: expect.any(String),
      parked_jobs: 1,
    });
    await moveClock(api, 3 * HOUR);
    expect((await parkedOf())[1]).toMatchObject({
      kind: 'expire-payment',
      job: expect.stringContaining(broken),
    });
    expect((await api(operations.getClock)).json).toMatchObject({ next_job_at: null, parked_jobs: 2 });
    const other = await newMerchant();
    expect((await other.api(operations.getClock)).json.parked_jobs).toBe(0);
  });

  test("and is the service's own is seen by an operator, and not on the merchant's clock", {
    tags: 'slow',
  }, async () => {
    const { api, merchant } = await newMerchant();
    const world = await worldOf(merchant);
    const own = insertJob(world, { kind: 'delete-endpoint', dueAtMs: Date.now(), endpointId: 'whe_x' });
    await put({ ...itemOf(own), job: '{not json' });
    const parked = async () => (await readParkedJobs()).some(({ worldId }) => worldId === world.id);
    await expect.poll(parked).toBe(true);
    expect((await api(operations.getClock)).json).toMatchObject({ next_job_at: null, parked_jobs: 0 });
  });
});
