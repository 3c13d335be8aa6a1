import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadFunction } from '../../../infra/local/function.ts';
import { JOB_RUNNER_TIMEOUT_SECONDS } from '../../../shared/contract/bus.ts';
import { operations } from '../../../shared/contract/operations.ts';
import type { JobKind } from '../../../shared/domain/job.ts';
import { worldIdOf } from '../../../shared/domain/world.ts';
import { clientOf } from '../../support/api.ts';
import { type End, FAULTS } from '../../support/gated-run.ts';
import { newKey } from '../../support/merchant.ts';
import { createEndpoint, createPayment, createRefund } from '../../support/resources.ts';
import { scanTable } from '../../support/stored-table.ts';
import { messageOf, named, openWorkshop, passTime, workOf } from './trial.ts';

/** Real time limits the wait for an endpoint: on a busy machine, one that responds at once may seem slow. */
vi.mock('../../../shared/flows/dispatch/attempt-delivery.ts', async (original) => ({
  ...(await original<typeof import('../../../shared/flows/dispatch/attempt-delivery.ts')>()),
  PATIENCE_MS: 60_000,
}));

const { markBacklogged } = await import('../../../shared/store/backlog.ts');
const { commit } = await import('../../../shared/store/commit.ts');
const { getWorld } = await import('../../../shared/store/world.ts');

const MINUTE_MS = 60_000;
const NEXT_ATTEMPT_MS = 5_000;

const workshop = await openWorkshop();
const runner = await loadFunction<object, void>('workers/job-runner', JOB_RUNNER_TIMEOUT_SECONDS);
const deliver = await loadFunction<object, void>('workers/deliverer', JOB_RUNNER_TIMEOUT_SECONDS);
const tick = await loadFunction<object, void>('workers/clock-tick');
afterAll(workshop.close);

const OUTBOX_KINDS = [
  'outbox',
  'outbox, with a receiver',
  'outbox, with a receiver that refuses',
  'outbox, with a receiver that has a backlog',
  'outbox, with an endpoint that responds with 410',
] as const;
/** Those of live worlds talk to a provider: see `../live/jobs.test.ts`. */
type Kind =
  | Exclude<JobKind, 'look-up-payment' | 'look-up-refund' | 'stop-attempt'>
  | (typeof OUTBOX_KINDS)[number];

/** A world with a due job of a kind, or an event to dispatch, and little else. */
const DUE: Readonly<Record<Kind, (owner: Owner) => Promise<void>>> = {
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
  'deliver-event': async ({ api, runJobs }) => {
    const { json: sink } = await api(operations.createWebhookSink);
    await api(operations.updateWebhookSink, { params: { id: sink.id }, body: { respond_status: 500 } });
    await createPayment(api, { method: undefined });
    await runJobs();
    passTime(NEXT_ATTEMPT_MS);
  },
  'expire-payment': async ({ api, runJobs }) => {
    await createPayment(api);
    await runJobs();
    passTime(15 * MINUTE_MS);
  },
  'approve-refund': async ({ api, runJobs }) => {
    await createRefund(api);
    await runJobs();
    passTime(15 * MINUTE_MS);
  },
  'send-refund': async ({ api, runJobs }) => {
    await createRefund(api);
    passTime(15 * MINUTE_MS);
    await runJobs();
    passTime(MINUTE_MS);
  },
  'apply-simulation': async ({ api, runJobs }) => {
    const { id } = await createPayment(api);
    await runJobs();
    const body = { outcome: 'succeeded', delay_seconds: 60 };
    await api(operations.simulatePayment, { params: { id }, body });
    passTime(MINUTE_MS);
  },
  'recover-events': async ({ api, runJobs }) => {
    const { id } = await createEndpoint(api);
    const since = new Date().toISOString();
    await api(operations.updateWebhookEndpoint, { params: { id }, body: { enabled: false } });
    await createPayment(api);
    await runJobs();
    await api(operations.updateWebhookEndpoint, { params: { id }, body: { enabled: true } });
    await api(operations.recoverEvents, { params: { id }, body: { since } });
  },
  'delete-endpoint': async ({ api, runJobs }) => {
    const { id } = await createEndpoint(api);
    await createPayment(api);
    await runJobs();
    await api(operations.deleteWebhookEndpoint, { params: { id } });
  },
  'delete-epoch': async ({ api }) => {
    await createPayment(api);
    await api(operations.createWebhookSink);
    await api(operations.purgeTestData);
  },
};

/** EventBridge calls a worker again if it throws. */
function mayEndWith({ kind }: End<string>): boolean {
  return kind === 'killed' || kind === 'threw';
}

async function newOwner() {
  const { merchant, secret } = await newKey();
  const worldId = worldIdOf(merchant, 'test');
  const api = clientOf(secret, workshop.baseUrl, workshop.send);
  return { merchant, worldId, api, runJobs: async () => runner(await workOf(worldId)) };
}
type Owner = Awaited<ReturnType<typeof newOwner>>;

beforeEach(workshop.clear);

describe.each(Object.keys(DUE) as Kind[])('%s', (kind) => {
  test('work is done once if its runner crashes, stalls or loses the store', async ({ task }) => {
    const owner = await newOwner();
    await DUE[kind](owner);
    expect((await scanTable()).map((item) => item.kind)).toContain(kind.split(',')[0]);
    const message = await messageOf(owner.worldId);
    const request = async () => {
      if (kind !== 'deliver-event') {
        await owner.runJobs();
      }
      if (kind === 'deliver-event' || kind.endsWith('backlog')) {
        await deliver(message);
      }
      return 'done';
    };
    const { plansOf, tryOne } = await workshop.trials({
      worldId: owner.worldId,
      request,
      isOnce: true,
      mayEndWith,
    });
    const plans = plansOf(FAULTS);
    for (const plan of plans) {
      await tryOne(plan);
    }
    task.meta.figures = { [`job runner with ${kind}: faults, each survived`]: plans.length };
  });
});

test('after a clock tick crashes or fails, the next one names every world that has work', async ({
  task,
}) => {
  const { api, worldId } = await newOwner();
  await createPayment(api);
  passTime(MINUTE_MS);
  const request = async () => {
    named.splice(0);
    await tick({});
    return named.some((due) => due.worldId === worldId) ? 'named' : 'forgotten';
  };
  const { plansOf, tryOne } = await workshop.trials({ worldId, request, isOnce: true, mayEndWith });
  const plans = plansOf(FAULTS);
  for (const plan of plans) {
    await tryOne(plan);
  }
  task.meta.figures = { 'clock tick: faults, each survived': plans.length };
});
