import { expect, test } from 'vitest';
import { newId } from '../../../shared/domain/id.ts';
import type { StoredWorld } from '../../../shared/store/worlds/world.ts';
import { Poster } from '../../../shared/webhooks/poster.ts';
import {
  newLeases,
  newSubscribedWorld,
  paymentIn,
  startReceiver,
} from '../../support/world/subscribed-world.ts';

const { readDeliveryTargets } = await import('../../../shared/flows/dispatch/delivery-targets.ts');
const { EntryAttempts } = await import('../../../shared/flows/dispatch/entry-attempts.ts');
const { KnownEndpoints } = await import('../../../shared/flows/dispatch/known-endpoints.ts');
const { Publisher } = await import('../../../shared/flows/dispatch/publisher.ts');
const { markBacklogged } = await import('../../../shared/store/worlds/backlog.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { endEpoch } = await import('../../../shared/store/testkit/purge.ts');
const { getWorld } = await import('../../../shared/store/worlds/world.ts');

const PATHS = ['/one', '/two'];

/** A payment with a published event, and the `EntryAttempts` for it. */
async function newPublished(world: StoredWorld) {
  const [leases, receiver] = [newLeases(), await startReceiver()];
  const { entries } = await paymentIn(world, leases);
  const [published] = await new Publisher(world, leases).publish(entries, true);
  const attempts = new EntryAttempts(world, new KnownEndpoints(world), { poster: new Poster() });
  const targets = await readDeliveryTargets(world, receiver.baseUrl);
  return { published: published as NonNullable<typeof published>, attempts, targets, receiver };
}

test('each subscribed endpoint gets one attempt', async () => {
  const { published, attempts, targets, receiver } = await newPublished(await newSubscribedWorld(PATHS));
  const attempted = await attempts.make(published, targets);
  expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(PATHS);
  expect(attempted?.outcomes.map(({ attempts: made, queued }) => [made.length, queued.length])).toEqual([
    [1, 0],
    [1, 0],
  ]);
});

test('the events of an endpoint with a backlog are queued, and nothing is sent to it', async () => {
  const world = await newSubscribedWorld(PATHS);
  const { published, attempts, targets, receiver } = await newPublished(world);
  const slow = targets.find(({ url }) => url.endsWith('/one'));
  await commit([markBacklogged(world, [String(slow?.id)])]);
  const attempted = await attempts.make(published, targets);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/two']);
  const outcome = attempted?.outcomes.find(({ target }) => target.id === slow?.id);
  expect(outcome).toMatchObject({ attempts: [], queued: published.events });
});

test('an endpoint that the entry names as finished gets no second attempt', async () => {
  const { published, attempts, targets, receiver } = await newPublished(await newSubscribedWorld(PATHS));
  const finished = new Set(targets.filter(({ url }) => url.endsWith('/one')).map(({ id }) => id));
  await attempts.make({ ...published, entry: { ...published.entry, finished } }, targets);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/two']);
});

test('nothing is sent after a purge', async () => {
  const world = await newSubscribedWorld(PATHS);
  const { published, attempts, targets, receiver } = await newPublished(world);
  const { epoch, counts, eventBlock } = await getWorld(world.id);
  const purge = { actionId: newId('act', Date.now()), epoch, counts, eventBlock, resetAtMs: Date.now() };
  expect((await commit(endEpoch(world, 'key', purge))).kind).toBe('committed');
  expect(await attempts.make(published, targets)).toBeNull();
  expect(receiver.received).toEqual([]);
});
