import type { ReadRequest } from './reads.ts';

/** What a purge counts: the clock, payments, sinks and endpoints, in this order. */
export const WORLD_READS: readonly ReadRequest[] = [
  { operationId: 'testkit_GetClock' },
  { operationId: 'payments_ListPayments', query: { limit: '100' } },
  { operationId: 'testkit_ListWebhookSinks' },
  { operationId: 'webhooks_ListWebhookEndpoints' },
];
