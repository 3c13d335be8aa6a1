import { expect } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { VIEW } from '../../../shared/contract/views.ts';
import { notificationUrl } from '../../../shared/domain/connection.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { Poster } from '../../../shared/webhooks/poster.ts';
import type { StandIn } from '../stripe/stand-in.ts';
import { clientOf } from './api.ts';
import type { startInProcess } from './in-process.ts';
import { disconnect, newConnected } from './live-merchant.ts';

const { performJob } = await import('../../../shared/flows/jobs/job-effects.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { queryPartition } = await import('../../../shared/store/table/item.ts');
const { jobPks } = await import('../../../shared/store/table/keys.ts');
const { getWorld } = await import('../../../shared/store/worlds/world.ts');
const { writesOf } = await import('../../../shared/store/writes.ts');

const ORDER = {
  amount: { currency: 'THB', minor: 129_900 },
  method: 'promptpay',
  customer: { email: 'payer@example.com' },
} as const;

/** A merchant whose live world is connected to Stripe, and what happens there. @param secretKey if not the valid one */
export async function newLiveWorld(
  stripe: StandIn,
  service: Awaited<ReturnType<typeof startInProcess>>,
  secretKey = stripe.secretKey,
) {
  const secrets = { secret_key: secretKey, webhook_secret: stripe.webhookSecret };
  const { secret, merchant, world, connection, connect } = await newConnected(secrets);
  const api = clientOf(secret, service.baseUrl, service.send);
  const create = (order: object = {}, idempotencyKey: string = crypto.randomUUID()) =>
    api(operations.createPayment, { idempotencyKey, body: { ...ORDER, ...order } });
  const read = async (id: string) => (await api(operations.getPayment, { params: { id } })).json;
  /** The intent of a payment at Stripe. */
  const intentsOf = (id: string) =>
    [...stripe.account.intents.values()].filter(({ metadata }) => metadata.payment_id === id);
  const jobs = async (kind: Job['kind']) => {
    const items = (await Promise.all(jobPks(world).map((pk) => queryPartition(pk)))).flat();
    return items.map(({ job }) => JSON.parse(String(job)) as Job).filter((job) => job.kind === kind);
  };
  /** Runs a job of a kind as if its time had come: by default the newest. */
  const run = async (kind: Job['kind'], one?: Job) => {
    const job = one ?? (await jobs(kind)).toSorted((a, b) => b.dueAtMs - a.dueAtMs)[0];
    expect(job, `a job ${kind}`).toBeDefined();
    return runOne(job as Job);
  };
  /** Runs every job of a kind as if its time had come. */
  const runAll = async (kind: Job['kind']) => {
    for (const job of await jobs(kind)) {
      await runOne(job);
    }
  };
  const runOne = async (job: Job) => {
    const current = await getWorld(world.id);
    const poster = new Poster();
    const { changes } = await performJob(current, job, { baseUrl: service.baseUrl, poster });
    poster.close();
    const writes = writesOf({ world: current }, changes, VIEW);
    if (writes.length > 0) {
      expect((await commit(writes)).kind).toBe('committed');
    }
    return changes;
  };
  const notify = async (event = stripe.account.events.at(-1)) => {
    if (event === undefined) {
      throw new Error('nothing has happened at Stripe');
    }
    const { headers, body } = stripe.notificationOf(event);
    const url = notificationUrl(connection, service.baseUrl);
    return service.send(url, { method: 'POST', headers, body });
  };
  const types = async () => (await api(operations.listEvents)).json.data.map(({ type }) => type).toReversed();
  return {
    secret,
    api,
    merchant,
    world,
    create,
    read,
    intentsOf,
    jobs,
    run,
    runAll,
    notify,
    types,
    connection,
    connect,
    disconnect: () => disconnect(world.id),
  };
}
