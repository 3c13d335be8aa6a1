/*
 * What others say about AWS in public, and what is assumed because nobody says it. The pages were read in November 2026.
 */

/** Milliseconds that half of all calls take at most, and 99 of 100. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

interface SourcedLatency extends Latency {
  readonly what: string;
  readonly source: string;
}

export const LATENCIES = {
  gateway: {
    what: 'API Gateway, beside its function',
    p50: 10,
    p99: 30,
    source: '"10-30 milliseconds of overhead for REST APIs": smplogs.com/patterns/apigateway/high-latency',
  },
  read: {
    what: 'A read of DynamoDB: a round that is not the last of a change',
    p50: 4,
    p99: 10,
    source: 'AWS promises "single-digit millisecond" and no percentile: assumed within that',
  },
  transaction: {
    what: 'A transaction of DynamoDB, of some five items',
    p50: 16,
    p99: 40,
    source: 'Assumed: four reads, since it writes in two phases',
  },
  init: {
    what: 'A start of Node 22 with three clients of the SDK and their first call',
    p50: 375,
    p99: 750,
    source:
      '"around ~375 ms": speedrun.nobackspacecrew.com/blog/2025/07/21/the-fastest-node-22-lambda-coldstart-configuration.html; its p99 is assumed',
  },
} as const satisfies Record<string, SourcedLatency>;

/** Of a processor that Lambda gives at 1,024 MB: 1,769 MB are a whole one ("Configure Lambda function memory"). */
export const PROCESSOR_SHARE = 1_024 / 1_769;
/** How long an environment is used before AWS replaces it: assumed, since AWS does not say. */
export const ENVIRONMENT_SECONDS = 2 * 3_600;

/** What AWS allows an account in us-east-1 until it is asked for more, and on which page of its documentation it says so. */
export const AWS_QUOTAS = {
  gatewayRequests: { perSecond: 10_000, page: 'Amazon API Gateway quotas' },
  concurrency: { atOnce: 1_000, page: 'Lambda quotas' },
  /** https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html */
  scaling: { environments: 1_000, seconds: 10, page: 'Lambda scaling behavior' },
  tableWriteUnits: { perSecond: 40_000, page: 'Quotas in Amazon DynamoDB' },
  tableReadUnits: { perSecond: 40_000, page: 'Quotas in Amazon DynamoDB' },
  /** A stream has a shard for each partition of its table; so many batches of each are worked on at once. */
  lanes: { ofAShard: 10, page: 'Lambda parameters for Amazon DynamoDB event source mappings' },
  partitionWriteUnits: { perSecond: 1_000, page: 'Quotas in Amazon DynamoDB' },
} as const;
