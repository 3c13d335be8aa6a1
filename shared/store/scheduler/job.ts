import type { SpanContext } from '@opentelemetry/api';
import { newId } from '../../domain/id.ts';
import { JOB_KINDS, type Job, subjectOf, uniqueIdOf } from '../../domain/job.ts';
import type { World } from '../../domain/world.ts';
import type { Write } from '../table/commit.ts';
import { insert, queryPartition, type StoredItem } from '../table/item.ts';
import { traceAttributes, traceOf } from '../table/item-trace.ts';
import { dueIndex, type JobPk, jobKey, jobPkOf, type Key, queuePk } from '../table/keys.ts';
import { itemsOf } from '../table/write-all.ts';

/** A job in the queue. */
export interface WaitingJob<Own extends Job = Job> {
  readonly key: Key<JobPk>;
  readonly job: Own;
  /** How often it was tried and failed. */
  readonly failures: number;
  /** The trace of the commit that caused it. */
  readonly trace: SpanContext | null;
}

/** Queues a job, in the transaction of the change that causes it. */
export function insertJob(world: World, job: Job, failures = 0): Write {
  const about = subjectOf(job);
  return insert({
    ...keyOfJob(world, job),
    ...dueIndex(world, about, job.dueAtMs - world.clockOffsetMs),
    kind: wakingKindOf(job),
    worldId: world.id,
    failures,
    ...traceAttributes(),
    // As JSON text, so that the resource inside an event keeps the order of its fields.
    job: JSON.stringify(job),
  });
}

/** The jobs that a commit queues, so that a runner can run them without reading them back. */
export function jobsIn(changes: readonly Write[]): WaitingJob[] {
  const jobs = itemsOf(changes).filter((item) => 'job' in item && 'kind' in item);
  return jobs.map(toWaitingJob);
}

/**
 * @throws SyntaxError for a job that cannot be parsed or has an unknown kind: the runner parks it
 */
export function toWaitingJob(item: StoredItem): WaitingJob {
  const { pk, sk, failures } = item;
  const job = JSON.parse(String(item.job)) as Job;
  if (!JOB_KINDS.includes(job.kind)) {
    throw new SyntaxError('unknown kind of job');
  }
  return {
    key: { pk: pk as JobPk, sk: String(sk) },
    job,
    failures: Number(failures ?? 0),
    trace: traceOf(item),
  };
}

/** The jobs that wait in these partitions. */
export async function readJobs(pks: readonly JobPk[]): Promise<Job[]> {
  const shards = await Promise.all(pks.map((pk) => queryPartition(pk, undefined, 'read jobs')));
  const jobs = shards.flat().filter(({ job }) => job !== undefined);
  return jobs.map(({ job }) => JSON.parse(String(job)) as Job);
}

/** The key of a job; for a job of a resource always the same, so that a change that supersedes it finds it. */
export function keyOfJob(world: World, job: Job): Key<JobPk> {
  const about = subjectOf(job);
  const id = uniqueIdOf(job) ?? newId('job', job.dueAtMs);
  // Deliveries that are due at one instant go out in the order of their events.
  return job.kind === 'deliver-event'
    ? jobKey(queuePk(world, job.endpointId), job.dueAtMs, job.sequence, id)
    : jobKey(jobPkOf(world, about), job.dueAtMs, 0, id);
}

/** Deliveries that are due at once have kinds for which the table's stream wakes a runner. */
function wakingKindOf(job: Job): string {
  if (job.kind !== 'deliver-event') {
    return job.kind;
  }
  return job.isRedelivery ? 'redelivery' : job.attempt === 1 ? 'first-attempt' : job.kind;
}
