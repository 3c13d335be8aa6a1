import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startBus } from '../../infra/local/bus.ts';
import { createTable, startStore } from '../../infra/local/store.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { newId } from '../../shared/domain/id.ts';
import type { World } from '../../shared/domain/world.ts';
import { VARIABLES } from '../../shared/environment/variables.ts';
import { interceptCalls } from '../../shared/store/table/aws-client.ts';
import type { TableInput } from '../../shared/store/table/client.ts';
import { METRICS, METRICS_NAMESPACE, type MetricName } from '../../shared/telemetry/metrics.ts';
import { anEndpoint, aWorld } from '../support/world/entities.ts';

const STACK = 'payments-test';
const TABLE = 'workers';
/** The last attempt of a delivery (contract §10). */
const LAST_ATTEMPT = 8;
/** No server listens there. */
const DEAF_URL = 'http://127.0.0.1:9';
const TIMEOUT_MS = 60_000;

Object.assign(process.env, {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});
/** A store of its own, for the shared one has the jobs of other tests. */
const store = await startStore(null);
await createTable(store.endpoint, TABLE);
const events: { worldId: string; pks: string[] }[] = [];
const bus = await startBus('workers', (event) => events.push(event.detail as (typeof events)[number]));
Object.assign(process.env, {
  AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
  AWS_ENDPOINT_URL_EVENTBRIDGE: bus.endpoint,
  TABLE_NAME: TABLE,
  [VARIABLES.baseUrl]: DEAF_URL,
  [VARIABLES.busName]: 'workers',
  [VARIABLES.serviceName]: STACK,
  POWERTOOLS_LOG_LEVEL: 'SILENT',
});
// After the environment is set, for clients and metrics read it.
const { handler: clockTick } = await import('../../functions/workers/clock-tick.ts');
const tick = () => clockTick(null, {} as Context);
const { handler: runDeliveries } = await import('../../functions/workers/deliverer.ts');
const { handler: runLiveJobs } = await import('../../functions/workers/live-job-runner.ts');
const { handler: runJobs } = await import('../../functions/workers/job-runner.ts');
const { callTable, dynamodb } = await import('../../shared/store/table/client.ts');
const { commit } = await import('../../shared/store/table/commit.ts');
const { insertJob } = await import('../../shared/store/scheduler/job.ts');
const { jobPkOf, jobPks, queuePk, worldKey } = await import('../../shared/store/table/keys.ts');
const { writeEndpoint } = await import('../../shared/store/events/endpoint.ts');
const { insertEvents } = await import('../../shared/store/events/event-log.ts');
const { newWorldItem } = await import('../../shared/store/worlds/world.ts');

afterAll(async () => {
  bus.stop();
  await store.stop();
});

/** The metrics that CloudWatch reads from the lines that an action writes. */
async function reportedBy(act: () => Promise<void>) {
  const lines: string[] = [];
  const written = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  try {
    await act();
  } finally {
    written.mockRestore();
  }
  return lines.filter((line) => line.includes('_aws')).map((line) => JSON.parse(line));
}

function aRunner(remainingMs = TIMEOUT_MS): Context {
  return { getRemainingTimeInMillis: () => remainingMs } as Context;
}

/** A message of the bus to a worker. */
function wokenBy<Event>(detail: { worldId: string; pks?: readonly string[] }): Event {
  return { detail } as Event;
}

async function aStoredWorld(merchant: string, mode: World['mode'] = 'test') {
  const world = aWorld({ id: `wld-${merchant}`, merchant, mode });
  await callTable('PutItem', { Item: { ...worldKey(world.id), ...newWorldItem(world) } });
  return world;
}

function namesOf(line: { _aws: { CloudWatchMetrics: { Metrics: { Name: MetricName; Unit: string }[] }[] } }) {
  return line._aws.CloudWatchMetrics.flatMap(({ Metrics }) => Metrics);
}

