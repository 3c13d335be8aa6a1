import { describe, expect, it } from 'vitest';
import { balanceSums } from '../../shared/console/money/balance-sums.ts';
import { planSettlement } from '../../shared/console/money/settlement-content.ts';
import type { PaymentView } from '../../shared/contract/payments.ts';
import type { BodyReader, ReadRequest } from '../../shared/story/read-request.ts';
import { planStory } from '../../shared/story/story-reads.ts';
import { VIEWS } from '../support/tools/views.ts';

const THB = (minor: number) => ({ currency: 'THB', minor });
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 2, 3, minutes)).toISOString();
const PAYMENT: PaymentView = {
  ...VIEWS.payment,
  ...{ id: 'pay_1', amount: THB(500), status: 'succeeded', succeeded_at: at(4) },
};
const SETTLEMENT = {
  ...VIEWS.settlement,
  id: 'stl_1',
  created_at: at(60),
  value_date: '2026-11-02',
  expected: THB(500),
  payout_id: 'pot_1',
};

type Pages = Readonly<Record<string, readonly (readonly object[])[]>>;

/** A service whose lists have these pages, and that answers anything else with its id. */
function serviceWith(lists: Pages): BodyReader {
  const answer = ({ operationId, params, query = {} }: ReadRequest) => {
    const pages = lists[operationId] ?? [[]];
    const index = Number(query.after ?? 0);
    return /\.List/.test(operationId)
      ? { data: pages[index] ?? [], next_cursor: index < pages.length - 1 ? String(index + 1) : null }
      : { id: params?.id };
  };
  return answer as BodyReader;
}

/** `ListRefunds payment_id=pay_1`, without what every list is asked for. */
function textOf({ operationId, params = {}, query = {} }: ReadRequest): string {
  const { limit: _, ...rest } = query;
  const values = Object.entries({ ...params, ...rest }).map(([name, value]) => `${name}=${value}`);
  return [operationId.replace(/^\w+\./, ''), ...values].join(' ');
}

describe('the reads of a story', () => {
  const now = new Date(at(30));
  const deliveryPace = (minutes: number, attempts: object[], awaited?: ReadonlyMap<string, number>) => {
    const event = { id: 'evt_1', timestamp: at(minutes), request: { id: null } };
    const service = serviceWith({
      'events.ListEvents': [[event]],
      'webhooks.ListEventDeliveries': [attempts],
    });
    const { requests } = planStory(PAYMENT, service, now, awaited);
    return requests.find(({ operationId }) => operationId === 'webhooks.ListEventDeliveries')?.pace;
  };

  it('begin with what the resource names, and go on with what that brings', () => {
    const first = planStory(PAYMENT, () => null, now);
    expect(first.requests.map(textOf)).toEqual([
      'ListRefunds payment_id=pay_1',
      'ListEvents resource_id=pay_1',
      `ListSettlements status=matched created_from=${at(4)}`,
    ]);
    const all = planStory(
      PAYMENT,
      serviceWith({
        'payments.ListRefunds': [[{ id: 'ref_1', succeeded_at: null }]],
        'events.ListEvents': [[{ id: 'evt_1', timestamp: at(4), request: { id: 'req_1' } }]],
        'webhooks.ListEventDeliveries': [[{ id: 'dlv_1', endpoint_id: 'whe_1', next_attempt_at: null }]],
        'settlements.ListSettlements': [[SETTLEMENT]],
      }),
      now,
    );
    expect(all.requests.slice(2).map(textOf)).toEqual([
      'ListEvents resource_id=ref_1',
      'ListEventDeliveries id=evt_1',
      'ListEventDeliveries id=evt_1',
      `ListSettlements status=matched created_from=${at(4)}`,
      'ListRequests',
      'ListWebhookEndpoints',
      'GetPayout id=pot_1',
    ]);
    expect(all.reads.payouts).toEqual([{ id: 'pot_1' }]);
  });

  it('page on to the oldest settlement, and show none where there are too many', () => {
    const page = [{ ...SETTLEMENT, id: 'stl_later', created_at: at(70) }];
    const settlementsOf = (pages: object[][]) =>
      planStory(PAYMENT, serviceWith({ 'settlements.ListSettlements': pages }), now).reads.settlements;
    expect(settlementsOf([page, page, [SETTLEMENT]]).at(-1)).toEqual(SETTLEMENT);
    expect(settlementsOf([page, page, page, page, page, [SETTLEMENT]])).toEqual([]);
  });

  it('page through the log of requests until the cause of each event is there, or older than it', () => {
    const event = { id: 'evt_1', timestamp: at(10), request: { id: 'req_1' } };
    const pagesReadOf = (pages: object[][]) =>
      planStory(
        PAYMENT,
        serviceWith({ 'events.ListEvents': [[event]], 'testkit.ListRequests': pages }),
        now,
      ).requests.filter(({ operationId }) => operationId === 'testkit.ListRequests').length;
    const other = (minutes: number) => ({ id: 'req_9', at: at(minutes) });
    expect(pagesReadOf([[other(12)], [{ id: 'req_1', at: at(10) }], [other(1)]])).toBe(2);
    expect(pagesReadOf([[other(12)], [other(8)], [other(1)]])).toBe(2);
  });

  it('repeat the attempts of an event while another one is to come', () => {
    const failed = { id: 'dlv_1', event_id: 'evt_1', endpoint_id: null, next_attempt_at: at(40) };
    const last = { ...failed, id: 'dlv_2', next_attempt_at: null };
    expect(deliveryPace(4, [])).toBe('steady');
    expect(deliveryPace(30, [])).toBe('lively');
    expect(deliveryPace(4, [failed])).toBe('calm');
    expect(deliveryPace(4, [failed, last])).toBe('steady');
    expect(deliveryPace(4, [last], new Map([['evt_1', 1]]))).toBe('lively');
    expect(deliveryPace(4, [failed, last], new Map([['evt_1', 1]]))).toBe('steady');
  });
});

