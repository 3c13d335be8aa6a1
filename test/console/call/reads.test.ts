import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GateResponse } from '../../../shared/console/call/gate.ts';
import { KnownIds } from '../../../shared/console/call/known-ids.ts';
import { Reads } from '../../../shared/console/call/reads.ts';
import { fillPath, namesIn } from '../../../shared/story/path-values.ts';
import { readOf } from '../../../shared/story/read-request.ts';
import { gateResponse } from '../../support/tools/gate-response.ts';

const POLL_MS = 4_000;
const ID = '01m86ps672ekwtefp6dr29t6cm';
const OTHER = '01m86ps672ekwtefp6dr29t6cn';

const responseWith = (text: string, status?: number) => gateResponse(JSON.parse(text), status);

/** Reads whose responses the test gives, one by one. */
function heldReads() {
  const asked: { readonly operationId: string; readonly give: (response: GateResponse) => void }[] = [];
  const state = { isActive: true };
  const reads = new Reads({
    call: (operationId) =>
      new Promise((give) => {
        asked.push({ operationId, give });
      }),
    isActive: () => state.isActive,
    onResponse: () => {},
  });
  return { reads, asked, state };
}

describe('the reads of the dashboard', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const LIST = readOf('payments.ListPayments');

  test('share one response among all that show the same', async () => {
    const { reads, asked } = heldReads();
    const [first, second] = [vi.fn(), vi.fn()];
    reads.subscribe(LIST, first);
    reads.subscribe({ ...LIST, params: {} }, second);
    expect(asked).toHaveLength(1);
    asked[0]?.give(responseWith('{"n":1}'));
    await vi.advanceTimersByTimeAsync(0);
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
    expect(reads.peek(LIST).response?.json).toEqual({ n: 1 });
  });

  test('drop a response that was requested before a change', async () => {
    const { reads, asked } = heldReads();
    reads.subscribe(LIST, () => {});
    reads.refresh();
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveLength(2);
    asked[1]?.give(responseWith('{"after":true}'));
    await vi.advanceTimersByTimeAsync(0);
    asked[0]?.give(responseWith('{"after":false}'));
    await vi.advanceTimersByTimeAsync(0);
    expect(reads.peek(LIST).response?.json).toEqual({ after: true });
  });

  test('are asked again every few seconds, but not while the page is hidden, nor when paused', async () => {
    const { reads, asked, state } = heldReads();
    const respondAll = () => {
      for (const { give } of asked) {
        give(responseWith('{}'));
      }
    };
    const asksIn = async (ms: number) => {
      const before = asked.length;
      for (let passed = 0; passed < ms; passed += 1_000) {
        respondAll();
        await vi.advanceTimersByTimeAsync(1_000);
      }
      return asked.length - before;
    };
    reads.subscribe(LIST, () => {});
    expect(await asksIn(3 * POLL_MS)).toBe(3);
    state.isActive = false;
    expect(await asksIn(5 * POLL_MS)).toBe(0);
    state.isActive = true;
    reads.refresh();
    expect(await asksIn(POLL_MS)).toBeGreaterThan(0);
    reads.pause(true);
    expect(await asksIn(5 * POLL_MS)).toBe(0);
    reads.pause(false);
    expect(await asksIn(POLL_MS)).toBeGreaterThan(0);
  });

  test('are asked again at their pace, those without a response at the first chance', async () => {
    const asked: string[] = [];
    const FAILING = 'keys.GetKey';
    const call = async (operationId: string) => {
      asked.push(operationId);
      if (operationId === FAILING && asked.indexOf(operationId) === asked.lastIndexOf(operationId)) {
        throw new Error('no connection');
      }
      return responseWith('{}');
    };
    const reads = new Reads({ call, isActive: () => true, onResponse: () => {} });
    const all = [
      readOf('payments.ListPayments', {}, 'lively'),
      readOf('payments.ListRefunds', {}, 'calm'),
      readOf('payouts.ListPayouts', {}, 'steady'),
      readOf(FAILING, {}, 'steady'),
    ];
    for (const read of all) {
      reads.subscribe(read, () => {});
    }
    await vi.advanceTimersByTimeAsync(6 * POLL_MS);
    const counts = all.map(({ operationId }) => asked.filter((each) => each === operationId).length);
    expect(counts).toEqual([7, 3, 1, 2]);
  });

  test('are not asked again by time while their response is on its way', async () => {
    const { reads, asked } = heldReads();
    reads.subscribe(LIST, () => {});
    await vi.advanceTimersByTimeAsync(3 * POLL_MS);
    expect(asked).toHaveLength(1);
    asked[0]?.give(responseWith('{}'));
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(asked).toHaveLength(2);
  });

  test('that begin while the page is hidden are made when it is visible', async () => {
    const { reads, asked, state } = heldReads();
    state.isActive = false;
    reads.subscribe({ ...LIST, pace: 'steady' }, () => {});
    await vi.advanceTimersByTimeAsync(3 * POLL_MS);
    expect(asked).toHaveLength(0);
    state.isActive = true;
    reads.refresh();
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveLength(1);
  });

  test('that a change does not concern are not asked again by it', async () => {
    const { reads, asked } = heldReads();
    for (const operationId of ['payments.GetPayment', 'keys.GetKey'] as const) {
      reads.subscribe({ operationId }, () => {});
    }
    reads.refresh(({ operationId }) => operationId === 'payments.GetPayment');
    await vi.advanceTimersByTimeAsync(0);
    expect(asked.map(({ operationId }) => operationId)).toEqual([
      'payments.GetPayment',
      'keys.GetKey',
      'payments.GetPayment',
    ]);
  });

  test('slow down while the service asks for it', async () => {
    const calls = vi.fn(async () => responseWith('{}', 429));
    const reads = new Reads({ call: calls, isActive: () => true, onResponse: () => {} });
    reads.subscribe(LIST, () => {});
    await vi.advanceTimersByTimeAsync(60_000);
    const inFirstMinute = calls.mock.calls.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(inFirstMinute).toBeLessThan(6);
    expect(calls.mock.calls.length - inFirstMinute).toBeLessThanOrEqual(1);
  });

  test('end when nothing shows them, and leave nothing after they are forgotten', async () => {
    const { reads, asked } = heldReads();
    const end = reads.subscribe(LIST, () => {});
    asked[0]?.give(responseWith('{"secret":1}'));
    await vi.advanceTimersByTimeAsync(0);
    end();
    await vi.advanceTimersByTimeAsync(10 * POLL_MS);
    expect(asked).toHaveLength(1);
    reads.forget();
    expect(reads.peek(LIST).response).toBeNull();
  });

  test('publish nothing that arrives after they were forgotten', async () => {
    const { reads, asked } = heldReads();
    reads.subscribe(LIST, () => {});
    reads.forget();
    asked[0]?.give(responseWith('{"late":1}'));
    await vi.advanceTimersByTimeAsync(0);
    expect(reads.peek(LIST).response).toBeNull();
  });

  test('say why no response came, and keep the one before', async () => {
    let isGone = false;
    const call = async () => {
      if (isGone) {
        throw new Error('no connection');
      }
      return responseWith('{"n":1}');
    };
    const reads = new Reads({ call, isActive: () => true, onResponse: () => {} });
    reads.subscribe(LIST, () => {});
    await vi.advanceTimersByTimeAsync(0);
    isGone = true;
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(reads.peek(LIST)).toMatchObject({ response: { json: { n: 1 } }, failure: 'no connection' });
  });
});

