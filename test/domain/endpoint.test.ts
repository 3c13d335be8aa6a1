import { describe, expect, it } from 'vitest';
import {
  addressOf,
  beginRecovery,
  createEndpoint,
  deleteEndpoint,
  disabledBy,
  type Endpoint,
  endpointMachine,
  endpointStep,
  endRecovery,
  isLike,
  isSubscribed,
  merchantEndpoint,
  noteAttempts,
  requireEnabled,
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
  RECOVERABLE_MS,
} from '../../shared/domain/endpoint-limits.ts';
import { isId, newId } from '../../shared/domain/id.ts';
import { problemOf } from '../support/faults/thrown-problem.ts';
import { readLife, take } from '../support/tools/life-table.ts';
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

/** Contract §14, by the reasons for which an endpoint is disabled. */
const LIFE = readLife(`
            requested  gone      failing   enable
  enabled   disabled   disabled  disabled  -
  disabled  -          -         -         enabled
`);

describe('the life of an endpoint', () => {
  it.each(LIFE.filter(({ to }) => to !== null))('goes from $from by $command to $to', (step) => {
    expect(take(endpointMachine, step)).toBe(step.to);
  });

  it.each(LIFE.filter(({ to }) => to === null))('knows no $command of one that is $from', (step) => {
    expect(problemOf(() => take(endpointMachine, step)).code).toBe('invalid_state');
  });
});

