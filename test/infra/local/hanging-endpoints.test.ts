// @module-tag slow
import { expect, onTestFinished, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { newId } from '../../../shared/domain/id.ts';
import { createdWorldIdOf } from '../../../shared/domain/world.ts';
import { clientOf, newMerchant } from '../../support/world/api.ts';
import { anEndpoint } from '../../support/world/entities.ts';
import { startMerchantServer } from '../../support/world/merchant-server.ts';
import { listenTcp } from '../../support/world/receivers.ts';
import { createPayment, createWorld } from '../../support/world/resources.ts';

const { commit } = await import('../../../shared/store/table/commit.ts');
const { writeEndpoint } = await import('../../../shared/store/events/endpoint.ts');
const { RUNNER_SLOTS_MAX } = await import('../../../shared/store/scheduler/runner-slots.ts');
const { getWorld } = await import('../../../shared/store/worlds/world.ts');

const WORLDS = 12;
const ENDPOINTS = 16;
const PAYMENTS = 2;

/** Worlds of one merchant with endpoints that accept connections and never respond, until the test ends. */
async function startHangingWorlds() {
  let open = 0;
  const { port } = await listenTcp((socket) => {
    open += 1;
    socket.on('close', () => {
      open -= 1;
    });
    socket.resume();
  });
  const { api } = await newMerchant();
  const worlds = await Promise.all(Array.from({ length: WORLDS }, () => createWorld(api)));
  onTestFinished(async () => {
    await Promise.all(worlds.map(({ id }) => api(operations.deleteTestWorld, { params: { id } })));
  });
  const stored = () => Promise.all(worlds.map(({ id }) => getWorld(createdWorldIdOf(id))));
  for (const world of await stored()) {
    await Promise.all(
      Array.from({ length: ENDPOINTS }, (_, slot) => {
        const url = `http://127.0.0.1:${port}/${slot}`;
        const after = anEndpoint({ id: newId('whe', Date.now()), slot, url });
        return commit([writeEndpoint(world, { before: null, after })]);
      }),
    );
  }
  const apis = worlds.map(({ key }) => clientOf(key));
  return {
    /** How many connections are held now. */
    open: () => open,
    payInEach: async () => {
      for (let nth = 0; nth < PAYMENTS; nth += 1) {
        await Promise.all(apis.map((each) => createPayment(each)));
      }
    },
    backlogs: async () => (await stored()).map(({ backloggedEndpoints }) => backloggedEndpoints.size),
  };
}

test("endpoints of one merchant that never respond hold up no other merchant's webhooks", async () => {
  const hanging = await startHangingWorlds();
  const { api } = await newMerchant();
  const receiver = await startMerchantServer();
  onTestFinished(() => receiver.stop());
  await api(operations.createWebhookEndpoint, { body: { url: receiver.url, events: ['payment.created'] } });
  await hanging.payInEach();
  await expect.poll(hanging.backlogs).toEqual(Array(WORLDS).fill(ENDPOINTS));
  // However many there are, the merchant's own slots are all that they take.
  await expect.poll(hanging.open).toBeLessThanOrEqual(RUNNER_SLOTS_MAX.test);
  await hanging.payInEach();
  await expect.poll(hanging.open).toBeGreaterThan(0);
  const { id } = await createPayment(api);
  await expect.poll(() => receiver.received.map(({ body }) => JSON.parse(body).data.object.id)).toEqual([id]);
  // The end of one and the beginning of the next may be seen in any order.
  expect(hanging.open()).toBeLessThanOrEqual(2 * RUNNER_SLOTS_MAX.test);
});
