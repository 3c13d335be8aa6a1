import { setTimeout as sleep } from 'node:timers/promises';
import { type World, worldNow } from '../../../shared/domain/world.ts';
import { baseUrl } from '../../support/world/merchant.ts';
import { worldOf } from '../../support/world/resources.ts';

const { callTable } = await import('../../../shared/store/table/client.ts');
const { jobPks } = await import('../../../shared/store/table/keys.ts');
const { savedResponseKey } = await import('../../../shared/store/requests/claim.ts');
const { runDueJobs } = await import('../../../shared/flows/jobs/runs.ts');

const PAST_MS = 1;
const PAUSE_MS = 10;
const RUNNER_SLEEPS_MS = 120;
const RUNNER_WORKS_MS = 5_000;

/** Ends the claim of the running request of an Idempotency-Key, as if it had been too slow: a duplicate may take over. */
export async function endClaim(world: World, idempotencyKey: string): Promise<void> {
  await callTable('UpdateItem', {
    Key: savedResponseKey(world, idempotencyKey),
    UpdateExpression: 'SET leaseEndsAtMs = :past',
    ConditionExpression: '#status = :held',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':past': PAST_MS, ':held': 'INPROGRESS' },
  });
}

/**
 * Lets runners that slept after they read the world, and lost their lease meanwhile, run its jobs beside the others.
 * @returns how many did
 */
export async function runLateWhile(merchant: string, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const stop = () => {
    isDone = true;
  };
  work.then(stop, stop);
  let runs = 0;
  while (!isDone) {
    runs += (await runLate(merchant)) > 0 ? 1 : 0;
    await sleep(PAUSE_MS);
  }
  return runs;
}

/** @returns how many jobs it ran */
async function runLate(merchant: string): Promise<number> {
  const world = await worldOf(merchant);
  const untilMs = worldNow(world, Date.now());
  await sleep(RUNNER_SLEEPS_MS);
  let jobsRun = 0;
  await runDueJobs(world, {
    baseUrl,
    untilMs,
    deadlineMs: Date.now() + RUNNER_WORKS_MS,
    jobPks: jobPks(world),
    entries: [],
    onDone: (counts) => {
      jobsRun += counts.jobsRun;
    },
  });
  return jobsRun;
}
