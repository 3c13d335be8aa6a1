import { readPlainUrl } from '../domain/plain-url.ts';
import { randomBase62 } from '../domain/secret.ts';
import type { LiveProvider, ProviderKind } from './provider.ts';

/**
 * The providers that a live world can be connected to, by name. Each is a folder beside this file. To add one, name it
 * here; it is loaded where it is needed, so that test mode loads none of it.
 */
export const PROVIDER_KINDS = {
  stripe: async () => (await import('./stripe/stripe-provider.ts')).STRIPE,
} as const satisfies Readonly<Record<string, () => Promise<ProviderKind>>>;

/** The secret that signs notifications: a provider shows it where their URL was entered, so after the other secrets. */
export const NOTIFICATION_SECRET = 'webhook_secret';
const UNKNOWN_SECRET_CHARS = 43;

const LOOPBACK = /^(127(\.\d+){3}|\[::1\]|localhost)$/;

/** @throws Error for a name that is not in the table: a defect of this service, or data of a later version */
export async function loadProviderKind(name: string): Promise<ProviderKind> {
  if (!Object.hasOwn(PROVIDER_KINDS, name)) {
    throw new Error('there is no such provider');
  }
  return PROVIDER_KINDS[name as keyof typeof PROVIDER_KINDS]();
}

/**
 * A provider, by one merchant's secrets. Its notifications are refused where the secret that signs them is missing.
 * @throws Error where the environment names an origin that no secret may be sent to
 */
export async function openProvider(
  name: string,
  secrets: Readonly<Record<string, string>>,
): Promise<LiveProvider> {
  const kind = await loadProviderKind(name);
  // A random value stands in for a missing secret, so that no signature is valid.
  const unknown = { [NOTIFICATION_SECRET]: randomBase62(UNKNOWN_SECRET_CHARS) };
  return kind.connect({ ...unknown, ...secrets }, configuredOrigin(name));
}

/** The environment's variable that names another origin than a provider's own: for validators and tests. */
export function apiUrlVariable(name: string): string {
  return `${name.toUpperCase()}_API_URL`;
}

/**
 * That other origin; undefined where none is named.
 * @throws Error where no secret may be sent there
 */
export function configuredOrigin(name: string, env = process.env): string | undefined {
  const variable = apiUrlVariable(name);
  const given = env[variable];
  if (given === undefined || given === '') {
    return undefined;
  }
  const url = readPlainUrl(given);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (url === null || !isSafe || url.href !== `${url.origin}/`) {
    throw new Error(
      `${variable} is to name an origin that secrets may be sent to: https://HOST, or http://127.0.0.1:PORT, and no path.`,
    );
  }
  return url.origin;
}
