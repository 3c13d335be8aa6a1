import { describe, expect, it } from 'vitest';
import {
  createEndpoint,
  ENDPOINTS_MAX,
  type Endpoint,
  hears,
  isLike,
  merchantsOwn,
  updateEndpoint,
} from '../../shared/domain/endpoint.ts';
import { newId } from '../../shared/domain/id.ts';
import { anEndpoint, CREATED_AT_MS } from '../support/entities.ts';
import { problemOf } from '../support/thrown-problem.ts';

const url = 'https://shop.example.com/webhooks';
const LATER_MS = CREATED_AT_MS + 1_000;

const event = (type: string, atMs = CREATED_AT_MS) => ({ id: newId('evt', atMs, 1), type });
const anOwnEndpoint = (changes: Partial<Endpoint> = {}) =>
  anEndpoint({ id: 'whe_1', slot: 1, url, ...changes });

describe('a new endpoint', () => {
  it('has the lowest free place among those of merchants, wherever sinks are', () => {
    const others = [anOwnEndpoint({ slot: 1 }), anOwnEndpoint({ slot: 3 }), anEndpoint({ slot: 17 })];
    expect(createEndpoint(others, { url }, CREATED_AT_MS).after.slot).toBe(2);
  });

  it('is refused where there are sixteen', () => {
    const others = Array.from({ length: ENDPOINTS_MAX }, (_, place) => anOwnEndpoint({ slot: place + 1 }));
    expect(problemOf(() => createEndpoint(others, { url }, CREATED_AT_MS))).toMatchObject({
      code: 'endpoint_limit_reached',
      status: 409,
    });
    expect(createEndpoint(others.slice(1), { url }, CREATED_AT_MS).after.slot).toBe(1);
  });
});

describe('a filter', () => {
  it.each([
    ['payment.succeeded', 'payment.succeeded', true],
    ['payment.succeeded', 'payment.*', true],
    ['payment.succeeded', '*', true],
    ['payment.succeeded', 'payment.failed', false],
    ['payment_link.created', 'payment.*', false],
    ['payment.created', 'payment_link.*', false],
  ])('%s and %s: %s', (type, filter, isThrough) => {
    expect(isLike(type, filter)).toBe(isThrough);
  });

  it('among several: one that lets an event through is enough', () => {
    const endpoint = anOwnEndpoint({ events: ['refund.*', 'payment.succeeded'] });
    const heard = ['payment.succeeded', 'refund.failed', 'payment.created'].filter((type) =>
      hears(endpoint, event(type)),
    );
    expect(heard).toEqual(['payment.succeeded', 'refund.failed']);
  });
});

describe('an endpoint that was disabled', () => {
  const disabled = updateEndpoint(anOwnEndpoint(), { enabled: false }, LATER_MS).after;

  it('hears nothing', () => {
    expect(disabled).toMatchObject({ status: 'disabled', disabledReason: 'requested', version: 2 });
    expect(hears(disabled, event('payment.created', LATER_MS))).toBe(false);
  });

  it('hears what happens from then on when it is enabled, and nothing of before', () => {
    const enabledAtMs = LATER_MS + 1_000;
    const enabled = updateEndpoint(disabled, { enabled: true }, enabledAtMs).after;
    expect(enabled).toMatchObject({ status: 'enabled', disabledReason: null, enabledAtMs });
    const atMs = [CREATED_AT_MS, LATER_MS, enabledAtMs - 1, enabledAtMs, enabledAtMs + 1];
    expect(atMs.map((each) => hears(enabled, event('payment.created', each)))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it('keeps why, and one that is enabled keeps since when, where the same is asked for again', () => {
    const gone: Endpoint = { ...disabled, disabledReason: 'gone' };
    expect(updateEndpoint(gone, { enabled: false }, LATER_MS).after.disabledReason).toBe('gone');
    const enabled = anOwnEndpoint({ enabledAtMs: 7 });
    expect(updateEndpoint(enabled, { enabled: true }, LATER_MS).after.enabledAtMs).toBe(7);
  });
});

it('of a sink is not found among those of merchants', () => {
  const receivers = [anEndpoint({ id: 'snk_1' }), anOwnEndpoint()];
  expect(merchantsOwn(receivers, 'whe_1').slot).toBe(1);
  for (const id of ['snk_1', 'whe_2']) {
    expect(problemOf(() => merchantsOwn(receivers, id)).code).toBe('webhook_endpoint_not_found');
  }
});
