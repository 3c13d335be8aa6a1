import type { Context } from 'aws-lambda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../shared/domain/clock.ts';
import type { RequestStart } from '../../shared/domain/request-start.ts';
import { Problem } from '../../shared/errors/problem.ts';
import type { Outcome } from '../../shared/http/idempotent.ts';
import type { StoredWorld } from '../../shared/store/worlds/world.ts';
import { injectFaults } from '../support/faults/faults.ts';
import { heldAt, isStep } from '../support/faults/held-call.ts';
import { newKey } from '../support/world/merchant.ts';
import { worldOf } from '../support/world/resources.ts';
import { storedItems } from '../support/world/stored-items.ts';

// Duplicates in the same millisecond are told apart by more than the fraction that makes a lease unique.
vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof import('node:crypto')>();
  return { ...crypto, randomInt: (max: number) => (max >= 1_000 ? 0 : crypto.randomInt(max)) };
});

const { identify, idempotent } = await import('../../shared/http/idempotent.ts');
const { savedResponseKey } = await import('../../shared/store/requests/claim.ts');
const { getItem, insert } = await import('../../shared/store/table/item.ts');
const { commit } = await import('../../shared/store/table/commit.ts');
const { eventsKey } = await import('../../shared/store/table/keys.ts');

const IDENTITY = identify('key', 'POST', '/api/v1/payments', { a: 1 });
const LEASE_MS = 5_000;
const context = { getRemainingTimeInMillis: () => LEASE_MS } as Context;

/** Each attempt at an effect has a key of its own. */
let effectsTried = 0;

async function newWorld() {
  const { merchant } = await newKey();
  return { merchant, world: await worldOf(merchant) };
}

/** A request whose effect is one item, so that effects can be counted. It is decided once its claim stands. */
function request(world: StoredWorld, requestId: string, think?: () => Promise<void>) {
  return idempotent(
    { world, nowMs: Date.now(), identity: IDENTITY, keySpace: 'page', requestId, context },
    async () => {
      await think?.();
      return {
        writes: [insert({ ...eventsKey(world, ++effectsTried) })],
        response: response(requestId),
      };
    },
  );
}

/** Holds a request from its claim until the test releases it. */
function thought() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const think = () => {
    begin();
    return ended;
  };
  return { think, begun, end };
}

const response = (by: string) => ({ status: 201, contentType: 'application/json', body: `{"by":"${by}"}` });

async function effects(merchant: string): Promise<number> {
  return (await storedItems(merchant)).filter(({ pk }) => String(pk).includes('#EVENTS#')).length;
}

afterEach(() => {
  vi.useRealTimers();
  injectFaults('none', []);
});

