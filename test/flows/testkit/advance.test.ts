import { afterEach, expect, test, vi } from 'vitest';
import { runGranted } from '../../../infra/local/guard.ts';
import type { Write } from '../../../shared/store/commit.ts';
import type { StoredItem } from '../../../shared/store/item.ts';
import type { Key } from '../../../shared/store/keys.ts';
import type { StoredWorld } from '../../../shared/store/world.ts';
import { Poster } from '../../../shared/webhooks/poster.ts';
import { newLeases, newSubscribedWorld, paymentIn, startReceiver } from '../../support/subscribed-world.ts';

const { advanceClock } = await import('../../../shared/flows/testkit/advance.ts');
const { Dispatcher } = await import('../../../shared/flows/dispatch/dispatcher.ts');
const { TaskGroup } = await import('../../../shared/flows/dispatch/task-group.ts');
const { commit } = await import('../../../shared/store/commit.ts');
const { find } = await import('../../../shared/store/entity.ts');
const { insert } = await import('../../../shared/store/item.ts');
const { insertJob } = await import('../../../shared/store/job.ts');
const { itemsOf } = await import('../../../shared/store/write-all.ts');

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
  return advanceClock({
    world,
    idempotencyKey,
    seconds,
    firstStep,
    baseUrl,
    remainingMs,
  });
}

afterEach(() => vi.useRealTimers());

test('a clock move runs its jobs while an endpoint is slow, and then waits for the endpoint', async () => {
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

test('a delivery without a response at the end of the time counts as remaining', async () => {
  const [world, receiver] = [await newSubscribedWorld(), await startReceiver()];
  const id = await waitingPayment(world, receiver);
  receiver.hold();
  const { jobsRemaining } = await move(world, receiver, 'key', 8_000);
  expect((await find('payment', world, id))?.status).toBe('expired');
  expect(jobsRemaining).toBe(1);
  receiver.letGo();
});

test('a clock can be moved again two seconds after its mover died, and not before', async () => {
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
  expect(other.advance).toMatchObject(one.advance);
});

test('a clock move has the grants to wait for a deletion that another runner holds', async () => {
  const [world, receiver] = [await newSubscribedWorld(), await startReceiver()];
  const purge = { actionId: 'act_1', epoch: 0, counts: world.counts, eventBlock: null, resetAtMs: 0 };
  const deletion = { kind: 'delete-epoch', purge, endpointIds: [], dueAtMs: Date.now() } as const;
  const runner = newLeases();
  const held = { ...itemsOf([insertJob(world, deletion)])[0], ...runner.lease } as StoredItem & Key;
  await commit([insert(held)]);
  const moveGranted = (remainingMs: number) =>
    runGranted('advance-clock', () => move(world, receiver, 'key', remainingMs));
  expect((await moveGranted(6_000)).jobsRemaining).toBe(1);
  await runner.release({ pk: held.pk, sk: held.sk });
  expect((await moveGranted(MINUTE_MS)).jobsRemaining).toBe(0);
});

test('a stored move is not taken for one by other seconds under the same key', async () => {
  const [world, receiver] = [await newSubscribedWorld(), await startReceiver()];
  const { advance } = await move(world, receiver);
  const other = move(world, receiver, 'key', MINUTE_MS, 1);
  await expect(other).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  expect((await move(world, receiver)).advance).toEqual(advance);
});
