import { afterEach, expect, test, vi } from 'vitest';
import { runGranted } from '../../../infra/local/guard.ts';
import type { Write } from '../../../shared/store/table/commit.ts';
import type { StoredItem } from '../../../shared/store/table/item.ts';
import type { Key } from '../../../shared/store/table/keys.ts';
import type { StoredWorld } from '../../../shared/store/worlds/world.ts';
import { Poster } from '../../../shared/webhooks/poster.ts';
import {
  newLeases,
  newSubscribedWorld,
  paymentIn,
  startReceiver,
} from '../../support/world/subscribed-world.ts';

const { moveClock } = await import('../../../shared/flows/testkit/move-clock.ts');
const { Dispatcher } = await import('../../../shared/flows/dispatch/dispatcher.ts');
const { TaskGroup } = await import('../../../shared/concurrency/task-group.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { find } = await import('../../../shared/store/table/entity.ts');
const { insert } = await import('../../../shared/store/table/item.ts');
const { insertJob, readJobs } = await import('../../../shared/store/scheduler/job.ts');
const { jobPkOf, jobPks } = await import('../../../shared/store/table/keys.ts');
const { getWorld } = await import('../../../shared/store/worlds/world.ts');
const { itemsOf } = await import('../../../shared/store/table/write-all.ts');

const DAY_SECONDS = 86_400;
const MINUTE_MS = 60_000;

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** A payment that waits to expire, of which all events so far are dispatched. */
async function waitingPayment(world: StoredWorld, { baseUrl }: Receiver) {
  const leases = newLeases();
  const { id, entries } = await paymentIn(world, leases);
  const tasks = new TaskGroup();
  const deadlineMs = Date.now() + MINUTE_MS;
  new Dispatcher(world, { baseUrl, poster: new Poster(), deadlineMs, leases, tasks }).add(entries);
  while (!tasks.isEmpty) {
    await tasks.progress(deadlineMs);
  }
  return id;
}

function move(
  world: StoredWorld,
  { baseUrl }: Receiver,
  idempotencyKey = 'key',
  remainingMs = MINUTE_MS,
  seconds = 2 * DAY_SECONDS,
) {
  const firstStep = async (writes: readonly Write[]) => (await commit(writes)).kind === 'committed';
  return moveClock({
    world,
    idempotencyKey,
    seconds,
    firstStep,
    baseUrl,
    remainingMs,
  });
}

afterEach(() => vi.useRealTimers());

test('a clock move runs its jobs while an endpoint is slow, and then waits for the endpoint', {
  tags: 'slow',
}, async () => {
  const [world, receiver] = [await newSubscribedWorld(), await startReceiver()];
  const id = await waitingPayment(world, receiver);
  receiver.hold();
  const moving = move(world, receiver);
  await expect.poll(async () => (await find('payment', world, id))?.status).toBe('expired');
  await expect.poll(() => receiver.received.at(-1)?.type).toBe('payment.expired');
  receiver.letGo();
  const { counts, jobsRemaining } = await moving;
  expect(counts).toMatchObject({ paymentsExpired: 1, deliveriesAttempted: 1 });
  expect(jobsRemaining).toBe(0);
});

test('a delivery without a response at the end of the time counts as remaining', {
  tags: 'slow',
}, async () => {
  const [world, receiver] = [await newSubscribedWorld(), await startReceiver()];
  const id = await waitingPayment(world, receiver);
  receiver.hold();
  const { jobsRemaining } = await move(world, receiver, 'key', 8_000);
  expect((await find('payment', world, id))?.status).toBe('expired');
  expect(jobsRemaining).toBe(1);
  receiver.letGo();
});

test('a clock can be moved again two seconds after its mover died, and not before', {
  tags: 'slow',
}, async () => {
  const [world, receiver] = [await newSubscribedWorld(), await startReceiver()];
  await waitingPayment(world, receiver);
  receiver.hold();
  // A dead process renews no lease.
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const dead = move(world, receiver);
  await expect.poll(() => receiver.received.at(-1)?.type).toBe('payment.expired');
  await expect(move(world, receiver, 'other')).rejects.toMatchObject({ code: 'clock_busy' });
  vi.setSystemTime(Date.now() + 2_001);
  const next = move(world, receiver);
  receiver.letGo();
  const [one, other] = await Promise.all([dead, next]);
  // The same move: the clock has moved once.
  expect(other.move).toMatchObject(one.move);
});

/** The service's own jobs: what a purge, and what a deleted endpoint leaves to delete. */
function ownJobsOf({ counts }: StoredWorld, dueAtMs: number) {
  const purge = { actionId: 'act_1', epoch: 0, counts, eventBlock: null, resetAtMs: 0 };
  return [
    { kind: 'delete-epoch', purge, endpointIds: [], dueAtMs },
    { kind: 'delete-endpoint', endpointId: 'whe_1', dueAtMs },
  ] as const;
}

test("a clock move runs and counts the merchant's jobs, and leaves the service's own alone", {
  tags: 'slow',
}, async () => {
  const [world, receiver] = [await newSubscribedWorld(), await startReceiver()];
  const id = await waitingPayment(world, receiver);
  const deletions = ownJobsOf(world, Date.now());
  await commit(deletions.map((job) => insertJob(world, job)));
  const { counts, jobsRemaining } = await runGranted('advance-clock', () => move(world, receiver));
  expect((await find('payment', world, id))?.status).toBe('expired');
  expect([counts.jobsRun, jobsRemaining]).toEqual([1, 0]);
  expect((await readJobs(jobPks(world))).map(({ kind }) => kind).toSorted()).toEqual([
    'delete-endpoint',
    'delete-epoch',
  ]);
  // Resources are shown as stored again: the move does not go on until the deletions have run.
  expect((await getWorld(world.id)).movedToMs).toBeNull();
});

test("a clock move runs the merchant's jobs behind hundreds of the service's own", {
  tags: 'slow',
}, async () => {
  const [world, receiver] = [await newSubscribedWorld(), await startReceiver()];
  const id = await waitingPayment(world, receiver);
  for (let batch = 0; batch < 3; batch += 1) {
    const deletions = Array.from({ length: 60 }, () => ownJobsOf(world, Date.now()).slice(1)).flat();
    // All in the partition of the payment's own job.
    const [pk] = [jobPkOf(world, id)];
    await commit(
      deletions.map((job) => insert({ ...itemsOf([insertJob(world, job)])[0], pk } as StoredItem & Key)),
    );
  }
  const { counts } = await move(world, receiver);
  expect((await find('payment', world, id))?.status).toBe('expired');
  expect(counts.jobsRun).toBe(1);
});

test('a stored move is not taken for one by other seconds under the same key', { tags: 'slow' }, async () => {
  const [world, receiver] = [await newSubscribedWorld(), await startReceiver()];
  const { move: first } = await move(world, receiver);
  const other = move(world, receiver, 'key', MINUTE_MS, 1);
  await expect(other).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  expect((await move(world, receiver)).move).toEqual(first);
});
