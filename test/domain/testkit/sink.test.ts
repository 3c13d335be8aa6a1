import { describe, expect, it } from 'vitest';
import { ENDPOINTS_MAX } from '../../../shared/domain/endpoint-limits.ts';
import { isId } from '../../../shared/domain/id.ts';
import {
  type CreatedSink,
  createSink,
  FAIL_COUNT_MAX,
  instructSink,
  RESPOND_STATUS_MAX,
  RESPOND_STATUS_MIN,
  receive,
  SINK_NAME_MAX_CHARS,
  type Sink,
  tokenOf,
} from '../../../shared/domain/testkit/sink.ts';
import { problemOf } from '../../support/faults/thrown-problem.ts';
import { anEndpoint, aSink, CREATED_AT_MS } from '../../support/world/entities.ts';

/** The responses of a sink to so many deliveries in a row, and its state after them. */
function receiveAll(sink: Sink, deliveries: number): { statuses: number[]; last: Sink } {
  const statuses: number[] = [];
  let last = sink;
  for (let delivery = 1; delivery <= deliveries; delivery += 1) {
    const { status, after } = receive(last);
    statuses.push(status);
    last = after;
  }
  return { statuses, last };
}

describe('a sink', () => {
  it.each([
    // The example of contract §10.
    { failCount: 2, respondStatus: 503, answers: [503, 503, 200, 200] },
    { failCount: 1, respondStatus: 404, answers: [404, 200, 200] },
    { failCount: 1, respondStatus: 302, answers: [302, 200, 200] },
    { failCount: 1, respondStatus: 599, answers: [599, 200, 200] },
    { failCount: 1, respondStatus: 200, answers: [500, 200, 200] },
    { failCount: 2, respondStatus: 204, answers: [500, 500, 200, 200] },
    { failCount: 1, respondStatus: 299, answers: [500, 200, 200] },
    { failCount: 1, respondStatus: 300, answers: [300, 200, 200] },
    { failCount: 0, respondStatus: 503, answers: [503, 503, 503] },
    { failCount: 0, respondStatus: 200, answers: [200, 200, 200] },
    { failCount: 0, respondStatus: 204, answers: [204, 204, 204] },
    { failCount: 0, respondStatus: 302, answers: [302, 302, 302] },
  ])(
    'that fails $failCount times with $respondStatus responds with $answers',
    ({ failCount, respondStatus, answers }) => {
      const { statuses } = receiveAll(aSink({ failCount, respondStatus }), answers.length);
      expect(statuses).toEqual(answers);
    },
  );

  it('fails up to the largest allowed count, and then no more', () => {
    const { statuses, last } = receiveAll(aSink({ failCount: FAIL_COUNT_MAX }), FAIL_COUNT_MAX + 1);
    expect(statuses.filter((status) => status === 500)).toHaveLength(FAIL_COUNT_MAX);
    expect(statuses.at(-1)).toBe(200);
    expect(last).toMatchObject({ failCount: 0, respondStatus: 200, receivedCount: FAIL_COUNT_MAX + 1 });
  });

  it('lowers its count by one for each failure, and keeps its status until the last', () => {
    const sink = aSink({ failCount: 2, respondStatus: 503 });
    expect(receiveAll(sink, 1).last).toMatchObject({ failCount: 1, respondStatus: 503 });
    expect(receiveAll(sink, 2).last).toMatchObject({ failCount: 0, respondStatus: 200 });
  });

  it.each([aSink(), aSink({ failCount: 3 }), aSink({ failCount: 1, respondStatus: 503 })])(
    'counts every delivery, accepted or not, and changes only its responses besides (%#)',
    (sink) => {
      const { failCount, respondStatus, ...rest } = receive(Object.freeze(sink)).after;
      const { failCount: _count, respondStatus: _status, ...before } = sink;
      expect(rest).toEqual({ ...before, version: 2, receivedCount: 1 });
    },
  );

  it('has the bounds of the contract', () => {
    expect([RESPOND_STATUS_MIN, RESPOND_STATUS_MAX]).toEqual([200, 599]);
    expect([FAIL_COUNT_MAX, SINK_NAME_MAX_CHARS]).toEqual([1_000, 80]);
  });
});

/** Merchants' own endpoints come first. */
const FIRST_SLOT = ENDPOINTS_MAX + 1;

function create(others: number, name?: string): CreatedSink {
  const sinks = Array.from({ length: others }, (_, index) => anEndpoint({ slot: FIRST_SLOT + index }));
  return createSink(sinks, name, CREATED_AT_MS);
}

describe('a new sink', () => {
  it('accepts everything and has received nothing', () => {
    const { sink, endpoint } = create(0, 'orders');
    expect(sink).toEqual({
      id: endpoint.id,
      slot: endpoint.slot,
      version: 1,
      name: 'orders',
      token: expect.any(String),
      failCount: 0,
      receivedCount: 0,
      respondStatus: 200,
      createdAtMs: CREATED_AT_MS,
      updatedAtMs: CREATED_AT_MS,
    });
    expect(isId('snk', sink.id)).toBe(true);
    expect(endpoint).toMatchObject({ slot: FIRST_SLOT, url: `/sink/${sink.token}` });
    expect(tokenOf(endpoint)).toBe(sink.token);
  });

  it.each([
    [0, 'sink-1'],
    [1, 'sink-2'],
    [19, 'sink-20'],
  ])('after %i others is called %s unless it is given a name', (others, name) => {
    expect(create(others).sink).toMatchObject({ name, slot: FIRST_SLOT + others });
  });

  it('is refused where there are twenty already', () => {
    expect(problemOf(() => create(20))).toMatchObject({ code: 'validation_failed', status: 422 });
  });

  it('has an address of 32 random characters, never the same twice', () => {
    const tokens = Array.from({ length: 500 }, () => create(0).sink.token);
    expect(tokens.filter((token) => !/^[0-9A-Za-z]{32}$/.test(token))).toEqual([]);
    expect(new Set(tokens).size).toBe(500);
  });

  it('has a unique random signing secret of 32 bytes in the Standard Webhooks format', () => {
    const secrets = Array.from({ length: 500 }, () => create(0).endpoint.secret);
    const keys = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
    expect(secrets).toEqual(keys.map((key) => `whsec_${key.toString('base64')}`));
    expect(keys.filter((key) => key.length !== 32)).toEqual([]);
    expect(new Set(secrets).size).toBe(500);
  });
});

describe('configuring the responses of a sink', () => {
  const sink = aSink({ version: 3, failCount: 2, respondStatus: 503, receivedCount: 7 });
  const laterMs = CREATED_AT_MS + 1_000;

  it.each([
    [{ failCount: 5 }, { failCount: 5 }],
    [{ respondStatus: 404 }, { respondStatus: 404 }],
    [
      { failCount: 0, respondStatus: 200 },
      { failCount: 0, respondStatus: 200 },
    ],
  ])('changes only the given fields: %j', (said, change) => {
    const after = { ...sink, ...change, version: 4, updatedAtMs: laterMs };
    expect(instructSink(sink, said, laterMs)).toEqual({ kind: 'sink', before: sink, after });
  });
});
