import { ENVIRONMENT_SECONDS, LATENCIES, type Latency, PROCESSOR_SHARE } from './aws-numbers.ts';
import { quantile } from './quantile.ts';

const SAMPLES = 20_000;
const SEED = 20_261_130;
/** How far from the mean 99 of 100 values of a normal distribution are at most, in deviations. */
const DEVIATIONS_OF_P99 = 2.326;
/** How many deviations above the mean number of environments are kept for the peaks of a steady rate. */
const PEAK_DEVIATIONS = 3;

/** What was measured of an operation. */
export interface MeasuredOperation {
  readonly name: string;
  readonly rounds: number;
  readonly isChange: boolean;
  /** Milliseconds of a whole processor, without the store. */
  readonly processorMs: number;
}

interface Prediction {
  readonly warm: Latency;
  readonly cold: Latency;
  /** All requests together, at a rate. */
  readonly mixed: Latency;
  readonly coldShare: number;
  /** What Lambda bills of a warm call, on average. */
  readonly billedMs: number;
}

/**
 * Predicts one operation at a steady rate: its latencies are drawn from lognormal distributions with the given median and
 * 99th percentile, added up, and sorted. They are taken to be independent, so a bad second of AWS is not in it. The same
 * seed draws the same.
 */
export function predictOperation(
  { rounds, isChange, processorMs }: MeasuredOperation,
  perSecond: number,
  latencies: Readonly<Record<keyof typeof LATENCIES, Latency>> = LATENCIES,
): Prediction {
  const random = seeded(SEED);
  const draw = (latency: Latency) => drawFrom(latency, random);
  const own = Array.from({ length: SAMPLES }, () => {
    const reads = Array.from({ length: rounds - (isChange ? 1 : 0) }, () => draw(latencies.read));
    const written = isChange ? draw(latencies.transaction) : 0;
    return processorMs / PROCESSOR_SHARE + written + reads.reduce((sum, ms) => sum + ms, 0);
  });
  const warm = own.map((ms) => ms + draw(latencies.gateway));
  const cold = warm.map((ms) => ms + draw(latencies.init));
  const billedMs = own.reduce((sum, ms) => sum + ms, 0) / SAMPLES;
  const share = coldShare(perSecond, billedMs / 1_000);
  const mixed = warm.map((ms, index) => (random() < share ? (cold[index] ?? ms) : ms));
  return { warm: ofValues(warm), cold: ofValues(cold), mixed: ofValues(mixed), coldShare: share, billedMs };
}

/**
 * The share of requests that start an environment where the rate is steady: each one that is needed is replaced in time.
 * Arrivals are a Poisson process, so those at work vary by the root of their mean.
 */
export function coldShare(perSecond: number, seconds: number): number {
  const atOnce = perSecond * seconds;
  const environments = Math.max(1, atOnce + PEAK_DEVIATIONS * Math.sqrt(atOnce));
  return Math.min(1, environments / ENVIRONMENT_SECONDS / perSecond);
}

function ofValues(values: readonly number[]): Latency {
  return { p50: quantile(values, 0.5), p99: quantile(values, 0.99) };
}

function drawFrom({ p50, p99 }: Latency, random: () => number): number {
  const deviation = Math.log(p99 / p50) / DEVIATIONS_OF_P99;
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return p50 * Math.exp(deviation * normal);
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a quota allows, and what a rate would use of it. */
export interface UsedQuota {
  readonly what: string;
  /** Who says so. */
  readonly source: string;
  readonly allowed: number;
  readonly used: number;
}

/** Those that are used up the most come first. */
export function firstMet(quotas: readonly UsedQuota[]): UsedQuota[] {
  return quotas.toSorted((a, b) => b.used / b.allowed - a.used / a.allowed);
}
