import type { ProviderEvent } from './provider-event.ts';
import type { ResourceJob } from './resource-change.ts';
import type { Purge } from './testkit/purge.ts';

/** The numbers of events, the first and the last of them. */
export type SequenceRange = readonly [first: number, last: number];

/**
 * Work that is due at an instant on the merchant's clock. It is committed together with the change that causes it,
 * so it can be neither lost nor run for a change that never happened.
 */
export type Job =
  | ResourceJob
  | { readonly kind: 'apply-simulation'; readonly dueAtMs: number; readonly event: ProviderEvent }
  | {
      readonly kind: 'delete-epoch';
      readonly dueAtMs: number;
      readonly purge: Purge;
      /** The receivers of the ended epoch: once they are deleted, only these ids lead to their deliveries. */
      readonly endpointIds: readonly string[];
      /** Set when all is deleted: the real time of one last look for late writes. */
      readonly againFromMs?: number;
    }
  | {
      readonly kind: 'deliver-event';
      readonly dueAtMs: number;
      readonly eventId: string;
      readonly resourceId: string;
      readonly endpointId: string;
      /** The first one is made by who publishes the event, and waits only where the receiver is slow. */
      readonly attempt: number;
      /** Requested by hand: no attempt follows, whatever the receiver answers. */
      readonly isRedelivery?: true;
      /** Missed before, and to be sent again since then. */
      readonly recoveredAtMs?: number;
      /** Sequence number of the event: deliveries that are due at the same time go out in this order. */
      readonly sequence: number;
    }
  /** Queues what an endpoint has missed, a part at a time. */
  | {
      readonly kind: 'recover-events';
      readonly dueAtMs: number;
      readonly endpointId: string;
      /** Sequence numbers, first and last, between which it has taken nothing that it asks for: what is left to queue. */
      readonly ranges: readonly SequenceRange[];
    }
  /** Deletes what is left of an endpoint that was deleted: what waits for it, and its log. */
  | { readonly kind: 'delete-endpoint'; readonly dueAtMs: number; readonly endpointId: string };
export type JobKind = Job['kind'];

export const JOB_KINDS: readonly JobKind[] = [
  'expire-payment',
  'approve-refund',
  'send-refund',
  'look-up-payment',
  'look-up-refund',
  'stop-attempt',
  'apply-simulation',
  'deliver-event',
  'delete-epoch',
  'recover-events',
  'delete-endpoint',
];

/** The id that a job is about: jobs with the same subject share a partition, and never run side by side. */
export function subjectOf(job: Job): string {
  switch (job.kind) {
    case 'expire-payment':
    case 'look-up-payment':
      return job.paymentId;
    case 'stop-attempt':
      return job.sent.paymentId;
    case 'approve-refund':
    case 'send-refund':
    case 'look-up-refund':
      return job.refundId;
    case 'apply-simulation':
      return job.event.targetId;
    case 'deliver-event':
      return job.resourceId;
    case 'delete-epoch':
      return job.purge.actionId;
    case 'recover-events':
    case 'delete-endpoint':
      return job.endpointId;
  }
}
