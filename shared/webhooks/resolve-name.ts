import { Resolver } from 'node:dns/promises';

/** How long a name server may take, and how often it is queried: a delivery has 15 seconds in all. */
const ASKED = { timeout: 2_000, tries: 2 };

/**
 * The addresses of a name, IPv4 first; none where there is no such name, or no answer in time. Only name servers are
 * queried: neither the machine's own list of hosts nor the names of its own network count. `getaddrinfo` is not used,
 * since one name server that does not respond would block its few threads for all others.
 * @param signal ends it
 */
export async function resolveName(name: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver(ASKED);
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
