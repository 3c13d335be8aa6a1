import type { Node } from 'constructs';
import { apiUrlVariable, PROVIDER_KINDS } from '../shared/providers/provider-kinds.ts';

/**
 * Other origins than the providers' own, for validators and tests: `-c STRIPE_API_URL=…`, by the variables that tell
 * functions of them.
 */
export function readProviderOrigins(node: Node): Record<string, string> {
  const given = Object.keys(PROVIDER_KINDS).map((kind) => [
    apiUrlVariable(kind),
    node.tryGetContext(apiUrlVariable(kind)),
  ]);
  return Object.fromEntries(given.filter(([, origin]) => origin !== undefined));
}
