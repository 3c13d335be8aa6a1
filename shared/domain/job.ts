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

type OtherJob =
  | { readonly kind: 'apply-simulation'; readonly event: ProviderEvent }
  | {
      readonly kind: 'delete-epoch';
      readonly purge: Purge;
      /** The endpoints of the ended epoch: once they are deleted, only these ids lead to their deliveries. */
      readonly endpointIds: readonly string[];
      /** Set when all is deleted: the real time of one last look for late writes. */
      readonly againFromMs?: number;
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
  | { readonly kind: 'delete-endpoint'; readonly endpointId: string };
export type JobKind = Job['kind'];

export type JobOf<Kind extends JobKind> = Extract<Job, { kind: Kind }>;

/** By kind, the id that a job is about. */
const SUBJECTS: { readonly [Kind in JobKind]: (job: JobOf<Kind>) => string } = {
  'expire-payment': ({ paymentId }) => paymentId,
  'approve-refund': ({ refundId }) => refundId,
  'send-refund': ({ refundId }) => refundId,
  'look-up-payment': ({ paymentId }) => paymentId,
  'look-up-refund': ({ refundId }) => refundId,
  'stop-attempt': ({ sent }) => sent.paymentId,
  'apply-simulation': ({ event }) => event.targetId,
  'deliver-event': ({ resourceId }) => resourceId,
  'delete-epoch': ({ purge }) => purge.actionId,
  'recover-events': ({ endpointId }) => endpointId,
  'delete-endpoint': ({ endpointId }) => endpointId,
};

/** Every kind: one without a subject does not compile. */
export const JOB_KINDS = Object.keys(SUBJECTS) as readonly JobKind[];

/** The id that a job is about: jobs with the same subject never run side by side. */
export function subjectOf(job: Job): string {
  return (SUBJECTS[job.kind] as (job: Job) => string)(job);
}