describe('the clock reports', () => {
  test('how long the oldest job has waited, and no delay if nothing is due', { tags: 'slow' }, async () => {
    const [idle] = await reportedBy(() => tick());
    expect(idle).toMatchObject({ OldestDueJobAge: 0, DueWorlds: 0 });

    const [one, other] = await Promise.all([aStoredWorld('one'), aStoredWorld('other')]);
    const nowMs = Date.now();
    await commit([
      insertJob(one, { kind: 'expire-payment', paymentId: 'pay_a', dueAtMs: nowMs - 90 * SECOND_MS }),
      insertJob(one, { kind: 'expire-payment', paymentId: 'pay_b', dueAtMs: nowMs - 30 * SECOND_MS }),
      insertJob(other, { kind: 'expire-payment', paymentId: 'pay_c', dueAtMs: nowMs - 60 * SECOND_MS }),
      insertJob(other, { kind: 'expire-payment', paymentId: 'pay_d', dueAtMs: nowMs + 60 * SECOND_MS }),
    ]);
    const [late] = await reportedBy(() => tick());
    expect(late.DueWorlds).toBe(2);
    expect(late.OldestDueJobAge).toBeGreaterThanOrEqual(90);
    expect(late.OldestDueJobAge).toBeLessThanOrEqual(90 + (Date.now() - nowMs) / SECOND_MS);
    await sleep(0);
    const pksOf = (world: World, ...ids: string[]) => ids.map((id) => jobPkOf(world, id));
    const named = Object.fromEntries(events.map(({ worldId, pks }) => [worldId, pks.toSorted()]));
    expect(named).toEqual({
      [one.id]: [...new Set(pksOf(one, 'pay_a', 'pay_b'))].toSorted(),
      [other.id]: pksOf(other, 'pay_c'),
    });
  });
});

describe('the job runner reports', () => {
  test('how many jobs it ran, how many it parked, and how many deliveries were exhausted', {
    tags: 'slow',
  }, async () => {
    const world = await aStoredWorld('busy');
    const nowMs = Date.now();
    const after = anEndpoint({ id: newId('snk', nowMs) });
    const stored = { id: newId('evt', nowMs, 1), type: 'payment.created', resourceId: 'pay_x', sequence: 1 };
    const body = JSON.stringify({ ...stored, data: { object: { id: stored.resourceId } } });
    const unreadable = insertJob(world, { kind: 'expire-payment', paymentId: 'pay_z', dueAtMs: nowMs });
    await commit([
      writeEndpoint(world, { before: null, after }),
      insertEvents(world, [{ ...stored, firstSequence: 1, body }], Date.now()),
      insertJob(world, { kind: 'expire-payment', paymentId: 'pay_y', dueAtMs: nowMs }),
      ...[1, LAST_ATTEMPT].map((attempt) =>
        insertJob(world, {
          kind: 'deliver-event',
          eventId: stored.id,
          endpointId: after.id,
          resourceId: stored.resourceId,
          sequence: stored.sequence,
          dueAtMs: nowMs - attempt,
          attempt,
        }),
      ),
    ]);
    const { item } = 'put' in unreadable ? unreadable.put : { item: {} };
    await callTable('PutItem', { Item: { ...item, job: '{not json' } });

    const whole = { worldId: world.id };
    const [line, ...others] = await reportedBy(() => runJobs(wokenBy(whole), aRunner()));
    expect(others).toEqual([]);
    expect(line).toMatchObject({ JobsRun: 1, JobsParked: 1, DeliveriesExhausted: 0 });
    const [again] = await reportedBy(() => runJobs(wokenBy(whole), aRunner()));
    expect(again).toMatchObject({ JobsRun: 0, JobsParked: 0, DeliveriesExhausted: 0 });

    const detail = { worldId: world.id, pks: [queuePk(world, after.id)] };
    const message = { Records: [{ body: JSON.stringify({ detail }) }] } as Parameters<
      typeof runDeliveries
    >[0];
    const [made] = await reportedBy(() => runDeliveries(message, aRunner()));
    expect(made).toMatchObject({ JobsRun: 2, JobsParked: 0, DeliveriesExhausted: 1 });
  });

  test('no delivery: it emits due deliveries on the bus, and the deliverer makes them', async () => {
    const world = await aStoredWorld('waiting');
    const pk = queuePk(world, 'whe_1');
    const Records = [{ dynamodb: { Keys: { pk: { S: pk } } } }];
    const [line] = await reportedBy(() => runJobs({ Records }, aRunner()));
    expect(line).toMatchObject({ JobsRun: 0 });
    await expect.poll(() => events).toContainEqual({ worldId: world.id, pks: [pk] });
  });

  test('what it did even if it fails after that', async () => {
    const [well, ill] = await Promise.all([aStoredWorld('well'), aStoredWorld('ill')]);
    await commit([
      insertJob(well, { kind: 'expire-payment', paymentId: 'pay_w', dueAtMs: Date.now() - SECOND_MS }),
    ]);
    // A world that cannot be read: its run fails at once.
    const { pk } = worldKey(ill.id);
    const stop = interceptCalls(dynamodb, async (call, next) => {
      const { Key }: Partial<TableInput<'GetItem'>> = call.input;
      if (call.step === 'read world' && Key?.pk === pk) {
        throw new Error('the store is away');
      }
      return next();
    });
    onTestFinished(stop);
    const pks = [well, ill].flatMap(jobPks);
    const Records = pks.map((pk) => ({ dynamodb: { Keys: { pk: { S: pk } } } }));
    const lines = await reportedBy(() =>
      expect(runJobs({ Records }, aRunner())).rejects.toThrow('job-runner failed: Error'),
    );
    expect(lines).toMatchObject([{ JobsRun: 1 }]);
  });
});

