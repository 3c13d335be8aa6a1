import type { Node } from 'constructs';
import { apiUrlVariable, PROVIDER_KINDS } from '../../shared/providers/provider-kinds.ts';

/**
 * Origins to use instead of the providers' own, for validators and tests: `-c STRIPE_API_URL=…`, by the names of the
 * functions' environment variables.
 */
export function readProviderOrigins(node: Node): Record<string, string> {
  const given = Object.keys(PROVIDER_KINDS).map((kind) => [
    apiUrlVariable(kind),
    node.tryGetContext(apiUrlVariable(kind)),
  ]);
  return Object.fromEntries(given.filter(([, origin]) => origin !== undefined));
}
