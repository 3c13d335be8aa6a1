import type { SignatureVerdict } from '../domain/delivery.ts';
import { LOG_OF_PREFIX, type LogId } from './lists.ts';
import type { RowOf } from './operation-id.ts';
import { createReadPlan } from './read-plan.ts';
import type { BodyReader, ReadRequest } from './read-request.ts';
import { readOf } from './read-request.ts';
import type { EventAttempt, StoryReads } from './story.ts';

/** What one receiver got of an event. */
export interface EventReceiver {
  readonly id: string;
  readonly kind: 'endpoint' | 'sink';
  /** Oldest first. */
  readonly attempts: readonly EventAttempt[];
  readonly last: EventAttempt;
}

/** The deliveries of an event as far as they are known, and what is to be read for them. */
export interface EventDeliveries {
  readonly requests: readonly ReadRequest[];
  /** In the order of their first attempts. Null until the first attempts are read. */
  readonly receivers: readonly EventReceiver[] | null;
  /** The attempt that is shown; null if there is none. */
  readonly shown: EventAttempt | null;
  /** Of the attempt that is shown: sinks alone judge signatures. */
  readonly verdict: SignatureVerdict | null;
  readonly endpoints: StoryReads['endpoints'];
  readonly sinks: readonly RowOf<'testkit.ListWebhookSinks'>[];
}

/**
 * Everything that the service says of the deliveries of an event.
 * @param chosenId the attempt to show; by default the last one to a receiver that has not accepted the event, else the newest
 */
export function planEventDeliveries(
  id: string,
  chosenId: string | undefined,
  bodyOf: BodyReader,
): EventDeliveries {
  const { requests, read, newest, pages } = createReadPlan(bodyOf);
  // No event tells of an attempt.
  const request = readOf('webhooks.ListEventDeliveries', { params: { id } }, 'lively');
  const { rows: attempts, isWhole } = pages(request);
  const receivers = isWhole || attempts.length > 0 ? receiversOf(attempts) : null;
  const unaccepted = receivers?.find(({ last }) => last.status !== 'delivered');
  const shown =
    attempts.find((attempt) => attempt.id === chosenId) ?? unaccepted?.last ?? attempts[0] ?? null;
  const verdict = shown === null || shown.sink_id === null ? null : verdictOf(shown.id, shown.sink_id);
  const endpoints = read(readOf('webhooks.ListWebhookEndpoints'))?.data ?? null;
  const sinks = read(readOf('testkit.ListWebhookSinks'))?.data ?? [];
  return { requests, receivers, shown, verdict, endpoints, sinks };

  function verdictOf(attemptId: string, sinkId: string): SignatureVerdict | null {
    const log = newest(readOf('testkit.ListDeliveries', { params: { id: sinkId } }), (rows) =>
      rows.some((row) => row.id === attemptId) ? 'steady' : 'calm',
    );
    return log.find((row) => row.id === attemptId)?.signature_verdict ?? null;
  }
}

function receiversOf(attempts: readonly EventAttempt[]): EventReceiver[] {
  const oldestFirst = attempts.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const byReceiver = Map.groupBy(oldestFirst, ({ endpoint_id, sink_id }) => endpoint_id ?? sink_id ?? '');
  return [...byReceiver].flatMap(([id, own]) => {
    const last = own.at(-1);
    const kind = last?.sink_id === null ? 'endpoint' : 'sink';
    return last === undefined ? [] : [{ id, kind, attempts: own, last }];
  });
}

/** How many receivers have accepted an event, and how many have not so far. */
export interface DeliveryCounts {
  readonly accepted: number;
  readonly failed: number;
}

/** The newest attempts to one receiver. */
interface ReceiverLog {
  readonly rows: readonly RowOf<LogId>[];
  /** Whether there are no older ones. */
  readonly isWhole: boolean;
}

/** The most receivers whose logs are read for a list of events. */
const RECEIVERS_MAX = 8;
const LOG_PAGE = { limit: '100' };

/**
 * What became of the events of a list: the newest attempts to each receiver are read once for all of them.
 * @returns the reads, and the counts of an event: null where they are not known, so that no number is wrong
 */
export function planDeliveryCounts(bodyOf: BodyReader, hasTestKit: boolean) {
  const { requests, read } = createReadPlan(bodyOf);
  const endpoints = read(readOf('webhooks.ListWebhookEndpoints'))?.data ?? null;
  const sinks = hasTestKit ? (read(readOf('testkit.ListWebhookSinks'))?.data ?? null) : [];
  const receivers = endpoints === null || sinks === null ? [] : [...endpoints, ...sinks];
  const logs = receivers.length > RECEIVERS_MAX ? [null] : receivers.map(({ id }) => logOf(id));
  const known = logs.filter((log) => log !== null);
  const countsOf = (event: { readonly id: string; readonly timestamp: string }) =>
    known.length < logs.length ? null : deliveryCounts(event, known);
  return { requests, countsOf };

  function logOf(id: string): ReceiverLog | null {
    const logId = LOG_OF_PREFIX[id.slice(0, id.indexOf('_'))];
    const page = logId && read(readOf(logId, { params: { id }, query: LOG_PAGE }, 'calm'));
    return page ? { rows: page.data, isWhole: page.next_cursor === null } : null;
  }
}

/** Null if a log may have attempts of the event that are older than what is known of it. */
function deliveryCounts(
  { id, timestamp }: { readonly id: string; readonly timestamp: string },
  logs: readonly ReceiverLog[],
): DeliveryCounts | null {
  const isKnown = logs.every(({ rows, isWhole }) => isWhole || (rows.at(-1)?.attempted_at ?? '') < timestamp);
  if (!isKnown) {
    return null;
  }
  const results = logs.flatMap(({ rows }) => {
    const own = rows.filter(({ event_id: eventId }) => eventId === id);
    return own.length === 0 ? [] : [own.some(({ status }) => status === 'delivered')];
  });
  const accepted = results.filter(Boolean).length;
  return results.length === 0 ? null : { accepted, failed: results.length - accepted };
}
