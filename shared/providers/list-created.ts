import type { CreatedObject, ListCreated } from './created-object.ts';
import type { ProviderResult } from './provider.ts';
import { configuredOrigin, type PROVIDER_KINDS } from './provider-kinds.ts';

/*
 * What this service has created at a provider: to compare with restored data. It is no part of the port, since only an
 * operator asks for it, and every function that calls a provider would load it.
 */

/** Every provider: one without its list does not compile. */
const LISTS: Readonly<Record<keyof typeof PROVIDER_KINDS, () => Promise<ListCreated>>> = {
  stripe: async () => (await import('./stripe/list-created-at-stripe.ts')).listCreatedAtStripe,
};

/**
 * What this service has created since an instant, by one merchant's secrets; payments first, each newest first.
 * @throws Error where the environment names an origin that no secret may be sent to
 */
export async function listCreated(
  name: string,
  secrets: Readonly<Record<string, string>>,
  sinceMs: number,
): Promise<ProviderResult<readonly CreatedObject[]>> {
  if (!Object.hasOwn(LISTS, name)) {
    throw new Error('there is no such provider');
  }
  const list = await LISTS[name as keyof typeof LISTS]();
  return list(secrets, sinceMs, configuredOrigin(name));
}
