import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../shared/domain/connection.ts';
import { newNotificationToken } from '../../../shared/domain/connection.ts';
import { worldIdOf } from '../../../shared/domain/world.ts';
import type { Write } from '../../../shared/store/table/commit.ts';
import { newKey } from '../../support/world/merchant.ts';

const { connectWorld, disconnectWorld, findNotifiedWorld } = await import(
  '../../../shared/store/worlds/connection.ts'
);
const { recordAudit, readAudit } = await import('../../../shared/store/worlds/audit.ts');
const { getWorld } = await import('../../../shared/store/worlds/world.ts');

async function newLiveWorld() {
  const { merchant } = await newKey({ mode: 'live' });
  const read = () => getWorld(worldIdOf(merchant, 'live'));
  const record = (action: 'connect' | 'disconnect'): Write =>
    recordAudit({
      atMs: Date.now(),
      action,
      actor: 'a test',
      merchant,
      mode: 'live',
      subject: 'acct_1',
      details: {},
    });
  const audited = async () => {
    let count = 0;
    for await (const page of readAudit(merchant)) {
      count += page.length;
    }
    return count;
  };
  return { merchant, read, record, audited };
}

function aConnection(changes: Partial<Connection> = {}): Connection {
  return {
    kind: 'stripe',
    token: newNotificationToken(),
    account: 'acct_1',
    isTest: true,
    connectedAtMs: Date.now(),
    ...changes,
  };
}

describe('a live world', () => {
  it('is not connected at first, and then to one account', async () => {
    const { read, record } = await newLiveWorld();
    const world = await read();
    expect(world.provider).toBeNull();
    const connection = aConnection();
    expect(await connectWorld(world, connection, record('connect'))).toBe(true);
    expect((await read()).provider).toEqual(connection);
    expect(await findNotifiedWorld('stripe', connection.token)).toEqual(await read());
  });

  it('is connected once by two concurrent commands, and the loser leaves nothing', async () => {
    const { read, record, audited } = await newLiveWorld();
    const world = await read();
    const two = [aConnection(), aConnection()];
    const before = await audited();
    const done = await Promise.all(two.map((each) => connectWorld(world, each, record('connect'))));
    expect(done.toSorted()).toEqual([false, true]);
    const [lost, won] = done[0] ? two.toReversed() : two;
    expect((await read()).provider).toEqual(won);
    expect(await findNotifiedWorld('stripe', String(lost?.token))).toBeNull();
    await expect.poll(audited).toBe(before + 1);
  });

  it('is neither connected again nor disconnected on the basis of a stale read', async () => {
    const { read, record } = await newLiveWorld();
    const connection = aConnection({ connectedAtMs: 1 });
    await connectWorld(await read(), connection, record('connect'));
    const early = await read();
    const rolled = { ...connection, connectedAtMs: 2 };
    expect(await connectWorld(early, rolled, record('connect'))).toBe(true);
    expect(await connectWorld(early, { ...connection, connectedAtMs: 3 }, record('connect'))).toBe(false);
    expect(await disconnectWorld(early, connection, record('disconnect'))).toBe(false);
    expect((await read()).provider).toEqual(rolled);
    expect(await disconnectWorld(await read(), rolled, record('disconnect'))).toBe(true);
    expect((await read()).provider).toBeNull();
    expect(await findNotifiedWorld('stripe', connection.token)).toBeNull();
  });
});