describe('a request that runs once', () => {
  test('a run that lost its lease changes nothing, and returns the response of the new run', {
    tags: 'slow',
  }, async () => {
    const { merchant, world } = await newWorld();
    const thinking = thought();
    const slow = request(world, 'slow', thinking.think);
    await thinking.begun;
    vi.setSystemTime(Date.now() + LEASE_MS + 1);
    const quick = await request(world, 'quick');
    expect(quick.body).toBe('{"by":"quick"}');
    thinking.end();
    expect(await slow).toMatchObject({ body: '{"by":"quick"}', replayOf: 'quick' });
    expect(await effects(merchant)).toBe(1);
  });

  test('a run that resumes after its lease writes nothing that it decided before', async () => {
    const { merchant, world } = await newWorld();
    const [first, second] = [thought(), thought()];
    const thoughts = [first, second];
    const frozen = request(world, 'frozen', () => (thoughts.shift() ?? second).think());
    await first.begun;
    vi.setSystemTime(Date.now() + LEASE_MS + 1);
    first.end();
    await Promise.race([second.begun, frozen]);
    expect(await effects(merchant)).toBe(0);
    second.end();
    expect((await frozen).body).toBe('{"by":"frozen"}');
    expect(await effects(merchant)).toBe(1);
  });

  test('a run that lost its lease does not release the claim of the run that took over', async () => {
    const { merchant, world } = await newWorld();
    const [refusing, thinking] = [thought(), thought()];
    const refused = request(world, 'slow', async () => {
      await refusing.think();
      throw new Error('refused');
    });
    await refusing.begun;
    vi.setSystemTime(Date.now() + LEASE_MS + 1);
    const quick = request(world, 'quick', thinking.think);
    await thinking.begun;
    refusing.end();
    await expect(refused).rejects.toThrow('refused');
    await expect(request(world, 'third')).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    thinking.end();
    expect((await quick).body).toBe('{"by":"quick"}');
    expect(await effects(merchant)).toBe(1);
  });

  test('claims the key again if the claim that it takes over is released at that instant', async () => {
    const { merchant, world } = await newWorld();
    const thinking = thought();
    const refused = request(world, 'slow', async () => {
      await thinking.think();
      throw new Error('refused');
    });
    await thinking.begun;
    vi.setSystemTime(Date.now() + LEASE_MS + 1);
    const { letGo } = await heldAt(isStep('take over claim'), () => request(world, 'quick'));
    thinking.end();
    await expect(refused).rejects.toThrow('refused');
    expect(await letGo()).toMatchObject({ status: 201, body: '{"by":"quick"}' });
    expect(await effects(merchant)).toBe(1);
  });

  test.each([
    ['claim', 'PutItem', ['answer lost'], 2],
    ['commit', 'TransactWriteItems', ['answer lost', 'answer lost'], 3],
  ] as const)(
    'takes effect once if only the response to its %s was lost',
    async (_, operation, faults, all) => {
      const { merchant, world } = await newWorld();
      const { calls } = injectFaults(operation, [...faults]);
      expect(await request(world, 'one')).toMatchObject({ body: '{"by":"one"}' });
      expect(calls()).toBe(all);
      expect(await effects(merchant)).toBe(1);
    },
  );

  test('if the commit took effect without any response, a retry replays it', async () => {
    const { merchant, world } = await newWorld();
    injectFaults('TransactWriteItems', ['answer lost', 'answer lost', 'answer lost']);
    await expect(request(world, 'one')).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(await request(world, 'two')).toMatchObject({ body: '{"by":"one"}', replayOf: 'one' });
    expect(await effects(merchant)).toBe(1);
  });

  test('is the same key for every function, whatever Lambda calls the one that runs', async () => {
    const { merchant, world } = await newWorld();
    try {
      process.env.AWS_LAMBDA_FUNCTION_NAME = 'create-payment';
      await request(world, 'one');
      process.env.AWS_LAMBDA_FUNCTION_NAME = 'cancel-payment';
      expect(await request(world, 'two')).toMatchObject({ replayOf: 'one' });
    } finally {
      delete process.env.AWS_LAMBDA_FUNCTION_NAME;
    }
    expect(await effects(merchant)).toBe(1);
  });

  test('decides again if the state that it decided on has changed', async () => {
    const { merchant, world } = await newWorld();
    const taken = eventsKey(world, 1);
    await commit([insert({ ...taken })]);
    const keys = [taken, eventsKey(world, 2)];
    const { status } = await idempotent(
      { world, nowMs: Date.now(), identity: IDENTITY, requestId: 'one', context },
      async () => ({
        writes: [insert({ ...(keys.shift() ?? taken) })],
        response: response('one'),
      }),
    );
    expect(status).toBe(201);
    expect(await effects(merchant)).toBe(2);
  });

  test('gives up with 503, and releases its key, if it can never decide', { tags: 'slow' }, async () => {
    const { world } = await newWorld();
    const taken = eventsKey(world, 1);
    await commit([insert({ ...taken })]);
    const stuck = idempotent(
      { world, nowMs: Date.now(), identity: IDENTITY, keySpace: 'page', requestId: 'one', context },
      async () => ({
        writes: [insert({ ...taken })],
        response: response('one'),
      }),
    );
    await expect(stuck).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect((await request(world, 'two')).body).toBe('{"by":"two"}');
  });
});

