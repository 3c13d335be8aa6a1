import { expect, test } from 'vitest';
import type { EventView } from '../../shared/contract/events.ts';
import type { EventAttempt, StoryReads } from '../../shared/story/story.ts';
import { traceTrees } from '../../shared/story/trace-tree.ts';
import { VIEWS } from '../support/tools/views.ts';

const CREATED = '1'.repeat(32);
const AGAIN = '2'.repeat(32);
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 2, 3, minutes)).toISOString();

const PAYMENT = {
  ...VIEWS.payment,
  id: 'pay_1',
  status: 'expired',
  status_history: [
    { status: 'created', at: at(0) },
    { status: 'expired', at: at(15) },
  ],
} as StoryReads['resource'];

function eventOf(type: string, sequence: number, minutes: number, request: string | null): EventView {
  return {
    ...{
      id: `evt_${sequence}`,
      type,
      sequence,
      timestamp: at(minutes),
      mode: 'test',
      api_version: '2026-11-01',
    },
    data: { object: PAYMENT, previous_status: null },
    request: { id: request, idempotency_key: null },
  } as EventView;
}

function attemptOf(event: string, attempt: number, traceId: string, changes: Partial<EventAttempt> = {}) {
  return {
    ...{ id: `dlv_${event}_${attempt}`, event_id: event, endpoint_id: 'whe_1', sink_id: null, attempt },
    ...{
      status: 'failed',
      body: '{}',
      answered_status: 503,
      answered_body: null,
      failure: null,
      duration_ms: 5,
    },
    request_headers: { traceparent: `00-${traceId}-${'3'.repeat(16)}-01` },
    attempted_at: at(attempt),
    next_attempt_at: null,
    ...changes,
  } as EventAttempt;
}

const REQUEST: StoryReads['requests'][number] = {
  ...{ id: 'req_1', at: at(0), method: 'POST', path: '/api/v1/payments', status: 201, trace_id: CREATED },
  ...{ operation: 'payments.CreatePayment', code: null, duration_ms: 9, key_id: 'key_1', replayed: false },
  ...{ idempotency_key: null, request_body: null, response_body: null },
};

function readsOf(changes: Partial<StoryReads>): StoryReads {
  const nothing = {
    refunds: [],
    deliveries: [],
    requests: [],
    endpoints: null,
    settlements: [],
    payouts: [],
  };
  return { resource: PAYMENT, ...nothing, events: [], ...changes };
}

test('a trace leads from a request to its events, their attempts, and what its jobs did later', () => {
  const [tree, ...others] = traceTrees(
    readsOf({
      events: [eventOf('payment.expired', 2, 15, null), eventOf('payment.created', 1, 0, 'req_1')],
      deliveries: [
        attemptOf('evt_2', 1, CREATED, { attempted_at: at(15), next_attempt_at: at(20) }),
        attemptOf('evt_1', 2, CREATED, { attempted_at: at(5), answered_status: 204 }),
        attemptOf('evt_1', 1, CREATED, { next_attempt_at: at(5) }),
      ],
      requests: [REQUEST],
    }),
  );
  expect(others).toEqual([]);
  expect(tree?.traceId).toBe(CREATED);
  expect(
    tree?.causes.map(({ request, events }) => [request?.id, events.map(({ event }) => event.type)]),
  ).toEqual([
    ['req_1', ['payment.created']],
    [undefined, ['payment.expired']],
  ]);
  const [created, expired] = tree?.causes.flatMap(({ events }) => events) ?? [];
  expect(created?.attempts.map(({ attempt }) => attempt.attempt)).toEqual([1, 2]);
  // The second attempt has been made; that of the expiry waits.
  expect([created?.nextAttemptAt, expired?.nextAttemptAt]).toEqual([null, at(20)]);
});

test('an attempt that is made again by hand stays with its event, and names its own trace', () => {
  const [tree] = traceTrees(
    readsOf({
      events: [eventOf('payment.created', 1, 0, 'req_1')],
      deliveries: [
        attemptOf('evt_1', 1, AGAIN, { attempted_at: at(9), id: 'dlv_again' }),
        attemptOf('evt_1', 1, CREATED),
      ],
    }),
  );
  const attempts = tree?.causes[0]?.events[0]?.attempts ?? [];
  expect([tree?.traceId, attempts.map(({ otherTraceId }) => otherTraceId)]).toEqual([CREATED, [null, AGAIN]]);
});

test('events without a delivery have the trace of their logged request; else none is known', () => {
  const events = [eventOf('payment.created', 1, 0, 'req_1')];
  expect(traceTrees(readsOf({ events, requests: [REQUEST] })).map(({ traceId }) => traceId)).toEqual([
    CREATED,
  ]);
  expect(traceTrees(readsOf({ events })).map(({ traceId }) => traceId)).toEqual([null]);
});
