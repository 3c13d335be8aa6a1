import type { UnknownReason } from '../../shared/providers/provider.ts';

/** Why the outcome at a provider is unknown, in words that follow its name. */
export const UNKNOWN_REASONS: Readonly<Record<UnknownReason, string>> = {
  'time-out': 'did not respond in time',
  connection: 'cannot be reached',
  server: 'responded with an error or an invalid response',
  busy: 'is overloaded',
  credentials: 'rejects these secrets: they were replaced there, or may not read the account',
  'key-reused': 'reports that the key was used for another request',
  'account-not-connected': 'is not called, because the account of this attempt is not connected',
};