describe('a new endpoint', () => {
  it('has an id, a secret, what the merchant has set, and an event', () => {
    const { after, ...change } = createEndpoint([], { url }, CREATED_AT_MS);
    expect(change).toEqual({ kind: 'endpoint', before: null, event: 'webhook_endpoint.created' });
    expect(isId('whe', after.id)).toBe(true);
    const { secret } = after;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(after).toStrictEqual(anOwnEndpoint({ id: after.id, secret }));
    const input = { description: 'shop', events: ['payment.*'], seesPages: true };
    expect(createEndpoint([], { url, ...input }, CREATED_AT_MS).after).toMatchObject(input);
  });

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
  expect(RECOVERABLE_MS).toBe(30 * 24 * 60 * 60_000);
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

describe('an update of an endpoint', () => {
  const before = anOwnEndpoint({ description: 'shop', events: ['payment.*'], seesPages: true });
  const next = { version: 2, updatedAtMs: LATER_MS };

  it('changes what is given, keeps the rest, and has an event', () => {
    const { after, ...change } = updateEndpoint(before, { description: 'till' }, LATER_MS);
    expect(change).toEqual({ kind: 'endpoint', before, event: 'webhook_endpoint.updated' });
    expect(after).toStrictEqual({ ...before, ...next, description: 'till' });
    expect(updateEndpoint(before, { events: ['refund.*'] }, LATER_MS).after).toStrictEqual({
      ...before,
      ...next,
      events: ['refund.*'],
    });
    expect(updateEndpoint(before, {}, LATER_MS).after).toStrictEqual({ ...before, ...next });
  });

  it("changes what it may see of payers' pages only together with its URL", () => {
    const given = { description: 'till', seesPages: false };
    const there = updateEndpoint(before, given, LATER_MS).after;
    expect(there).toStrictEqual({ ...before, ...next, description: 'till' });
    const same = updateEndpoint(before, { ...given, url }, LATER_MS).after;
    expect(same).toStrictEqual({ ...before, ...next, description: 'till' });
    const moved = { ...given, url: `${url}/2` };
    expect(updateEndpoint(before, moved, LATER_MS).after).toStrictEqual({ ...before, ...next, ...moved });
  });

  it('that deletes it has an event, which shows it at the instant of its end', () => {
    expect(deleteEndpoint(before, LATER_MS)).toEqual({
      kind: 'endpoint',
      before,
      after: null,
      event: 'webhook_endpoint.deleted',
      ended: { ...before, ...next },
    });
  });
});

describe('the report of a change of an endpoint', () => {
  const [before, after] = [anOwnEndpoint({ status: 'disabled' }), anOwnEndpoint({ version: 2 })];
  const change = { kind: 'endpoint', before, after } as const;

  it('shows it after the change, and its status before', () => {
    const event = 'webhook_endpoint.updated';
    expect(endpointStep({ ...change, event })).toEqual({ event, previousStatus: 'disabled', after });
    const created = { ...change, before: null, event } as const;
    expect(endpointStep(created)).toEqual({ event, previousStatus: null, after });
  });

  it('shows a deleted one as it ended', () => {
    const event = 'webhook_endpoint.deleted';
    const deleted = { ...change, after: null, event } as const;
    const step = { event, previousStatus: 'disabled', after };
    expect(endpointStep({ ...deleted, ended: after })).toEqual(step);
    expect(endpointStep(deleted)).toBeNull();
  });

  it('is missing where the change has no event', () => {
    expect(endpointStep(change)).toBeNull();
  });
});

describe('a delivery by hand', () => {
  it('needs an endpoint that is enabled', () => {
    expect(() => requireEnabled(anOwnEndpoint())).not.toThrow();
    const problem = problemOf(() => requireEnabled(anOwnEndpoint({ status: 'disabled' })));
    expect(problem.detail).toBe('It is disabled. Delivery works from enabled.');
    expect(problem.details).toEqual({ current_status: 'disabled', allowed_from: ['enabled'] });
  });

  it('goes to the URL of the endpoint, or to this service where it is a sink', () => {
    expect(addressOf({ url }, 'https://pay.example')).toBe(url);
    expect(addressOf({ url: '/sink/a' }, 'https://pay.example')).toBe('https://pay.example/sink/a');
  });
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

  it('is disabled by 410 in the hour of a failure that is recorded already', () => {
    const failing = anOwnEndpoint({ lastFailureAtMs: T, failingSinceMs: T });
    expect(noteAttempts(failing, [failure(T + 1)])).toBeNull();
    expect(noteAttempts(failing, [failure(T + 1, 410)])?.after?.disabledReason).toBe('gone');
  });

  it('is good again by a success in the hour of one that is recorded already', () => {
    const failing = anOwnEndpoint({ lastSuccessAtMs: T, failingSinceMs: T + 1 });
    expect(noteAttempts(failing, [success(T + 2)])?.after).toMatchObject({
      lastSuccessAtMs: T + 2,
      failingSinceMs: null,
    });
  });

  it('never runs backwards, where the results of attempts come out of order', () => {
    const endpoint = anOwnEndpoint({ lastSuccessAtMs: T + 10, failingSinceMs: T });
    expect(noteAttempts(endpoint, [success(T + 5)])?.after?.lastSuccessAtMs).toBe(T + 10);
  });

  it('is no reason to disable a sink, whose failures a test sets', () => {
    const attempt = { responseStatus: 410, attemptedAtMs: T + 5 * DAY_MS };
    expect(disabledBy(anEndpoint({ failingSinceMs: T }), attempt)).toBeNull();
    expect(disabledBy(anOwnEndpoint({ failingSinceMs: T }), attempt)).toBe('gone');
  });

  it.each([
    [5 * DAY_MS - 1, 'enabled'],
    [5 * DAY_MS, 'disabled'],
  ])('%i ms after the first failure leaves it %s', (sinceMs, status) => {
    const failing = noteAttempts(anOwnEndpoint(), [failure(T)])?.after as Endpoint;
    const change = noteAttempts(failing, [failure(T + sinceMs, null)]);
    const disabledReason = status === 'disabled' ? 'failing' : null;
    expect(change?.after).toMatchObject({ status, failingSinceMs: T, disabledReason });
    expect(change?.kind).toBe('endpoint');
    expect(change?.event).toBe(status === 'disabled' ? 'webhook_endpoint.disabled' : undefined);
    const taken = noteAttempts(failing, [success(T + 1), failure(T + sinceMs)]);
    expect(taken?.after).toMatchObject({ status: 'enabled', failingSinceMs: T + sinceMs });
  });
});

describe('a recovery', () => {
  const HOUR_MS = 3_600_000;
  const recovering = beginRecovery(anOwnEndpoint(), CREATED_AT_MS).after as Endpoint;
  const begun = { before: anOwnEndpoint(), after: recovering };
  const look = (endpoint: Endpoint, atMs: number) => () => requireNoRecovery(endpoint, atMs);

  it('blocks another one until it is over', () => {
    expect(look(anOwnEndpoint(), CREATED_AT_MS)).not.toThrow();
    expect(problemOf(look(recovering, CREATED_AT_MS))).toMatchObject({ code: 'endpoint_busy', status: 409 });
    const ended = { kind: 'endpoint', before: recovering, after: anOwnEndpoint({ version: 3 }) };
    expect(endRecovery(recovering)).toStrictEqual(ended);
    expect(beginRecovery(anOwnEndpoint(), CREATED_AT_MS)).toStrictEqual({ ...ended, ...begun });
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
    expect(secretsOf(before, realNowMs)).toEqual([before.secret]);
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