describe('the content of a settlement', () => {
  const paid = (id: string, minutes: number, minor: number) => ({
    ...{ id, amount: THB(minor), succeeded_at: at(minutes) },
  });

  it('is what succeeded between the settlement before and itself, less refunds', () => {
    const content = planSettlement(
      SETTLEMENT,
      serviceWith({
        'settlements.ListSettlements': [[{ ...SETTLEMENT, id: 'stl_0', created_at: at(20) }]],
        'payments.ListPayments': [[paid('pay_3', 61, 9), paid('pay_2', 50, 400), paid('pay_1', 10, 70)]],
        'payments.ListRefunds': [[paid('ref_2', 55, 50), paid('ref_1', 15, 60)]],
        'payouts.ListPayouts': [[{ id: 'pot_0', amount: THB(75), updated_at: at(30) }]],
      }),
    );
    expect([content.payments, content.refunds].flat().map(({ id }) => id)).toEqual(['pay_2', 'ref_2']);
    // Failed and returned payouts are one list each here.
    expect(content.totalMinor).toBe(400 - 50 + 2 * 75);
  });

  it('is sought page by page until it is whole, and no further than a bound', () => {
    const page = (index: number) => [paid(`pay_${index}`, 10, 250)];
    const pages = [page(1), page(2), page(3)];
    const whole = planSettlement(SETTLEMENT, serviceWith({ 'payments.ListPayments': pages }));
    expect(whole).toMatchObject({ payments: [{ id: 'pay_1' }, { id: 'pay_2' }], totalMinor: 500 });
    const many = Array.from({ length: 9 }, (_, index) => [paid(`pay_${index}`, 10, 1)]);
    expect(planSettlement(SETTLEMENT, serviceWith({ 'payments.ListPayments': many })).totalMinor).toBe(5);
  });
});

describe('the sums of the balance', () => {
  it('lead to what they say', () => {
    const textsOf = (latest: Parameters<typeof balanceSums>[0]) =>
      balanceSums(latest).map(({ listed, address }) => [listed, address]);
    expect(textsOf(undefined)[0]).toEqual(['Succeeded payments', '#/payments?status=succeeded']);
    expect(textsOf({ number: 'S-000007', created_at: '2026-11-02T03:00:00.000Z' })).toEqual([
      [
        'Succeeded payments created since settlement S-000007',
        '#/payments?status=succeeded&created_from=2026-11-02T03%3A00%3A00.000Z',
      ],
      ['Pending payouts', '#/payouts?status=pending'],
      ['Paid payouts', '#/payouts?status=paid'],
    ]);
  });
});
