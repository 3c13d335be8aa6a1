import type { ReadRequest } from './reads.ts';
import { useReads } from './use-read.ts';
import { lossesOf } from './world-words.ts';

/** In the order in which losses are named. */
const COUNTED: readonly ReadRequest[] = [
  { operationId: 'testkit.GetClock' },
  { operationId: 'payments.ListPayments', query: { limit: '100' } },
  { operationId: 'testkit.ListWebhookSinks' },
  { operationId: 'webhooks.ListWebhookEndpoints' },
];

/** What a purge of the test world would delete now, in words. @param isNeeded if not, nothing is read */
export function useLosses(isNeeded: boolean): readonly string[] {
  const [clock = null, payments = null, sinks = null, endpoints = null] = useReads(
    isNeeded ? COUNTED : [],
  ).map(({ answer }) => answer);
  return lossesOf({ clock, payments, sinks, endpoints });
}