describe('a request whose claim is stored with its commit', () => {
  const run = (
    world: StoredWorld,
    requestId: string,
    decide: () => Promise<Outcome> = async () => ({
      writes: [insert({ ...eventsKey(world, ++effectsTried) })],
      response: response(requestId),
    }),
    identity = IDENTITY,
  ) => idempotent({ world, nowMs: Date.now(), identity, requestId, context }, decide);
  const refuse = async () => {
    throw new Problem('clock_busy');
  };

  test('puts no claim of its own, and a repetition gets its response', async () => {
    const { merchant, world } = await newWorld();
    const { calls } = injectFaults('PutItem', []);
    await run(world, 'one');
    expect(calls()).toBe(0);
    expect(await run(world, 'two')).toMatchObject({ body: '{"by":"one"}', replayOf: 'one' });
    expect(await effects(merchant)).toBe(1);
  });

  test('takes effect once if it is sent twice at once: both get the response of one', async () => {
    const { merchant, world } = await newWorld();
    const { letGo } = await heldAt(isStep('commit request'), () => run(world, 'slow'));
    expect((await run(world, 'quick')).body).toBe('{"by":"quick"}');
    expect(await letGo()).toMatchObject({ body: '{"by":"quick"}', replayOf: 'quick' });
    expect(await effects(merchant)).toBe(1);
  });

  test('runs at once after a run that died before its commit', async () => {
    const { merchant, world } = await newWorld();
    const dead = thought();
    void run(world, 'dead', async () => {
      await dead.think();
      return refuse();
    });
    await dead.begun;
    expect((await run(world, 'next')).body).toBe('{"by":"next"}');
    expect(await effects(merchant)).toBe(1);
  });

  test('is replayed, and not refused, once what it did is in its own way', async () => {
    const { world } = await newWorld();
    await run(world, 'one');
    expect(await run(world, 'two', refuse)).toMatchObject({ body: '{"by":"one"}', replayOf: 'one' });
  });

  test('is refused for its key where another body was sent with it, whatever else is wrong', async () => {
    const { world } = await newWorld();
    await run(world, 'one');
    const other = identify('key', 'POST', '/api/v1/payments', { a: 2 });
    for (const decide of [undefined, refuse]) {
      await expect(run(world, 'two', decide, other)).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      });
    }
  });

  test('leaves its key free after a refusal', async () => {
    const { world } = await newWorld();
    await expect(run(world, 'one', refuse)).rejects.toMatchObject({ code: 'clock_busy' });
    expect((await run(world, 'two')).body).toBe('{"by":"two"}');
  });

  test('a run that resumes after its lease decides again', async () => {
    const { merchant, world } = await newWorld();
    const thinking = thought();
    let decisions = 0;
    const frozen = run(world, 'frozen', async () => {
      decisions += 1;
      await thinking.think();
      return { writes: [insert({ ...eventsKey(world, ++effectsTried) })], response: response('frozen') };
    });
    await thinking.begun;
    vi.setSystemTime(Date.now() + LEASE_MS + 1);
    thinking.end();
    expect((await frozen).body).toBe('{"by":"frozen"}');
    expect(decisions).toBe(2);
    expect(await effects(merchant)).toBe(1);
  });

  test('its claim is released if its decision fails while it is being stored', async () => {
    const { world } = await newWorld();
    const { letGo } = await heldAt(
      ({ operation }) => operation === 'PutItem',
      () =>
        idempotent({ world, nowMs: 1, identity: IDENTITY, requestId: 'one', context }, async (claim) => {
          await Promise.all([claim.stands(), Promise.reject(new Error('the store failed'))]);
          return refuse();
        }).catch((error: Error) => error.message),
    );
    expect(await letGo()).toBe('the store failed');
    expect((await run(world, 'two')).body).toBe('{"by":"two"}');
  });
});

