import type { DynamoDBRecord } from 'aws-lambda';
import { operations } from '../../shared/contract/operations.ts';
import { RANGE_SIZE } from '../../shared/store/worlds/number-ranges.ts';
import type { Consumption } from './cost.ts';
import { asLive, type Limit, limitsOfAll, limitsOfMerchant } from './first-limits.ts';
import { type Calls, type CallsOfSize, measureGrowth } from './growth.ts';
import { measureLife, ORDER, UNTIL_EXPIRED_MS } from './life.ts';
import { manyAtOnce } from './many-at-once.ts';
import { type Call, unitsOf } from './meter.ts';
import { type PartitionKind, PartitionLedger } from './partitions.ts';
import type { Section } from './section.ts';
import { startStand } from './stand.ts';

/*
 * How far it goes: where the reads and writes of real payments meet, which limit comes first, and what lists, ticks and
 * purges cost in a store that is fuller and fuller.
 */

/** One merchant creates so many in a rush. */
const PAYMENTS = 200;
/** How far what the stream says may be from the units that the engine reports. */
const UNITS_OFF_MAX = 0.1;
/** The load on the fullest store, against the emptiest. */
const GROWTH_MAX = 1.2;
/** A purge says how much it deletes, so it counts: what it may read for each payment. */
const COUNTED_READS_MAX = 0.2;

export async function measure(): Promise<Section> {
  const { life, kinds, writeUnits } = await measureRush(PAYMENTS);
  const ofMerchant = limitsOfMerchant(asLive(kinds), PAYMENTS);
  const queries = await measureStored();
  const written = kinds.reduce((sum, { unit, units }) => sum + (unit === 'write' ? units : 0), 0);
  return {
    lines: [
      `What ${PAYMENTS} payments of one merchant in a rush have read and written, from their creation to the end of their expiry, by partition key: measured in a test world, and spread as those of a live one are, which has more shards and takes ${RANGE_SIZE} numbers at once in a rush. Partitions that are of one payment alone are no limit.`,
      '',
      ...limitTable('one merchant', ofMerchant),
      '',
      ...limitTable('everybody', limitsOfAll(life)),
      '',
      ...queryTable(queries),
    ],
    figures: {
      'scale.one_merchant_payments_per_second': Number(ofMerchant[0]?.paymentsPerSecond),
      'scale.everybody_payments_per_second': Number(limitsOfAll(life)[0]?.paymentsPerSecond),
      'scale.rush_write_units_per_payment': writeUnits / PAYMENTS,
      ...Object.assign(
        {},
        ...queries.map(({ stored, list, tick, purge }) => ({
          [`scale.list_read_units_at_${stored}`]: list.reads,
          [`scale.tick_read_units_at_${stored}`]: tick.reads,
          [`scale.purge_read_units_at_${stored}`]: purge.reads,
        })),
      ),
    },
    failures: [
      ...(Math.abs(written / writeUnits - 1) > UNITS_OFF_MAX
        ? [`partitions were written ${written} units, but the engine reports ${writeUnits}`]
        : []),
      ...growthFailures(queries),
    ],
  };
}

/** One merchant's payments in a rush, each read once and paid, and their expiries. */
export async function measureRush(
  payments: number,
): Promise<{ life: Consumption; kinds: PartitionKind[]; writeUnits: number }> {
  const records: DynamoDBRecord[] = [];
  const stand = await startStand({ onRecords: (delivered) => records.push(...delivered) });
  try {
    const service = await stand.startService(stand.meter.endpoint);
    const life = await measureLife(stand, service, { receivers: 1, paidBy: 'simulate' });
    const { secret } = await service.openMerchant(1);
    const ledger = new PartitionLedger();
    const calls: Call[] = [];
    const settle = async () => {
      await stand.runFresh(service);
      const taken = stand.meter.take();
      calls.push(...taken);
      ledger.add(taken, records.splice(0));
    };
    await settle();
    calls.length = 0;
    ledger.begin();

    const ids: string[] = [];
    await manyAtOnce(payments, async (index) => {
      const body = { ...ORDER, reference: `order-${index}` };
      const { id } = await service.ask<{ id: string }>(secret, operations.createPayment, { body });
      ids.push(id);
    });
    await settle();
    await manyAtOnce(payments, async (index) => {
      const params = { id: String(ids[index]) };
      await service.ask(secret, operations.getPayment, { params });
      await service.ask(secret, operations.simulatePayment, { params, body: { outcome: 'succeeded' } });
    });
    await settle();
    await service.call('/clock', { ms: UNTIL_EXPIRED_MS });
    const events = await stand.tick(service);
    // The tick itself is everybody's.
    stand.meter.take();
    await stand.run(service, events);
    await settle();
    return { life, kinds: ledger.kinds(), writeUnits: unitsOf(calls).writeUnits };
  } finally {
    await stand.stop();
  }
}

async function measureStored(): Promise<CallsOfSize[]> {
  const stand = await startStand();
  try {
    const [direct, metered] = await Promise.all([
      stand.startService(stand.storeEndpoint),
      stand.startService(stand.meter.endpoint),
    ]);
    return await measureGrowth(stand, direct, metered);
  } finally {
    await stand.stop();
  }
}

/* --- the report --- */

function limitTable(of: string, limits: readonly Limit[]): string[] {
  return [
    `| Payments a second of ${of} | Limit |`,
    '|---:|---|',
    ...limits.map(
      ({ what, paymentsPerSecond }) => `| ${Math.round(paymentsPerSecond).toLocaleString('en')} | ${what} |`,
    ),
  ];
}

function queryTable(queries: readonly CallsOfSize[]): string[] {
  const row = (what: string, say: (of: CallsOfSize) => string) =>
    `| ${what} | ${queries.map(say).join(' | ')} |`;
  const units = ({ reads, writes }: Calls) => (writes === 0 ? `${reads}` : `${reads} + ${writes}`);
  return [
    `| Read + write units, with so many payments stored | ${queries.map(({ stored }) => stored.toLocaleString('en')).join(' | ')} |`,
    `|---|${queries.map(() => '---:|').join('')}`,
    row('First page of a list, 20 of them', ({ list }) => units(list)),
    row('A tick of the clock that finds nothing', ({ tick }) => units(tick)),
    row('The request for a purge', ({ purge }) => units(purge)),
    row('Deletion afterwards, for each item', ({ deletion: { reads, writes, items } }) =>
      ((reads + writes) / items).toFixed(1),
    ),
  ];
}

function growthFailures(queries: readonly CallsOfSize[]): string[] {
  const [least, most] = [queries.at(0), queries.at(-1)];
  if (least === undefined || most === undefined) {
    return ['nothing was asked'];
  }
  // Calls that go out together may miss one another on a busy machine: then one round looks like two.
  const grown = (
    [
      ['a list', 'list', ['rounds', 'reads']],
      ['a tick', 'tick', ['calls', 'reads']],
      ['the request for a purge', 'purge', ['rounds', 'writes']],
    ] as const
  ).flatMap(([what, name, units]) =>
    units
      .filter((unit) => most[name][unit] > least[name][unit] * GROWTH_MAX + (unit === 'rounds' ? 1 : 0))
      .map(
        (unit) =>
          `${what} grows with what is stored: from ${least[name][unit]} to ${most[name][unit]} ${unit}`,
      ),
  );
  const counted = (most.purge.reads - least.purge.reads) / (most.stored - least.stored);
  return counted > COUNTED_READS_MAX
    ? [...grown, `a purge reads ${counted.toFixed(2)} units for each payment`]
    : grown;
}
