import * as v from 'valibot';

const SEED_MAX = 999_999_999;

/** The argument of the tools in which something is random; the option `--seed` takes the same. */
export const seedArgument = v.optional(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.maxValue(SEED_MAX),
    v.description('Everything random comes from it: the same seed gives the same run.'),
  ),
  1,
);
