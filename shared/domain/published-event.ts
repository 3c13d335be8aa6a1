import type { SpanContext } from '@opentelemetry/api';

/** An event that has left the outbox: it has its sequence number, and its body never changes again. */
export interface PublishedEvent {
  readonly id: string;
  readonly type: string;
  readonly resourceId: string;
  readonly sequence: number;
  /** The sequence number of the first event of its commit, which is the key of both in the event log. */
  readonly firstSequence: number;
  /** JSON: the exact text that is sent, signed and shown. */
  readonly body: string;
  /** The trace of its commit, without the state; not known of events that were stored without it. */
  readonly trace?: SpanContext;
}
