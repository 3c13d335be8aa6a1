import type { Context } from 'aws-lambda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { newId } from '../../shared/domain/id.ts';
import type { World } from '../../shared/domain/world.ts';
import { injectFaults } from '../support/faults.ts';
import { newKey } from '../support/merchant.ts';
import { worldOf } from '../support/resources.ts';
import { storedItems } from '../support/stored-items.ts';

const { identify, once } = await import('../../shared/http/idempotent.ts');
const { insert } = await import('../../shared/store/item.ts');
const { paymentKey } = await import('../../shared/store/keys.ts');

const IDENTITY = identify('key', 'POST', '/api/v1/payments', { a: 1 });
const LEASE_MS = 5_000;
const context = { getRemainingTimeInMillis: () => LEASE_MS } as Context;

async function newWorld() {
  const { merchant } = await newKey();
  return { merchant, world: await worldOf(merchant) };
}

/** A request whose effect is one item, so that effects can be counted. */
function request(world: World, requestId: string, think?: () => Promise<void>) {
  const waitsForClaim = think !== undefined;
  return once(
    { world, nowMs: Date.now(), identity: IDENTITY, requestId, context, waitsForClaim },
    async () => {
      await think?.();
      return {
        changes: [insert({ ...paymentKey(world, newId('pay', Date.now())) })],
        answer: { status: 201, contentType: 'application/json', body: `{"by":"${requestId}"}` },
      };
    },
  );
}

/** What a request thinks of, from when it holds its claim until the test lets it go on. */
function thought() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const think = () => {
    begin();
    return ended;
  };
  return { think, begun, end };
}

async function effects(merchant: string): Promise<number> {
  return (await storedItems(merchant)).filter(({ sk }) => sk === 'PAYMENT').length;
}

afterEach(() => {
  vi.useRealTimers();
  injectFaults('none', []);
});

describe('a request that runs once', () => {
  test('a run that lost its lease changes nothing, and gives the answer of the run that took over', async () => {
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

  test('goes on where only the answer to its claim was lost', async () => {
    const { merchant, world } = await newWorld();
    const { calls } = injectFaults('PutItemCommand', ['answer lost']);
    expect(await request(world, 'one')).toMatchObject({ body: '{"by":"one"}' });
    expect(calls()).toBe(2);
    expect(await effects(merchant)).toBe(1);
  });

  test('takes effect once where only the answer to its commit was lost', async () => {
    const { merchant, world } = await newWorld();
    const { calls } = injectFaults('TransactWriteItemsCommand', ['answer lost', 'answer lost']);
    expect(await request(world, 'one')).toMatchObject({ body: '{"by":"one"}' });
    expect(calls()).toBe(3);
    expect(await effects(merchant)).toBe(1);
  });

  test('where the commit took effect and no answer ever came, a retry replays it', async () => {
    const { merchant, world } = await newWorld();
    injectFaults('TransactWriteItemsCommand', ['answer lost', 'answer lost', 'answer lost']);
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

  test('decides anew where what it decided on has changed', async () => {
    const { merchant, world } = await newWorld();
    const taken = paymentKey(world, newId('pay', 0));
    const { commit } = await import('../../shared/store/commit.ts');
    await commit([insert({ ...taken })]);
    const keys = [taken, paymentKey(world, newId('pay', 1))];
    const answer = await once(
      { world, nowMs: Date.now(), identity: IDENTITY, requestId: 'one', context },
      async () => ({
        changes: [insert({ ...(keys.shift() ?? taken) })],
        answer: { status: 201, contentType: 'application/json', body: '{}' },
      }),
    );
    expect(answer.status).toBe(201);
    expect(await effects(merchant)).toBe(2);
  });

  test('gives up with 503, and lets go of its key, where it can never decide', async () => {
    const { world } = await newWorld();
    const taken = paymentKey(world, newId('pay', 0));
    const { commit } = await import('../../shared/store/commit.ts');
    await commit([insert({ ...taken })]);
    const stuck = once(
      { world, nowMs: Date.now(), identity: IDENTITY, requestId: 'one', context },
      async () => ({
        changes: [insert({ ...taken })],
        answer: { status: 201, contentType: 'application/json', body: '{}' },
      }),
    );
    await expect(stuck).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect((await request(world, 'two')).body).toBe('{"by":"two"}');
  });
});
