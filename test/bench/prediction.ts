import { readFile } from 'node:fs/promises';
import { RESERVED } from '../../infra/aws/constructs/clock-and-jobs.ts';
import { THROTTLE } from '../../infra/aws/constructs/payment-api.ts';
import { AWS_QUOTAS, LATENCIES } from './aws-numbers.ts';
import { requestDollarsPerMillion } from './cost.ts';
import { firstMet, type MeasuredOperation, predictOperation, type UsedQuota } from './predict.ts';
import type { Section } from './section.ts';

/*
 * What AWS would make of what was measured here: a prediction, by published numbers. Nothing of it was measured on AWS.
 */

const RATES = [1, 100, 1_000];
const FAR = { requests: 10_000, merchants: 1_000_000 };
const CREATION = 'Create a payment';
const RETRIEVAL = 'Retrieve a payment';
const RUN = 'Job runner: two events of a payment, to one receiver';
/** A receiver that answers in this time: assumed. */
const RECEIVER_SECONDS = 0.1;
const ASKED_FOR = 1.5;

interface Row extends MeasuredOperation {
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** Reads the rows of the operations' table, of this run or an earlier one. @internal */
export function operationsIn(figures: string): Row[] {
  const part = figures.split('<!-- bench: operations -->')[1]?.split('<!-- /bench: operations -->')[0] ?? '';
  const [, table = ''] = part.split('| Operation | Rounds |');
  return [
    ...table.matchAll(
      /^\| ([^|]+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \| [\d.]+ \| ([\d.]+) \| [\d.]+ \| ([\d.]+) \|$/gm,
    ),
  ].map(([, name = '', ...given]) => {
    const [rounds = 0, readUnits = 0, writeUnits = 0, p50 = 0, toStore = 1] = given.map(Number);
    const processorMs = p50 - p50 / toStore;
    return { name, rounds, readUnits, writeUnits, isChange: writeUnits > 0, processorMs };
  });
}

export async function measure(): Promise<Section> {
  const figures = await readFile(new URL('FIGURES.md', import.meta.url), 'utf8');
  const rows = operationsIn(figures);
  const [, writes = '', reads = ''] = /\| one receiver \| ([\d.]+) \| ([\d.]+) \|/.exec(figures) ?? [];
  const life = { writeUnits: Number(writes), readUnits: Number(reads) };
  const requests = rows.filter(({ name }) => !/^(Clock|Job runner|List \w+: )/.test(name));
  return {
    lines: [
      `**A prediction**, made of this page's rounds and processor times and of these numbers, with ${RATES.join(', ')} requests a second of one operation. A whole processor of this machine is taken for one of Lambda's, of which 1,024 MB are 0.58. Latencies are drawn from lognormal distributions and added up (\`predict.ts\`). The share of cold starts is that of a steady rate, where environments are only replaced: after a deployment and in a burst it is higher, and AWS says that it is mostly under 1 %. The cost is of a request, without data sent.`,
      '',
      '| | p50, ms | p99, ms | By |',
      '|---|---:|---:|---|',
      ...Object.values(LATENCIES).map(
        ({ what, p50, p99, source }) => `| ${what} | ${p50} | ${p99} | ${source} |`,
      ),
      '',
      `| Operation | Warm p50 / p99, ms | Cold p50 / p99, ms | ${RATES.map((rate) => `p99 at ${rate}, ms | Cold at ${rate}`).join(' | ')} | $ per million |`,
      `|---|---:|---:|${RATES.map(() => '---:|---:|').join('')}---:|`,
      ...requests.map(lineOf),
      '',
      ...farLines(rows, life),
    ],
    figures: {},
    failures: rows.length === 0 ? ['FIGURES.md has no table of operations to predict from'] : [],
  };
}

function lineOf(row: Row): string {
  const all = RATES.map((rate) => predictOperation(row, rate));
  const [{ warm, cold, billedMs } = predictOperation(row, 1)] = all;
  const both = ({ p50, p99 }: typeof warm) => `${p50.toFixed(0)} / ${p99.toFixed(0)}`;
  const atRates = all.map(
    ({ mixed, coldShare }) => `${mixed.p99.toFixed(0)} | ${(100 * coldShare).toFixed(2)} %`,
  );
  const dollars = requestDollarsPerMillion(row, billedMs).toFixed(2);
  return `| ${row.name} | ${both(warm)} | ${both(cold)} | ${atRates.join(' | ')} | ${dollars} |`;
}

/** A third of the requests creates a payment, a third reads one, and a third pays one, which is as a creation. */
function farLines(rows: readonly Row[], life: { writeUnits: number; readUnits: number }): string[] {
  const [creation, retrieval, run] = [CREATION, RETRIEVAL, RUN].map((name) =>
    rows.find((row) => row.name === name),
  );
  if (creation === undefined || retrieval === undefined || run === undefined) {
    return [];
  }
  const payments = FAR.requests / 3;
  const secondsOf = (row: Row) => predictOperation(row, payments).billedMs / 1_000;
  const busiest = payments * secondsOf(creation);
  const running = payments * 2 * (secondsOf(run) + RECEIVER_SECONDS);
  const atOnce = 2 * busiest + payments * secondsOf(retrieval) + running;
  const partitions = Math.ceil((payments * life.writeUnits) / AWS_QUOTAS.partitionWriteUnits.perSecond);
  const quotas: UsedQuota[] = [
    {
      what: 'Requests of API Gateway a second, of an account',
      source: AWS_QUOTAS.gatewayRequests.page,
      allowed: AWS_QUOTAS.gatewayRequests.perSecond,
      used: FAR.requests,
    },
    {
      what: 'Functions at once, of an account',
      source: AWS_QUOTAS.concurrency.page,
      allowed: AWS_QUOTAS.concurrency.atOnce,
      used: atOnce,
    },
    {
      what: `Environments that a function gets within ${AWS_QUOTAS.scaling.seconds} s, if all come at once`,
      source: AWS_QUOTAS.scaling.page,
      allowed: AWS_QUOTAS.scaling.environments,
      used: busiest,
    },
    {
      what: 'Write units of the table a second',
      source: AWS_QUOTAS.tableWriteUnits.page,
      allowed: AWS_QUOTAS.tableWriteUnits.perSecond,
      used: payments * life.writeUnits,
    },
    {
      what: 'Read units of the table a second',
      source: AWS_QUOTAS.tableReadUnits.page,
      allowed: AWS_QUOTAS.tableReadUnits.perSecond,
      used: payments * life.readUnits,
    },
    {
      what: `Batches of the stream at once: ${AWS_QUOTAS.lanes.ofAShard} for each of some ${partitions} shards`,
      source: AWS_QUOTAS.lanes.page,
      allowed: AWS_QUOTAS.lanes.ofAShard * partitions,
      used: running,
    },
    {
      what: 'Our own: runs of the live dispatcher at once (`RESERVED`)',
      source: '`infra/aws/constructs/clock-and-jobs.ts`',
      allowed: RESERVED['live-dispatcher'],
      used: running,
    },
    {
      what: 'Our own: requests of one method a second (`THROTTLE`)',
      source: '`infra/aws/constructs/payment-api.ts`',
      allowed: THROTTLE.production.throttlingRateLimit,
      used: payments,
    },
  ];
  const show = (value: number) => Math.round(value).toLocaleString('en');
  return [
    `At ${show(FAR.requests)} requests a second, which are ${show(payments)} payments, of ${show(FAR.merchants)} merchants alike: each has one in ${show(FAR.merchants / payments)} seconds, so no partition is near its ${show(AWS_QUOTAS.partitionWriteUnits.perSecond)} write units. One merchant alone reaches what [a merchant's partitions](#how-far) take. The clock puts an event on EventBridge only for what the stream has lost. Not computed: the rate at which Lambda writes logs, which AWS does not count as calls of the account. The first quota that is met comes first:`,
    '',
    '| Quota | Allowed | Used | Share | Ask for | By |',
    '|---|---:|---:|---:|---:|---|',
    ...firstMet(quotas).map(
      ({ what, allowed, used, source }) =>
        `| ${what} | ${show(allowed)} | ${show(used)} | ${((100 * used) / allowed).toFixed(0)} % | ${used * ASKED_FOR > allowed ? show(used * ASKED_FOR) : ''} | ${source} |`,
    ),
  ];
}
