import { type EventAttempt, past, type StoryEntry, type StoryReads } from './story.ts';

/** An event of a trace, with the attempts to deliver it, oldest first. */
interface TracedEvent {
  readonly event: StoryReads['events'][number];
  readonly attempts: readonly TracedAttempt[];
  /** When the job that tries again is due; null where none waits. */
  readonly nextAttemptAt: string | null;
}

interface TracedAttempt {
  readonly attempt: EventAttempt;
  /** The trace of the request that asked for it again; null where it is that of the event. */
  readonly otherTraceId: string | null;
}

/** What one request did, or a job: an event without a request is of a job. */
interface TracedCause {
  readonly requestId: string | null;
  /** Null where it is not in the log. */
  readonly request: StoryEntry['request'];
  readonly events: readonly TracedEvent[];
}

/** What belongs to one trace, in the order of time. */
export interface TraceTree {
  /** Null where it is not known: nothing was sent, and the request is not in the log. */
  readonly traceId: string | null;
  readonly causes: readonly TracedCause[];
}

/** A story by its traces: from each request to its events, to the attempts to deliver them, and to what its jobs did. */
export function traceTrees(reads: StoryReads): TraceTree[] {
  const entries = past(reads).filter((entry) => entry.event !== null);
  const byTrace = Map.groupBy(entries, traceIdOf);
  return [...byTrace].map(([traceId, its]) => ({ traceId, causes: causesOf(its, traceId) }));
}

function traceIdOf({ attempts, request }: StoryEntry): string | null {
  const [first] = inOrder(attempts);
  return (first && sentTraceId(first)) ?? request?.trace_id ?? null;
}

function sentTraceId({ request_headers: { traceparent } }: EventAttempt): string | null {
  return traceparent?.split('-')[1] ?? null;
}

function inOrder(attempts: readonly EventAttempt[]): EventAttempt[] {
  return attempts.toSorted((one, other) => Date.parse(one.attempted_at) - Date.parse(other.attempted_at));
}

function causesOf(entries: readonly StoryEntry[], traceId: string | null): TracedCause[] {
  const byRequest = Map.groupBy(entries, ({ event }) => event?.request.id ?? null);
  return [...byRequest].map(([requestId, its]) => ({
    requestId,
    request: its[0]?.request ?? null,
    events: its.flatMap(({ event, attempts }) =>
      event === null ? [] : tracedEvent(event, attempts, traceId),
    ),
  }));
}

function tracedEvent(
  event: StoryReads['events'][number],
  attempts: readonly EventAttempt[],
  traceId: string | null,
): TracedEvent {
  const made = inOrder(attempts);
  const numbers = new Set(made.map((one) => keyOf(one)));
  const waiting = made.find((one) => one.next_attempt_at !== null && !numbers.has(keyOf(one, 1)));
  return {
    event,
    attempts: made.map((attempt) => {
      const sent = sentTraceId(attempt);
      return { attempt, otherTraceId: sent === traceId ? null : sent };
    }),
    nextAttemptAt: waiting?.next_attempt_at ?? null,
  };
}

/** The place of an attempt, or of a later one, in the schedule of its receiver. */
function keyOf({ endpoint_id: endpoint, sink_id: sink, attempt }: EventAttempt, later = 0): string {
  return `${endpoint ?? sink} ${attempt + later}`;
}