describe('the identity of a request', () => {
  const BODY = { amount: { currency: 'THB', minor: 1 }, list: [1, 2] };
  const { fingerprint } = identify('k', 'POST', '/api/v1/payments', BODY);

  test('is the same in whatever order the fields of its body come, at every depth', () => {
    const turned = { list: [1, 2], amount: { minor: 1, currency: 'THB' } };
    expect(identify('k', 'POST', '/api/v1/payments', turned).fingerprint).toBe(fingerprint);
  });

  test.each([
    ['method', identify('k', 'PATCH', '/api/v1/payments', BODY)],
    ['path', identify('k', 'POST', '/api/v1/refunds', BODY)],
    ['order in a list', identify('k', 'POST', '/api/v1/payments', { ...BODY, list: [2, 1] })],
  ])('is another one with another %s', (_what, other) => {
    expect(other.fingerprint).not.toBe(fingerprint);
  });
});

test('a run is not taken over before its lease ends', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { merchant, world } = await newWorld();
  const thinking = thought();
  const slow = request(world, 'slow', thinking.think);
  await thinking.begun;
  vi.setSystemTime(Date.now() + LEASE_MS - 1);
  await expect(request(world, 'early')).rejects.toMatchObject({ code: 'idempotency_in_progress' });
  thinking.end();
  expect((await slow).body).toBe('{"by":"slow"}');
  expect(await effects(merchant)).toBe(1);
});

test('a response is repeated for 24 hours, and then the key is a new one', async () => {
  const { merchant, world } = await newWorld();
  const begun = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: begun });
  await request(world, 'first');
  vi.setSystemTime(begun + DAY_MS - 2_000);
  expect(await request(world, 'second')).toMatchObject({ replayOf: 'first' });
  vi.setSystemTime(begun + DAY_MS + 2_000);
  expect((await request(world, 'third')).body).toBe('{"by":"third"}');
  expect(await effects(merchant)).toBe(2);
});

