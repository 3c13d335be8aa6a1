import type fc from 'fast-check';

const { FC_SEED, FC_RUNS } = process.env;

/** How often a property is run, and by which seed: a new one each time, which a failure prints and FC_SEED repeats. */
export function propertyRuns(numRuns: number): fc.Parameters<unknown> {
  return { numRuns: Number(FC_RUNS ?? numRuns), ...(FC_SEED !== undefined && { seed: Number(FC_SEED) }) };
}

/**
 * A run that does nothing once the time for all of them is over: a slow machine does fewer, and a failure is not
 * shrunk for ever. FC_RUNS lifts the limit.
 */
export function withinLimit<Values extends unknown[]>(
  limitMs: number,
  run: (...values: Values) => Promise<void>,
): (...values: Values) => Promise<void> {
  const endsAtMs = FC_RUNS === undefined ? performance.now() + limitMs : Number.POSITIVE_INFINITY;
  return async (...values) => {
    if (performance.now() < endsAtMs) {
      await run(...values);
    }
  };
}
