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

/** Units may be fractions, where calls are shared. */
export function show(units: number): string {
  return String(Number(units.toFixed(1)));
}