describe('a request of several steps', () => {
  test('is not refused once its first step stands: 503, and the same key goes on', async () => {
    const { world } = await newWorld();
    const run = (isRefused: boolean) =>
      idempotent(
        { world, nowMs: 1, identity: IDENTITY, requestId: `${isRefused}`, context, isStepwise: true },
        async ({ firstStep }) => {
          if (isRefused) {
            expect(await firstStep([], world)).toBe(true);
            throw new Problem('clock_busy');
          }
          return { writes: [], response: response('one') };
        },
      );
    await expect(run(true)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect((await run(false)).body).toBe('{"by":"one"}');
  });

  const STEPWISE_MS = 2_000;
  const stepwise = (world: StoredWorld, requestId: string, think: () => Promise<void>) =>
    idempotent(
      { world, nowMs: Date.now(), identity: IDENTITY, requestId, context, isStepwise: true },
      async () => {
        await think();
        return { writes: [], response: response(requestId) };
      },
    );

  test('is continued by a retry, two seconds after its process has died', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const { world } = await newWorld();
    const dead = thought();
    void stepwise(world, 'dead', dead.think);
    await dead.begun;
    await expect(stepwise(world, 'early', async () => undefined)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    vi.setSystemTime(Date.now() + STEPWISE_MS + 1);
    expect((await stepwise(world, 'next', async () => undefined)).body).toBe('{"by":"next"}');
  });

  test('is left alone as long as its process lives, however long it takes', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const { world } = await newWorld();
    const alive = thought();
    const slow = stepwise(world, 'slow', alive.think);
    await alive.begun;
    const aliveUntil = async () =>
      Number((await getItem(savedResponseKey(world, IDENTITY.key)))?.aliveUntilMs);
    for (let passedMs = 0; passedMs < 2 * STEPWISE_MS; passedMs += STEPWISE_MS / 4) {
      const before = await aliveUntil();
      vi.advanceTimersByTime(STEPWISE_MS / 4);
      // The lease renewal is a real call to a real store.
      await expect.poll(aliveUntil).toBeGreaterThan(before);
    }
    await expect(stepwise(world, 'other', async () => undefined)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    alive.end();
    expect((await slow).body).toBe('{"by":"slow"}');
  });
});

describe('the start of a request', () => {
  const BEGAN_AT_MS = Date.UTC(2026, 10, 2);

  /** Runs a request until it gets its start, null if it never does. By default it does not end. */
  async function begin(
    world: StoredWorld,
    { nowMs = BEGAN_AT_MS, body = {}, key = 'key', end = never } = {},
  ) {
    const { promise, resolve } = Promise.withResolvers<RequestStart>();
    const identity = identify(key, 'POST', '/api/v1/payments', body);
    const done = idempotent({ world, nowMs, identity, requestId: 'one', context }, async (claim) => {
      resolve(await claim.stands());
      return end();
    });
    return { done, start: await Promise.race([promise, done.then(() => null)]) };
  }
  const never = (): Promise<Outcome> => new Promise(() => undefined);
  const refuse = async (): Promise<Outcome> => {
    throw new Problem('temporarily_unavailable');
  };
  const finish = async (): Promise<Outcome> => ({ writes: [], response: response('one') });

  test('is kept by the run that takes over from one that died, whatever the time is by then', async () => {
    const { world } = await newWorld();
    const { start: first } = await begin(world);
    expect(first).toMatchObject({ atMs: BEGAN_AT_MS, secret: expect.stringMatching(/^\w{22}$/) });
    for (const nowMs of [BEGAN_AT_MS + 1, BEGAN_AT_MS + 2]) {
      vi.setSystemTime(Date.now() + LEASE_MS + 1);
      expect((await begin(world, { nowMs })).start).toEqual(first);
    }
  });

  test('is kept if the response to the take-over was lost', async () => {
    const { world } = await newWorld();
    const { start: first } = await begin(world);
    vi.setSystemTime(Date.now() + LEASE_MS + 1);
    const { calls } = injectFaults('PutItem', [null, 'answer lost']);
    expect((await begin(world, { nowMs: 1 })).start).toEqual(first);
    expect(calls()).toBe(3);
  });

  test('is kept by a run that used it and failed, and by the runs after it', async () => {
    const { world } = await newWorld();
    const { start: first, done } = await begin(world, { end: refuse });
    await expect(done).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    // It makes no provider request, so it cannot know that an earlier run made none.
    const identity = identify('key', 'POST', '/api/v1/payments', {});
    const refused = idempotent({ world, nowMs: 1, identity, requestId: 'two', context }, refuse);
    await expect(refused).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect((await begin(world, { nowMs: 2 })).start).toEqual(first);
  });

  test('is another one for a corrected request, and for another key', async () => {
    const { world } = await newWorld();
    const dead = await begin(world);
    const other = await begin(world, { key: 'other' });
    vi.setSystemTime(Date.now() + LEASE_MS + 1);
    const corrected = await begin(world, { nowMs: 1, body: { a: 2 } });
    expect(corrected.start?.atMs).toBe(1);
    const secrets = [dead, other, corrected].map(({ start }) => start?.secret);
    expect(new Set(secrets).size).toBe(3);
  });

  test('is forgotten by a refusal before its first use', async () => {
    const { world } = await newWorld();
    const identity = identify('key', 'POST', '/api/v1/payments', {});
    const refused = idempotent({ world, nowMs: 1, identity, requestId: 'two', context }, refuse);
    await expect(refused).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect((await begin(world, { nowMs: 2 })).start?.atMs).toBe(2);
  });

  test('is forgotten with the end of the request, and a replay never gets it', async () => {
    const { merchant, world } = await newWorld();
    await (await begin(world, { end: finish })).done;
    expect((await storedItems(merchant)).filter(({ sk }) => sk === 'CLAIM')).toMatchObject([
      { status: 'COMPLETED' },
    ]);
    expect((await storedItems(merchant)).filter(({ requestStart }) => requestStart !== undefined)).toEqual(
      [],
    );
    expect(await begin(world, { end: finish })).toMatchObject({ start: null });
  });

  test('is given to no run while another one holds the claim', async () => {
    const { world } = await newWorld();
    await begin(world);
    await expect(begin(world)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
  });
});
