import { type Operation, PUBLIC } from './operation.ts';

export const providerNotificationOperations = {
  receiveNotification: {
    ...PUBLIC,
    id: 'providers.ReceiveNotification',
    method: 'POST',
    path: '/providers/{provider}/{token}',
    reads: ['provider-address', 'world', 'payment', 'refund', 'paymentLink', 'provider-event'],
    changes: ['payment.end', 'refund.end'],
    provider: true,
    success: { status: 200, contentType: 'application/json' },
    errors: [
      'route_not_found',
      'body_too_large',
      'unsupported_media_type',
      'live_mode_unavailable',
      'provider_unavailable',
    ],
  },
} as const satisfies Record<string, Operation>;
