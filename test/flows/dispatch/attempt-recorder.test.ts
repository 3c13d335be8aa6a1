import { expect, test } from 'vitest';
import type { Delivery } from '../../../shared/domain/delivery.ts';
import type { StoredWorld } from '../../../shared/store/worlds/world.ts';
import { newLeases, newSubscribedWorld, paymentIn } from '../../support/world/subscribed-world.ts';

const { AttemptRecorder } = await import('../../../shared/flows/dispatch/attempt-recorder.ts');
const { readDeliveryTargets } = await import('../../../shared/flows/dispatch/delivery-targets.ts');
const { KnownEndpoints } = await import('../../../shared/flows/dispatch/known-endpoints.ts');
const { Publisher } = await import('../../../shared/flows/dispatch/publisher.ts');
const { listDeliveries } = await import('../../../shared/store/events/delivery.ts');
const { queueLeaseKey, queuePk } = await import('../../../shared/store/table/keys.ts');
const { countOutbox } = await import('../../../shared/store/events/outbox.ts');
const { countDueJobs } = await import('../../../shared/store/scheduler/due.ts');
const { getWorld } = await import('../../../shared/store/worlds/world.ts');

const { aDelivery } = await import('../../support/world/entities.ts');
const DAY_MS = 24 * 60 * 60 * 1_000;

/** A published entry of one event, and its recorder. */
async function newPublished(world: StoredWorld) {
  const leases = newLeases();
  const { entries } = await paymentIn(world, leases);
  const [published] = await new Publisher(world, leases).publish(entries, true);
  const { entry, events } = published as NonNullable<typeof published>;
  const lost: string[] = [];
  const recorder = new AttemptRecorder(world, new KnownEndpoints(world), {
    leases,
    onEntries: () => undefined,
    onLost: ({ resourceId }) => void lost.push(resourceId),
  });
  return { leases, entry, events, lost, recorder };
}

/** Makes the same in a world with one endpoint. */
async function newAttempted(world: StoredWorld) {
  const { leases, entry, events, lost, recorder } = await newPublished(world);
  const [target] = await readDeliveryTargets(world, 'http://127.0.0.1:9');
  const record = (changes: Partial<Delivery> | null) => {
    const [event] = events;
    const attempts = changes === null ? [] : [aDelivery({ ...idsOf(event, target), ...changes })];
    const queued = changes === null ? events : [];
    const outcome = { target: target as NonNullable<typeof target>, attempts, queued };
    return recorder.record({ entry, outcomes: [outcome], nowMs: Date.now() });
  };
  const readLog = async () => (await listDeliveries(world, String(target?.id), { limit: 9 })).data;
  const countQueued = () => countDueJobs([queuePk(world, String(target?.id))], Date.now() + DAY_MS);
  return { entry, leases, target, lost, record, readLog, countQueued };
}

function idsOf(
  event:
    | {
        readonly id: string;
        readonly resourceId: string;
        readonly sequence: number;
        readonly firstSequence: number;
      }
    | undefined,
  target: { readonly id: string } | undefined,
) {
  const { id: eventId, resourceId, sequence, firstSequence } = event as NonNullable<typeof event>;
  return { endpointId: String(target?.id), eventId, resourceId, sequence, firstSequence };
}

test('an attempt that was delivered is logged, and its entry leaves the outbox', async () => {
  const world = await newSubscribedWorld();
  const { record, readLog, countQueued } = await newAttempted(world);
  await record({ status: 'delivered' });
  expect((await readLog()).map(({ status }) => status)).toEqual(['delivered']);
  expect([await countOutbox(world), await countQueued()]).toEqual([0, 0]);
});

test('an attempt that failed is logged, and the next one is queued', async () => {
  const world = await newSubscribedWorld();
  const { record, readLog, countQueued } = await newAttempted(world);
  await record({ status: 'failed', responseStatus: 500, nextAttemptAtMs: Date.now() + 1_000 });
  expect((await readLog()).map(({ status }) => status)).toEqual(['failed']);
  expect([await countOutbox(world), await countQueued()]).toEqual([0, 1]);
});

test('events that wait are queued, and their endpoint is marked as backlogged', async () => {
  const world = await newSubscribedWorld();
  const { target, record, readLog, countQueued } = await newAttempted(world);
  // Held from the running service, which is woken and would make the attempt.
  const queue = queueLeaseKey(queuePk(world, String(target?.id)));
  expect(await newLeases().take(queue, { mustExist: false })).toBe(true);
  await record(null);
  expect((await getWorld(world.id)).backloggedEndpoints).toEqual(new Set([target?.id]));
  expect([await countOutbox(world), await countQueued(), (await readLog()).length]).toEqual([0, 1, 0]);
});

test('an entry that another runner has taken over is left to it', async () => {
  const world = await newSubscribedWorld();
  const { entry, leases, lost, record, readLog } = await newAttempted(world);
  await leases.release(entry.key);
  const other = newLeases();
  expect(await other.take(entry.key, { mustExist: true })).toBe(true);
  await record({ status: 'delivered' });
  expect(lost).toEqual([entry.resourceId]);
  expect([await countOutbox(world), (await readLog()).length]).toEqual([1, 0]);
});

test('an event that one endpoint got, and that waits for another, is logged and queued', async () => {
  const world = await newSubscribedWorld(['/one', '/other']);
  const { entry, events, recorder } = await newPublished(world);
  const [got, waits] = await readDeliveryTargets(world, 'http://127.0.0.1:9');
  if (got === undefined || waits === undefined) {
    throw new Error('the world has two endpoints');
  }
  const queue = queuePk(world, waits.id);
  expect(await newLeases().take(queueLeaseKey(queue), { mustExist: false })).toBe(true);
  const attempts = [aDelivery({ ...idsOf(events[0], got), status: 'delivered' })];
  const outcomes = [
    { target: got, attempts, queued: [] },
    { target: waits, attempts: [], queued: events },
  ];
  await recorder.record({ entry, outcomes, nowMs: Date.now() });
  expect((await listDeliveries(world, got.id, { limit: 9 })).data.map(({ status }) => status)).toEqual([
    'delivered',
  ]);
  expect(await countDueJobs([queue], Date.now() + DAY_MS)).toBe(1);
  expect(await countOutbox(world)).toBe(0);
});
