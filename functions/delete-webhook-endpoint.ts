import { webhookEndpointOperations } from '../shared/contract/webhook-endpoints.ts';
import { deleteEndpoint, merchantEndpoint } from '../shared/domain/endpoint.ts';
import { serve } from '../shared/http/serve.ts';
import { readEndpoints } from '../shared/store/events/endpoint.ts';

/** Deletes an endpoint: nothing is sent to it any more. A job deletes its remaining items. */
export const handler = serve(webhookEndpointOperations.deleteWebhookEndpoint, async (request) => {
  const { world, params, nowMs } = request;
  const endpoint = merchantEndpoint(await readEndpoints(world), params.id);
  const { id } = endpoint;
  return {
    changes: [
      deleteEndpoint(endpoint, nowMs),
      { kind: 'job', job: { kind: 'delete-endpoint', dueAtMs: nowMs, endpointId: id } },
    ],
    response: { id, deleted: true as const },
  };
});
