import { newId } from '../domain/id.ts';
import { JOB_KINDS, type Job, subjectOf } from '../domain/job.ts';
import type { World } from '../domain/world.ts';
import type { Write } from './commit.ts';
import { type Item, insert } from './item.ts';
import { dueIndex, jobKey, type Key } from './keys.ts';

/** A job in the queue. */
export interface WaitingJob {
  readonly key: Key;
  readonly job: Job;
  /** How often it was tried and failed. */
  readonly failures: number;
}

/** Queues a job, in the transaction of the change that causes it. */
export function insertJob(world: World, job: Job, failures = 0): Write {
  const id = newId('job', job.dueAtMs);
  const about = subjectOf(job);
  return insert({
    ...jobKey(world, about, job.dueAtMs, orderOf(job), id),
    ...dueIndex(world, about, job.dueAtMs),
    id,
    kind: job.kind,
    worldId: world.id,
    failures,
    // As JSON text, so that the resource inside an event keeps the order of its fields.
    job: JSON.stringify(job),
  });
}

/** The jobs that a commit queues, so that a runner can run them without reading them back. */
export function jobsIn(changes: readonly Write[]): WaitingJob[] {
  return changes.flatMap((change) =>
    'put' in change && isJob(change.put.item) ? [toWaitingJob(change.put.item)] : [],
  );
}

/**
 * @throws SyntaxError for a job that cannot be parsed or has an unknown kind: the runner parks it
 */
export function toWaitingJob(item: Item): WaitingJob {
  const { pk, sk, failures } = item;
  const job = JSON.parse(String(item.job)) as Job;
  if (!JOB_KINDS.includes(job.kind)) {
    throw new SyntaxError('unknown kind of job');
  }
  return {
    key: { pk: String(pk), sk: String(sk) },
    job,
    failures: Number(failures ?? 0),
  };
}

function isJob(item: Item): boolean {
  return 'job' in item && 'kind' in item;
}

/** The order of jobs with the same due time: events by the version of their resource, deliveries by sequence. */
function orderOf(job: Job): number {
  switch (job.kind) {
    case 'publish-event':
      return job.event.resourceVersion;
    case 'deliver-event':
      return job.sequence;
    default:
      return 0;
  }
}
