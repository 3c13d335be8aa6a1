import type { LiveProvider } from './provider.ts';

/**
 * Stands for a provider while the account that something was made at is not connected: nobody can tell what became of
 * it, and nobody else is asked. Whoever waits for a clear answer goes on when the account is back (contract §15).
 */
export function absentProvider(name: string): LiveProvider {
  const notConnected = async () => ({ kind: 'unknown', why: 'account-not-connected' }) as const;
  return {
    name,
    methods: new Map(),
    initiate: notConnected,
    cancel: notConnected,
    refund: notConnected,
    retrieve: notConnected,
    retrieveRefund: notConnected,
    parseNotification: async () => null,
    verifyCredentials: notConnected,
  };
}
