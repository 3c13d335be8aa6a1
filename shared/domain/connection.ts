import { randomBase62 } from './secret.ts';

/**
 * What a live world is connected to: an account at a provider (contract §15). Test worlds are connected to nobody. The
 * secrets of the account are kept elsewhere: see `store/provider-secrets.ts`.
 */
export interface Connection {
  /** Which provider, by its name in `providers/provider-kinds.ts`. */
  readonly kind: string;
  /** The end of the address that its notices come to. */
  readonly token: string;
  /** The account, in the provider's words. What one account was asked for, another one does not know. */
  readonly account: string;
  /** Whether no real money moves there. */
  readonly isTest: boolean;
  /** When its secrets were given, in real time. Those that were given later are others. */
  readonly connectedAtMs: number;
}

/** 190 bits that nobody can guess. */
const TOKEN_CHARS = 32;

export function newNoticeToken(): string {
  return randomBase62(TOKEN_CHARS);
}

/** The address to enter at the provider. */
export function noticeUrl({ kind, token }: Pick<Connection, 'kind' | 'token'>, baseUrl: string): string {
  return `${baseUrl}/providers/${kind}/${token}`;
}
