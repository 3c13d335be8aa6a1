import { describe, expect, it } from 'vitest';
import {
  beginRecovery,
  createEndpoint,
  type Endpoint,
  endRecovery,
  isLike,
  isSubscribed,
  merchantEndpoint,
  noteAttempts,
  requireNoRecovery,
  rotateSecret,
  secretsOf,
  updateEndpoint,
} from '../../shared/domain/endpoint.ts';
import {
  ENDPOINT_DESCRIPTION_MAX_CHARS,
  ENDPOINT_FILTERS_MAX,
  ENDPOINTS_MAX,
  OVERLAP_HOURS_DEFAULT,
  OVERLAP_HOURS_MAX,
} from '../../shared/domain/endpoint-limits.ts';
import { newId } from '../../shared/domain/id.ts';
import { problemOf } from '../support/faults/thrown-problem.ts';
import { anEndpoint, CREATED_AT_MS } from '../support/world/entities.ts';

const url = 'https://shop.example.com/webhooks';
const LATER_MS = CREATED_AT_MS + 1_000;

const event = (type: string, atMs = CREATED_AT_MS) => ({
  id: newId('evt', atMs, 1),
  type,
  resourceId: 'pay_1',
});
const anOwnEndpoint = (changes: Partial<Endpoint> = {}) =>
  anEndpoint({ id: 'whe_1', slot: 1, url, ...changes });

describe('a new endpoint', () => {
  it('has the lowest free index among those of merchants, wherever sinks are', () => {
    const others = [anOwnEndpoint({ slot: 1 }), anOwnEndpoint({ slot: 3 }), anEndpoint({ slot: 17 })];
    expect(createEndpoint(others, { url }, CREATED_AT_MS).after.slot).toBe(2);
  });

  it('is refused if there are sixteen', () => {
    const others = Array.from({ length: ENDPOINTS_MAX }, (_, index) => anOwnEndpoint({ slot: index + 1 }));
    expect(problemOf(() => createEndpoint(others, { url }, CREATED_AT_MS))).toMatchObject({
      code: 'endpoint_limit_reached',
      status: 409,
    });
    expect(createEndpoint(others.slice(1), { url }, CREATED_AT_MS).after.slot).toBe(1);
  });
});

it('has the bounds of the contract', () => {
  const bounds = [ENDPOINTS_MAX, ENDPOINT_DESCRIPTION_MAX_CHARS, ENDPOINT_FILTERS_MAX];
  expect([...bounds, OVERLAP_HOURS_MAX, OVERLAP_HOURS_DEFAULT]).toEqual([16, 200, 50, 168, 24]);
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

  it('lets an event through if one of several filters does', () => {
    const endpoint = anOwnEndpoint({ events: ['refund.*', 'payment.succeeded'] });
    const subscribed = ['payment.succeeded', 'refund.failed', 'payment.created'].filter((type) =>
      isSubscribed(endpoint, event(type)),
    );
    expect(subscribed).toEqual(['payment.succeeded', 'refund.failed']);
  });
});

it('gets no event about itself, whatever its filters', () => {
  const about = { ...event('webhook_endpoint.updated'), resourceId: 'whe_1' };
  expect(isSubscribed(anOwnEndpoint(), about)).toBe(false);
  expect(isSubscribed(anOwnEndpoint({ id: 'whe_2' }), about)).toBe(true);
});

