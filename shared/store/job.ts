import { newId } from '../domain/id.ts';
import type { Job } from '../domain/job.ts';
import type { World } from '../domain/world.ts';
import type { Change } from './commit.ts';
import { insert } from './item.ts';
import { dueIndex, jobKey } from './keys.ts';

/** Queues a job, in the same transaction as the change that causes it. */
export function insertJob(world: World, job: Job): Change {
  const id = newId('job', job.dueAtMs);
  const { aboutId, version } = subjectOf(job);
  return insert({
    ...jobKey(world, aboutId, job.dueAtMs, version, id),
    ...dueIndex(world, aboutId, job.dueAtMs),
    id,
    kind: job.kind,
    worldId: world.id,
    epoch: world.epoch,
    dueAtMs: job.dueAtMs,
    // As text: the resource inside an event must keep the order of its fields.
    job: JSON.stringify(job),
  });
}

function subjectOf(job: Job): { aboutId: string; version: number } {
  switch (job.kind) {
    case 'expire-payment':
      return { aboutId: job.paymentId, version: 0 };
    case 'approve-refund':
      return { aboutId: job.refundId, version: 0 };
    case 'publish-event':
      return { aboutId: job.event.resourceId, version: job.event.resourceVersion };
  }
}
