import type { ProviderEvent } from './provider-event.ts';
import type { ResourceJob } from './resource-change.ts';
import type { Purge } from './testkit/purge.ts';

/** A range of sequence numbers of events, both ends included. */
export type SequenceRange = readonly [first: number, last: number];

/**
 * Work that is due at an instant on the merchant's clock. It is committed together with the change that causes it,
 * so it can be neither lost nor run for a change that never happened.
 */
export type Job = ResourceJob | (OtherJob & { readonly dueAtMs: number });

/** Set when all is deleted: the real time of one last look for late writes. */
type LastPass = number;

type OtherJob =
  | { readonly kind: 'apply-simulation'; readonly event: ProviderEvent }
  | {
      readonly kind: 'delete-epoch';
      readonly purge: Purge;
      /** The endpoints of the ended epoch: once they are deleted, only these ids lead to their deliveries. */
      readonly endpointIds: readonly string[];
      readonly lastPassFromMs?: LastPass;
    }
  | {
      readonly kind: 'deliver-event';
      readonly eventId: string;
      readonly resourceId: string;
      readonly endpointId: string;
      /** The dispatcher makes the first attempt itself, and queues it only if the endpoint is slow or has a backlog. */
      readonly attempt: number;
      /** Requested by hand: no attempt follows, whatever the response. */
      readonly isRedelivery?: true;
      /** When the recovery of this missed event was requested. */
      readonly recoveredAtMs?: number;
      /** Sequence number of the event: deliveries that are due at the same time go out in this order. */
      readonly sequence: number;
    }
  /** Queues the events that an endpoint has missed, a part at a time. */
  | {
      readonly kind: 'recover-events';
      readonly endpointId: string;
      /** What is left to queue: ranges in which the endpoint has accepted none of the events that it subscribes to. */
      readonly ranges: readonly SequenceRange[];
    }
  /** Deletes what a deleted endpoint leaves: its queue and its delivery log. */
  | { readonly kind: 'delete-endpoint'; readonly endpointId: string; readonly lastPassFromMs?: LastPass };
export type JobKind = Job['kind'];

export type JobOf<Kind extends JobKind> = Extract<Job, { kind: Kind }>;

interface JobRow<Kind extends JobKind> {
  /** The id that a job is about. */
  readonly subject: (job: JobOf<Kind>) => string;
  /** Does not change for a job that is queued once: a change that supersedes it finds it. Null: each is a new one. */
  readonly uniqueId: (job: JobOf<Kind>) => string | null;
}

/** Every kind: one without a row does not compile. */
const JOBS: { readonly [Kind in JobKind]: JobRow<Kind> } = {
  'expire-payment': oneOf(({ paymentId }) => paymentId),
  'approve-refund': oneOf(({ refundId }) => refundId),
  'send-refund': oneOf(({ refundId }) => refundId),
  'look-up-payment': oneOf(({ paymentId }) => paymentId),
  'look-up-refund': oneOf(({ refundId }) => refundId),
  'stop-attempt': oneOf(({ sent }) => sent.paymentId),
  'apply-simulation': anyOf(({ event }) => event.targetId),
  'deliver-event': {
    subject: ({ resourceId }) => resourceId,
    uniqueId: ({ isRedelivery, eventId, attempt }) => (isRedelivery ? null : `${eventId}#${attempt}`),
  },
  'delete-epoch': anyOf(({ purge }) => purge.actionId),
  'recover-events': anyOf(({ endpointId }) => endpointId),
  'delete-endpoint': anyOf(({ endpointId }) => endpointId),
};

export const JOB_KINDS = Object.keys(JOBS) as readonly JobKind[];

/**
 * The service's own jobs, which delete what no one can reach any more. A merchant neither waits for them nor sees them: a
 * move of the clock leaves them to the runner, and no count of jobs has them.
 */
export const OWN_JOBS: readonly JobKind[] = ['delete-epoch', 'delete-endpoint'];

/** The id that a job is about: jobs with the same subject never run side by side. */
export function subjectOf(job: Job): string {
  return rowOf(job).subject(job);
}

/** What identifies a job in the queue; null if there may be any number like it. */
export function uniqueIdOf(job: Job): string | null {
  return rowOf(job).uniqueId(job);
}

function rowOf(job: Job): JobRow<JobKind> {
  return JOBS[job.kind] as JobRow<JobKind>;
}

/** At most one of its kind waits for a subject. */
function oneOf<Kind extends JobKind>(subject: JobRow<Kind>['subject']): JobRow<Kind> {
  return { subject, uniqueId: (job) => `${job.kind}#${subject(job)}` };
}

/** Any number of its kind may wait for a subject. */
function anyOf<Kind extends JobKind>(subject: JobRow<Kind>['subject']): JobRow<Kind> {
  return { subject, uniqueId: () => null };
}
