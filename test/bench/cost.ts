/** What a million payments ask of the store, and how much else happens for each. */
export interface LifeOfPayment {
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly requests: number;
  readonly runs: number;
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

/** More for a million payments is a regression: a tenth above what they came to when this was set. */
const DOLLARS_MAX = 106;
const LARGEST = 3;

type Component =
  | 'API Gateway'
  | 'DynamoDB, writes'
  | 'DynamoDB, reads'
  | 'Lambda, requests'
  | 'Lambda, time'
  | 'EventBridge'
  | 'Logs';

/** What was done about each. */
const DONE: Readonly<Record<Component, string>> = {
  'API Gateway':
    'One request for each thing that a merchant does: every answer is the whole resource, and webhooks carry it too, so that nothing has to be asked for again.',
  'DynamoDB, writes':
    'Indexes hold keys alone, so that an entry is one unit however large the item is, and events that leave the outbox together take their numbers in one write. A write in a transaction counts twice: that is the price of exactly once.',
  'DynamoDB, reads':
    'A request reads its key, its world and what it decides on, each by its key: never a scan, and no more when more is stored.',
  'Lambda, requests': 'One function for each request, and one run for all that a change has queued.',
  'Lambda, time':
    'ARM, which costs a fifth less, at most three rounds to the store for a request, and connections that stay open.',
  EventBridge:
    'One event for each world that is due, not for each job; fresh events come by the stream, which is free.',
  Logs: 'One line for each request, and none for each call of the store.',
};

/** The store's price of these units. */
export function storeDollars({
  readUnits,
  writeUnits,
}: Pick<LifeOfPayment, 'readUnits' | 'writeUnits'>): number {
  return readUnits * PRICES.readUnit + writeUnits * PRICES.writeUnit;
}

/** What a million payments cost, by component. */
export function describeCost({ readUnits, writeUnits, requests, runs }: LifeOfPayment): {
  readonly lines: string[];
  readonly failures: string[];
} {
  const { apiCallMs, runnerCallMs, memoryGb, logBytesPerCall } = ASSUMED;
  const calls = requests + runs;
  const seconds = (requests * apiCallMs + runs * runnerCallMs) / 1_000;
  const costs: Readonly<Record<Component, readonly [arithmetic: string, perPayment: number]>> = {
    'API Gateway': [`${requests} requests × $3.50`, requests * PRICES.apiRequest],
    'DynamoDB, writes': [`${writeUnits} units × $0.625`, writeUnits * PRICES.writeUnit],
    'DynamoDB, reads': [`${readUnits} units × $0.125`, readUnits * PRICES.readUnit],
    'Lambda, requests': [`${calls} × $0.20`, calls * PRICES.lambdaRequest],
    'Lambda, time': [
      `(${requests} × ${apiCallMs} ms + ${runs} × ${runnerCallMs} ms) × ${memoryGb} GB × $13.33`,
      seconds * memoryGb * PRICES.lambdaGbSecond,
    ],
    EventBridge: ['1 event × $1.00', PRICES.eventOnBus],
    Logs: [`${calls} × ${logBytesPerCall} B × $0.50 a GB`, (calls * logBytesPerCall * PRICES.logGb) / 1e9],
  };
  const rows = Object.entries(costs) as [Component, readonly [string, number]][];
  const total = PAYMENTS * rows.reduce((sum, [, [, perPayment]]) => sum + perPayment, 0);
  const largest = rows.toSorted(([, [, a]], [, [, b]]) => b - a).slice(0, LARGEST);
  return {
    lines: [
      '| Of a million payments | Each | $ |',
      '|---|---|---:|',
      ...rows.map(
        ([what, [arithmetic, perPayment]]) =>
          `| ${what} | ${arithmetic} | ${(perPayment * PAYMENTS).toFixed(2)} |`,
      ),
      `| **Together** (more than ${DOLLARS_MAX} fails) | | **${total.toFixed(2)}** |`,
      '',
      `The ${LARGEST} largest, and what was done about them:`,
      '',
      ...largest.map(([what]) => `- **${what}.** ${DONE[what]}`),
    ],
    failures:
      total > DOLLARS_MAX
        ? [`a million payments cost $${total.toFixed(2)}, which is more than $${DOLLARS_MAX}`]
        : [],
  };
}
