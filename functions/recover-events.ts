import { viewRecovered, webhookEndpointOperations } from '../shared/contract/webhook-endpoints.ts';
import {
  beginRecovery,
  merchantEndpoint,
  requireEnabled,
  requireNoRecovery,
} from '../shared/domain/endpoint.ts';
import { findMissed } from '../shared/flows/recover-events.ts';
import { serve } from '../shared/http/serve.ts';
import { readEndpoints } from '../shared/store/events/endpoint.ts';

/** Queues the events since an instant that an endpoint has not received. */
export const handler = serve(webhookEndpointOperations.recoverEvents, async (request) => {
  const { world, params, body, nowMs } = request;
  const endpoint = merchantEndpoint(await readEndpoints(world), params.id);
  requireEnabled(endpoint);
  requireNoRecovery(endpoint, nowMs);
  const { ranges, count, nextSinceMs } = await findMissed(world, endpoint, Date.parse(body.since));
  const job = { kind: 'recover-events', dueAtMs: nowMs, endpointId: endpoint.id, ranges } as const;
  const changes = count === 0 ? [] : [{ kind: 'job', job } as const, beginRecovery(endpoint, nowMs)];
  return { changes, response: viewRecovered(count, nextSinceMs) };
});
