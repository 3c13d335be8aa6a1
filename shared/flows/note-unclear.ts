import { COUNTED_LINES } from '../contract/counted-lines.ts';
import { log } from '../http/log.ts';
import type { Answer, Provider } from '../providers/provider.ts';

/** What is no answer to go on with: that nothing is known, or a refusal where nothing was to be refused. */
export type Unclear = Exclude<Answer<unknown>, { kind: 'done' }>;

/**
 * Notes that a provider gave no clear answer.
 * @param what is asked for, and of what
 */
export function noteUnclear(
  { name }: Pick<Provider, 'name'>,
  answer: Unclear,
  what: Readonly<Record<string, unknown>>,
): void {
  log.warn(COUNTED_LINES.ProviderUnclear, { provider: name, ...what, ...answer });
}
