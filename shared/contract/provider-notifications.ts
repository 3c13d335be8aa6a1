import { type Operation, PUBLIC } from './operation.ts';

export const providerNotificationOperations = {
  receiveNotice: {
    ...PUBLIC,
    id: 'providers.ReceiveNotice',
    method: 'POST',
    path: '/providers/{provider}/{token}',
    summary: 'Receive a notification from a payment provider',
    description:
      'Signed by the provider, at a URL with an unguessable token. A notification is only a hint: the service retrieves the state from the provider and records that.',
    storage: {
      get: ['NOTICES', 'WORLD', 'PAYMENT', 'REFUND', 'LINK', 'PROVIDER-EVENTS'],
      put: ['PAYMENT', 'REFUND', 'LINK', 'PROVIDER-EVENTS', 'OUTBOX', 'JOBS'],
      update: ['PAYMENT', 'LINK', 'BALANCES'],
    },
    provider: true,
    success: { status: 200, contentType: 'application/json' },
    errors: [
      'route_not_found',
      'body_too_large',
      'malformed_request',
      'unsupported_media_type',
      'live_mode_unavailable',
      'provider_unavailable',
    ],
  },
} as const satisfies Record<string, Operation>;
