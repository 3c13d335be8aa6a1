// @module-tag nightly
import { afterAll, beforeEach, expect, test } from 'vitest';
import { loadWorker } from '../../../infra/local/function.ts';
import { JOB_RUNNER_TIMEOUT_SECONDS } from '../../../shared/contract/bus.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { createdWorldIdOf, worldIdOf } from '../../../shared/domain/world.ts';
import { type End, FAULTS, type Fault } from '../../support/faults/gated-run.ts';
import { clientOf } from '../../support/world/api.ts';
import { newKey } from '../../support/world/merchant.ts';
import { createPayment, createWorld } from '../../support/world/resources.ts';
import { scanTable } from '../../support/world/stored-table.ts';
import { openWorkshop, passTime, workOf } from './workshop.ts';

const MINUTE_MS = 60_000;
const TTL_MINUTES = 5;
/** So often the runner is called until all is done: it ends the world, makes the job, deletes, and sees nothing left. */
const RUNS = 4;
/** The response while another request is in progress, or where the store fails. */
const TRY_AGAIN = ['409 idempotency_in_progress', '409 seed_in_progress', '503 temporarily_unavailable'];

const workshop = await openWorkshop();
const runner = await loadWorker<object, void>('job-runner', JOB_RUNNER_TIMEOUT_SECONDS);
afterAll(workshop.close);
beforeEach(workshop.clear);

async function newOwner() {
  const { merchant, secret } = await newKey();
  const connect = (key: string) => clientOf(key, workshop.baseUrl, workshop.send);
  return { merchant, connect, api: connect(secret) };
}

test('a seeded world is created once, whole, if its request crashes, stalls or loses the store', async ({
  task,
}) => {
  const { merchant, api } = await newOwner();
  const sent = { body: { name: 'ci', profile: 'small' }, idempotencyKey: 'k' };
  const request = async () => {
    const { status, text, problem } = await api(operations.createTestWorld, sent);
    return status === 201 ? `201 ${text}` : `${status} ${problem.code}`;
  };
  const mayEndWith = (end: End<string>, fault: Fault) =>
    end.kind === 'done' ? TRY_AGAIN.includes(end.value) : fault.startsWith(end.kind);
  const worldId = worldIdOf(merchant, 'test');
  const { plansOf, tryOne } = await workshop.trials({ worldId, request, isOnce: true, mayEndWith });
  const plans = plansOf(FAULTS);
  for (const plan of plans) {
    await tryOne(plan);
  }
  task.meta.figures = { 'creating a seeded world: faults, each survived': plans.length };
});

test('an endpoint of a created world takes one slot, whatever its request meets', async ({ task }) => {
  const { connect, api } = await newOwner();
  const { id, key } = await createWorld(api);
  const own = connect(key);
  const body = { url: 'https://shop.example.com/webhooks', events: ['payment_link.overpaid'] };
  const { json } = await own(operations.createWebhookEndpoint, { body });
  await own(operations.updateWebhookEndpoint, { params: { id: json.id }, body: { enabled: false } });
  const requests = [
    () => own(operations.createWebhookEndpoint, { body, idempotencyKey: 'k' }),
    () =>
      own(operations.updateWebhookEndpoint, {
        params: { id: json.id },
        body: { enabled: true },
        idempotencyKey: 'k',
      }),
  ];
  let tried = 0;
  for (const send of requests) {
    const request = async () => {
      const { status, text, problem } = await send();
      return status < 300 ? `${status} ${text}` : `${status} ${problem.code}`;
    };
    const mayEndWith = (end: End<string>, fault: Fault) =>
      end.kind === 'done' ? TRY_AGAIN.includes(end.value) : fault.startsWith(end.kind);
    const worldId = createdWorldIdOf(id);
    const { plansOf, tryOne } = await workshop.trials({ worldId, request, isOnce: true, mayEndWith });
    for (const plan of plansOf(FAULTS)) {
      await tryOne(plan);
      tried += 1;
    }
  }
  task.meta.figures = { 'an endpoint of a created world: faults, each survived': tried };
});

test('a world whose time is over ends once though its runner crashes or the store fails', async ({
  task,
}) => {
  const { api, connect } = await newOwner();
  const { id, key } = await createWorld(api, { ttl_minutes: TTL_MINUTES });
  await createPayment(connect(key));
  await connect(key)(operations.createWebhookSink);
  const worldId = createdWorldIdOf(id);
  passTime(TTL_MINUTES * MINUTE_MS);
  const request = async () => {
    for (let run = 1; run <= RUNS; run += 1) {
      await runner(await workOf(worldId));
    }
    return 'done';
  };
  const mayEndWith = ({ kind }: End<string>) => kind === 'killed' || kind === 'threw';
  const { plansOf, tryOne } = await workshop.trials({ worldId, request, isOnce: true, mayEndWith });
  const plans = plansOf(FAULTS);
  for (const plan of plans) {
    await tryOne(plan);
  }
  const left = (await scanTable({ pkBegins: `${worldId}.` })).filter(({ sk }) => sk === 'PAYMENT');
  expect(left).toEqual([]);
  task.meta.figures = { 'ending a world: faults, each survived': plans.length };
});
