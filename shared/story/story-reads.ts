import type { AnyJson } from './any-json.ts';
import { type AnswerTo, createReadPlan } from './read-plan.ts';
import type { ReadRequest } from './read-request.ts';
import { hasAttemptAhead, type StoryReads, settlementOf } from './story.ts';

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
  resource: AnyJson,
  answerTo: AnswerTo,
  now: Date,
  awaited: ReadonlyMap<string, number> = new Map(),
): StoryPlan {
  const { requests, read, newest, pages } = createReadPlan(answerTo);
  const refunds = resource.id.startsWith('pay_')
    ? newest({ operationId: 'payments.ListRefunds', query: { payment_id: resource.id } })
    : [];
  const events = [resource, ...refunds].flatMap(({ id }) =>
    newest({ operationId: 'events.ListEvents', query: { resource_id: id } }),
  );
  const deliveries = events.flatMap(({ id, timestamp }) => {
    const isFresh = now.getTime() - Date.parse(timestamp) < FRESH_MS;
    const request = { operationId: 'webhooks.ListEventDeliveries', params: { id } };
    // An attempt is no event, so nothing tells of it.
    return newest(request, (attempts) =>
      isFresh || attempts.length <= (awaited.get(id) ?? -1)
        ? 'lively'
        : hasAttemptAhead(attempts)
          ? 'calm'
          : 'steady',
    );
  });
  const settled = [resource, ...refunds].flatMap(({ id, succeeded_at: at }) =>
    /^(pay|ref)_/.test(id) && at ? [at] : [],
  );
  const settlements = settled.length === 0 ? [] : settlementsSince(settled.toSorted()[0]);
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
        ? (read({ operationId: 'webhooks.ListWebhookEndpoints' })?.data ?? null)
        : null,
      settlements,
      payouts: [...new Set(payoutIds)].flatMap(
        (id) => read({ operationId: 'payouts.GetPayout', params: { id } }) ?? [],
      ),
    },
  };

  /** Those that may have taken what succeeded at this time. Without the oldest of them, it is unknown which one did. */
  function settlementsSince(at: string): readonly AnyJson[] {
    const query = { status: 'matched', created_from: at };
    const { rows, isWhole } = pages({ operationId: 'settlements.ListSettlements', query });
    return isWhole ? rows : [];
  }

  /** The part of the log of requests in which the causes of these events are, as far as it goes back. */
  function requestsOf(caused: readonly AnyJson[]): readonly AnyJson[] {
    const sought = caused.filter(({ request }) => request.id !== null);
    const isEnough = (rows: readonly AnyJson[]) =>
      sought.every(
        ({ request, timestamp }) =>
          rows.some(({ id }) => id === request.id) ||
          Date.parse(timestamp) > Date.parse(rows.at(-1)?.at) + REQUEST_MAX_MS,
      );
    return sought.length === 0 ? [] : pages({ operationId: 'testkit.ListRequests' }, isEnough).rows;
  }
}
