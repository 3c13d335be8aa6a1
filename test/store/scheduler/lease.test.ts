import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { interceptCalls } from '../../../shared/store/table/aws-client.ts';
import '../../support/world/merchant.ts';
import { aWorld } from '../../support/world/entities.ts';

const { dynamodb } = await import('../../../shared/store/table/client.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { getItem, insert, put } = await import('../../../shared/store/table/item.ts');
const { leaseKey } = await import('../../../shared/store/table/keys.ts');
const { isFree, isHeldBySomebody, Leases } = await import('../../../shared/store/scheduler/lease.ts');
const { writeAll } = await import('../../../shared/store/table/write-all.ts');

const LEASE_MS = 8_000;
/** Longer than a lease lasts without renewal. */
const LONG_MS = 10_000;
const NEW = { mustExist: false };
const OLD = { mustExist: true };

/** An item of this test alone, deleted after it. */
function newItemKey() {
  const key = leaseKey({ ...aWorld(), id: randomUUID() });
  onTestFinished(() => writeAll([], [key]));
  return key;
}

/** An owner of leases, until the test is over. */
function somebody() {
  const leases = new Leases(LEASE_MS);
  onTestFinished(() => leases.close());
  return leases;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const newHold = () => Promise.withResolvers<void>();

describe('an item', () => {
  test('that is a lease alone is forgotten a week after it was taken last', async () => {
    const key = newItemKey();
    const weekMs = 7 * 24 * 3_600_000;
    expect(await somebody().take(key, NEW)).toBe(true);
    const { ttl } = (await getItem(key)) as { ttl: number };
    expect(ttl).toBe(Math.ceil((Date.now() + weekMs) / 1_000));
  });

  test('has one holder at a time', async () => {
    const key = newItemKey();
    const [one, other] = [somebody(), somebody()];
    expect(await isHeldBySomebody(key)).toBe(false);
    expect(await one.take(key, NEW)).toBe(true);
    expect(await isHeldBySomebody(key)).toBe(true);
    expect(await other.take(key, NEW)).toBe(false);
    expect(await other.isHeld(key)).toBe(false);
    expect(await one.isHeld(key)).toBe(true);
    await one.release(key);
    expect(await isHeldBySomebody(key)).toBe(false);
    expect(await one.isHeld(key)).toBe(false);
    expect(await other.take(key, NEW)).toBe(true);
    expect(await one.take(key, NEW)).toBe(false);
  });

  test('stays free if a renewal arrives after its release', async () => {
    const key = newItemKey();
    const [one, other] = [somebody(), somebody()];
    await one.take(key, NEW);
    const [sent, go, arrived] = [newHold(), newHold(), newHold()];
    let isFirst = true;
    const stopHolding = interceptCalls(dynamodb, async (_call, next) => {
      if (!isFirst) {
        return next();
      }
      isFirst = false;
      sent.resolve();
      await go.promise;
      return next().finally(arrived.resolve);
    });
    onTestFinished(stopHolding);
    vi.advanceTimersByTime(LEASE_MS / 2);
    await sent.promise;
    await one.release(key);
    go.resolve();
    await arrived.promise;
    expect(await isHeldBySomebody(key)).toBe(false);
    expect(await other.take(key, NEW)).toBe(true);
  });

  test('goes to one of many owners that try at once', async () => {
    const key = newItemKey();
    const asking = Array.from({ length: 10 }, somebody);
    const taken = await Promise.all(asking.map((leases) => leases.take(key, NEW)));
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
    const held = await Promise.all(asking.map((leases) => leases.isHeld(key)));
    expect(held).toEqual(taken);
  });

  test('is known to be held by others of the same process, as long as they hold it', async () => {
    const key = newItemKey();
    const [one, other] = [somebody(), somebody()];
    await one.take(key, NEW);
    expect([one.isHeldBeside(key), other.isHeldBeside(key)]).toEqual([false, true]);
    // An owner that did not renew it in time has lost it.
    vi.setSystemTime(Date.now() + LONG_MS);
    expect(other.isHeldBeside(key)).toBe(false);
    await other.take(key, OLD);
    expect([one.isHeldBeside(key), other.isHeldBeside(key)]).toEqual([true, false]);
    await other.release(key);
    expect(one.isHeldBeside(key)).toBe(false);
  });

  test('is held beside others of the same holder, and given back alone', async () => {
    const [key, beside] = [newItemKey(), newItemKey()];
    const leases = somebody();
    await leases.take(key, NEW);
    await leases.take(beside, NEW);
    await leases.release(key);
    expect(await leases.isHeld(key)).toBe(false);
    expect(await leases.isHeld(beside)).toBe(true);
    expect(await isHeldBySomebody(beside)).toBe(true);
  });

  test('that must exist and is gone is not taken, and not made', async () => {
    const key = newItemKey();
    const leases = somebody();
    expect(await leases.take(key, OLD)).toBe(false);
    expect(await getItem(key)).toBeUndefined();
    await commit([insert({ ...key, what: 'an entry' })]);
    expect(await leases.take(key, OLD)).toBe(true);
    expect(await getItem(key)).toMatchObject({ what: 'an entry' });
  });

  test('that is gone is not recreated by its former holder: not by renewal, not by release', async () => {
    const key = newItemKey();
    const leases = somebody();
    await leases.take(key, NEW);
    await writeAll([], [key]);
    vi.advanceTimersByTime(LEASE_MS / 2);
    await vi.waitFor(async () => expect(await leases.isHeld(key)).toBe(false));
    await leases.release(key);
    expect(await getItem(key)).toBeUndefined();
  });

  test('that was written with a lease in its transaction is held like one that was taken', async () => {
    const key = newItemKey();
    const [one, other] = [somebody(), somebody()];
    const { lease } = one;
    expect(one.isOthers(lease)).toBe(false);
    expect(other.isOthers(lease)).toBe(true);
    expect(other.isOthers(null)).toBe(false);
    await commit([insert({ ...key, ...lease })]);
    one.hold(key);
    expect(await one.isHeld(key)).toBe(true);
    expect(await other.take(key, OLD)).toBe(false);
    const write = (leases: typeof one) =>
      commit([{ update: { key, expression: 'SET told = :now', ...isFree(leases.lease) } }]);
    expect((await write(other)).kind).toBe('conflict');
    expect((await write(one)).kind).toBe('committed');
    vi.setSystemTime(Date.now() + LONG_MS);
    expect(other.isOthers(lease)).toBe(false);
    expect((await write(other)).kind).toBe('committed');
  });
});

describe('a lease', () => {
  test('ends by itself where its owner died, and the dead owner cannot end the next one', async () => {
    const key = newItemKey();
    const [dead, next] = [somebody(), somebody()];
    await dead.take(key, NEW);
    vi.setSystemTime(Date.now() + LONG_MS);
    expect(await isHeldBySomebody(key)).toBe(false);
    expect(await next.take(key, OLD)).toBe(true);
    expect(await dead.isHeld(key)).toBe(false);
    await dead.release(key);
    expect(await next.isHeld(key)).toBe(true);
    expect(await isHeldBySomebody(key)).toBe(true);
    expect(await dead.take(key, OLD)).toBe(false);
  });

  test('lasts as long as its owner lives', { tags: 'slow' }, async () => {
    const key = newItemKey();
    const [owner, other] = [somebody(), somebody()];
    await owner.take(key, NEW);
    for (let passedMs = 0; passedMs < 3 * LONG_MS; passedMs += 1_000) {
      vi.advanceTimersByTime(1_000);
      // The renewal is a real call to a real store.
      await vi.waitFor(async () =>
        expect(Number((await getItem(key))?.leaseEndsAtMs)).toBeGreaterThan(Date.now() + LEASE_MS / 4),
      );
      expect(await other.take(key, OLD)).toBe(false);
    }
    expect(await owner.isHeld(key)).toBe(true);
  });

  test('is known to the others of its process, until it is dropped or its owner closes', async () => {
    const [first, second] = [newItemKey(), newItemKey()];
    const [owner, other] = [somebody(), somebody()];
    await owner.take(first, NEW);
    await owner.take(second, NEW);
    const beside = () => [first, second].map((key) => [owner.isHeldBeside(key), other.isHeldBeside(key)]);
    expect(beside()).toEqual([
      [false, true],
      [false, true],
    ]);
    owner.drop(first);
    expect(beside()[0]).toEqual([false, false]);
    owner.close();
    expect(beside()[1]).toEqual([false, false]);
  });

  test('is not renewed after its owner has closed', async () => {
    const key = newItemKey();
    const [closed, next] = [somebody(), somebody()];
    await closed.take(key, NEW);
    closed.close();
    vi.advanceTimersByTime(LONG_MS);
    expect(await next.take(key, OLD)).toBe(true);
  });

  test('that ran out while its owner stalled is taken again, unless another owner has had it', async () => {
    const key = newItemKey();
    const [slow, other] = [somebody(), somebody()];
    await slow.take(key, NEW);
    vi.setSystemTime(Date.now() + LONG_MS);
    expect(await slow.isHeld(key)).toBe(true);
    expect(await other.take(key, OLD)).toBe(false);
    vi.setSystemTime(Date.now() + LONG_MS);
    expect(await other.take(key, OLD)).toBe(true);
    expect(await slow.isHeld(key)).toBe(false);
    // And stays lost, though the other one has given it back.
    await other.release(key);
    expect(await slow.isHeld(key)).toBe(false);
  });

  test('is lost to an owner whose renewal finds another one there', async () => {
    const key = newItemKey();
    const slow = somebody();
    await slow.take(key, NEW);
    await commit([put({ ...key, ...somebody().lease })]);
    expect(await slow.isHeld(key)).toBe(true);
    vi.advanceTimersByTime(LEASE_MS / 2);
    await expect.poll(() => slow.isHeld(key)).toBe(false);
  });

  test('is renewed as late as half of its time, so that short work costs no renewal', async () => {
    const key = newItemKey();
    await somebody().take(key, NEW);
    let renewals = 0;
    const stop = interceptCalls(dynamodb, (_call, next) => {
      renewals += 1;
      return next();
    });
    onTestFinished(stop);
    vi.advanceTimersByTime(LEASE_MS / 2 - 1);
    expect(renewals).toBe(0);
    vi.advanceTimersByTime(1);
    await vi.waitFor(() => expect(renewals).toBe(1));
  });
});
