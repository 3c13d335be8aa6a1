import { BUNDLING } from '../../../infra/aws/constructs/payment-function.ts';
import { functionNameOf } from '../../../shared/contract/operation.ts';
import { allOperations } from '../../../shared/contract/operations.ts';
import { UNKNOWN_ROUTE_FUNCTION } from '../../../shared/contract/routes.ts';

export const WORKERS = ['clock-tick', 'job-runner', 'live-job-runner', 'deliverer'].map(
  (name) => `workers/${name}`,
);

/** Every function that is deployed, by its file in `functions/`. */
export const functionNames = [...allOperations.map(functionNameOf), UNKNOWN_ROUTE_FUNCTION, ...WORKERS];

export const functionFiles = functionNames.map((name) => `functions/${name}.ts`);

/** How functions are bundled. */
export const AS_DEPLOYED = BUNDLING;
