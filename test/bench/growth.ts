import { operations } from '../../shared/contract/operations.ts';
import { copyMerchant } from './copy-merchant.ts';
import { ORDER } from './life.ts';
import { createSome, requestHeaders } from './load-window.ts';
import { type Call, sequentialRounds, unitsOf } from './meter.ts';
import type { Merchant, Service, Stand } from './stand.ts';

/* The load on a store that is fuller and fuller. */

export const STORED_COUNTS = [100, 300, 1_200] as const;
const LIST_LIMIT = 20;
const CLIENTS = 8;

/** What one thing costs the store. */
export interface Calls {
  readonly calls: number;
  readonly rounds: number;
  readonly reads: number;
  readonly writes: number;
}

/** The load on a store in which one merchant has so many payments. */
export interface CallsOfSize {
  readonly stored: number;
  readonly list: Calls;
  readonly tick: Calls;
  readonly purge: Calls;
  /** The run after the purge, and how many items it deleted. */
  readonly deletion: Calls & { readonly items: number };
}

/**
 * Measures a list, a tick and a purge with ever more payments of one merchant.
 * @param direct answers what is not measured
 */
export async function measureGrowth(stand: Stand, direct: Service, metered: Service): Promise<CallsOfSize[]> {
  const ask = async (act: () => Promise<unknown>) => {
    stand.meter.take();
    await act();
    return queriesOf(stand.meter.take());
  };
  const grown: Omit<CallsOfSize, 'purge' | 'deletion'>[] = [];
  const copies: Merchant[] = [];
  const growing = await direct.openMerchant(1);
  let stored = 0;
  for (const count of STORED_COUNTS) {
    const creation = {
      url: `${direct.api}/api/v1/payments`,
      headers: () => requestHeaders(growing.secret),
      body: JSON.stringify(ORDER),
    };
    await createSome(count - stored, CLIENTS, creation);
    stored = count;
    await stand.runFresh(direct);
    // What is purged is a copy, for this merchant goes on.
    const merchant = `with-${count}`;
    copyMerchant(stand.file, stand.tableName, growing.merchant, [merchant]);
    copies.push({ merchant, secret: await metered.call<string>('/key', { merchant }) });
    const query = { limit: String(LIST_LIMIT) };
    const list = () => metered.ask(growing.secret, operations.listPayments, { query });
    // Once before, so that what a process remembers is remembered.
    await list();
    grown.push({ stored, list: await ask(list), tick: await ask(() => stand.tick(metered)) });
  }
  const rows: CallsOfSize[] = [];
  for (const [index, row] of grown.entries()) {
    const { secret } = copies[index] as Merchant;
    await metered.ask(secret, operations.getClock);
    const purge = await ask(() => metered.ask(secret, operations.purgeTestData, { body: {} }));
    await stand.runFresh(metered);
    const calls = stand.meter.take();
    const items = calls.reduce((sum, { body }) => sum + (body.match(/"Delete(Request)?":/g) ?? []).length, 0);
    rows.push({ ...row, purge, deletion: { ...queriesOf(calls), items } });
  }
  return rows;
}

function queriesOf(calls: readonly Call[]): Calls {
  const { readUnits: reads, writeUnits: writes } = unitsOf(calls);
  return { calls: calls.length, rounds: sequentialRounds(calls), reads, writes };
}