describe('the path of a request', () => {
  const names = ['id', 'delivery_id'];
  const owners: Readonly<Record<string, string>> = { d1: 's1', d2: 's2' };
  const suggest = (name: string, others: readonly string[]) =>
    (name === 'id' ? ['s1', 's2'] : ['d1', 'd2']).filter((id) =>
      others.every((other) => (owners[id] ?? other) === other && (owners[other] ?? id) === id),
    );

  test('is filled with ids that belong together', () => {
    expect(namesIn('/sinks/{id}/deliveries/{delivery_id}')).toEqual(names);
    expect(fillPath(names, {}, {}, suggest)).toEqual({ id: 's1', delivery_id: 'd1' });
    expect(fillPath(names, { id: 's2' }, { delivery_id: 'd1' }, suggest).delivery_id).toBe('d2');
    expect(fillPath(names, { delivery_id: 'd2' }, {}, suggest).id).toBe('s2');
  });

  test('keeps what was filled before while it is still known', () => {
    expect(fillPath(['id'], {}, { id: 's2' }, suggest)).toEqual({ id: 's2' });
    expect(fillPath(['id'], {}, { id: 'gone' }, suggest)).toEqual({ id: 's1' });
    expect(fillPath(['id'], {}, {}, () => [])).toEqual({ id: '' });
  });

  test('offers the ids of own calls first, then those that were read last', () => {
    const ids = new KnownIds();
    ids.list('older', [responseWith(`{"data":[{"id":"pay_${ID}"}]}`)]);
    ids.list('newer', [responseWith(`{"data":[{"id":"pay_${OTHER}"}]}`)]);
    expect(ids.idsFor('payments')).toEqual([`pay_${OTHER}`, `pay_${ID}`]);
    ids.remember(responseWith(`{"id":"pay_${ID}"}`));
    expect(ids.idsAt('/api/v1/payments/{id}', 'id', [])[0]).toBe(`pay_${ID}`);
    ids.forget();
    expect(ids.idsFor('payments')).toEqual([]);
  });
});
