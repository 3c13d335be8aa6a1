import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { afterEach, describe, expect, test } from 'vitest';
import { newId } from '../../shared/domain/id.ts';
import type { World } from '../../shared/domain/world.ts';
import { injectFaults } from '../support/faults.ts';
import { newKey } from '../support/merchant.ts';
import { worldOf } from '../support/resources.ts';
import { storedItems } from '../support/stored-items.ts';

const { identify, once } = await import('../../shared/http/once.ts');
const { insert } = await import('../../shared/store/item.ts');
const { paymentKey } = await import('../../shared/store/keys.ts');

const IDENTITY = identify('key', 'POST', '/api/v1/payments', { a: 1 });

function contextWith(remainingMs: number): Context {
  return { getRemainingTimeInMillis: () => remainingMs } as Context;
}

async function newWorld() {
  const { merchant } = await newKey();
  return { merchant, world: await worldOf(merchant) };
}

/** A request whose effect is one item, so that effects can be counted. */
function request(world: World, requestId: string, { leaseMs = 5_000, thinksMs = 0 } = {}) {
  return once({ world, identity: IDENTITY, requestId, context: contextWith(leaseMs) }, async () => {
    await sleep(thinksMs);
    return {
      changes: [insert({ ...paymentKey(world, newId('pay', Date.now())) })],
      answer: { status: 201, contentType: 'application/json', body: `{"by":"${requestId}"}` },
    };
  });
}

async function effects(merchant: string): Promise<number> {
  return (await storedItems(merchant)).filter(({ sk }) => sk === 'PAYMENT').length;
}

afterEach(() => {
  injectFaults('none', []);
});

describe('a request that runs once', () => {
  test('a run that lost its lease changes nothing, and gives the answer of the run that took over', async () => {
    const { merchant, world } = await newWorld();
    const slow = request(world, 'slow', { leaseMs: 100, thinksMs: 400 });
    await sleep(200);
    const quick = await request(world, 'quick');
    expect(quick.body).toBe('{"by":"quick"}');
    expect(await slow).toMatchObject({ body: '{"by":"quick"}', replayOf: 'quick' });
    expect(await effects(merchant)).toBe(1);
  });

  test('a run that lost its lease does not release the claim of the run that took over', async () => {
    const { merchant, world } = await newWorld();
    const refused = once(
      { world, identity: IDENTITY, requestId: 'slow', context: contextWith(100) },
      async () => {
        await sleep(400);
        throw new Error('refused');
      },
    );
    await sleep(200);
    const quick = request(world, 'quick', { thinksMs: 600 });
    await expect(refused).rejects.toThrow('refused');
    await expect(request(world, 'third')).rejects.toMatchObject({ code: 'idempotency_in_progress' });
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
      { world, identity: IDENTITY, requestId: 'one', context: contextWith(5_000) },
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
      { world, identity: IDENTITY, requestId: 'one', context: contextWith(5_000) },
      async () => ({
        changes: [insert({ ...taken })],
        answer: { status: 201, contentType: 'application/json', body: '{}' },
      }),
    );
    await expect(stuck).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect((await request(world, 'two')).body).toBe('{"by":"two"}');
  });
});
