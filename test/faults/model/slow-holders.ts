import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type World, worldNow } from '../../../shared/domain/world.ts';
import { baseUrl } from '../../support/world/merchant.ts';
import { worldOf } from '../../support/world/resources.ts';

const { callTable } = await import('../../../shared/store/table/client.ts');
const { jobPks, claimKey } = await import('../../../shared/store/table/keys.ts');
const { runDueJobs } = await import('../../../shared/flows/jobs/runs.ts');

const PAST_MS = 1;
const PAUSE_MS = 10;
const RUNNER_SLEEPS_MS = 120;
const RUNNER_WORKS_MS = 5_000;

/**
 * Ends the claim of the running request of an Idempotency-Key, as if it had been too slow: a duplicate takes over.
 * @returns whether it ended; false if the work was done before
 */
export async function endClaimWhile(
  world: World,
  idempotencyKey: string,
  work: Promise<unknown>,
): Promise<boolean> {
  // As Powertools names a record.
  const hash = createHash('sha256').update(JSON.stringify(idempotencyKey)).digest('base64');
  const update = {
    Key: claimKey(world, `api#${hash}`),
    UpdateExpression: 'SET leaseEndsAtMs = :past',
    ConditionExpression: '#status = :held',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':past': PAST_MS, ':held': 'INPROGRESS' },
  };
  const end = () =>
    callTable('UpdateItem', update).then(
      () => true,
      (error: Error) => {
        if (error.name !== 'ConditionalCheckFailedException') {
          throw error;
        }
        return false;
      },
    );
  return (await whileItLasts(work, 1, end)) > 0;
}

/**
 * Lets runners that slept after they read the world, and lost their lease meanwhile, run its jobs beside the others.
 * @returns how many did
 */
export function runLateWhile(merchant: string, work: Promise<unknown>): Promise<number> {
  return whileItLasts(work, Number.POSITIVE_INFINITY, async () => {
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
    return jobsRun > 0;
  });
}

/** @returns how often it did something */
async function whileItLasts(
  work: Promise<unknown>,
  timesMax: number,
  act: () => Promise<boolean>,
): Promise<number> {
  let isDone = false;
  const stop = () => {
    isDone = true;
  };
  work.then(stop, stop);
  let times = 0;
  while (!isDone && times < timesMax) {
    times += (await act()) ? 1 : 0;
    await sleep(PAUSE_MS);
  }
  return times;
}
