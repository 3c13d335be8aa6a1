import { test } from 'vitest';
import { loadWorker } from '../../../infra/local/function.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { createEndpoint, createPayment } from '../../support/world/resources.ts';
import { tryWork, tryWorker } from './try-work.ts';
import { named, passTime } from './workshop.ts';

const { markBacklogged } = await import('../../../shared/store/worlds/backlog.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { getWorld } = await import('../../../shared/store/worlds/world.ts');

const MINUTE_MS = 60_000;
const tick = await loadWorker<object, void>('clock-tick');

tryWork({
  // No endpoint, or one endpoint.
  outbox: async ({ api }) => {
    await createPayment(api);
  },
  'outbox, with a receiver': async ({ api }) => {
    await api(operations.createWebhookSink);
    await createPayment(api);
  },
  'outbox, with a receiver that refuses': async ({ api }) => {
    const { json: sink } = await api(operations.createWebhookSink);
    await api(operations.updateWebhookSink, { params: { id: sink.id }, body: { respond_status: 500 } });
    await createPayment(api, { method: undefined });
  },
  'outbox, with a receiver that has a backlog': async ({ api, worldId }) => {
    const { json: sink } = await api(operations.createWebhookSink);
    await commit([markBacklogged(await getWorld(worldId), [sink.id])]);
    await createPayment(api, { method: undefined });
  },
  'outbox, with an endpoint that responds with 410': async ({ api }) => {
    await createEndpoint(api);
    const { data } = (await api(operations.listWebhookSinks)).json;
    const gone = { params: { id: String(data[0]?.id) }, body: { respond_status: 410 } };
    await api(operations.updateWebhookSink, gone);
    await createPayment(api, { method: undefined });
  },
});

test('after a clock tick crashes or fails, the next one names every world that has work', async ({
  task,
}) => {
  const tried = await tryWorker(async ({ api, worldId }) => {
    await createPayment(api);
    passTime(MINUTE_MS);
    return async () => {
      named.splice(0);
      await tick({});
      return named.some((due) => due.worldId === worldId) ? 'named' : 'forgotten';
    };
  });
  task.meta.figures = { 'clock tick: faults, each survived': tried };
});
