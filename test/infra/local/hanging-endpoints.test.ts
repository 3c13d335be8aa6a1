import { expect, onTestFinished, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { newId } from '../../../shared/domain/id.ts';
import { createdWorldIdOf } from '../../../shared/domain/world.ts';
import { clientOf, newMerchant } from '../../support/api.ts';
import { anEndpoint } from '../../support/entities.ts';
import { startMerchantServer } from '../../support/merchant-server.ts';
import { listenTcp } from '../../support/receivers.ts';
import { createPayment, createWorld } from '../../support/resources.ts';

const { commit } = await import('../../../shared/store/commit.ts');
const { writeEndpoint } = await import('../../../shared/store/endpoint.ts');
const { getWorld } = await import('../../../shared/store/world.ts');

const WORLDS = 12;
const ENDPOINTS = 16;
/** Of each world: more than enough to use up all runs, if they were shared without a bound. */
const PAYMENTS = 4;

/** Worlds of one merchant with endpoints that accept connections and never respond, until the test ends. */
async function startHangingWorlds() {
  const hanging = await listenTcp(() => undefined);
  const { api } = await newMerchant();
  const worlds = await Promise.all(Array.from({ length: WORLDS }, () => createWorld(api)));
  onTestFinished(async () => {
    await Promise.all(worlds.map(({ id }) => api(operations.deleteTestWorld, { params: { id } })));
  });
  for (const { id } of worlds) {
    const world = await getWorld(createdWorldIdOf(id));
    await Promise.all(
      Array.from({ length: ENDPOINTS }, (_, slot) => {
        const url = `http://127.0.0.1:${hanging.port}/${slot}`;
        const after = anEndpoint({ id: newId('whe', Date.now()), slot, url });
        return commit([writeEndpoint(world, { before: null, after })]);
      }),
    );
  }
  return { hanging, apis: worlds.map(({ key }) => clientOf(key)) };
}

test("endpoints of one merchant that never respond hold up no other merchant's webhooks", async () => {
  const { hanging, apis } = await startHangingWorlds();
  const { api } = await newMerchant();
  const receiver = await startMerchantServer();
  onTestFinished(() => receiver.stop());
  await api(operations.createWebhookEndpoint, { body: { url: receiver.url, events: ['payment.created'] } });
  for (let nth = 0; nth < PAYMENTS; nth += 1) {
    await Promise.all(apis.map((each) => createPayment(each)));
  }
  await expect.poll(hanging.connections).toBeGreaterThanOrEqual(ENDPOINTS);
  // No hanging connection ever gets a response.
  const { id } = await createPayment(api);
  await expect.poll(() => receiver.received.map(({ body }) => JSON.parse(body).data.object.id)).toEqual([id]);
});
