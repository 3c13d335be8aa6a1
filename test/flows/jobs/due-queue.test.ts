import { expect, test } from 'vitest';
import { firstAttemptOf } from '../../../shared/domain/delivery.ts';
import { newId } from '../../../shared/domain/id.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { newMerchant } from '../../support/world/api.ts';
import { worldOf } from '../../support/world/resources.ts';

const { DueQueue } = await import('../../../shared/flows/jobs/due-queue.ts');
const { insertJob, jobsIn } = await import('../../../shared/store/scheduler/job.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { jobPks, queuePk } = await import('../../../shared/store/table/keys.ts');

const never = () => Promise.reject(new Error('no item is broken'));

/** The queue of an endpoint that a run has read, when nothing was in it, and what puts an attempt into it. */
async function readQueue() {
  const { merchant } = await newMerchant();
  const world = await worldOf(merchant);
  const nowMs = Date.now();
  const endpointId = newId('whe', nowMs);
  const resourceId = newId('pay', nowMs);
  const queue = new DueQueue([queuePk(world, endpointId)], nowMs + 60_000);
  await queue.fill(never);
  const store = async (job: Job) => {
    const write = insertJob(world, job);
    await commit([write]);
    return jobsIn([write]);
  };
  const firstOf = (sequence: number) => {
    const event = { id: newId('evt', nowMs), resourceId, sequence };
    return firstAttemptOf(event as Parameters<typeof firstAttemptOf>[0], endpointId, nowMs + sequence);
  };
  return { queue, store, firstOf };
}

test('a first attempt does not overtake one that another runner has queued since the last read', async () => {
  const { queue, store, firstOf } = await readQueue();
  await store(firstOf(1));
  queue.add(await store(firstOf(2)));
  await queue.fill(never);
  const taken = queue.take(() => true);
  expect(taken.map(({ job }) => 'sequence' in job && job.sequence)).toEqual([1, 2]);
});

test('a job that is added while it is read is run once', async () => {
  const { queue, store, firstOf } = await readQueue();
  const written = await store({ ...firstOf(1), attempt: 2 });
  queue.refresh();
  const filling = queue.fill(never);
  queue.add(written);
  await filling;
  expect(queue.take(() => true)).toHaveLength(1);
});

test('what follows an attempt is due without another read', async () => {
  const { queue, store, firstOf } = await readQueue();
  const { dueAtMs, ...job } = firstOf(1);
  queue.add(await store({ ...job, attempt: 2, dueAtMs: dueAtMs + 5_000 }));
  expect(queue.head?.job).toMatchObject({ attempt: 2 });
});

test('the jobs of several partitions are taken in due order', async () => {
  const { merchant } = await newMerchant();
  const world = await worldOf(merchant);
  const jobs = Array.from({ length: 20 }, (_, nth): Job => {
    const dueAtMs = 1_000 + ((nth * 7) % 20);
    return { kind: 'expire-payment', paymentId: newId('pay', nth), dueAtMs };
  });
  await commit(jobs.map((job) => insertJob(world, job)));
  const queue = new DueQueue(jobPks(world), 2_000);
  await queue.fill(never);
  const taken = queue.take(() => true);
  expect(new Set(taken.map(({ key }) => key.pk)).size).toBeGreaterThan(1);
  expect(taken.map(({ job }) => job.dueAtMs)).toEqual(jobs.map(({ dueAtMs }) => dueAtMs).toSorted());
});
