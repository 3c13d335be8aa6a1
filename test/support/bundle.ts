import type { BuildOptions } from 'esbuild';
import { BUNDLING } from '../../infra/constructs/payment-function.ts';
import { functionNameOf } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { UNKNOWN_ROUTE_FUNCTION } from '../../shared/contract/routes.ts';

export const WORKERS = ['workers/clock-tick', 'workers/job-runner'];

/** Every function that is deployed, by its file in `functions/`. */
export const functionNames = [...allOperations.map(functionNameOf), UNKNOWN_ROUTE_FUNCTION, ...WORKERS];

const { externalModules, sourceMap, ...same } = BUNDLING;

/** How functions are bundled, in esbuild's own words. */
export const AS_DEPLOYED = {
  ...same,
  external: externalModules,
  sourcemap: sourceMap,
  bundle: true,
  platform: 'node',
} satisfies BuildOptions;
