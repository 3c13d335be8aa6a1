import { RESERVED } from '../../infra/constructs/clock-and-jobs.ts';
import { THROTTLE } from '../../infra/constructs/payment-api.ts';
import type { Month } from './partitions.ts';
import type { Stored } from './stored.ts';
import type { Partition } from './tally.ts';
import { kindOf } from './write-ledger.ts';

/* At how many payments a second each limit is reached, from what one payment writes, reads and runs. */

/** What AWS allows a partition, a table on demand, and an account in us-east-1, before anybody asks for more. */
const QUOTAS = {
  partitionWriteUnits: 1_000,
  partitionReadUnits: 3_000,
  tableWriteUnits: 40_000,
  apiRequests: 10_000,
  functionsAtOnce: 1_000,
  busEntries: 10_000,
};
/** What cannot be measured on this machine: how long a warm function takes. */
const ASSUMED_SECONDS = { request: 0.04, run: 0.12 };

/** What each partition of a merchant that every payment writes is, and what would lift its limit. */
const WRITTEN: Readonly<Record<string, readonly [what: string, lift: string]>> = {
  'table: WORLD': ['The counters, and the lock of the runner: writes', 'numbers in blocks, with gaps'],
  'table: BALANCES': ["The day's balance", 'shards of it, added up by a settlement'],
  'table: JOBS': ['A shard of the jobs', '`JOB_SHARDS`'],
  'table: DELIVERIES': ["A shard of one receiver's delivery log", '`DELIVERY_SHARDS`'],
  'related: REST': ['A shard of what no list holds', '`REST_SHARDS`'],
};
/** Items of a merchant that are read again and again. */
const READ: Readonly<Record<string, readonly [what: string, lift: string]>> = {
  WORLD: ['The world: reads', 'reading it once for a run, not for each delivery'],
  SINKS: ['The receivers: reads', 'reading them once for a run'],
  KEY: ['One API key: reads', 'a second key'],
};

export interface Limit {
  readonly of: 'one merchant' | 'everybody';
  readonly what: string;
  readonly paymentsPerSecond: number;
  readonly lift: string;
}

export interface Basis {
  readonly stored: Stored;
  readonly month: Month;
  readonly rush: { readonly payments: number; readonly partitions: readonly Partition[] };
  /** Of one runner, in one world. */
  readonly jobsPerSecond: number;
}

/** Every limit, the first one first: of one merchant, then of all together. */
export function firstLimits(basis: Basis): Limit[] {
  const limits = [...ofOneMerchant(basis), ...ofEverybody(basis)];
  return limits.toSorted((a, b) =>
    a.of === b.of ? a.paymentsPerSecond - b.paymentsPerSecond : a.of === 'one merchant' ? -1 : 1,
  );
}

function* ofOneMerchant({ stored, rush, jobsPerSecond }: Basis): Generator<Limit> {
  const of = 'one merchant';
  yield {
    of,
    what: `Its runner, ${Math.round(jobsPerSecond)} jobs a second on this machine: later events wait`,
    paymentsPerSecond: jobsPerSecond / jobsOf(stored),
    lift: 'more lanes, or a lease for each shard of the jobs',
  };
  const seen = new Set<string>();
  for (const { place, pk, writes } of rush.partitions) {
    const kind = `${place}: ${kindOf(pk)}`;
    const about = WRITTEN[kind];
    if (about !== undefined && !seen.has(kind)) {
      seen.add(kind);
      const paymentsPerSecond = (QUOTAS.partitionWriteUnits * rush.payments) / writes;
      yield { of, what: about[0], paymentsPerSecond, lift: about[1] };
    }
  }
  for (const [kind, [what, lift]] of Object.entries(READ)) {
    yield { of, what, paymentsPerSecond: QUOTAS.partitionReadUnits / Number(stored.reads[kind]), lift };
  }
}

function* ofEverybody({ stored, month, jobsPerSecond }: Basis): Generator<Limit> {
  const of = 'everybody';
  const requests = Number(stored.seen['table: ONCE']) / 2;
  // One after each request, to tell what it has done.
  const runs = requests;
  yield {
    of,
    what: `The table: ${QUOTAS.tableWriteUnits.toLocaleString('en')} write units a second, on demand`,
    paymentsPerSecond: QUOTAS.tableWriteUnits / stored.units.seen,
    lift: 'a request to AWS',
  };
  yield {
    of,
    what: `Runs of the job runner at once in production: ${RESERVED['job-runner']}`,
    paymentsPerSecond: (RESERVED['job-runner'] * jobsPerSecond) / jobsOf(stored),
    lift: '`RESERVED`',
  };
  yield {
    of,
    what: 'Requests of one method a second in production',
    paymentsPerSecond: THROTTLE.production.throttlingRateLimit,
    lift: '`THROTTLE`',
  };
  yield {
    of,
    what: `Functions at once, taken to need ${1_000 * ASSUMED_SECONDS.request} ms a request and ${1_000 * ASSUMED_SECONDS.run} a run`,
    paymentsPerSecond:
      QUOTAS.functionsAtOnce / (requests * ASSUMED_SECONDS.request + runs * ASSUMED_SECONDS.run),
    lift: 'a request to AWS',
  };
  yield {
    of,
    what: 'API Gateway: requests of an account',
    paymentsPerSecond: QUOTAS.apiRequests / requests,
    lift: 'a request to AWS',
  };
  const due = month.partitions.find(({ place }) => place === 'due');
  yield {
    of,
    what: 'A shard of the due index',
    paymentsPerSecond: (QUOTAS.partitionWriteUnits * month.payments) / Number(due?.writes),
    lift: '`DUE_SHARDS`',
  };
  yield {
    of,
    what: 'EventBridge: one event of the clock for each expiry',
    paymentsPerSecond: QUOTAS.busEntries,
    lift: 'a request to AWS',
  };
}

/** Every job is put once and ended once. */
function jobsOf({ seen }: Stored): number {
  return Number(seen['table: JOBS']) / 2;
}
