import type { Provider, ProviderResult } from '../providers/provider.ts';
import { COUNTED_LINES } from '../telemetry/counted-lines.ts';
import { log } from '../telemetry/log.ts';

/** What is no answer to go on with: that nothing is known, or a refusal where nothing was to be refused. */
export type UnknownOutcome = Exclude<ProviderResult<unknown>, { kind: 'done' }>;

/**
 * Notes that a provider gave no clear answer.
 * @param what is asked for, and of what
 */
export function logUnknownOutcome(
  { name }: Pick<Provider, 'name'>,
  result: UnknownOutcome,
  what: Readonly<Record<string, unknown>>,
): void {
  log.warn(COUNTED_LINES.ProviderOutcomeUnknown, { provider: name, ...what, ...result });
}