describe('an endpoint that was disabled', () => {
  const disabled = updateEndpoint(anOwnEndpoint(), { enabled: false }, LATER_MS).after;

  it('gets no event', () => {
    expect(disabled).toMatchObject({ status: 'disabled', disabledReason: 'requested', version: 2 });
    expect(isSubscribed(disabled, event('payment.created', LATER_MS))).toBe(false);
  });

  it('gets the events from its re-enabling on, and no earlier ones', () => {
    const enabledAtMs = LATER_MS + 1_000;
    const enabled = updateEndpoint(disabled, { enabled: true }, enabledAtMs).after;
    expect(enabled).toMatchObject({ status: 'enabled', disabledReason: null, enabledAtMs });
    const atMs = [CREATED_AT_MS, LATER_MS, enabledAtMs - 1, enabledAtMs, enabledAtMs + 1];
    expect(atMs.map((each) => isSubscribed(enabled, event('payment.created', each)))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it('keeps its reason, and an enabled one its instant, when the same is requested again', () => {
    const gone: Endpoint = { ...disabled, disabledReason: 'gone' };
    expect(updateEndpoint(gone, { enabled: false }, LATER_MS).after.disabledReason).toBe('gone');
    const enabled = anOwnEndpoint({ enabledAtMs: 7 });
    expect(updateEndpoint(enabled, { enabled: true }, LATER_MS).after.enabledAtMs).toBe(7);
  });
});

it('of a sink is not found among those of merchants', () => {
  const receivers = [anEndpoint({ id: 'snk_1' }), anOwnEndpoint()];
  expect(merchantEndpoint(receivers, 'whe_1').slot).toBe(1);
  for (const id of ['snk_1', 'whe_2']) {
    expect(problemOf(() => merchantEndpoint(receivers, id)).code).toBe('webhook_endpoint_not_found');
  }
});

describe('the health of an endpoint', () => {
  const HOUR_MS = 60 * 60 * 1_000;
  const DAY_MS = 24 * HOUR_MS;
  const success = (attemptedAtMs: number) => ({ status: 'delivered', responseStatus: 200, attemptedAtMs });
  const failure = (attemptedAtMs: number, responseStatus: number | null = 500) => ({
    status: 'failed',
    responseStatus,
    attemptedAtMs,
  });
  const T = CREATED_AT_MS;

  it('is written when success and failure alternate, and hourly while they do not', () => {
    let endpoint = anOwnEndpoint();
    const written = [
      success(T),
      success(T + 1),
      success(T + HOUR_MS - 1),
      success(T + HOUR_MS),
      failure(T + HOUR_MS + 1),
      failure(T + HOUR_MS + 2),
      failure(T + 2 * HOUR_MS + 1),
      success(T + 2 * HOUR_MS + 2),
      success(T + 2 * HOUR_MS + 3),
    ].map((attempt) => {
      const change = noteAttempts(endpoint, [attempt]);
      endpoint = change?.after ?? endpoint;
      return change !== null;
    });
    expect(written).toEqual([true, false, false, true, true, false, true, true, false]);
    expect(endpoint).toMatchObject({
      version: 6,
      lastSuccessAtMs: T + 2 * HOUR_MS + 2,
      lastFailureAtMs: T + 2 * HOUR_MS + 1,
      failingSinceMs: null,
      updatedAtMs: T,
    });
  });

  it('changes once for several attempts, and never for a sink', () => {
    const attempts = [failure(T), success(T + 1), failure(T + 2)];
    expect(noteAttempts(anOwnEndpoint(), attempts)?.after).toMatchObject({
      version: 2,
      lastSuccessAtMs: T + 1,
      failingSinceMs: T + 2,
    });
    expect(noteAttempts(anEndpoint(), [...attempts, failure(T + 3, 410)])).toBeNull();
  });

  it('disables it by 410 at once, with an event', () => {
    const change = noteAttempts(anOwnEndpoint(), [failure(T, 410), success(T + 1)]);
    expect(change).toMatchObject({
      event: 'webhook_endpoint.disabled',
      after: { status: 'disabled', disabledReason: 'gone', lastSuccessAtMs: null, updatedAtMs: T },
    });
    expect(noteAttempts(change?.after as Endpoint, [failure(T + 2, 410), success(T + 3)])).toBeNull();
  });

  it.each([
    [5 * DAY_MS - 1, 'enabled'],
    [5 * DAY_MS, 'disabled'],
  ])('%i ms after the first failure leaves it %s', (sinceMs, status) => {
    const failing = noteAttempts(anOwnEndpoint(), [failure(T)])?.after as Endpoint;
    const change = noteAttempts(failing, [failure(T + sinceMs, null)]);
    expect(change?.after).toMatchObject({ status, failingSinceMs: T });
    expect(change?.event).toBe(status === 'disabled' ? 'webhook_endpoint.disabled' : undefined);
    const taken = noteAttempts(failing, [success(T + 1), failure(T + sinceMs)]);
    expect(taken?.after).toMatchObject({ status: 'enabled', failingSinceMs: T + sinceMs });
  });
});

describe('a recovery', () => {
  const HOUR_MS = 3_600_000;
  const recovering = beginRecovery(anOwnEndpoint(), CREATED_AT_MS).after as Endpoint;
  const look = (endpoint: Endpoint, atMs: number) => () => requireNoRecovery(endpoint, atMs);

  it('blocks another one until it is over', () => {
    expect(look(anOwnEndpoint(), CREATED_AT_MS)).not.toThrow();
    expect(problemOf(look(recovering, CREATED_AT_MS))).toMatchObject({ code: 'endpoint_busy', status: 409 });
    expect(endRecovery(recovering).after).toEqual(anOwnEndpoint({ version: 3 }));
  });

  it('blocks others for three hours if it never ends', () => {
    expect(look(recovering, CREATED_AT_MS + 3 * HOUR_MS - 1)).toThrow('endpoint_busy');
    expect(look(recovering, CREATED_AT_MS + 3 * HOUR_MS)).not.toThrow();
  });
});

describe('the secrets of an endpoint', () => {
  const realNowMs = CREATED_AT_MS;
  const HOURS_MS = 3_600_000;

  it('are the new one and the one before, until the overlap is over', () => {
    const before = anOwnEndpoint();
    const { after } = rotateSecret(before, 24, { nowMs: LATER_MS, realNowMs });
    expect(after.secret).not.toBe(before.secret);
    expect(secretsOf(after, realNowMs + 24 * HOURS_MS - 1)).toEqual([after.secret, before.secret]);
    expect(secretsOf(after, realNowMs + 24 * HOURS_MS)).toEqual([after.secret]);
    expect(secretsOf(rotateSecret(before, 0, { nowMs: LATER_MS, realNowMs }).after, realNowMs)).toHaveLength(
      1,
    );
  });

  it('are two at most, the newest first', () => {
    const first = rotateSecret(anOwnEndpoint(), 24, { nowMs: LATER_MS, realNowMs }).after;
    const second = rotateSecret(first, 24, { nowMs: LATER_MS, realNowMs }).after;
    expect(secretsOf(second, realNowMs)).toEqual([second.secret, first.secret]);
  });
});
