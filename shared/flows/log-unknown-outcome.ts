import type { Provider, ProviderResult } from '../providers/provider.ts';
import { COUNTED_LINES } from '../telemetry/counted-lines.ts';
import { log } from '../telemetry/log.ts';

/** A provider result that leaves the outcome open: unknown, or a refusal of a request that has to be accepted. */
export type UnknownOutcome = Exclude<ProviderResult<unknown>, { kind: 'done' }>;

/**
 * Logs that the outcome of a request to a provider is unknown.
 * @param what the request and its subject
 */
export function logUnknownOutcome(
  { name }: Pick<Provider, 'name'>,
  result: UnknownOutcome,
  what: Readonly<Record<string, unknown>>,
): void {
  log.warn(COUNTED_LINES.ProviderOutcomeUnknown, { provider: name, ...what, ...result });
}
