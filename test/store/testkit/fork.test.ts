// @module-tag slow
import { expect, test } from 'vitest';
import { newId } from '../../../shared/domain/id.ts';
import { newFork } from '../../../shared/domain/testkit/created-world.ts';
import { createdWorldIdOf } from '../../../shared/domain/world.ts';
import type { Fork } from '../../../shared/store/testkit/fork.ts';
import { newMerchant } from '../../support/world/api.ts';
import { createPayment, worldOf } from '../../support/world/resources.ts';
import { untilQuiet } from '../../support/world/stored-items.ts';

const { commit, writeOne } = await import('../../../shared/store/table/commit.ts');
const { queryPartition, update } = await import('../../../shared/store/table/item.ts');
const { insertJob } = await import('../../../shared/store/scheduler/job.ts');
const { jobPks } = await import('../../../shared/store/table/keys.ts');
const { insertCreatedWorld } = await import('../../../shared/store/testkit/created-worlds.ts');
const { beginCopy, copyContent, noteCopy, openFork, readState } = await import(
  '../../../shared/store/testkit/fork.ts'
);
const { getWorld, NO_COPY } = await import('../../../shared/store/worlds/world.ts');

/** The clock of the running service finds it then: these tests do not race with it. */
const FOUND_AFTER_MS = 3_600_000;
const INPUT = { name: 'fork', ttlMinutes: 5, maker: { id: 'key_1', expiresAtMs: null } };

/** A fork without its content, of a world with one payment. */
async function newPending() {
  const { api, merchant } = await newMerchant();
  await createPayment(api);
  await untilQuiet(merchant);
  const source = await worldOf(merchant);
  const id = newId('wld', Date.now());
  const made = newFork(source, source, id, INPUT, [], Date.now() + FOUND_AFTER_MS, id);
  await commit(insertCreatedWorld(made, source));
  return { source, fork: (await getWorld(createdWorldIdOf(id))) as Fork };
}

async function jobsOf(world: Parameters<typeof jobPks>[0]) {
  return (await Promise.all(jobPks(world).map((pk) => queryPartition(pk)))).flat();
}

test('a copy that was taken over neither ends nor opens the fork of the one that took over', async () => {
  const { source, fork } = await newPending();
  const stalled = beginCopy(fork, source, Date.now());
  expect((await commit(stalled.writes)).kind).toBe('committed');
  const next = beginCopy((await getWorld(fork.id)) as Fork, source, Date.now());
  expect((await commit(next.writes)).kind).toBe('committed');
  expect(await writeOne(noteCopy(stalled.fork, NO_COPY))).toBe(false);
  expect((await commit([openFork(stalled.fork, new Set())])).kind).toBe('conflict');
  expect((await getWorld(fork.id)).forkSource).not.toBeNull();
  expect((await commit([openFork(next.fork, new Set())])).kind).toBe('committed');
});

test("a fork's source changes by a job of the merchant's, and by none of the service's own", async () => {
  const { source } = await newPending();
  const before = await readState(source);
  const dueAtMs = Date.now() + FOUND_AFTER_MS;
  await commit([insertJob(source, { kind: 'delete-endpoint', endpointId: newId('whe', 0), dueAtMs })]);
  expect(await readState(source)).toBe(before);
  await commit([insertJob(source, { kind: 'expire-payment', paymentId: newId('pay', 0), dueAtMs })]);
  expect(await readState(source)).not.toBe(before);
});

test("a copied job is under nobody's lease, and no job deletes what the copy does not have", async () => {
  const { source, fork } = await newPending();
  const dueAtMs = Date.now() + FOUND_AFTER_MS;
  await commit([insertJob(source, { kind: 'delete-endpoint', endpointId: newId('whe', 0), dueAtMs })]);
  const expiry = (await jobsOf(source)).find(({ kind }) => kind === 'expire-payment');
  const { pk, sk } = expiry as { pk: string; sk: string };
  await writeOne(
    update({ pk, sk }, 'SET #owner = :owner, leaseEndsAtMs = :end', {
      condition: 'attribute_exists(pk)',
      names: { '#owner': 'owner' },
      values: { ':owner': 'runner', ':end': dueAtMs },
    }),
  );
  await copyContent(source, fork, async () => undefined);
  const copied = await jobsOf(fork);
  expect(copied.map(({ kind }) => kind)).toEqual(['expire-payment']);
  expect(copied[0]).not.toHaveProperty('owner');
  expect(copied[0]).not.toHaveProperty('leaseEndsAtMs');
});
