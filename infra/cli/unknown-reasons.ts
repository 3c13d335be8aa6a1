import type { UnknownReason } from '../../shared/providers/provider.ts';

/** Why the outcome at a provider is unknown, in words that follow its name. */
export const UNKNOWN_REASONS: Readonly<Record<UnknownReason, string>> = {
  'time-out': 'does not answer in time',
  connection: 'cannot be reached',
  server: 'answers that it failed, or something that cannot be understood',
  busy: 'has too much to do',
  credentials: 'does not take these secrets: they were replaced there, or may not read the account',
  'key-reused': 'takes this for something else',
  'account-not-connected': 'is not asked, for the account that this was made at is not connected',
};
