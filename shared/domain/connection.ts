import { isDeepStrictEqual } from 'node:util';
import { randomBase62 } from './secret.ts';

/** An account at a provider. Objects of one account do not exist in another. */
export interface ProviderAccount {
  /** Which provider, by its name in `providers/provider-kinds.ts`. */
  readonly kind: string;
  /** The provider's id of the account. */
  readonly account: string;
  /** Whether no real money moves there. */
  readonly isTest: boolean;
  /** The origin of the API that the account belongs to, if it is not the provider's own. */
  readonly origin?: string;
}

/**
 * The provider account that a live world is connected to (contract §15). Test worlds have no connection. The secrets of
 * the account are stored elsewhere: see `store/worlds/provider-secrets.ts`.
 */
export interface Connection extends ProviderAccount {
  /** The last part of the URL to which the provider sends its notifications. */
  readonly token: string;
  /** When its secrets were set, in real time. New secrets get a new instant. */
  readonly connectedAtMs: number;
}

/** 190 random bits. */
const TOKEN_CHARS = 32;

export function newNotificationToken(): string {
  return randomBase62(TOKEN_CHARS);
}

/** The account alone, as stored with every object that is created there. */
export function providerAccountOf({ kind, account, isTest, origin }: ProviderAccount): ProviderAccount {
  return { kind, account, isTest, ...(origin !== undefined && { origin }) };
}

/** Data from before accounts were stored has none and matches any: there was only one account then. */
export function isSameAccount(one: ProviderAccount | undefined, other: ProviderAccount | undefined): boolean {
  return (
    one === undefined ||
    other === undefined ||
    isDeepStrictEqual(providerAccountOf(one), providerAccountOf(other))
  );
}

/** The URL for notifications, to be entered at the provider. */
export function notificationUrl(
  { kind, token }: Pick<Connection, 'kind' | 'token'>,
  baseUrl: string,
): string {
  return `${baseUrl}/providers/${kind}/${token}`;
}