describe('the jobs of a live world', () => {
  const expiry = { kind: 'expire-payment', paymentId: 'pay_l' } as const;

  test('are emitted on the bus by the job runner, and run by the live job runner', async () => {
    const world = await aStoredWorld('live', 'live');
    await commit([insertJob(world, { ...expiry, dueAtMs: Date.now() - SECOND_MS })]);
    const detail = { worldId: world.id, pks: [jobPkOf(world, expiry.paymentId)] };
    const [left] = await reportedBy(() => runJobs(wokenBy(detail), aRunner()));
    expect(left).toMatchObject({ JobsRun: 0 });
    await expect.poll(() => events).toContainEqual(detail);
    const [line] = await reportedBy(() => runLiveJobs(wokenBy(detail), aRunner()));
    expect(line).toMatchObject({ JobsRun: 1, JobsParked: 0 });
    const [again] = await reportedBy(() => runLiveJobs(wokenBy(detail), aRunner()));
    expect(again).toMatchObject({ JobsRun: 0 });
  });

  test('are all that the live job runner runs: no test-mode job and no delivery', async () => {
    const [live, inTest] = await Promise.all([aStoredWorld('calm', 'live'), aStoredWorld('tested')]);
    await commit([insertJob(inTest, { ...expiry, dueAtMs: Date.now() - SECOND_MS })]);
    const ofTest = { worldId: inTest.id, pks: jobPks(inTest) };
    const calls = [
      ofTest,
      { worldId: live.id, pks: [queuePk(live, 'whe_1'), ...jobPks(inTest)] },
      { worldId: 'wld-nobody', pks: ['x'] },
    ];
    for (const detail of calls) {
      expect(await reportedBy(() => runLiveJobs(wokenBy(detail), aRunner()))).toMatchObject([{ JobsRun: 0 }]);
    }
    expect(await reportedBy(() => runJobs(wokenBy(ofTest), aRunner()))).toMatchObject([{ JobsRun: 1 }]);
  });
});

test('metrics have one namespace, the declared units, and no dimension but the stack', async () => {
  const lines = await reportedBy(async () => {
    await tick();
    await runJobs(wokenBy({ worldId: 'wld-busy' }), aRunner());
  });
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line._aws.CloudWatchMetrics).toMatchObject([
      { Namespace: METRICS_NAMESPACE, Dimensions: [['service']] },
    ]);
    expect(line.service).toBe(STACK);
    expect(Object.keys(line).toSorted()).toEqual(
      ['_aws', 'service', ...namesOf(line).map(({ Name }) => Name)].toSorted(),
    );
  }
  const declared = Object.entries(METRICS).map(([Name, Unit]) => ({ Name, Unit }));
  expect(lines.flatMap(namesOf)).toEqual(declared);
});
