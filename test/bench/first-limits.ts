import { RESERVED } from '../../infra/aws/constructs/clock-and-jobs.ts';
import { THROTTLE } from '../../infra/aws/constructs/payment-api.ts';
import { SHARDS } from '../../shared/store/table/keys.ts';
import { RANGE_SIZE } from '../../shared/store/worlds/number-ranges.ts';
import type { Consumption } from './cost.ts';
import type { PartitionKind } from './partitions.ts';

/* At how many payments a second each limit is reached, from what real ones write, read and run. */

/** What AWS allows a partition, a table on demand, and an account in us-east-1, without a quota increase. */
const QUOTAS = {
  partition: { write: 1_000, read: 3_000 },
  tableWriteUnits: 40_000,
  apiRequests: 10_000,
  functionsAtOnce: 1_000,
  busEntries: 10_000,
};
/** What cannot be measured on this machine: how long a warm function takes. */
const ASSUMED_SECONDS = { request: 0.04, run: 0.12 };
/** A kind with a partition or two for each payment has none that many payments write. */
const OF_ONE_PAYMENT = 0.5;

/** A limit that all payments of one merchant, or of all merchants, share. */
export interface Limit {
  readonly what: string;
  readonly paymentsPerSecond: number;
}

/**
 * What a live merchant's partitions take, by what those of a test world took: they are spread over more shards, a busy
 * process takes several numbers at once, and no request is logged.
 */
export function asLive(kinds: readonly PartitionKind[]): PartitionKind[] {
  return kinds.flatMap((kind) => {
    const [, partition = ''] = /`([A-Z-]+)/.exec(kind.name) ?? [];
    if (partition === 'REQUESTS') {
      return [];
    }
    const shards: Readonly<Record<string, { test: number; live: number }>> = SHARDS;
    const { test = 1, live = 1 } = shards[partition] ?? {};
    const isCounter = partition === 'WORLD' && kind.unit === 'write';
    return [
      {
        ...kind,
        name: kind.name.replace('TEST-KEY', 'KEY'),
        units: isCounter ? kind.units / RANGE_SIZE : kind.units,
        atOnce: (kind.atOnce * live) / test,
      },
    ];
  });
}

/** The partitions that many payments of one merchant share, the first that is full at the top. */
export function limitsOfMerchant(kinds: readonly PartitionKind[], payments: number): Limit[] {
  return sorted(
    kinds
      .filter(({ keys }) => keys.size < payments * OF_ONE_PAYMENT)
      .map(({ name, unit, units, atOnce }) => ({
        what: `${name}: ${(units / payments).toFixed(1)} ${unit} units a payment, over ${Math.round(atOnce)} at once`,
        paymentsPerSecond: (QUOTAS.partition[unit] * atOnce * payments) / units,
      })),
  );
}

/** What all merchants share. @param life what a payment uses that is alone at its merchant */
export function limitsOfAll(life: Consumption): Limit[] {
  const { request, run } = ASSUMED_SECONDS;
  const { requests, runs, writeUnits, busEvents } = life;
  return sorted([
    {
      what: `The table: ${QUOTAS.tableWriteUnits.toLocaleString('en')} write units a second, on demand; AWS allows more`,
      paymentsPerSecond: QUOTAS.tableWriteUnits / writeUnits,
    },
    {
      what: `Runs of the live dispatcher at once in production: ${RESERVED['live-dispatcher']} (\`RESERVED\`), each taken to need ${1_000 * run} ms`,
      paymentsPerSecond: RESERVED['live-dispatcher'] / (runs * run),
    },
    {
      what: 'Requests of one method a second in production (`THROTTLE`)',
      paymentsPerSecond: THROTTLE.production.throttlingRateLimit,
    },
    {
      what: `Functions at once, taken to need ${1_000 * request} ms a request and ${1_000 * run} a run; AWS allows more`,
      paymentsPerSecond: QUOTAS.functionsAtOnce / (requests * request + runs * run),
    },
    {
      what: 'API Gateway: requests of an account; AWS allows more',
      paymentsPerSecond: QUOTAS.apiRequests / requests,
    },
    {
      what: 'EventBridge: events of the clock; AWS allows more',
      paymentsPerSecond: QUOTAS.busEntries / busEvents,
    },
  ]).filter(({ paymentsPerSecond }) => Number.isFinite(paymentsPerSecond));
}

function sorted(limits: readonly Limit[]): Limit[] {
  return limits.toSorted((a, b) => a.paymentsPerSecond - b.paymentsPerSecond);
}
