/// <reference lib="dom" />
import { useEffect, useState } from 'preact/hooks';
import { useDashboard } from './dashboard-context.ts';
import type { AnyJson } from './gate.ts';
import type { ReadRequest, ReadState } from './reads.ts';
import type { StoryReads } from './story.ts';
import { bangkokDay } from './times.ts';
import { useRead, useReads } from './use-read.ts';

const ALL = { limit: '100' };

/** Everything that the service says of a resource. It follows what happens by one read of the events. */
export function useStory(resource: AnyJson): StoryReads {
  const isPayment = resource.id.startsWith('pay_');
  const refundList = steady('payments_ListRefunds', { payment_id: resource.id });
  const [refundState] = useReads(isPayment ? [refundList] : []);
  const refunds = dataOf(refundState);
  const eventStates = useReads(
    [resource.id, ...refunds.map(({ id }) => id)].map((id) =>
      steady('events_ListEvents', { resource_id: id }),
    ),
  );
  const events = eventStates.flatMap(dataOf);
  const deliveryStates = useReads(
    events.map(({ id }) => ({ ...steady('webhooks_ListEventDeliveries'), params: { id } })),
  );
  const [requestState] = useReads([steady('testkit_ListRequests')]);
  const [settlementState] = useReads(
    resource.succeeded_at && isPayment ? [steady('settlements_ListSettlements')] : [],
  );
  const settlement = settlementOf(resource, dataOf(settlementState));
  const [payoutState] = useReads(
    settlement?.payout_id
      ? [{ operationId: 'payouts_GetPayout', params: { id: settlement.payout_id }, isSteady: true }]
      : [],
  );
  useFollowedEvents();
  return {
    resource,
    refunds,
    events,
    deliveries: deliveryStates.flatMap(dataOf),
    requests: dataOf(requestState),
    settlement,
    payout: payoutState?.answer?.status === 200 ? payoutState.answer.json : null,
  };
}

function steady(operationId: string, query: Readonly<Record<string, string>> = {}): ReadRequest {
  return { operationId, query: { ...ALL, ...query }, isSteady: true };
}

function dataOf(state: ReadState | undefined): readonly AnyJson[] {
  return state?.answer?.status === 200 ? state.answer.json.data : [];
}

/** The settlement of the day on which a payment succeeded. */
function settlementOf({ succeeded_at: at }: AnyJson, settlements: readonly AnyJson[]): AnyJson {
  const day = at ? bangkokDay(new Date(at)) : null;
  return settlements.find(({ value_date: date }) => date === day) ?? null;
}

/** Reads everything again when an event follows the ones that were seen. */
function useFollowedEvents(): void {
  const { reads } = useDashboard();
  const newest = useRead('events_ListEvents', { query: { limit: '1' } }).answer;
  const sequence: number = newest?.status === 200 ? (newest.json.data[0]?.sequence ?? 0) : -1;
  const [seen, setSeen] = useState(-1);
  useEffect(() => {
    if (sequence > seen) {
      setSeen(sequence);
      if (seen >= 0) {
        reads.refresh();
      }
    }
  }, [sequence]);
}
