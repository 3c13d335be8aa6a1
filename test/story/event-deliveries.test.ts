import { describe, expect, it } from 'vitest';
import { planDeliveryCounts, planEventDeliveries } from '../../shared/story/event-deliveries.ts';
import type { BodyReader, ReadRequest } from '../../shared/story/read-request.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 2, 3, minutes)).toISOString();

interface LogRow {
  readonly id: string;
  readonly event_id: string;
  readonly status: 'delivered' | 'failed';
  readonly attempted_at: string;
}

function attempt(id: string, eventId: string, status: LogRow['status'], minutes = 5): LogRow {
  return { id, event_id: eventId, status, attempted_at: at(minutes) };
}

/** A service with these receivers, each with a page of its log, newest first, and whether older pages follow. */
function serviceWith(
  logs: Readonly<Record<string, { readonly rows: readonly LogRow[]; readonly more?: boolean }>>,
): BodyReader {
  const idsOf = (prefix: string) => Object.keys(logs).filter((id) => id.startsWith(prefix));
  const answer = ({ operationId, params }: ReadRequest) => {
    const log = logs[params?.id ?? ''];
    if (log !== undefined) {
      return { data: log.rows, next_cursor: log.more === true ? 'more' : null };
    }
    const prefix = operationId === 'webhooks.ListWebhookEndpoints' ? 'whe_' : 'snk_';
    return { data: idsOf(prefix).map((id) => ({ id })), next_cursor: null };
  };
  return answer as BodyReader;
}

describe('the deliveries of a list of events', () => {
  const event = { id: 'evt_1', timestamp: at(4) };

  it('are counted by receiver: one that accepts an event at last has accepted it', () => {
    const { countsOf } = planDeliveryCounts(
      serviceWith({
        whe_1: { rows: [attempt('dlv_3', 'evt_1', 'delivered'), attempt('dlv_1', 'evt_1', 'failed')] },
        whe_2: { rows: [attempt('dlv_4', 'evt_2', 'delivered'), attempt('dlv_2', 'evt_1', 'failed')] },
        snk_1: { rows: [attempt('dlv_5', 'evt_1', 'delivered')] },
      }),
      true,
    );
    expect(countsOf(event)).toEqual({ accepted: 2, failed: 1 });
    expect(countsOf({ id: 'evt_3', timestamp: at(4) })).toBeNull();
  });

  it('are not shown where an older page of a log may have more of them', () => {
    const rows = [attempt('dlv_1', 'evt_1', 'delivered')];
    const isCut = planDeliveryCounts(serviceWith({ whe_1: { rows, more: true } }), true);
    expect(isCut.countsOf(event)).toBeNull();
    // The page goes back to the time before the event.
    const older = [...rows, attempt('dlv_0', 'evt_0', 'failed', 3)];
    const isEnough = planDeliveryCounts(serviceWith({ whe_1: { rows: older, more: true } }), true);
    expect(isEnough.countsOf(event)).toEqual({ accepted: 1, failed: 0 });
  });

  it('take one read a receiver, and none where there are more than eight', () => {
    const read = (count: number, hasTestKit = true) => {
      const ids = Array.from({ length: count }, (_, index) => `snk_${index}`);
      const service = serviceWith(Object.fromEntries(ids.map((id) => [id, { rows: [] }])));
      return planDeliveryCounts(service, hasTestKit).requests.length;
    };
    expect([read(2), read(8), read(9), read(2, false)]).toEqual([4, 10, 2, 1]);
    expect(planDeliveryCounts(() => null, true).countsOf(event)).toBeNull();
  });
});

describe('the deliveries of an event', () => {
  const toReceiver = (id: string, endpointId: string, status: LogRow['status']) => ({
    ...attempt(id, 'evt_1', status),
    endpoint_id: endpointId,
    sink_id: null,
  });
  const plan = (attempts: readonly object[], chosenId?: string) =>
    planEventDeliveries('evt_1', chosenId, (({ operationId }: ReadRequest) =>
      operationId === 'webhooks.ListEventDeliveries'
        ? { data: attempts, next_cursor: null }
        : null) as BodyReader);

  it('are grouped by receiver, and show what is chosen, else what was not accepted', () => {
    const listed = [
      toReceiver('dlv_3', 'whe_1', 'delivered'),
      toReceiver('dlv_2', 'whe_2', 'failed'),
      toReceiver('dlv_1', 'whe_1', 'failed'),
    ];
    const { receivers, shown } = plan(listed);
    expect(receivers?.map(({ id, attempts }) => [id, attempts.map((one) => one.id)])).toEqual([
      ['whe_1', ['dlv_1', 'dlv_3']],
      ['whe_2', ['dlv_2']],
    ]);
    expect(shown?.id).toBe('dlv_2');
    expect(plan(listed, 'dlv_1').shown?.id).toBe('dlv_1');
    expect(plan(listed.filter(({ status }) => status === 'delivered')).shown?.id).toBe('dlv_3');
    expect(plan([]).shown).toBeNull();
    expect(planEventDeliveries('evt_1', undefined, () => null).receivers).toBeNull();
  });
});
