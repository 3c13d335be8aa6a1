/** What a payment costs the store. */
export interface Units {
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** What a payment uses of AWS, from its first request to its end. */
export interface Consumption extends Units {
  readonly requests: number;
  readonly runs: number;
  /** Events of the clock on the bus. */
  readonly busEvents: number;
}

/** List prices of AWS in us-east-1, in US dollars. Other regions differ by up to a half. */
const PRICES = {
  apiRequest: 3.5 / 1e6,
  lambdaRequest: 0.2 / 1e6,
  lambdaGbSecond: 0.000_013_333_4,
  readUnit: 0.125 / 1e6,
  writeUnit: 0.625 / 1e6,
  eventOnBus: 1 / 1e6,
  logGb: 0.5,
};
/** What cannot be measured on this machine, assumed: a warm call's billed time, and what it logs. */
const ASSUMED = { apiCallMs: 40, runnerCallMs: 120, memoryGb: 1, logBytesPerCall: 900 };
const PAYMENTS = 1e6;

/** The store's price of these units, a million times. */
export function storeDollarsPerMillion({ readUnits, writeUnits }: Units): number {
  return PAYMENTS * (readUnits * PRICES.readUnit + writeUnits * PRICES.writeUnit);
}

/** What a million requests cost, each with such a billed time of its function. */
export function requestDollarsPerMillion(units: Units, billedMs: number): number {
  const time = (billedMs / 1_000) * ASSUMED.memoryGb * PRICES.lambdaGbSecond;
  const log = (ASSUMED.logBytesPerCall * PRICES.logGb) / 1e9;
  return storeDollarsPerMillion(units) + PAYMENTS * (PRICES.apiRequest + PRICES.lambdaRequest + time + log);
}

/** What a million payments cost, and how that comes about, as a table. */
export function costOf(consumed: Consumption): {
  readonly dollarsPerMillion: number;
  readonly lines: string[];
} {
  const { readUnits, writeUnits, requests, runs, busEvents } = consumed;
  const { apiCallMs, runnerCallMs, memoryGb, logBytesPerCall } = ASSUMED;
  const calls = requests + runs;
  const seconds = (requests * apiCallMs + runs * runnerCallMs) / 1_000;
  const rows: readonly (readonly [what: string, arithmetic: string, dollarsEach: number])[] = [
    ['API Gateway', `${requests} requests × $3.50`, requests * PRICES.apiRequest],
    ['DynamoDB, writes', `${show(writeUnits)} units × $0.625`, writeUnits * PRICES.writeUnit],
    ['DynamoDB, reads', `${show(readUnits)} units × $0.125`, readUnits * PRICES.readUnit],
    ['Lambda, requests', `${calls} × $0.20`, calls * PRICES.lambdaRequest],
    [
      'Lambda, time',
      `(${requests} × ${apiCallMs} ms + ${runs} × ${runnerCallMs} ms) × ${memoryGb} GB × $13.33`,
      seconds * memoryGb * PRICES.lambdaGbSecond,
    ],
    ['EventBridge', `${busEvents} × $1.00`, busEvents * PRICES.eventOnBus],
    ['Logs', `${calls} × ${logBytesPerCall} B × $0.50 a GB`, (calls * logBytesPerCall * PRICES.logGb) / 1e9],
  ];
  const dollarsPerMillion = PAYMENTS * rows.reduce((sum, [, , each]) => sum + each, 0);
  return {
    dollarsPerMillion,
    lines: [
      '| Of a million payments | Each | $ |',
      '|---|---|---:|',
      ...rows.map(([what, each, dollars]) => `| ${what} | ${each} | ${(dollars * PAYMENTS).toFixed(2)} |`),
      `| **Together** | | **${dollarsPerMillion.toFixed(2)}** |`,
    ],
  };
}

/** What is there in production while nothing happens; a test stage has no alarms. A test compares it with the template. */
export const AT_REST = {
  alarms: 28,
  /** Synthetic payments of test mode. */
  smokesPerHour: 12,
  dashboards: 1,
  /** Metrics of our own that are reported although nothing happens: by the tick. */
  metrics: 2,
  /** Queues that Lambda polls. */
  polledQueues: 2,
  ticksPerMinute: 1,
} as const;
const MINUTES_A_MONTH = (365.25 / 12) * 24 * 60;
/** Lambda waits at an empty queue with five requests at once, 20 seconds each. */
const POLLS_PER_MINUTE = 5 * 3;
/** Beside the requests of a payment's life: its page, and its events, which are asked for some three times. */
const SMOKE_READS = 4;
/** It waits for events, and Lambda bills that, too. */
const SMOKE_SECONDS = 3;
/** Some $45 a million for its life, and $5 for each other request. */
const DOLLARS_PER_SMOKE = (45 + 5 * SMOKE_READS) / PAYMENTS;
const PRICES_AT_REST = { secret: 0.4, alarm: 0.1, dashboard: 3, metric: 0.3, queueRequest: 0.4 / 1e6 };

/**
 * What a stage costs a month in which nothing happens, and how that comes about, as a table.
 * @param tick what a tick of the clock costs the store that finds nothing
 */
export function costOfRest({ readUnits, writeUnits }: Units): {
  readonly dollarsPerMonth: number;
  readonly lines: string[];
} {
  const { alarms, smokesPerHour, dashboards, metrics, polledQueues, ticksPerMinute } = AT_REST;
  const { runnerCallMs, memoryGb, logBytesPerCall } = ASSUMED;
  const ticks = ticksPerMinute * MINUTES_A_MONTH;
  const smokes = (smokesPerHour / 60) * MINUTES_A_MONTH;
  const polls = polledQueues * POLLS_PER_MINUTE * MINUTES_A_MONTH;
  const seconds = (ticks * runnerCallMs * memoryGb) / 1_000;
  const about = (count: number) => (Math.round(count / 1_000) * 1_000).toLocaleString('en-US');
  const rows: readonly (readonly [what: string, dollars: number])[] = [
    [`${alarms} alarms × $${PRICES_AT_REST.alarm.toFixed(2)}`, alarms * PRICES_AT_REST.alarm],
    [
      `${about(smokes)} smoke payments: a payment's life, ${SMOKE_READS} requests more, and ${SMOKE_SECONDS} s × ${memoryGb} GB`,
      smokes * (DOLLARS_PER_SMOKE + SMOKE_SECONDS * memoryGb * PRICES.lambdaGbSecond),
    ],
    ['The secret with the key of smoke payments', PRICES_AT_REST.secret],
    ['A dashboard: the first three of an account are free', dashboards * PRICES_AT_REST.dashboard],
    [`${metrics} metrics that each tick reports × $0.30`, metrics * PRICES_AT_REST.metric],
    [
      `${about(polls)} requests by which Lambda waits at ${polledQueues} empty queues × $0.40 a million: the first million of an account is free`,
      polls * PRICES_AT_REST.queueRequest,
    ],
    [
      `${about(ticks)} ticks of the clock: ${show(readUnits)} read units each`,
      ticks * (readUnits * PRICES.readUnit + writeUnits * PRICES.writeUnit),
    ],
    [
      `Their calls of Lambda, ${runnerCallMs} ms × ${memoryGb} GB each`,
      ticks * PRICES.lambdaRequest + seconds * PRICES.lambdaGbSecond,
    ],
    [`Their logs, ${logBytesPerCall} B each`, (ticks * logBytesPerCall * PRICES.logGb) / 1e9],
  ];
  const dollarsPerMonth = rows.reduce((sum, [, dollars]) => sum + dollars, 0);
  return {
    dollarsPerMonth,
    lines: [
      '| While nothing happens | $ a month |',
      '|---|---:|',
      ...rows.map(([what, dollars]) => `| ${what} | ${dollars.toFixed(2)} |`),
      `| **Together** | **${dollarsPerMonth.toFixed(2)}** |`,
    ],
  };
}

/** Units may be fractions, where calls are shared. */
export function show(units: number): string {
  return String(Number(units.toFixed(1)));
}
