import type { RowOf } from './operation-id.ts';
import { createReadPlan } from './read-plan.ts';
import type { BodyReader, Pace, ReadRequest } from './read-request.ts';
import { readOf } from './read-request.ts';
import {
  hasAttemptAhead,
  isA,
  type StoryReads,
  type StoryResource,
  settlementOf,
  succeededAtOf,
} from './story.ts';

/** What is known of a story so far, and what is to be read for it. */
export interface StoryPlan {
  readonly requests: readonly ReadRequest[];
  readonly reads: StoryReads;
}

/** The first attempts to deliver an event are made, and logged, within this time. */
const FRESH_MS = 60_000;
/** No event is later than its request by more than this. */
const REQUEST_MAX_MS = 60_000;

/**
 * Everything that the service says of a payment, a refund or a payment link.
 * @param now on the merchant's clock
 * @param awaited events that were sent again, each with the attempts that there were before
 */
export function planStory(
  resource: StoryResource,
  bodyOf: BodyReader,
  now: Date,
  awaited: ReadonlyMap<string, number> = new Map(),
): StoryPlan {
  const { requests, read, newest, pages } = createReadPlan(bodyOf);
  const refunds = isA('payment', resource)
    ? newest(readOf('payments.ListRefunds', { query: { payment_id: resource.id } }))
    : [];
  const events = [resource, ...refunds].flatMap(({ id }) =>
    newest(readOf('events.ListEvents', { query: { resource_id: id } })),
  );
  const deliveries = events.flatMap(({ id, timestamp }) => {
    const isFresh = now.getTime() - Date.parse(timestamp) < FRESH_MS;
    return newest(readOf('webhooks.ListEventDeliveries', { params: { id } }), (attempts) =>
      paceOf(attempts, isFresh || attempts.length <= (awaited.get(id) ?? -1)),
    );
  });
  const settled = [resource, ...refunds].flatMap((one) => succeededAtOf(one) ?? []);
  const [earliest] = settled.toSorted();
  const settlements = earliest === undefined ? [] : settlementsSince(earliest);
  const payoutIds = settled.flatMap((at) => settlementOf(at, settlements)?.payout_id ?? []);
  return {
    requests,
    reads: {
      resource,
      refunds,
      events,
      deliveries,
      requests: requestsOf(events),
      endpoints: deliveries.some(({ endpoint_id: id }) => id !== null)
        ? (read(readOf('webhooks.ListWebhookEndpoints'))?.data ?? null)
        : null,
      settlements,
      payouts: [...new Set(payoutIds)].flatMap(
        (id) => read(readOf('payouts.GetPayout', { params: { id } })) ?? [],
      ),
    },
  };

  /** Those that may have taken what succeeded at this time. Without the oldest of them, it is unknown which one did. */
  function settlementsSince(at: string): StoryReads['settlements'] {
    const query = { status: 'matched', created_from: at };
    const { rows, isWhole } = pages(readOf('settlements.ListSettlements', { query }));
    return isWhole ? rows : [];
  }

  /** The part of the log of requests in which the causes of these events are, as far as it goes back. */
  function requestsOf(caused: StoryReads['events']): StoryReads['requests'] {
    const sought = caused.filter(({ request }) => request.id !== null);
    const isEnough = (rows: readonly RowOf<'testkit.ListRequests'>[]) =>
      sought.every(
        ({ request, timestamp }) =>
          rows.some(({ id }) => id === request.id) ||
          Date.parse(timestamp) > Date.parse(rows.at(-1)?.at ?? '') + REQUEST_MAX_MS,
      );
    return sought.length === 0 ? [] : pages(readOf('testkit.ListRequests'), isEnough).rows;
  }
}

/** How often the attempts of an event are read: no event tells of an attempt. */
function paceOf(attempts: StoryReads['deliveries'], isExpected: boolean): Pace {
  return isExpected ? 'lively' : hasAttemptAhead(attempts) ? 'calm' : 'steady';
}
