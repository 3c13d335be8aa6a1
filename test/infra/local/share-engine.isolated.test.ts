import { afterEach, describe, expect, test, vi } from 'vitest';
import { runGranted } from '../../../infra/local/guard.ts';
import { EngineTurns, shareEngine } from '../../../infra/local/share-engine.ts';
import { interceptCalls } from '../../../shared/store/table/aws-client.ts';
import '../../support/world/merchant.ts';

const { callTable, dynamodb, tableName } = await import('../../../shared/store/table/client.ts');
const LATER_MS = 1_000;
await shareEngine();

afterEach(() => {
  vi.useRealTimers();
});

/** Calls that stay at the engine until they are let go. */
function engine() {
  const held: (() => void)[] = [];
  return {
    call: () => new Promise<void>((resolve) => held.push(resolve)),
    get held() {
      return held.length;
    },
    letGo: async () => {
      for (const resolve of held.splice(0)) {
        resolve();
      }
      await settled();
    },
  };
}

/** Lets everything go on that waits for nothing. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the writes of long jobs', () => {
  test('are at the engine two at a time while nobody else calls it', async () => {
    const [turns, bulk] = [new EngineTurns(), engine()];
    const all = Array.from({ length: 5 }, () => turns.bulk(bulk.call));
    await settled();
    expect(bulk.held).toBe(2);
    await bulk.letGo();
    expect(bulk.held).toBe(2);
    await bulk.letGo();
    await bulk.letGo();
    await Promise.all(all);
  });

  test('are there one at a time while others call it, and a moment longer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const turns = new EngineTurns();
    const [bulk, others] = [engine(), engine()];
    const other = turns.other(others.call);
    const all = Array.from({ length: 6 }, () => turns.bulk(bulk.call));
    await settled();
    expect(bulk.held).toBe(1);
    await others.letGo();
    await other;
    await bulk.letGo();
    expect(bulk.held).toBe(1);
    vi.setSystemTime(Date.now() + LATER_MS);
    await bulk.letGo();
    await bulk.letGo();
    expect(bulk.held).toBe(2);
    await bulk.letGo();
    await bulk.letGo();
    await Promise.all(all);
  });

  test('hold up no other call', async () => {
    const turns = new EngineTurns();
    const [bulk, others] = [engine(), engine()];
    const all = Array.from({ length: 4 }, () => turns.bulk(bulk.call));
    const calls = Array.from({ length: 12 }, () => turns.other(others.call));
    await settled();
    expect(others.held).toBe(12);
    await others.letGo();
    await Promise.all(calls);
    const letting = setInterval(bulk.letGo, 1);
    await Promise.all(all);
    clearInterval(letting);
  });
});

test.each([
  ['fork-test-world', 1],
  ['create-payment', 6],
])('beside a request, %s has %i of 6 writes at the engine at a time', async (name, most) => {
  const writes = engine();
  const stop = interceptCalls(dynamodb, async () => {
    await writes.call();
    return { $metadata: {} };
  });
  // Both may write the outbox.
  const write = (nth: number) => {
    const item = { pk: `0123456789abcdef.1#OUTBOX#${nth}`, sk: 'A' };
    return callTable('TransactWriteItems', {
      TransactItems: [{ Put: { TableName: tableName(), Item: item } }],
      ClientRequestToken: `${name} ${nth}`,
    });
  };
  const request = callTable('GetItem', { Key: { pk: 'nobody', sk: 'nothing' } });
  await expect.poll(() => writes.held).toBe(1);
  const all = Array.from({ length: 6 }, (_, nth) => runGranted(name, () => write(nth)));
  await expect.poll(() => writes.held).toBe(1 + most);
  await settled();
  expect(writes.held).toBe(1 + most);
  const ended = Promise.all([request, ...all]);
  const letting = setInterval(writes.letGo, 1);
  await ended;
  clearInterval(letting);
  stop();
});
