import { randomBase62 } from './secret.ts';

/** An account at a provider. What one was asked for, another one does not know. */
export interface ProviderAccount {
  /** Which provider, by its name in `providers/provider-kinds.ts`. */
  readonly kind: string;
  /** In the provider's words. */
  readonly account: string;
  /** Whether no real money moves there. */
  readonly isTest: boolean;
  /** The origin of the API that has it, where that is not the provider's own. */
  readonly origin?: string;
}

/**
 * What a live world is connected to: an account at a provider (contract §15). Test worlds are connected to nobody. The
 * secrets of the account are kept elsewhere: see `store/provider-secrets.ts`.
 */
export interface Connection extends ProviderAccount {
  /** The end of the address that its notices come to. */
  readonly token: string;
  /** When its secrets were given, in real time. Those that were given later are others. */
  readonly connectedAtMs: number;
}

/** 190 bits that nobody can guess. */
const TOKEN_CHARS = 32;

export function newNotificationToken(): string {
  return randomBase62(TOKEN_CHARS);
}

/** The account alone: what is kept with all that is made there. */
export function providerAccountOf({ kind, account, isTest, origin }: ProviderAccount): ProviderAccount {
  return { kind, account, isTest, ...(origin !== undefined && { origin }) };
}

/** Data older than the note of an account lacks it: it was made at the only one that there was. */
export function isSameAccount(one: ProviderAccount | undefined, other: ProviderAccount | undefined): boolean {
  return (
    one === undefined ||
    other === undefined ||
    (one.kind === other.kind &&
      one.account === other.account &&
      one.isTest === other.isTest &&
      one.origin === other.origin)
  );
}

/** The address to enter at the provider. */
export function notificationUrl(
  { kind, token }: Pick<Connection, 'kind' | 'token'>,
  baseUrl: string,
): string {
  return `${baseUrl}/providers/${kind}/${token}`;
}
