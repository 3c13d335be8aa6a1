import { expect, test } from 'vitest';
import { interceptCalls } from '../../../shared/store/table/aws-client.ts';
import type { StoredWorld } from '../../../shared/store/worlds/world.ts';
import { Poster } from '../../../shared/webhooks/poster.ts';
import { isStep } from '../../support/faults/held-call.ts';
import {
  newLeases,
  newSubscribedWorld,
  paymentIn,
  startReceiver,
} from '../../support/world/subscribed-world.ts';

const { Dispatcher } = await import('../../../shared/flows/dispatch/dispatcher.ts');
const { TaskGroup } = await import('../../../shared/concurrency/task-group.ts');
const { dynamodb } = await import('../../../shared/store/table/client.ts');
const { outboxPks } = await import('../../../shared/store/table/keys.ts');
const { readOutbox } = await import('../../../shared/store/events/outbox.ts');

const MINUTE_MS = 60_000;

/** How many of the next numbers the store fails to note. */
let failures = 0;
interceptCalls(dynamodb, async (call, next) => {
  if (failures > 0 && isStep('number entry')(call)) {
    failures -= 1;
    throw new Error('the store is away');
  }
  return next();
});

function dispatcherOf(world: StoredWorld, leases: ReturnType<typeof newLeases>, baseUrl: string) {
  const tasks = new TaskGroup();
  const deadlineMs = Date.now() + MINUTE_MS;
  const dispatcher = new Dispatcher(world, { baseUrl, poster: new Poster(), deadlineMs, leases, tasks });
  const isDone = async () => {
    while (!tasks.isEmpty) {
      await tasks.progress(deadlineMs);
    }
  };
  return { dispatcher, isDone };
}

test('events of a resource keep their order when the store fails at the first of them', async () => {
  const [world, leases, receiver] = [await newSubscribedWorld(), newLeases(), await startReceiver()];
  const { entries } = await paymentIn(world, leases, true);
  const failing = dispatcherOf(world, leases, receiver.baseUrl);
  failures = 1;
  failing.dispatcher.add(entries.slice(0, 1));
  await expect(failing.isDone()).rejects.toThrow('the store is away');
  failing.dispatcher.add(entries);
  await failing.isDone();
  expect(receiver.received).toEqual([]);
  await Promise.all(entries.map(({ key }) => leases.release(key)));
  const next = dispatcherOf(world, newLeases(), receiver.baseUrl);
  next.dispatcher.add(await readOutbox(outboxPks(world)));
  await next.isDone();
  expect(receiver.received.map(({ type }) => type)).toEqual(['payment.created', 'payment.canceled']);
});
