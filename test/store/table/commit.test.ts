import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { interceptCalls } from '../../../shared/store/table/aws-client.ts';
import { isTemporary } from '../../../shared/store/table/temporary.ts';
import { injectFaults } from '../../support/faults/faults.ts';
import { newKey } from '../../support/world/merchant.ts';
import { endEpochOf, worldOf } from '../../support/world/resources.ts';
import { storedItems } from '../../support/world/stored-items.ts';

const { dynamodb } = await import('../../../shared/store/table/client.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { insert } = await import('../../../shared/store/table/item.ts');
const { eventsKey } = await import('../../../shared/store/table/keys.ts');
const { takeNumber } = await import('../../../shared/store/worlds/world.ts');

function canceled(...codes: string[]): Error {
  return new TransactionCanceledException({
    message: 'canceled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
}

async function newWorld() {
  const { merchant } = await newKey();
  return { merchant, world: await worldOf(merchant) };
}

afterEach(() => {
  injectFaults('none', []);
});

describe('a commit', () => {
  test('writes all changes or none, and names the one that conflicted', async () => {
    const { merchant, world } = await newWorld();
    const [one, two] = [eventsKey(world, 1), eventsKey(world, 2)];
    expect(await commit([insert({ ...one })])).toEqual({ kind: 'committed' });
    expect(await commit([insert({ ...two }), insert({ ...one })])).toEqual({ kind: 'conflict', failed: [1] });
    expect((await storedItems(merchant)).map(({ sk }) => sk)).toEqual([one.sk]);
  });

  test('is retried if transactions only conflicted with one another', async () => {
    const { merchant, world } = await newWorld();
    const conflict = canceled('None', 'TransactionConflict');
    const { calls } = injectFaults('TransactWriteItems', [conflict, conflict, canceled('ThrottlingError')]);
    const keys = [eventsKey(world, 1), eventsKey(world, 2)];
    expect(await commit(keys.map((key) => insert({ ...key })))).toEqual({ kind: 'committed' });
    expect(calls()).toBe(4);
    expect(await storedItems(merchant)).toHaveLength(2);
  });

  test('has one token in all attempts, so that it takes effect once, and no other has it', async () => {
    const { merchant, world } = await newWorld();
    const tokens: unknown[] = [];
    const stop = interceptCalls(dynamodb, (call, next) => {
      tokens.push((call.input as { ClientRequestToken?: string }).ClientRequestToken);
      return next();
    });
    onTestFinished(stop);
    injectFaults('TransactWriteItems', ['answer lost', 'answer lost']);
    expect(await commit([insert({ ...eventsKey(world, 1) })])).toEqual({ kind: 'committed' });
    expect(await commit([insert({ ...eventsKey(world, 2) })])).toEqual({ kind: 'committed' });
    const [first, second, third, other] = tokens;
    expect([second, third]).toEqual([first, first]);
    expect([first, other]).toEqual([
      expect.stringMatching(/^[\w-]{36}$/),
      expect.stringMatching(/^[\w-]{36}$/),
    ]);
    expect(other).not.toBe(first);
    expect(await storedItems(merchant)).toHaveLength(2);
  });

  test('returns a failed condition to the caller at once, whatever else conflicted', async () => {
    const { world } = await newWorld();
    const { calls } = injectFaults('TransactWriteItems', [
      canceled('TransactionConflict', 'ConditionalCheckFailed'),
    ]);
    const changes = [1, 2].map((at) => insert({ ...eventsKey(world, at) }));
    expect(await commit(changes)).toEqual({ kind: 'conflict', failed: [1] });
    expect(calls()).toBe(1);
  });

  test('stops retrying at a limit, and then counts as unavailable, not as a defect', {
    tags: 'slow',
  }, async () => {
    const { world } = await newWorld();
    injectFaults('TransactWriteItems', Array(100).fill(canceled('TransactionConflict')));
    const attempt = commit([insert({ ...eventsKey(world, 1) })]);
    expect(await attempt.catch(isTemporary)).toBe(true);
  });
});

describe('a number', () => {
  test('is given out once, to any number of concurrent requests', async () => {
    const { world } = await newWorld();
    const numbers = await Promise.all(Array.from({ length: 20 }, () => takeNumber(world, 'refund')));
    expect(numbers.toSorted()).toEqual(numbers.map((_, index) => `R-${String(index + 1).padStart(6, '0')}`));
  });

  test('is not given to a request that began before a purge', async () => {
    const { world } = await newWorld();
    await endEpochOf(world);
    await expect(takeNumber(world, 'payment')).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  });
});
