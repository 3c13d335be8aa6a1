import type { LiveProvider } from './provider.ts';

/**
 * Stands in for a provider while the account of a payment or refund is not connected: every outcome is unknown, and no
 * other account is queried. Unknown outcomes are retrieved once the account is connected (contract §15).
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
